//! Differences as a unified diff.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::analysis::Change;

use crate::finalizer_asm::MachineChange;
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
        let name = format!("{}: {}", change.section, change.name);
        let numbers = [change.before, change.after];
        number(out, &name, numbers, change.difference(), change.percent())?;
    }
    Ok(())
}

/// Prints the numbers of the machine code that differ.
pub fn machine_code(out: &mut Output, changes: &[MachineChange]) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "{HUNK}@@ machine code @@{HUNK:#}")?;
    }
    for change in changes {
        let numbers = [change.before, change.after];
        number(out, change.name, numbers, change.difference(), change.percent())?;
    }
    Ok(())
}

fn number(
    out: &mut Output,
    name: &str,
    [before, after]: [u64; 2],
    difference: i64,
    percent: Option<f64>,
) -> io::Result<()> {
    write!(out, " {name:<40} {before:>8} {after:>8} {difference:>+8}")?;
    match percent {
        Some(percent) => writeln!(out, " {percent:>+8.1} %"),
        None => writeln!(out),
    }
}
