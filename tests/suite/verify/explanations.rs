//! What the tool explains about rules: examples, the words of the compiler and findings. They are
//! taken from the cases of the verifier and their verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use genvisa::error::PathSegment;
use genvisa::operand::DataType;
use genvisa::text::parse;
use genvisa::verify::{Finding, Group, Platform, Rule, Verifier, rules};
use genvisa::{Dialect, Format, Version};

use super::{Case, all_cases, module, verifier};
use crate::oracle::verdicts::{self, Row};

const FILE: &str = "crates/cli/src/explanations/verify.txt";

const HEAD: &str = "\
# Facts about the rules of the verifier. `tests/suite/verify/explanations.rs` generates this file.
#
# A line is a key and a value. Facts about a rule follow its line `rule`. `options` are the options of
# `genvisa verify` for the examples, and `breaks` and `satisfies` their lines. `words` are the first 90
# characters of a message of the compiler, after the devices that it was asked for, and `finding` is a
# message of the verifier. NAME is a name.
";

/// Writes the first text of a whole file that breaks only a rule.
fn write_file(rule: &Rule, rows: &[&Row], text: &mut String) {
    let files = rows.iter().filter(|row| row.question.starts_with(".version 4.2"));
    let breaks_rule_only = |file: &str, platform: Platform| {
        let Ok(module) = parse(file, Format::V4_2) else { return false };
        let verifier = Verifier::new().with_groups(Group::ALL).with_platform(platform);
        let findings = verifier.check_module(&module);
        !findings.is_empty() && findings.iter().all(|finding| finding.rule == rule)
    };
    for row in files {
        let platform = row.devices.split(',').find_map(|device| device.parse().ok());
        let file = row.question.replace("\\n", "\n");
        let Some(platform) = platform.filter(|platform| breaks_rule_only(&file, *platform)) else {
            continue;
        };
        writeln!(text, "options --platform {platform}").expect("a string");
        for line in file.lines() {
            writeln!(text, "breaks {line}").expect("a string");
        }
        return;
    }
}

/// Writes an example of a rule that text can break: the options of the tool, and both texts.
fn write_example(rule: &Rule, cases: &[&Case], rows: &[&Row], text: &mut String) {
    let lines = |case: &Case, source: &super::Source| {
        let case = Case { violating: source.clone(), legal: source.clone(), ..*case };
        let question = verdicts::question(&case);
        (!question.starts_with("changed:") && !case.as_manual).then_some(question)
    };
    let examples = cases
        .iter()
        .find_map(|case| Some((case, lines(case, &case.violating)?, lines(case, &case.legal)?)));
    let Some((case, breaks, satisfies)) = examples else {
        return write_file(rule, rows, text);
    };
    let mut options = String::new();
    if case.format.dialect == Dialect::Igc2026 && case.format.version != Version::V4_2 {
        options += " --dialect igc2026";
    }
    if let Some(platform) = case.platform {
        options += &format!(" --platform {platform}");
    }
    writeln!(text, "options{options}").expect("a string");
    for (key, question) in [("breaks", breaks), ("satisfies", satisfies)] {
        writeln!(text, "{key} .version {}\n{key} .kernel \"k\"", case.format.version)
            .expect("a string");
        for line in question.split(" \\n ") {
            writeln!(text, "{key} {line}").expect("a string");
        }
    }
}

fn is_type(name: &str) -> bool {
    DataType::NAMED.iter().any(|ty| ty.name() == Some(name))
}

/// Returns the message of a compiler with names replaced that the question about it contains.
fn without_names(row: &Row) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let lines = row.question.split("\\n").map(str::trim);
    // Mnemonics are no names, and neither are keywords of declarations.
    let operands = lines.filter_map(|line| {
        let (first, rest) = line.split_once(' ')?;
        let declared =
            rest.split(' ').filter(|word| !word.contains('=') || word.contains("alias=<"));
        let declared = declared.map(|word| word.trim_start_matches("alias=<"));
        Some(if first.starts_with('.') { declared.collect() } else { vec![rest] })
    });
    let keywords = ["M1", "flat", "null", "a16", "a64"];
    let names: BTreeSet<&str> = operands
        .flatten()
        .flat_map(|operands| operands.split(|c| !is_part(c)))
        .filter(|name| !is_type(name) && !keywords.contains(name))
        .filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let mut words = String::new();
    let mut rest = row.words;
    while let Some(start) = rest.find(is_part) {
        let (before, token) = rest.split_at(start);
        let end = token.find(|c| !is_part(c)).unwrap_or(token.len());
        words += before;
        let is_label = words.ends_with("label: ");
        words += if is_label || names.contains(&token[..end]) { "NAME" } else { &token[..end] };
        rest = &token[end..];
    }
    words + rest
}

/// Returns the message of a finding after the field that it is about.
fn message(finding: &Finding) -> String {
    let mut message = finding.message.clone();
    if let Some(name) = &finding.name {
        message = message.replace(&format!("`{name}`"), "`NAME`");
    }
    match finding.path.last() {
        Some(PathSegment::Field(field)) => format!("{field}: {message}"),
        _ => message,
    }
}

/// Returns the message of a compiler with the devices that it was asked for.
fn words(row: &Row) -> Option<String> {
    (!row.words.is_empty() && row.words != "accepted")
        .then(|| format!("{} {}", row.devices, without_names(row)))
}

fn write_rule(rule: &Rule, cases: &[Case], rows: &[Row], text: &mut String) {
    let cases: Vec<&Case> = cases.iter().filter(|case| case.rule == rule.name).collect();
    writeln!(text, "\nrule {}", rule.name).expect("a string");
    let rows: Vec<&Row> = rows.iter().filter(|row| row.rule == rule.name).collect();
    write_example(rule, &cases, &rows, text);
    let words: BTreeSet<String> = rows.into_iter().filter_map(words).collect();
    for words in &words {
        writeln!(text, "words {words}").expect("a string");
    }
    let findings =
        cases.iter().flat_map(|case| verifier(case).check_module(&module(case, &case.violating)));
    // One of several messages that differ only in numbers is enough.
    let without_numbers = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let messages: BTreeMap<String, String> = findings
        .map(|finding| message(&finding))
        .map(|message| (without_numbers(&message), message))
        .collect();
    for message in messages.values() {
        writeln!(text, "finding {message}").expect("a string");
    }
}

/// `GENVISA_BLESS=1` updates the file.
#[test]
fn the_facts_of_explanations_are_current() {
    let (cases, rows) = (all_cases(), verdicts::rows());
    let mut text = String::from(HEAD);
    for rule in rules() {
        write_rule(rule, &cases, &rows, &mut text);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &text).expect("a file that can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == text, "run the test again with GENVISA_BLESS=1 and commit {FILE}");
}
