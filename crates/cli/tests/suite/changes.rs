//! Tests of `genvisa check --dumps`: what the compiler changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use genvisa::text::parse;
use genvisa::verify::{Finding, Response, Severity, Verifier};
use genvisa::{Format, Platform};
use genvisa_test_support::legal_lines::edited_lines;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::cases;
use serde_json::Value;

use super::run;

const DUMPS: &str = "tests/data/dumps";

fn check(args: &[&str]) -> Output {
    run(&[&["check", "--json"], args].concat(), b"")
}

fn json(output: &Output) -> Vec<Value> {
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    value.as_array().expect("a list").clone()
}

/// Writes the dumps of the repository, with the instructions of the text that is compiled replaced.
fn dumps(folder: &Path, compiled: &[&str]) {
    let read =
        |name: &str| fs::read_to_string(crate::repository(DUMPS).join(name)).expect("a text");
    let text = read("copy.visaasm");
    let (head, _) = text.split_once("_main_0:\n").expect("the label");
    let parsed = read("copy.inline.visaasm");
    fs::write(folder.join("k.inline.visaasm"), parsed).expect("written");
    let text = format!("{head}_main_0:\n{}\n//Platform: XE2\n", compiled.join("\n"));
    fs::write(folder.join("k.visaasm"), text).expect("written");
}

const CMP: &str = "cmp.lt (M1, 16) P1 V0032(0,0)<1;1,0> 0x0:d";
const LOAD: &str = "lsc_load.ugm.ca.ca.uc (M1, 16)  V0032:d32  flat[V0033]:a64";
const MOV: &str = "mov (M1, 1) V0034(0,0)<1> P1";
const RET: &str = "ret (M1, 1)";

/// The index of an instruction, whether the text that is parsed has it, and what is compiled.
type Change = (u64, bool, Vec<String>);

/// Returns the changes and the exit code.
fn changes(compiled: &[&str]) -> (Vec<Change>, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    dumps(folder.path(), compiled);
    let output = check(&["--dumps", folder.path().to_str().expect("UTF-8")]);
    let change = |value: &Value| {
        let compiled = value["compiled"].as_array().expect("a list").iter();
        let compiled = compiled.map(|line| line.as_str().expect("a text").to_string()).collect();
        let index = value["instruction"].as_u64().expect("an index");
        (index, value["text"].is_string(), compiled)
    };
    (json(&output).iter().map(change).collect(), output.status.code())
}

#[test]
fn equal_texts_have_no_changes() {
    assert_eq!(changes(&[CMP, LOAD, MOV, RET]), (vec![], Some(0)));
}

#[test]
fn removed_added_and_replaced_instructions_are_changes() {
    let line = |line: &str| vec![line.to_string()];
    assert_eq!(changes(&[CMP, LOAD, RET]), (vec![(3, true, vec![])], Some(1)));
    let added = vec![(4, false, line(MOV))];
    assert_eq!(changes(&[CMP, LOAD, MOV, MOV, RET]), (added, Some(1)));
    let load = LOAD.replace(".ca.ca", ".ca");
    let mov = MOV.replace("M1,", "M1_NM,");
    let both = vec![(2, true, line(&load)), (3, true, line(&mov))];
    assert_eq!(changes(&[CMP, &load, &mov, RET]), (both, Some(1)));
    let two = vec![(2, true, vec![load.clone(), load.clone()])];
    let found = changes(&[CMP, &load, &load, MOV, RET]);
    assert_eq!(found, (two, Some(1)));
}

