//! The verdicts of the compilers on the cases of the verifier, `tests/data/rule-verdicts.txt`.
//!
//! They decide the response of each rule, except for those in [`EXCEPTIONS`]. The compilers, if
//! they are installed, are asked again: today's about a sample, that of 2022 about all cases.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::Platform;
use genvisa::verify::{Response, rule, rules};
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::repository;
use genvisa_test_support::rng::Rng;

use super::cases_4_2::device_named;
use crate::verify::{self, Case, Source};

const TABLE: &str = include_str!("../../data/rule-verdicts.txt");

/// A row of the table.
pub struct Row {
    pub rule: &'static str,
    /// Names of `ocloc -device`, or platforms of GenX_IR for the text of a file.
    pub devices: &'static str,
    /// The verdict of IGC, or `-` if it was not asked.
    today: &'static str,
    /// The first words of the message of IGC.
    pub words: &'static str,
    /// The verdict of the compiler of 2022 on the case, or `-` if it was not asked.
    pub in_2022: &'static str,
    /// The text, with `\n` for a line break.
    pub question: &'static str,
}

/// Returns the rows of the table.
pub fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = lines.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[rule, devices, today, words, in_2022, question] = &columns[..] else {
            panic!("not a row: {line}")
        };
        Row { rule, devices, today, words, in_2022, question }
    });
    rows.collect()
}

/// Returns the question about a case: the declarations that it needs and the violating text. A case
/// that changes its module has no text; its question begins with `changed`.
pub fn question(case: &Case) -> String {
    let text = &case.violating.text;
    let unchanged = Source::from(text.as_str());
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if verify::module(case, &case.violating) != verify::module(case, &unchanged) {
        let lines: Vec<&str> = lines.collect();
        return format!("changed: {}", lines.join(" \\n "));
    }
    let words: BTreeSet<&str> =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let (own, code): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('.'));
    let name = |line: &str| line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let prologue = verify::prologue(case.format);
    let declarations = prologue.lines().filter(|line| line.starts_with(".decl"));
    let needed = declarations.filter(|line| words.contains(name(line).as_str()));
    let all: Vec<&str> = needed.chain(own).chain(code).collect();
    all.join(" \\n ")
}

/// The rules whose response is not what the table implies, with the reason.
#[rustfmt::skip]
const EXCEPTIONS: &[(Response, &str, &[&str])] = &[
    (Response::Miscompiles,
     "The instruction reads or writes registers of other variables.", &[
         "address-bounds", "dpas-bounds", "gather4-typed-dst-size", "gather4-typed-source-size",
         "info-dst-size", "info-lod-size", "lsc-block2d-bounds", "lsc-block2d-payload",
         "lsc-src-bounds", "media-ld-dst-size", "media-st-src-size", "message-payload",
         "operand-bounds",
         "predicate-width", "raw-bounds", "rt-write-source-size", "sample-3d-dst-size",
         "sample-3d-param-size", "sample-unorm-dst-size", "shfl-idx4-dst-size",
         "state-address-size", "var-alias-end",
     ]),
    (Response::Miscompiles,
     "The text states an operation that the hardware does not have: it does another one.", &[
         "dpas-accumulator", "dpas-precision", "opcode-garbled",
     ]),
    (Response::Changes,
     "The machine code is that of the other value: `genvisa-isa` has a test that compares the codes of all values.", &[
         "exec-mask-aligned", "exec-mask-octet", "fence-flush", "gather-mask", "gather4-typed-exec-size",
         "lsc-append-counter", "lsc-surface-index", "media-st-modified", "predicate-octet",
         "sample-unorm-format", "scaled-mask",
     ]),
    (Response::Miscompiles, "The machine code is that of an operation on integers.", &["typed-atomic-float"]),
    (Response::Miscompiles,
     "The machine code lacks a predicate, a modifier, lanes or a condition of the text, or has another type.", &[
         "cmp-newer-type", "cmp-relation", "early-out-predicate", "flag-mov-exec", "flag-mov-pred", "gather-count",
         "indirect-type", "logic-bool-predicate", "lost-modifier", "lsc-cache-control-base",
         "mov-e2m1", "mov-newer-platform", "mul-saturation", "plane-exec-size",
         "rt-write-rt-index-range",
     ]),
    (Response::Changes,
     "The text that the compiler writes after reading differs.", &[
         "flag-mov-mask", "flag-mov-sat", "lost-saturation", "lsc-cache-control-op", "lsc-cache-count",
         "modified-read", "rt-write-sample-index",
     ]),
    (Response::Miscompiles, "A write to one of the inputs changes the other one.", &["input-overwritten", "input-shared"]),
    (Response::Miscompiles,
     "The code means another number or size of blocks, or changes other fields of the message.", &[
         "qw-gather-blocks", "svm-gather-block-size", "svm-gather-blocks",
     ]),
    (Response::Miscompiles,
     "Another predicate may get the flag between the first and the last use.", &["predicate-lanes"]),
    (Response::Accepts,
     "IGC refuses or crashes on a few of many cases, and shipped kernels of older compilers break the rule.", &[
         "listed-class", "listed-exec-size", "listed-modifier",
     ]),
    (Response::Accepts,
     "Text has no such operands, but binary files may have, and readers accept them.", &[
         "addr-add-class", "carry-class", "movs-state",
     ]),
    (Response::Refuses,
     "No compiler writes such bytes, and nothing after them can be verified.", &[
         "code-decodes",
     ]),
];

