//! Findings as JSON.

use std::borrow::Cow;

use genvisa::error::PathSegment;
use genvisa::text::Diagnostic;
use serde::Serialize;
use serde_json::{Value, json};

use super::Span;
use crate::output::definitions::{
    Column, File, InstructionIndex, Line, Offset, RoutineKind, RoutineName, RuleName, RuleUrl,
    Severity,
};
use crate::rule_list::{SYNTAX, url};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Finding<'f> {
    file: File<'f>,
    line: Option<Line>,
    column: Option<Column>,
    /// The line of the end.
    end_line: Option<Line>,
    /// The column after the end.
    end_column: Option<Column>,
    /// `syntax` for errors of the parser: a text that has such errors has no other findings.
    rule: RuleName<'f>,
    group: Option<&'static str>,
    severity: Severity,
    kind: Option<RoutineKind>,
    /// Null if the finding is about the file.
    routine: Option<RoutineName>,
    instruction: Option<InstructionIndex>,
    offset: Option<Offset>,
    /// The names of the routine, the instruction and the fields.
    path: Vec<String>,
    /// The name of the variable, label or other entry that the finding is about.
    name: Option<&'f str>,
    message: Cow<'f, str>,
    /// What to write instead, if an error of the parser has a hint.
    hint: Option<&'f str>,
    found: Option<&'f str>,
    expected: Option<&'f str>,
    /// The rule.
    statement: Option<&'static str>,
    /// Where the rule is from.
    source: Option<&'static str>,
    url: Option<RuleUrl>,
}

/// Returns a finding as JSON, with its lines and columns if it is in a text.
pub fn finding(file: &str, finding: &genvisa::verify::Finding, span: Option<Span>) -> Value {
    let (start, end) = span.unzip();
    let ((line, column), (end_line, end_column)) = (start.unzip(), end.unzip());
    let routine = finding.path.iter().find_map(|segment| match segment {
        PathSegment::Routine { kind, name } => {
            Some((RoutineKind(kind.to_string()), RoutineName(name.into())))
        }
        _ => None,
    });
    let (kind, routine) = routine.unzip();
    json!(Finding {
        file: File(file),
        line: line.map(Line),
        column: column.map(Column),
        end_line: end_line.map(Line),
        end_column: end_column.map(Column),
        rule: RuleName(finding.rule.name),
        group: Some(finding.rule.group().name()),
        severity: Severity(finding.severity.to_string()),
        kind,
        routine,
        instruction: finding.instruction.map(InstructionIndex),
        offset: finding.offset.map(Offset),
        path: finding.path.iter().map(ToString::to_string).collect(),
        name: finding.name.as_deref(),
        message: finding.message.as_str().into(),
        hint: None,
        found: finding.found.as_deref(),
        expected: finding.expected.as_deref(),
        statement: Some(finding.rule.statement),
        source: Some(finding.rule.source),
        url: Some(RuleUrl(url(finding.rule.name))),
    })
}

/// Returns an error of the parser as JSON.
pub fn syntax_error(file: &str, error: &Diagnostic, (start, end): Span) -> Value {
    let ((line, column), (end_line, end_column)) = (start, end);
    let is_token = error.expected.is_some();
    json!(Finding {
        file: File(file),
        line: Some(Line(line)),
        column: Some(Column(column)),
        end_line: Some(Line(end_line)),
        end_column: Some(Column(end_column)),
        rule: RuleName(SYNTAX),
        group: None,
        severity: Severity(error.severity.to_string()),
        kind: None,
        routine: None,
        instruction: None,
        offset: None,
        path: Vec::new(),
        name: None,
        message: error.to_string().into(),
        hint: error.help.as_deref(),
        found: is_token.then_some(&error.found),
        expected: error.expected.as_deref(),
        statement: None,
        source: None,
        url: None,
    })
}
