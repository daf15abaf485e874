//! The JSON output of `genvisa check`.

use serde_json::{Value, json};

use crate::output::Output;
use super::position::Place;
use super::report::{BlockReport, FileReport, Located, Status};

/// Prints a list of files.
pub fn print(reports: &[FileReport], out: &mut Output) -> anyhow::Result<()> {
    let files: Vec<Value> = reports.iter().map(file).collect();
    out.write_json(&files)
}

fn file(report: &FileReport) -> Value {
    let blocks: Vec<Value> = report.blocks.iter().map(block).collect();
    json!({ "file": report.file, "errors": report.errors, "blocks": blocks })
}

fn block(report: &BlockReport) -> Value {
    let (status, reason) = match &report.status {
        Status::Checked => ("checked", None),
        Status::Partial => ("partial", None),
        Status::NotVisa => ("skipped", Some("not vISA")),
        Status::NotRead(reason) => ("skipped", Some(reason.as_str())),
    };
    let path = report.path.map(|path| match path {
        genvisa_inline::Path::Simt => "simt",
        genvisa_inline::Path::Vc => "vc",
    });
    let mut value = place(&report.place);
    let rest = json!({
        "function": report.function.as_deref(),
        "path": path,
        "lanes": report.lanes.map(genvisa_inline::Lanes::count),
        "status": status,
        "reason": reason,
        "template": report.template,
        "unknown": report.unknown.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
    });
    append(&mut value, rest);
    value
}

/// Returns the file of a place, and its line and column, or its offset if the file is binary.
fn place(place: &Place) -> Value {
    match place.line_and_column {
        Some((line, column)) => json!({ "file": *place.file, "line": line, "column": column }),
        None => json!({ "file": *place.file, "offset": place.offset }),
    }
}

fn finding(located: &Located) -> Value {
    let finding = &located.finding;
    let platforms: Vec<&str> = located.platforms.iter().map(|platform| platform.name()).collect();
    json!({
        "severity": finding.severity.to_string(),
        "rule": finding.rule,
        "file": *located.place.file,
        "part": Some(located.part).filter(|part| !part.is_empty()),
        "line": located.line,
        "column": located.column,
        "end_column": located.end_column,
        "message": finding.message,
        "hint": finding.help,
        "platforms": platforms,
        "expansion": located.expansion.as_ref().map(place),
    })
}

/// Adds the members of an object to another.
fn append(value: &mut Value, rest: Value) {
    if let (Value::Object(members), Value::Object(rest)) = (value, rest) {
        members.extend(rest);
    }
}
