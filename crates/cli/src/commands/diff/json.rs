//! Differences as JSON.

use std::ops::Range;

use genvisa::analysis::Change;
use genvisa_diff::{DeclarationChange, Hunk, HunkLine, RoutineDiff};
use serde_json::{Value, json};

/// Returns the differences of two routines.
pub fn routine(
    (a, b): (&str, &str),
    diff: &RoutineDiff,
    context: usize,
    statistics: &[Change],
) -> Value {
    let statistics = statistics.iter().map(|change| {
        json!({
            "section": change.section.name(),
            "name": change.name,
            "a": change.before,
            "b": change.after,
        })
    });
    json!({
        "file": a,
        "file_b": b,
        "kind": diff.kind.to_string(),
        "routine": diff.name_a.to_string_lossy(),
        "declarations": changes(&diff.declarations),
        "hunks": diff.hunks(context).iter().map(hunk).collect::<Vec<_>>(),
        "statistics": statistics.collect::<Vec<_>>(),
    })
}

fn changes(changes: &[DeclarationChange]) -> Vec<Value> {
    changes.iter().map(|change| json!({ "a": change.a, "b": change.b })).collect()
}

fn hunk(hunk: &Hunk) -> Value {
    let range = |range: &Range<usize>| json!({ "start": range.start, "length": range.len() });
    let line = |line: &HunkLine| json!({ "sign": line.change.sign(), "text": line.text });
    json!({
        "a": range(&hunk.a),
        "b": range(&hunk.b),
        "index": hunk.index,
        "label": hunk.label,
        "lines": hunk.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// Returns the differences of the variables and functions of two files.
pub fn declarations((a, b): (&str, &str), declarations: &[DeclarationChange]) -> Value {
    json!({ "file": a, "file_b": b, "declarations": changes(declarations) })
}

/// Returns a file or routine without a counterpart.
pub fn only_in(is_a: bool, place: &str, what: &str) -> Value {
    let side = if is_a { "a" } else { "b" };
    json!({ "file": place, "side": side, "only": what })
}

/// Returns an error in a routine; without a routine, an error in a file.
pub fn error((a, b): (&str, &str), routine: Option<&str>, message: &str) -> Value {
    json!({ "file": a, "file_b": b, "routine": routine, "error": message })
}
