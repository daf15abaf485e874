//! Differences as a unified diff.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::analysis::Change;
use genvisa::diff::{DeclarationChange, LineChange, RoutineDiff};

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

/// Prints the statistics that differ, by section.
pub fn statistics(out: &mut Output, changes: &[Change]) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "{HUNK}@@ statistics @@{HUNK:#}")?;
    }
    for change in changes {
        let Change { section, name, before, after, .. } = change;
        let name = format!("{section}: {name}");
        write!(out, " {name:<40} {before:>8} {after:>8} {:>+8}", change.difference())?;
        match change.percent() {
            Some(percent) => writeln!(out, " {percent:>+8.1} %")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
