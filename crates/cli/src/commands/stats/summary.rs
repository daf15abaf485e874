//! The table of `genvisa stats` for several files: a line for each routine.

use std::io::{self, Write};

use anstyle::Style;

use crate::words::printable;
use super::Entry;

const BOLD: Style = Style::new().bold();

/// Prints a line for each routine. The names are last, because they may be long.
pub fn print<'e>(entries: impl Iterator<Item = &'e Entry>, out: &mut impl Write) -> io::Result<()> {
    let mut entries = entries.peekable();
    if entries.peek().is_none() {
        return Ok(());
    }
    writeln!(
        out,
        "{BOLD}{:>12} {:>8} {:>8} {:>9}  FILE: ROUTINE{BOLD:#}",
        "INSTRUCTIONS", "MESSAGES", "BRANCHES", "REGISTERS"
    )?;
    for entry in entries {
        let statistics = &entry.statistics;
        writeln!(
            out,
            "{:>12} {:>8} {:>8} {:>9}  {}: {}",
            statistics.instructions,
            statistics.messages.total(),
            statistics.control_flow.branches(),
            statistics.peak.as_ref().map_or(0, |peak| peak.pressure.registers),
            entry.file,
            printable(&entry.name),
        )?;
    }
    Ok(())
}
