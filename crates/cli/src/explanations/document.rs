//! The document about all rules, `docs/rules.md`.

use std::fmt::Write;
use std::{env, fs};

use super::facts::{self, Facts};
use super::index::{Found, Index};
use super::page;
use crate::options::TOOL_RULES;
use crate::rule_list::severities;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");

const HEAD: &str = "\
# Rules

This document is generated: it has a section for each rule of the verifier, and for each rule of inline
assembly. `genvisa verify --explain RULE` prints a section, and `genvisa verify --explain MESSAGE` finds
the rules of a message of the compiler or of this crate.

A section has the requirement; the group of the rule, the severity of findings, the platforms that the rule
applies to and its source; the response of the compiler; messages of the compiler, up to 90 characters of
each, with the devices that it was asked for; findings; and a text that breaks the rule with one that
satisfies it. NAME is any name.
";

/// Returns a text with the special characters of Markdown escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (i, code) in text.split('`').enumerate() {
        if i % 2 == 1 {
            escaped += &format!("`{code}`");
            continue;
        }
        for c in code.chars() {
            if matches!(c, '*' | '_' | '[' | ']' | '<' | '>' | '|' | '\\' | '#') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

fn write_list(head: &str, lines: impl Iterator<Item = String>, text: &mut String) {
    let lines: Vec<String> = lines.collect();
    write_block(head, &lines.iter().map(String::as_str).collect::<Vec<_>>(), text);
}

fn write_block(head: &str, lines: &[&str], text: &mut String) {
    if !lines.is_empty() {
        write!(text, "\n{head}\n\n```text\n{}\n```\n", lines.join("\n")).expect("a string");
    }
}

fn section(facts: &Facts, text: &mut String) -> std::fmt::Result {
    let rule = facts.rule;
    write!(text, "\n## {}\n\n{}\n\n", rule.name, escaped(rule.statement))?;
    write!(text, "Group {}, {}, platforms: {}", rule.group(), severities(rule), rule.platforms)?;
    writeln!(text, ", source: {}. {}", escaped(rule.source), page::response(rule))?;
    let words = page::words(facts).into_iter();
    let words = words.map(|(words, devices)| format!("{words} ({})", devices.join(", ")));
    write_list("Messages of the compiler:", words, text);
    write_block("Findings:", &facts.findings, text);
    let command = page::command(facts);
    write_block(&format!("`{command}` finds that this text breaks the rule:"), &facts.breaks, text);
    write_block("This text satisfies it:", &facts.satisfies, text);
    Ok(())
}

/// `GENVISA_BLESS=1` updates the file.
#[test]
fn the_document_is_current() {
    let mut text = String::from(HEAD);
    for facts in facts::all() {
        section(&facts, &mut text).expect("a string");
    }
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(PATH, &text).expect("a file that can be written");
    }
    let present = fs::read_to_string(PATH).unwrap_or_default();
    assert!(present == text, "run the test again with GENVISA_BLESS=1 and commit docs/rules.md");
}

#[test]
fn every_rule_has_facts() {
    let explained: Vec<&str> = facts::all().iter().map(|facts| facts.rule.name).collect();
    let rules = genvisa::verify::rules().chain(genvisa_inline::rules());
    let rules = rules.chain(TOOL_RULES.iter().copied());
    assert_eq!(explained, rules.map(|rule| rule.name).collect::<Vec<_>>());
}

/// Returns the names of the rules of a message.
fn found(text: &str) -> Vec<&'static str> {
    let facts = facts::all();
    match Index::new(&facts).find(text) {
        Found::Rules(found) => found.iter().map(|facts| facts.rule.name).collect(),
        Found::Similar(_) | Found::OnlyCounts => Vec::new(),
    }
}

/// Messages with other names and numbers, and in another case, are found as well.
#[test]
fn every_message_finds_its_rule() {
    let facts = facts::all();
    let index = Index::new(&facts);
    let mut count = 0;
    for of_rule in &facts {
        let words = of_rule.words.iter().map(|words| words.text);
        for message in words.chain(of_rule.findings.iter().copied()) {
            count += 1;
            let other = |word| if word == "3" { "41" } else { word };
            let pasted: Vec<&str> = message.split(' ').map(other).collect();
            let pasted = pasted.join(" ").replace("NAME", "V7").to_uppercase();
            for text in [message, &pasted, &format!("error: near line 70: {message}")] {
                let Found::Rules(found) = index.find(text) else { panic!("nothing: {text}") };
                let is_found = found.iter().any(|found| found.rule == of_rule.rule);
                assert!(is_found, "{}: {text}", of_rule.rule.name);
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn pasted_messages_find_their_rules() {
    assert!(found("Input V38 intersects with V37").contains(&"input-overlap"));
    assert!(found("near line 12: 'Undefined label': loop").contains(&"label-undefined"));
    assert_eq!(found("lsc-cache"), ["lsc-cache"]);
    assert_eq!(found("x.visaasm: error[dst-type]: mov, dst: expected ud, found d"), ["dst-type"]);
    for text in ["", "near line 70", "no such message", "V38", "\u{1f600}"] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}
