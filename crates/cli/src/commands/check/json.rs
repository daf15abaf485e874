//! The JSON output of `genvisa check`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::position;
use super::report::{BlockReport, FileReport, Located, Status};
use crate::input::walk::{self, Suffixes};
use crate::output::Output;
use crate::output::definitions::{
    Column, File, Line, Offset, Platform, RuleName, RuleUrl, Severity,
};
use crate::rule_list::url;
use crate::words::shown;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct CheckedFile<'r> {
    file: File<'r>,
    /// Hints that cannot be applied, and why a file cannot be read.
    errors: &'r [String],
    blocks: Vec<Block<'r>>,
    /// If the file is a folder: the numbers of files that were not read, by suffix. Folders are listed
    /// only if they contain such files.
    skipped: Option<&'r Suffixes>,
}

/// An inline assembly statement.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Block<'r> {
    #[serde(flatten)]
    place: Place<'r>,
    function: Option<&'r str>,
    #[cfg_attr(test, schemars(extend("enum" = ["simt", "vc", null])))]
    path: Option<&'static str>,
    lanes: Option<u32>,
    #[cfg_attr(test, schemars(extend("enum" = ["checked", "partial", "skipped"])))]
    status: &'static str,
    /// Why the block is skipped.
    reason: Option<Cow<'r, str>>,
    template: Option<&'r str>,
    /// The facts that are not known.
    unknown: Vec<String>,
    findings: Vec<Finding<'r>>,
}

/// A place in a source file. In a binary file, it has an offset instead of a line and a column.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "place"))]
pub struct Place<'r> {
    file: File<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Line"))]
    line: Option<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Column"))]
    column: Option<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Offset"))]
    offset: Option<Offset>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Finding<'r> {
    severity: Severity,
    rule: RuleName<'r>,
    file: File<'r>,
    /// The part of the statement that the line is in, if the file is binary.
    #[cfg_attr(test, schemars(extend("enum" = ["template", "constraints", null])))]
    part: Option<&'static str>,
    line: Line,
    column: Column,
    /// The column after the end.
    end_column: Column,
    message: &'r str,
    hint: Option<&'r str>,
    /// Null if the rule is `syntax`.
    url: Option<RuleUrl>,
    platforms: Vec<Platform>,
    /// The place of the use of a macro.
    expansion: Option<Place<'r>>,
}

/// Prints a list of files, and of the folders in which files were skipped.
pub fn print(
    reports: &[FileReport],
    skipped: &[walk::Skipped],
    out: &mut Output,
) -> anyhow::Result<()> {
    let files: Vec<Value> = reports.iter().map(file).chain(skipped.iter().map(folder)).collect();
    out.write_json(&files)
}

fn file(report: &FileReport) -> Value {
    json!(CheckedFile {
        file: File(&report.file),
        errors: &report.errors,
        blocks: report.blocks.iter().map(block).collect(),
        skipped: None,
    })
}

fn folder(skipped: &walk::Skipped) -> Value {
    json!(CheckedFile {
        file: File(&shown(&skipped.folder)),
        errors: &[],
        blocks: Vec::new(),
        skipped: Some(&skipped.suffixes),
    })
}

fn block(report: &BlockReport) -> Block<'_> {
    let (status, reason) = match &report.status {
        Status::Checked => ("checked", None),
        Status::Partial => ("partial", None),
        Status::NotVisa(reason) => ("skipped", Some(format!("not vISA: {reason}").into())),
        Status::NotRead(reason) => ("skipped", Some(reason.into())),
    };
    Block {
        place: place(&report.place),
        function: report.function.as_deref(),
        path: report.path.map(|path| match path {
            genvisa_inline::Path::Simt => "simt",
            genvisa_inline::Path::Vc => "vc",
        }),
        lanes: report.lanes.map(genvisa_inline::Lanes::count),
        status,
        reason,
        template: report.template.as_deref(),
        unknown: report.unknown.iter().map(ToString::to_string).collect(),
        findings: report.findings.iter().map(finding).collect(),
    }
}

pub fn place(place: &position::Place) -> Place<'_> {
    let (line, column) = place.line_and_column.unzip();
    Place {
        file: File(&place.file),
        line: line.map(Line),
        column: column.map(Column),
        offset: Some(Offset(place.offset)).filter(|_| line.is_none()),
    }
}

fn finding(located: &Located) -> Finding<'_> {
    let finding = &located.finding;
    Finding {
        severity: Severity(finding.severity.to_string()),
        rule: RuleName(finding.rule),
        file: File(&located.place.file),
        part: Some(located.part).filter(|part| !part.is_empty()),
        line: Line(located.line),
        column: Column(located.column),
        end_column: Column(located.end_column),
        message: &finding.message,
        hint: finding.help.as_deref(),
        url: genvisa_inline::rule(finding.rule).map(|rule| RuleUrl(url(rule.name))),
        platforms: located.platforms.iter().map(|it| Platform(it.name())).collect(),
        expansion: located.expansion.as_ref().map(place),
    }
}