#[test]
fn a_text_without_counterpart_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    dumps(folder.path(), &[CMP, LOAD, MOV, RET]);
    fs::remove_file(folder.path().join("k.visaasm")).expect("removed");
    let output = check(&["--dumps", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((output.status.code(), json(&output)), (Some(2), vec![]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("k.visaasm"));
}

#[test]
fn a_routine_without_counterpart_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    dumps(folder.path(), &[CMP, LOAD, MOV, RET, ".kernel \"more\"", RET]);
    let output = check(&["--dumps", folder.path().to_str().expect("UTF-8")]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("`more` is in one of the texts only"), "{errors}");
}

/// Returns the lines of sources at which the changes of the dumps of the repository are written.
fn written(sources: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in sources {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let output = check(&["--dumps", DUMPS, "--source", folder.path().to_str().expect("UTF-8")]);
    let place = |value: &Value| {
        let file = Path::new(value["file"].as_str().expect("a file")).file_name().expect("a name");
        let place = format!("{}:{}", file.to_string_lossy(), value["line"]);
        match &value["expansion"] {
            Value::Null => place,
            expansion => format!("{place}, used at {}", expansion["line"]),
        }
    };
    let places =
        |change: &Value| change["written"].as_array().expect("a list").iter().map(place).collect();
    json(&output).iter().map(places).collect()
}

/// The lines of the statement in the dumps, as C has them.
const STATEMENT: &str = r#"asm("cmp.lt (M1, 16) P1 %0(0,0)<1;1,0> 0x0:d\n"
    "lsc_load.ugm.ca.ca.uc (M1, 16) %0:d32 flat[%1]:a64\n"
    "mov (M1, 1) %2(0,0)<1> P1" : : "rw"(x), "rw"(p), "rw.u"(f));"#;

#[test]
fn changes_name_the_lines_of_the_sources() {
    let function =
        |name: &str| format!("void {name}(int x, int *p, short f) {{\n{STATEMENT}\n}}\n");
    assert_eq!(written(&[("a.cl", &function("any"))]), [["a.cl:3"], ["a.cl:4"]]);
    // The function that is compiled is preferred to others.
    let both = function("any") + &function("copy");
    assert_eq!(written(&[("a.cl", &both)]), [["a.cl:8"], ["a.cl:9"]]);
    // Otherwise all are named.
    let two = written(&[("a.cl", &function("one")), ("b.h", &function("two"))]);
    assert_eq!(two, [["a.cl:3", "b.h:3"], ["a.cl:4", "b.h:4"]]);
    let other = function("any").replace("cmp.lt", "cmp.le");
    assert_eq!(written(&[("a.cl", &other)]), [[""; 0], [""; 0]]);
    let used = format!(
        "#define LOAD() {}\nvoid f(int x, int *p, short f) {{\n\nLOAD();\n}}\n",
        STATEMENT.replace('\n', "\\\n")
    );
    let expected = [["a.cl:2, used at 6"], ["a.cl:3, used at 6"]];
    assert_eq!(written(&[("a.cl", &used)]), expected);
}

#[test]
fn sources_that_do_not_help_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let check_with = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let output = check(&["--dumps", DUMPS, "--source", path.to_str().expect("UTF-8")]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, messages) = check_with("a.cl", b"void f() {}");
    assert_eq!(code, Some(1));
    assert!(messages.contains("no change is in a statement"), "{messages}");
    let spirv = fs::read(crate::repository("tests/data/inline/scale.spv")).expect("a module");
    let (code, messages) = check_with("cut.spv", &spirv[..spirv.len() - 6]);
    assert_eq!(code, Some(2), "{messages}");
    assert!(messages.contains("cut.spv"), "{messages}");
}

/// Options that have no effect on dumps are errors.
#[test]
fn options_of_other_checks_are_refused() {
    for options in [
        &["--lanes", "16"][..],
        &["--deny", "warnings"],
        &["--strict"],
        &["--platform", "Xe2"],
        &["--ocloc", "ocloc"],
        &["-"],
        &["tests"],
    ] {
        let output = check(&[&["--dumps", DUMPS], options].concat());
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{options:?}");
    }
}

#[test]
fn dumps_are_not_written_over_other_files() {
    let output = check(&["--dumps", DUMPS, "tests/data/inline/scale.cl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not empty"));
}

/// Compiles a kernel with lines of vISA for a device, and returns the output.
fn compile(lines: &str, device: &str) -> Output {
    let ocloc = std::env::var("GENVISA_OCLOC_TODAY").expect("GENVISA_OCLOC_TODAY");
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("k.cl");
    let template = lines.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let text = format!(
        "__attribute__((intel_reqd_sub_group_size(16)))\n\
         kernel void k(global int *p) {{\n\
         int x = p[get_global_id(0)], y = 0;\n\
         __asm__ volatile(\"{{\\n{template}\\n}}\\n\" \
         : \"+rw\"(y) : \"rw\"(x), \"rw\"(p + get_global_id(0)));\n\
         p[get_global_id(0)] = y;\n}}\n"
    );
    fs::write(&source, text).expect("written");
    let dumps = folder.path().join("dumps");
    let [source, dumps] = [source, dumps].map(|path| path.to_str().expect("UTF-8").to_string());
    check(&["--ocloc", &ocloc, "--platform", device, "--dumps", &dumps, &source])
}

fn rules_of(output: &Output) -> Vec<Value> {
    json(output).iter().map(|change| change["rule"].clone()).collect()
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn changes_of_the_compiler_are_found() {
    let changes = |line| rules_of(&compile(line, "bmg"));
    assert_eq!(changes("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d"), [Value::Null; 0]);
    assert_eq!(changes("lsc_load.ugm.ca.uc (M1, 16) %0:d32 flat[%2]:a64"), [Value::Null; 0]);
    let three = changes("lsc_load.ugm.ca.ca.uc (M1, 16) %0:d32 flat[%2]:a64");
    assert_eq!(three, ["lsc-cache-count"]);
    let refused = compile("add (M1, 16) %0(0,0)<1>", "bmg");
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("parsing vISA inline assembly failed")
    );
}

