//! The SARIF output of commands with findings, for code scanning services.

use std::collections::BTreeMap;

use genvisa::verify::{Rule, Severity};
use serde_json::{Value, json};

use crate::output::Output;
use crate::rule_list::{SYNTAX, url};
use crate::words::printable;

/// Prints a log with one run. `results` have the names of their rules, which `describe` describes. `errors`
/// are about files that cannot be read as a whole.
pub fn print<'e>(
    mut results: Vec<Value>,
    describe: impl Fn(&str) -> Value,
    errors: impl Iterator<Item = &'e String>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let name = |result: &Value| result["ruleId"].as_str().unwrap_or_default().to_string();
    let mut indices: BTreeMap<String, usize> =
        results.iter().map(|result| (name(result), 0)).collect();
    indices.values_mut().enumerate().for_each(|(index, place)| *place = index);
    for result in &mut results {
        result["ruleIndex"] = json!(indices[&name(result)]);
    }
    let rules: Vec<Value> = indices.keys().map(|name| describe(name)).collect();
    let notifications: Vec<Value> =
        errors.map(|error| json!({ "level": "error", "message": { "text": error } })).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "genvisa",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    // Like JSON, it is printed even if the report is not.
    let json = serde_json::to_string_pretty(&log)? + "\n";
    Ok(out.write_inert(&json)?)
}

/// Returns the description of a rule.
pub fn describe(rule: &Rule) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.statement },
        "defaultConfiguration": { "level": level(rule.severity) },
        "helpUri": url(rule.name),
    })
}

/// Returns the description of the rule [`SYNTAX`].
pub fn describe_syntax() -> Value {
    let text = "The grammar of vISA accepts the text.";
    describe_without_page(SYNTAX, text, level(Severity::Error))
}

/// Returns the description of a rule that has no page.
pub fn describe_without_page(name: &str, text: &str, level: &str) -> Value {
    json!({
        "id": name,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level },
    })
}

/// Returns the word for a severity.
pub fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Returns a finding about a place in a file.
pub fn result(rule: &str, severity: Severity, message: &str, file: &str, region: Value) -> Value {
    json!({
        "ruleId": rule,
        "level": level(severity),
        "message": { "text": printable(message) },
        "locations": [location(file, region)],
    })
}

/// Returns a message with its help.
pub fn with_help(message: String, help: Option<&str>) -> String {
    match help {
        Some(help) => format!("{message}. Help: {help}"),
        None => message,
    }
}

/// Returns a place in a file.
pub fn location(file: &str, region: Value) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": region,
        },
    })
}

/// Returns a path as a URI: relative paths stay relative.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    if path.starts_with('/') {
        uri += "file://";
    }
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
