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
    let is_known = |entry: &&Entry| entry.machine_code.is_some() || entry.stated.is_some();
    let has_machine_code = entries.iter().any(is_known);
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
            match (&entry.machine_code, &entry.stated) {
                (Some(code), _) => {
                    let registers =
                        code.registers.map_or("-".into(), |registers| registers.to_string());
                    let (instructions, spilled) = (code.instructions, code.spill_bytes);
                    machine_code([&instructions.to_string(), &registers, &spilled.to_string()])
                }
                (None, Some(stated)) => {
                    let number = |member| stated.execution(member).to_string();
                    machine_code(["-", &number("grf_count"), &number("spill_size")])
                }
                (None, None) => machine_code(["-"; 3]),
            },
            entry.file,
            printable(&entry.name),
        )?;
    }
    Ok(())
}
