//! Differences as a unified diff.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::diff::{DeclarationChange, LineChange, RoutineDiff};
use genvisa::object::Routine;

use crate::output::Output;
use crate::printable;

const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Prints the differences of two routines.
pub fn routine(
    out: &mut Output,
    labels: &(String, String),
    diff: &RoutineDiff,
    context: usize,
) -> io::Result<()> {
    declarations(out, labels, &diff.declarations)?;
    for hunk in diff.hunks(context) {
        writeln!(out, "{HUNK}{}{HUNK:#}", printable(&hunk.header()))?;
        for text in &hunk.lines {
            line(out, text.change, &text.text)?;
        }
    }
    Ok(())
}

/// Prints the first two lines, and the differences of declarations.
pub fn declarations(
    out: &mut Output,
    (a, b): &(String, String),
    changes: &[DeclarationChange],
) -> io::Result<()> {
    writeln!(out, "{HEADER}--- {a}{HEADER:#}")?;
    writeln!(out, "{HEADER}+++ {b}{HEADER:#}")?;
    if !changes.is_empty() {
        writeln!(out, "{HUNK}@@ declarations @@{HUNK:#}")?;
    }
    for change in changes {
        if let Some(text) = &change.a {
            line(out, LineChange::Removed, text)?;
        }
        if let Some(text) = &change.b {
            line(out, LineChange::Added, text)?;
        }
    }
    Ok(())
}

fn line(out: &mut Output, change: LineChange, text: &str) -> io::Result<()> {
    let style = match change {
        LineChange::Removed => REMOVED,
        LineChange::Added => ADDED,
        _ => Style::new(),
    };
    writeln!(out, "{style}{}{}{style:#}", change.sign(), printable(text))
}

/// Prints how the statistics of two routines differ.
// TODO: print the differences of `genvisa::analysis::Statistics`.
pub fn statistics(_: &mut Output, _: &Routine<'_, '_>, _: &Routine<'_, '_>) -> io::Result<()> {
    Ok(())
}
