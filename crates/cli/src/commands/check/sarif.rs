//! The SARIF output of `genvisa check`, for code scanning services.

use std::collections::BTreeMap;

use genvisa::verify::{Rule, Severity};
use serde_json::{Value, json};

use super::report::{BlockReport, FileReport, Located, Status};
use crate::output::Output;
use crate::rule_list::url;

/// The name of the rule for blocks that were not read.
const NOT_READ: &str = "not-read";
/// The name of the rule for errors of the parser.
const SYNTAX: &str = "syntax";

/// Prints a log with one run.
pub fn print(reports: &[FileReport], out: &mut Output) -> anyhow::Result<()> {
    let findings = || {
        let blocks = reports.iter().flat_map(|report| &report.blocks);
        blocks.flat_map(|block| block.findings.iter().map(move |finding| (block, finding)))
    };
    let not_read = || {
        let blocks = reports.iter().flat_map(|report| &report.blocks);
        blocks.filter_map(|block| match &block.status {
            Status::NotRead(reason) => Some((block, reason)),
            _ => None,
        })
    };
    let mut names: Vec<&str> = findings().map(|(_, located)| located.finding.rule).collect();
    names.extend(not_read().map(|_| NOT_READ));
    names.sort_unstable();
    names.dedup();
    let indices: BTreeMap<&str, usize> =
        names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let rules: Vec<Value> = names.iter().map(|name| rule(name)).collect();
    let mut results: Vec<Value> =
        findings().map(|(block, located)| result(block, located, &indices)).collect();
    results.extend(not_read().map(|(block, reason)| {
        json!({
            "ruleId": NOT_READ,
            "ruleIndex": indices[NOT_READ],
            "level": "note",
            "message": { "text": format!("not read: {reason}") },
            "locations": [location(&block.place.file, block_region(block))],
        })
    }));
    // A file that cannot be read as a whole is a problem of the run, not a result.
    let notifications: Vec<Value> = reports
        .iter()
        .flat_map(|report| &report.errors)
        .map(|error| json!({ "level": "error", "message": { "text": error } }))
        .collect();
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
fn rule(name: &str) -> Value {
    let found = genvisa_inline::rule(name);
    let (text, severity) = match (name, found) {
        (_, Some(Rule { statement, severity, .. })) => (*statement, *severity),
        (SYNTAX, None) => ("A template is legal vISA text.", Severity::Error),
        (NOT_READ, None) => ("All parts of a template are known.", Severity::Warning),
        _ => (name, Severity::Error),
    };
    let level = if name == NOT_READ { "note" } else { level(severity) };
    let mut descriptor = json!({
        "id": name,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level },
    });
    if found.is_some() {
        descriptor["helpUri"] = json!(url(name));
    }
    descriptor
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn result(block: &BlockReport, located: &Located, indices: &BTreeMap<&str, usize>) -> Value {
    let finding = &located.finding;
    let mut text = located.message();
    let region = match located.place.line_and_column {
        Some(_) => json!({
            "startLine": located.line,
            "startColumn": located.column,
            "endLine": located.line,
            "endColumn": located.end_column,
        }),
        None => {
            let (part, line, column) = (located.part, located.line, located.column);
            text = format!("{part}, line {line}, column {column}: {text}");
            block_region(block)
        }
    };
    if let Some(help) = &finding.help {
        text = format!("{text}. Help: {help}");
    }
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": indices[finding.rule],
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [location(&located.place.file, region)],
    });
    if let Some(Some((place, (line, column)))) =
        located.expansion.as_ref().map(|place| Some((place, place.line_and_column?)))
    {
        let region = json!({ "startLine": line, "startColumn": column });
        let mut location = location(&place.file, region);
        location["id"] = json!(1);
        location["message"] = json!({ "text": "in this expansion" });
        result["relatedLocations"] = json!([location]);
    }
    result
}

/// Returns the start of a block.
fn block_region(block: &BlockReport) -> Value {
    match block.place.line_and_column {
        Some((line, column)) => json!({ "startLine": line, "startColumn": column }),
        None => json!({ "byteOffset": block.place.offset, "byteLength": 0 }),
    }
}

fn location(file: &str, region: Value) -> Value {
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