/// Returns the response that the verdicts on the cases of a rule imply.
fn implied_response(rows: &[&Row]) -> Response {
    let today = |verdict| rows.iter().any(|row| row.today == verdict);
    if today("refused") {
        Response::Refuses
    } else if today("crashed") {
        Response::Crashes
    } else if !today("accepted")
        && rows.iter().any(|row| ["refused", "crashed"].contains(&row.in_2022))
    {
        Response::RefusedIn2022
    } else {
        Response::Accepts
    }
}

#[test]
fn responses_agree_with_the_verdicts() {
    let rows = rows();
    let mut by_rule: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        assert!(rule(row.rule).is_some(), "unknown rule: {}", row.rule);
        by_rule.entry(row.rule).or_default().push(row);
    }
    let mut wrong = Vec::new();
    for rule in rules() {
        let Some(rows) = by_rule.get(rule.name) else {
            wrong.push(format!("{}: no row", rule.name));
            continue;
        };
        let implied = implied_response(rows);
        let exception = EXCEPTIONS.iter().find(|(.., names)| names.contains(&rule.name));
        match exception {
            Some(_) if implied == rule.response => {
                wrong.push(format!("{}: in the list, but {implied}", rule.name));
            }
            Some((response, _, _)) if *response == rule.response => {}
            None if implied == rule.response => {}
            _ => wrong.push(format!("{}: {}, not {implied}", rule.name, rule.response)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns today's verdict on a question, or `None` if the compiler is not installed.
fn verdict(row: &Row, device: &str) -> Option<(&'static str, bool)> {
    if row.question.starts_with(".version") {
        let compiler = Compiler::find()?;
        // The compiler names its output as the attribute says.
        let text = row.question.replace("\\n", "\n");
        let text = text.replace("OutputAsmPath=\"k\"", "OutputAsmPath=\"t\"");
        let verdict = match compiler.compile(&text, device) {
            Ok(_) => "accepted",
            Err(why) if why.starts_with("exit") => "refused",
            Err(_) => "crashed",
        };
        return Some((verdict, compiler.is_tested));
    }
    let compiler = Ocloc::find()?;
    let verdict = compiler.ask(&row.question.replace(" \\n ", "\n"), device);
    Some((verdict.name(), compiler.is_tested))
}

/// Returns the rows about a case that the table lacks: IGC is asked about it on up to
/// three devices that accept the legal text. `None` if the compiler is not installed.
pub fn new_rows(case: &Case, in_2022: &str) -> Option<Vec<String>> {
    const DEVICES: [&str; 7] = ["tgllp", "dg2", "pvc", "bmg", "ptl", "cri", "nvl-p"];
    let compiler = Ocloc::find()?;
    let question = question(case);
    let not_asked = vec![format!("{}\t-\t-\t\t{in_2022}\t{question}", case.rule)];
    if question.starts_with("changed:") {
        return Some(not_asked);
    }
    let lines = |question: &str| question.replace(" \\n ", "\n");
    let legal = lines(&self::question(&Case {
        violating: case.legal.clone(),
        legal: case.legal.clone(),
        ..*case
    }));
    let mut verdicts: BTreeMap<&str, (Vec<&str>, String)> = BTreeMap::new();
    let has_platform = |device: &&&str| {
        let platform = device_named(device).platform;
        let of_case = match case.platform {
            Some(Platform::PvcSdv) => Some(Platform::PvcXt),
            of_case => of_case,
        };
        of_case.is_none_or(|of_case| of_case == platform)
    };
    let mut asked = 0;
    for device in DEVICES.iter().filter(has_platform) {
        if asked == 3 || compiler.ask(&legal, device) != Verdict::Accepted {
            continue;
        }
        asked += 1;
        let verdict = compiler.ask(&lines(&question), device);
        let words = match &verdict {
            Verdict::Refused(messages) => message(messages).chars().take(90).collect(),
            _ => String::new(),
        };
        let entry = verdicts.entry(verdict.name()).or_insert_with(|| (Vec::new(), words));
        entry.0.push(device);
    }
    let rows = verdicts.iter().map(|(verdict, (devices, words))| {
        let devices = devices.join(",");
        format!("{}\t{devices}\t{verdict}\t{words}\t{in_2022}\t{question}", case.rule)
    });
    let rows: Vec<String> = rows.collect();
    Some(if rows.is_empty() { not_asked } else { rows })
}

/// Returns the message about the text, without the lines that only count or announce errors.
fn message(messages: &str) -> &str {
    let after = |start| messages.split_once(start).map(|(_, message)| message);
    let message = after("Error Message: ").or_else(|| after("failed: ")).unwrap_or(messages);
    let ends = [" Diagnostics", " \\--", " error: backend"];
    ends.iter().fold(message, |message, end| message.split(end).next().unwrap_or(message)).trim()
}

/// Adds rows to the table.
pub fn add_rows(rows: &[String]) {
    let path = repository("tests/data/rule-verdicts.txt");
    let table = format!("{}\n{}\n", TABLE.trim_end(), rows.join("\n"));
    std::fs::write(path, table).expect("writing the table");
}

/// Asks about a sample of the questions, and about each on one of the devices.
#[test]
#[ignore = "needs GenX_IR and ocloc of IGC 2.40.14"]
fn todays_compiler_repeats_its_verdicts() {
    Ocloc::required();
    Compiler::required();
    let seed = seed();
    let count = cases(40);
    let mut rng = Rng::new(seed, 5);
    let mut asked: Vec<Row> = rows().into_iter().filter(|row| row.today != "-").collect();
    rng.shuffle(&mut asked);
    asked.truncate(count as usize);
    let jobs: Vec<(Row, &str)> = asked
        .into_iter()
        .map(|row| {
            let mut devices: Vec<&str> = row.devices.split(',').collect();
            rng.shuffle(&mut devices);
            let device = devices[0];
            (row, device)
        })
        .collect();
    let verdicts = parallel(&jobs, |(row, device)| verdict(row, device));
    let (mut differing, mut is_tested) = (Vec::new(), true);
    for ((row, device), verdict) in jobs.iter().zip(verdicts) {
        let Some((verdict, tested)) = verdict else { continue };
        is_tested &= tested;
        if verdict != row.today {
            let Row { rule, today, question, .. } = row;
            differing.push(format!("{rule}, {device}: {today}, now {verdict}: {question}"));
        }
    }
    let differing = differing.join("\n");
    eprintln!("{} questions\n{differing}", jobs.len());
    assert!(differing.is_empty() || !is_tested, "seed {seed}:\n{differing}");
}
