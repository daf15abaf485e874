//! The facts about the rules of inline assembly in `docs/rules.md`, which the tool prints: examples, messages
//! of the compiler and findings. They are taken from the cases of the rules and from the typical templates.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::verify::Rule;
use genvisa_inline::{Form, Operand, Statement, rules};
use genvisa_test_support::changes_page;
use genvisa_test_support::rule_page::{self, Example, Facts};

use super::catalogue;
use super::rules::{Case, cases};

const INTRODUCTION: &str = "\
# Rules of inline assembly

`genvisa check` applies these rules and those above to templates.
";

/// Returns the lines of a statement in C or LLVM IR.
fn lines(statement: &Statement) -> Vec<String> {
    let template = String::from_utf8_lossy(&statement.template).into_owned();
    let quoted = |parts: Vec<String>| parts.join(", ");
    let constraint = |operand: &Operand| format!("\"{}\"(x)", operand.constraint);
    if statement.form == Form::Llvm {
        let constraints = statement.operands.iter().map(|operand| operand.constraint.clone());
        let clobbers = statement.clobbers.iter().map(|clobber| format!("~{{{clobber}}}"));
        let constraints = constraints.chain(clobbers).collect::<Vec<_>>().join(",");
        let template = template.replace('\n', "\\0A");
        return vec![format!("asm \"{template}\", \"{constraints}\"")];
    }
    let mut lines: Vec<String> =
        template.lines().map(|line| format!("    \"{line}\\n\"")).collect();
    let (outputs, inputs): (Vec<_>, Vec<_>) =
        statement.operands.iter().partition(|operand| operand.is_output);
    lines.insert(0, "asm(".into());
    lines.push(format!("    : {}", quoted(outputs.into_iter().map(constraint).collect())));
    lines.push(format!("    : {}", quoted(inputs.into_iter().map(constraint).collect())));
    if !statement.clobbers.is_empty() {
        let clobbers = statement.clobbers.iter().map(|clobber| format!("{clobber:?}")).collect();
        lines.push(format!("    : {}", quoted(clobbers)));
    }
    lines.push(");".into());
    lines
}

fn facts(rule: &Rule, cases: &[Case], catalogue: &[catalogue::Case]) -> Facts {
    let cases: Vec<&Case> = cases.iter().filter(|case| case.rule == rule.name).collect();
    let example = cases.first().map(|case| Example {
        command: "genvisa check".into(),
        breaks: lines(&case.violating),
        satisfies: lines(&case.legal),
    });
    let mut messages = BTreeMap::<String, BTreeSet<String>>::new();
    for case in catalogue {
        let Some(words) = case.words(rule.name) else { continue };
        messages.entry(words.into()).or_default().insert(case.device.into());
    }
    let findings: Vec<_> = cases.iter().map(|case| case.checker.check(&case.violating)).collect();
    let findings = findings.iter().flat_map(|it| &it.findings).map(|it| it.message.clone());
    let findings: BTreeSet<String> = findings.collect();
    Facts { example, messages, findings: findings.into_iter().collect() }
}

/// `GENVISA_BLESS=1` updates the document.
#[test]
fn the_explanations_of_rules_are_current() {
    let (cases, catalogue) = (cases(), catalogue::cases());
    rule_page::check(INTRODUCTION, rules().map(|rule| (rule, facts(rule, &cases, &catalogue))));
}

/// `GENVISA_BLESS=1` updates the document.
#[test]
fn the_document_about_silent_changes_is_current() {
    let rules: Vec<&Rule> = genvisa::verify::rules().chain(rules()).collect();
    changes_page::check(&rules);
}
