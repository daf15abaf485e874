//! The SARIF output of `genvisa check`.

use serde_json::{Value, json};

use super::report::{BlockReport, FileReport, Located, Status};
use crate::output::Output;
use crate::rule_list::SYNTAX;
use crate::sarif::{self, location};

/// The name of the rule for blocks that were not read.
const NOT_READ: &str = "not-read";

/// Prints a log with one run.
pub fn print(reports: &[FileReport], out: &mut Output) -> anyhow::Result<()> {
    let blocks = || reports.iter().flat_map(|report| &report.blocks);
    let findings =
        blocks().flat_map(|block| block.findings.iter().map(move |located| result(block, located)));
    let not_read = |block: &BlockReport| match &block.status {
        Status::NotRead(reason) => Some(json!({
            "ruleId": NOT_READ,
            "level": "note",
            "message": { "text": format!("not read: {reason}") },
            "locations": [location(&block.place.file, block_region(block))],
        })),
        _ => None,
    };
    let results = findings.chain(blocks().filter_map(not_read)).collect();
    sarif::print(results, rule, reports.iter().flat_map(|report| &report.errors), out)
}

/// Returns the description of a rule.
fn rule(name: &str) -> Value {
    match name {
        SYNTAX => sarif::describe_syntax(),
        NOT_READ => {
            sarif::describe_without_page(name, "All parts of a template are known.", "note")
        }
        _ => genvisa_inline::rule(name).map_or(Value::Null, sarif::describe),
    }
}

fn result(block: &BlockReport, located: &Located) -> Value {
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
    let text = sarif::with_help(text, finding.help.as_deref());
    let mut result =
        sarif::result(finding.rule, finding.severity, &text, &located.place.file, region);
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
