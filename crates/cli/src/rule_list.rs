//! The list of rules that `--list` prints.

use std::io::Write;

use anstyle::Style;
use genvisa::verify::Rule;
pub use genvisa::verify::rule_url as url;
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::Output;
use crate::output::definitions::{RuleName, RuleUrl, Severity};

/// The name of the rule for errors of the parser, which has no page.
pub const SYNTAX: &str = "syntax";

const BOLD: Style = Style::new().bold();

/// Prints all rules as a table or as JSON.
pub fn print(rules: &[&Rule], as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        let all: Vec<Value> = rules.iter().copied().map(rule_json).collect();
        return out.write_json(&all);
    }
    let width = |column: fn(&Rule) -> usize, head: &str| {
        rules.iter().copied().map(column).chain([head.len()]).max().unwrap_or_default()
    };
    let name = width(|rule| rule.name.len(), "RULE");
    let group = width(|rule| rule.group().name().len(), "GROUP");
    let severity = width(|rule| severities(rule).len(), "SEVERITY");
    let response = width(|rule| rule.response.name().len(), "COMPILER");
    let platforms = width(|rule| rule.platforms.to_string().len(), "PLATFORMS");
    let source = width(|rule| rule.source.len(), "SOURCE");
    writeln!(
        out,
        "{BOLD}{:name$}  {:group$}  {:severity$}  {:response$}  {:platforms$}  {:source$}  \
         STATEMENT{BOLD:#}",
        "RULE", "GROUP", "SEVERITY", "COMPILER", "PLATFORMS", "SOURCE"
    )?;
    for rule in rules {
        writeln!(
            out,
            "{:name$}  {:group$}  {:severity$}  {:response$}  {:platforms$}  {:source$}  {}",
            rule.name,
            rule.group(),
            severities(rule),
            rule.response,
            rule.platforms.to_string(),
            rule.source,
            rule.statement
        )?;
    }
    Ok(())
}

/// Returns the severity of a rule, and the severity in dialect manual if it differs.
pub fn severities(rule: &Rule) -> String {
    let (severity, in_manual) = (rule.severity, rule.severity_in_manual);
    if severity == in_manual {
        return severity.to_string();
    }
    format!("{severity} ({in_manual} in manual)")
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ListedRule {
    name: RuleName<'static>,
    group: &'static str,
    response: &'static str,
    severity: Severity,
    severity_in_manual: Severity,
    platforms: String,
    source: &'static str,
    statement: &'static str,
    url: RuleUrl,
}

fn rule_json(rule: &Rule) -> Value {
    json!(ListedRule {
        name: RuleName(rule.name),
        group: rule.group().name(),
        response: rule.response.name(),
        severity: Severity(rule.severity.to_string()),
        severity_in_manual: Severity(rule.severity_in_manual.to_string()),
        platforms: rule.platforms.to_string(),
        source: rule.source,
        statement: rule.statement,
        url: RuleUrl(url(rule.name)),
    })
}
