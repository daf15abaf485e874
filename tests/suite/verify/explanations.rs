//! The facts about rules in `docs/rules.md`, which the tool prints: examples, messages of the compiler and
//! findings. They are taken from the cases of the verifier and their verdicts.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::Platform;
use genvisa::error::PathSegment;
use genvisa::operand::DataType;
use genvisa::text::parse;
use genvisa::verify::{Finding, Group, Response, Rule, Verifier, rules};
use genvisa::{Dialect, Format, Version};
use genvisa_test_support::rule_page::{self, Example, Facts};

use super::{Case, all_cases, module, verifier};
use crate::oracle::verdicts::{self, Row};

const INTRODUCTION: &str = "\
# Rules

This document is generated: it has a section for each rule of the verifier, of inline assembly and of the
tool. `genvisa verify --explain RULE` prints a section, and `genvisa verify --explain MESSAGE` finds the rules
of a message of the compiler or of this crate.

A section has the requirement; the group of the rule, the severity of findings, the platforms that the rule
applies to and its source; the response of the compiler; messages of the compiler, up to 90 characters of
each, with the devices that it was asked for; findings; and a text that breaks the rule with one that
satisfies it. NAME is any name.
";

/// Returns the command that finds that a text breaks a rule.
fn command(rule: &Rule, options: &str) -> String {
    let group = if rule.response == Response::Accepts { " --group manual" } else { "" };
    format!("genvisa verify{group}{options}")
}

/// Returns the first text of a whole file that breaks only a rule.
fn file(rule: &Rule, rows: &[&Row]) -> Option<Example> {
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
        return Some(Example {
            command: command(rule, &format!(" --platform {platform}")),
            breaks: file.lines().map(String::from).collect(),
            satisfies: Vec::new(),
        });
    }
    None
}

/// Returns an example of a rule that text can break.
fn example(rule: &Rule, cases: &[&Case], rows: &[&Row]) -> Option<Example> {
    let question = |case: &Case, source: &super::Source| {
        let case = Case { violating: source.clone(), legal: source.clone(), ..*case };
        let question = verdicts::question(&case);
        (!question.starts_with("changed:") && !case.as_manual).then_some(question)
    };
    let questions = cases.iter().find_map(|case| {
        Some((case, question(case, &case.violating)?, question(case, &case.legal)?))
    });
    let Some((case, breaks, satisfies)) = questions else {
        return file(rule, rows);
    };
    let mut options = String::new();
    if case.format.dialect == Dialect::Igc2026 && case.format.version != Version::V4_2 {
        options += " --dialect igc2026";
    }
    if let Some(platform) = case.platform {
        options += &format!(" --platform {platform}");
    }
    let lines = |question: String| {
        let head = [format!(".version {}", case.format.version), ".kernel \"k\"".into()];
        head.into_iter().chain(question.split(" \\n ").map(String::from)).collect()
    };
    Some(Example {
        command: command(rule, &options),
        breaks: lines(breaks),
        satisfies: lines(satisfies),
    })
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

fn facts(rule: &Rule, cases: &[Case], rows: &[Row]) -> Facts {
    let cases: Vec<&Case> = cases.iter().filter(|case| case.rule == rule.name).collect();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.rule == rule.name).collect();
    let mut messages = BTreeMap::<String, BTreeSet<String>>::new();
    for row in rows.iter().filter(|row| !row.words.is_empty() && row.words != "accepted") {
        let devices = row.devices.split(',').map(String::from);
        messages.entry(without_names(row)).or_default().extend(devices);
    }
    let findings =
        cases.iter().flat_map(|case| verifier(case).check_module(&module(case, &case.violating)));
    // One of several messages that differ only in numbers is enough.
    let without_numbers = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let findings: BTreeMap<String, String> = findings
        .map(|finding| message(&finding))
        .map(|message| (without_numbers(&message), message))
        .collect();
    let findings = findings.into_values().collect();
    Facts { example: example(rule, &cases, &rows), messages, findings }
}

/// `GENVISA_BLESS=1` updates the document.
#[test]
fn the_explanations_of_rules_are_current() {
    let (cases, rows) = (all_cases(), verdicts::rows());
    rule_page::check(INTRODUCTION, rules().map(|rule| (rule, facts(rule, &cases, &rows))));
}
