//! Differences as a unified diff.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::analysis::Change;

use crate::output::Output;
use crate::words::printable;

const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Prints a unified diff with colors.
pub fn unified(out: &mut Output, diff: &str) -> io::Result<()> {
    for (index, line) in diff.split_terminator('\n').enumerate() {
        let style = match line.as_bytes().first() {
            _ if index < 2 => HEADER,
            Some(b'@') => HUNK,
            Some(b'-') => REMOVED,
            Some(b'+') => ADDED,
            _ => Style::new(),
        };
        // Tabs precede the names of the routines in the first two lines.
        let line = if index < 2 { line.into() } else { printable(line) };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    Ok(())
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
