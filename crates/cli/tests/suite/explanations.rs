//! Explanations of rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use genvisa_test_support::repository;
use serde_json::Value;

use super::tool;

/// A text of `docs/rules.md`, with the rule that it breaks.
struct Example {
    rule: String,
    breaks: bool,
    text: String,
}

/// Returns the texts of `docs/rules.md` by the options of `verify`.
fn examples() -> BTreeMap<String, Vec<Example>> {
    let document = fs::read_to_string(repository("docs/rules.md")).expect("the document");
    let mut examples: BTreeMap<String, Vec<Example>> = BTreeMap::new();
    for section in document.split("\n## ").skip(1) {
        let rule = section.lines().next().expect("a name").to_owned();
        let Some((_, rest)) = section.split_once("\n`genvisa verify") else { continue };
        let (options, rest) = rest.split_once('`').expect("options");
        let texts: Vec<&str> = rest.split("```").skip(1).step_by(2).collect();
        assert!([1, 2].contains(&texts.len()), "{rule}");
        let texts = texts.iter().zip([true, false]).map(|(text, breaks)| {
            let text = text.trim_start_matches("text").trim_start().to_owned();
            Example { rule: rule.clone(), breaks, text }
        });
        examples.entry(options.trim().to_owned()).or_default().extend(texts);
    }
    examples
}

/// The tool finds that exactly the texts break their rules of which the document says it.
#[test]
fn examples_break_their_rules_only() {
    let mut count = 0;
    for (options, examples) in examples() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |index: usize| folder.path().join(format!("{index:03}.visaasm"));
        for (index, example) in examples.iter().enumerate() {
            fs::write(path(index), &example.text).expect("a file");
        }
        let output = tool()
            .args(["verify", "--json", "-q", "--group", "igc,manual"])
            .args(options.split_whitespace().filter(|word| !["--group", "manual"].contains(word)))
            .arg(folder.path())
            .output()
            .expect("the tool runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.is_empty(), "{options}: {errors}");
        let findings: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for finding in &findings {
            let member = |name: &str| finding[name].as_str().expect("a string");
            found.entry(member("file")).or_default().insert(member("rule"));
        }
        for (index, example) in examples.iter().enumerate() {
            let path = path(index);
            let found = found.remove(path.to_str().expect("UTF-8")).unwrap_or_default();
            let expected = example.breaks.then_some(example.rule.as_str());
            assert_eq!(found, expected.into_iter().collect(), "{options}:\n{}", example.text);
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn unknown_messages_are_errors_in_the_command_line() {
    for (text, expected) in [
        ("lsc-cahce", "did you mean one of these?\n  lsc-cache"),
        ("no such message at all", "; --list prints all rules"),
        ("near line 70", "; --list prints all rules"),
        ("", "; --list prints all rules"),
    ] {
        let output = tool().args(["verify", "--explain", text]).output().expect("the tool runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected) && output.stdout.is_empty(), "{errors}");
    }
}

/// The compiler prints a line with the number of errors, and writes the errors to a file.
#[test]
fn lines_that_count_errors_are_about_no_rule() {
    const LINE: &str = "Found a total of 1 errors in vISA input. Please check a.errors.txt for the exact error messages";
    let explain = |text: &str| {
        let output = tool().args(["verify", "--explain", text]).output().expect("the tool runs");
        let all = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&all).into_owned())
    };
    let (code, text) = explain(LINE);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(".errors.txt"), "{text}");
    let (code, text) = explain(&format!("{LINE}\n:vf datatype is not supported on this platform"));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("vf-platform"), "{text}");
}

#[test]
fn unknown_compilers_are_refused() {
    let text = repository("tests/data/plain.visaasm");
    let run = |version: &str| {
        let arguments = ["verify", "--quiet", "--compiler", version];
        let output = tool().args(arguments).arg(&text).output().expect("the tool runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for version in ["2.38.2", "2.40.14", "2.41.3"] {
        assert_eq!(run(version).0, Some(0), "{version}");
    }
    let (code, errors) = run("9.9");
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("2.40.14") && errors.contains("2.41"), "{errors}");
}

/// Every link of a finding leads to a heading of the document.
#[test]
fn links_lead_to_headings() {
    let document = fs::read_to_string(repository("docs/rules.md")).expect("the document");
    let headings: BTreeSet<&str> =
        document.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let rules = ["check", "verify"].map(|command| {
        let output = tool().args([command, "--list", "--json"]).output().expect("the tool runs");
        serde_json::from_slice::<Vec<Value>>(&output.stdout).expect("JSON")
    });
    let rules = rules.concat();
    let anchors = rules.iter().map(|rule| {
        let url = rule["url"].as_str().expect("a link");
        url.split_once("/docs/rules.md#").expect("an anchor").1
    });
    let anchors: BTreeSet<&str> = anchors.collect();
    assert_eq!(anchors, headings);
}
