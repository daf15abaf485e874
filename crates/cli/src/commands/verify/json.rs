//! Findings as JSON.

use genvisa::error::PathSegment;
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::definitions::{
    Column, File, InstructionIndex, Line, Offset, RoutineKind, RoutineName, RuleName, RuleUrl,
    Severity,
};
use crate::rule_list::url;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Finding<'f> {
    file: File<'f>,
    line: Option<Line>,
    column: Option<Column>,
    rule: RuleName<'f>,
    group: &'static str,
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
    message: &'f str,
    found: Option<&'f str>,
    expected: Option<&'f str>,
    /// The rule.
    statement: &'static str,
    /// Where the rule is from.
    source: &'static str,
    url: RuleUrl,
}

/// Returns a finding as JSON, with its line and column if it is in a text.
pub fn finding(
    file: &str,
    finding: &genvisa::verify::Finding,
    line_and_column: Option<(usize, usize)>,
) -> Value {
    let (line, column) = line_and_column.unzip();
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
        rule: RuleName(finding.rule.name),
        group: finding.rule.group().name(),
        severity: Severity(finding.severity.to_string()),
        kind,
        routine,
        instruction: finding.instruction.map(InstructionIndex),
        offset: finding.offset.map(Offset),
        path: finding.path.iter().map(ToString::to_string).collect(),
        name: finding.name.as_deref(),
        message: &finding.message,
        found: finding.found.as_deref(),
        expected: finding.expected.as_deref(),
        statement: finding.rule.statement,
        source: finding.rule.source,
        url: RuleUrl(url(finding.rule.name)),
    })
}