/// Texts that break a rule and that the compiler accepts: if it changes an instruction, a rule states it.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn rules_state_what_the_compiler_changes() {
    const STEP: usize = 4;
    let verdicts = crate::repository("tests/data/rule-verdicts.txt");
    let verdicts = fs::read_to_string(verdicts).expect("the verdicts");
    let responses: BTreeMap<&str, Response> =
        genvisa::verify::rules().map(|rule| (rule.name, rule.response)).collect();
    let rows = verdicts.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    let is_text = |row: &Vec<&str>| {
        let is_whole = |start| row[5].starts_with(start);
        row.len() > 5 && row[2] == "accepted" && !is_whole(".version") && !is_whole("changed")
    };
    let rows: Vec<Vec<&str>> = rows.filter(is_text).collect();
    let sample = rows.iter().enumerate().filter(|(at, row)| {
        at % STEP == 0 || responses[row[0]] == Response::Changes || row[0].starts_with("flag-mov")
    });
    let (mut compared, mut found) = (0, 0);
    for (_, row) in sample {
        let device = row[1].rsplit(',').next().expect("a device");
        let output = compile(&row[5].replace(" \\n ", "\n").replace('%', "%%"), device);
        // Some texts are not ours: the parser refuses what a rule forbids.
        if output.status.code() == Some(2) {
            continue;
        }
        compared += 1;
        for change in json(&output) {
            assert!(change["rule"].is_string(), "{change}");
            found += 1;
        }
    }
    assert!(compared > 75 && found > 3, "{compared} texts, {found} changes");
}

/// Returns the changes of the compiler to lines that no rule states. Lines that it does not accept are
/// left out.
fn unexplained(declarations: &str, lines: &[String], device: &str) -> (usize, usize, Vec<Value>) {
    let template = format!("{declarations}\n{}", lines.join("\n")).replace('%', "%%");
    let output = compile(&template, device);
    match (output.status.code(), lines.len()) {
        (Some(0 | 1), count) => {
            let changes = json(&output);
            let changed = changes.len();
            let others = changes.into_iter().filter(|change| !change["rule"].is_string());
            (count, changed, others.collect())
        }
        (_, 0 | 1) => (0, 0, Vec::new()),
        (_, count) => {
            let (first, second) = lines.split_at(count / 2);
            let (first, second) =
                [first, second].map(|lines| unexplained(declarations, lines, device)).into();
            (first.0 + second.0, first.1 + second.1, [first.2, second.2].concat())
        }
    }
}

/// Edited lines without errors. For 10,000: `GENVISA_PROPERTY_CASES=7000`.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn rules_state_what_the_compiler_changes_in_edited_lines() {
    const BATCH: usize = 24;
    let count = cases(144) as usize;
    let devices = [
        ("dg2", Platform::Dg2),
        ("pvc", Platform::PvcXt),
        ("bmg", Platform::Xe2),
        ("ptl", Platform::Xe3),
    ];
    let batches: Vec<_> = devices
        .into_iter()
        .zip(0..)
        .flat_map(|((device, platform), stream)| {
            let verifier = Verifier::new().with_platform(platform);
            let (declarations, edited) = edited_lines(platform, stream);
            let text = format!(".version 4.2\n.kernel \"k\"\n{declarations}\n");
            let is_legal = |line: &String| {
                let text = format!("{text}{line}\nret (M1, 1)\n");
                let is_one = !line.contains(['\n', '{', '}', '"', '\\']);
                is_one
                    && parse(&text, Format::V4_2).is_ok_and(|module| {
                        let is_error = |finding: &Finding| {
                            finding.rule.response != Response::Changes
                                && finding.severity == Severity::Error
                        };
                        !verifier.check_module(&module).iter().any(is_error)
                    })
            };
            let lines: Vec<String> = edited.filter(is_legal).take(count / devices.len()).collect();
            let batches = lines.chunks(BATCH).map(<[String]>::to_vec).collect::<Vec<_>>();
            batches.into_iter().map(move |lines| (device, declarations.clone(), lines))
        })
        .collect();
    let results = parallel(&batches, |(device, declarations, lines)| {
        unexplained(declarations, lines, device)
    });
    let accepted: usize = results.iter().map(|result| result.0).sum();
    let changed: usize = results.iter().map(|result| result.1).sum();
    let others: Vec<String> =
        results.into_iter().flat_map(|result| result.2).map(|change| change.to_string()).collect();
    eprintln!("{accepted} lines are accepted, {changed} are changed\n{}", others.join("\n"));
    assert!(accepted > count / 2 && others.is_empty());
}
