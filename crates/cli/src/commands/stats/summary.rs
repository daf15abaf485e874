//! The table of `genvisa stats` for several files: a line for each routine.

use std::io::{self, Write};

use anstyle::Style;

use super::Entry;
use crate::words::printable;

const BOLD: Style = Style::new().bold();

/// Prints a line for each routine. The names are last, because they may be long.
pub fn print<'e>(entries: impl Iterator<Item = &'e Entry>, out: &mut impl Write) -> io::Result<()> {
    let entries: Vec<&Entry> = entries.collect();
    if entries.is_empty() {
        return Ok(());
    }
    let has_machine_code = entries.iter().any(|entry| entry.machine_code.is_some());
    // The columns of the machine code: its instructions, the registers of a thread and the spills.
    let machine_code = |cells: [&str; 3]| match has_machine_code {
        true => format!(" {:>8} {:>4} {:>8}", cells[0], cells[1], cells[2]),
        false => String::new(),
    };
    writeln!(
        out,
        "{BOLD}{:>12} {:>8} {:>8} {:>9}{}  FILE: ROUTINE{BOLD:#}",
        "INSTRUCTIONS",
        "MESSAGES",
        "BRANCHES",
        "REGISTERS",
        machine_code(["MACHINE", "GRF", "SPILLED"])
    )?;
    for entry in entries {
        let statistics = &entry.statistics;
        writeln!(
            out,
            "{:>12} {:>8} {:>8} {:>9}{}  {}: {}",
            statistics.instructions,
            statistics.messages.total(),
            statistics.control_flow.branches(),
            statistics.peak.as_ref().map_or(0, |peak| peak.pressure.registers),
            entry.machine_code.as_ref().map_or(machine_code(["-"; 3]), |code| {
                let registers =
                    code.registers.map_or("-".into(), |registers| registers.to_string());
                let (instructions, spilled) = (code.instructions, code.spill_bytes);
                machine_code([&instructions.to_string(), &registers, &spilled.to_string()])
            }),
            entry.file,
            printable(&entry.name),
        )?;
    }
    Ok(())
}
