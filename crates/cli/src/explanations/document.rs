//! Tests of the document about all rules, `docs/rules.md`, and of what is read from it.

use genvisa_test_support::rule_page;

use super::facts;
use super::index::{Found, Index};
use crate::options::TOOL_RULES;

const INTRODUCTION: &str = "\
# Rules of the tool

Only the tool has these rules, because they need the analysis.
";

/// `GENVISA_BLESS=1` updates the document.
#[test]
fn the_explanations_of_the_rules_of_the_tool_are_current() {
    let rules = TOOL_RULES.iter().map(|rule| (*rule, rule_page::Facts::default()));
    rule_page::check(INTRODUCTION, rules);
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
        for message in of_rule.words().chain(of_rule.findings.iter().copied()) {
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
