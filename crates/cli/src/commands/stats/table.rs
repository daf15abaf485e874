//! The tables of `genvisa stats` for one file.

use std::io::{self, Write};

use anstyle::Style;
use genvisa::analysis::{Declarations, Metric, Section, Statistics};

use super::json::class_name;
use super::{Entry, cell, percent};
use crate::words::printable;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The number of variables to list. JSON has all.
const MAX_VARIABLES: usize = 12;

/// Prints the statistics of routines.
pub fn print<'e>(entries: impl Iterator<Item = &'e Entry>, out: &mut impl Write) -> io::Result<()> {
    for (index, entry) in entries.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        head(entry, out)?;
        instructions(&entry.statistics, out)?;
        messages(entry, out)?;
        widths(&entry.statistics, out)?;
        control_flow(&entry.statistics, out)?;
        pressure(entry, out)?;
        machine_code(entry, out)?;
        stated(entry, out)?;
    }
    Ok(())
}

/// Prints the kind and the name of a routine, and how its registers are counted.
pub fn head(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let (kind, name) = (entry.kind, printable(&entry.name));
    writeln!(out, "{BOLD}{kind} {name}{BOLD:#}: {}", described(entry))
}

/// Returns the version, the platform and the size of a register.
pub fn described(entry: &Entry) -> String {
    let platform = entry.platform.map_or(String::new(), |platform| format!("{platform}, "));
    let (version, bytes) = (entry.format.version, entry.registers.bytes());
    format!("vISA {version}, {platform}{bytes}-byte registers")
}

fn title(title: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")
}

fn instructions(statistics: &Statistics, out: &mut impl Write) -> io::Result<()> {
    title("Instructions", out)?;
    let all = statistics.instructions;
    let share = |n: u32| format!("{n:>7}  {DIM}{:5.1} %{DIM:#}", percent(n, all));
    writeln!(out, "  {:<20}{all:>7}", "total")?;
    for (name, n) in [
        ("markers", statistics.markers),
        ("predicated", statistics.predicated),
        ("saturating", statistics.saturating),
    ] {
        writeln!(out, "  {name:<20}{}", share(n))?;
    }
    let row = |name: String, n| format!("{:<20}{}", cell(&name, 20), share(n));
    writeln!(out, "\n  {DIM}by kind{DIM:#}")?;
    let kinds = statistics.kinds.iter().map(|(kind, n)| row(kind.to_string(), n)).collect();
    columns(kinds, out)?;
    writeln!(out, "\n  {DIM}by operation{DIM:#}")?;
    let operations = statistics.operations.iter();
    columns(operations.map(|(operation, n)| row(operation.to_string(), n)).collect(), out)
}

/// Prints cells of the same width in two columns, the first column first.
fn columns(cells: Vec<String>, out: &mut impl Write) -> io::Result<()> {
    let rows = cells.len().div_ceil(2);
    for row in 0..rows {
        let right = cells.get(row + rows).map_or("", String::as_str);
        writeln!(out, "{}", format!("  {}    {right}", cells[row]).trim_end())?;
    }
    Ok(())
}

fn messages(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    title("Messages", out)?;
    let statistics = &entry.statistics;
    let (all, total) = (statistics.messages.total(), statistics.instructions);
    let share = percent(all, total);
    writeln!(out, "  {:<46}{all:>7}  {DIM}{share:5.1} %{DIM:#}", "total")?;
    for (message, n) in statistics.messages.iter() {
        let target = match entry.surface_name(message) {
            Some(name) => format!("{} {name}", message.target),
            None => message.target.to_string(),
        };
        let (operation, target) = (message.operation.to_string(), cell(&target, 24));
        let share = percent(n, total);
        writeln!(out, "  {operation:<20}  {target:<24}{n:>7}  {DIM}{share:5.1} %{DIM:#}")?;
    }
    let scratch = &statistics.scratch;
    writeln!(out, "  {:<46}{:>7}", "scratch reads", scratch.reads)?;
    writeln!(out, "  {:<46}{:>7}", "scratch writes", scratch.writes)?;
    if let Some(offset) = scratch.spill_offset {
        writeln!(out, "  {:<46}{offset:>7}", "scratch bytes before the spills")?;
    }
    if scratch.has_spill_surface {
        writeln!(out, "  spills have a surface of their own")?;
    }
    Ok(())
}

fn widths(statistics: &Statistics, out: &mut impl Write) -> io::Result<()> {
    title("SIMD widths", out)?;
    let row = |name: &str, cells: Vec<String>| format!("  {name:<20}{}", cells.concat());
    let cells = |f: fn(&genvisa::analysis::Width) -> u32| {
        statistics.widths.iter().map(|width| format!("{:>7}", f(width))).collect()
    };
    let lanes = statistics.widths.iter().map(|width| format!("{:>7}", width.size.lanes()));
    writeln!(out, "{}", row("lanes", lanes.collect()))?;
    writeln!(out, "{}", row("masked", cells(|width| width.masked)))?;
    writeln!(out, "{}", row("no mask", cells(|width| width.no_mask)))
}

fn control_flow(statistics: &Statistics, out: &mut impl Write) -> io::Result<()> {
    title("Control flow", out)?;
    let metrics = statistics.metrics().into_iter();
    let flow = metrics.filter(|metric| metric.section == Section::ControlFlow);
    columns(
        flow.map(|Metric { name, value, .. }| format!("{name:<20}{value:>7}         ")).collect(),
        out,
    )
}

fn pressure(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    title("Pressure", out)?;
    let statistics = &entry.statistics;
    if let Some(peak) = &statistics.peak {
        let pressure = peak.pressure;
        writeln!(out, "  {:<32}{:>9}", "peak registers", pressure.registers)?;
        let estimated = pressure.estimated_registers();
        let limit = entry.registers_of_thread();
        let note = match estimated > limit {
            true => format!("  above {limit}: a sign of spills"),
            false => String::new(),
        };
        writeln!(out, "  {:<32}{estimated:>9}{note}", "estimated registers")?;
        writeln!(out, "  {:<32}{:>9}", "peak bytes", pressure.bytes)?;
        writeln!(out, "  {:<32}{:>9}", "peak address bytes", pressure.address_bytes)?;
        writeln!(out, "  {:<32}{:>9}", "peak predicate bits", pressure.predicate_bits)?;
        let (at, operation) = (format!("${}", peak.instruction), &entry.peak_operation);
        writeln!(out, "  {:<32}{at:>9}  {operation}", "before instruction")?;
        if !peak.variables.is_empty() {
            writeln!(out, "\n  {DIM}{:<32}{:>9}{:>11}{DIM:#}", "live there", "bytes", "registers")?;
        }
        let variables = peak.variables.iter().zip(&entry.live_names);
        for (variable, name) in variables.clone().take(MAX_VARIABLES) {
            let (name, bytes) = (cell(name, 31), variable.units);
            match variable.registers {
                // It shares a register with other variables.
                0 => writeln!(out, "  {name:<32}{bytes:>9}{:>11}", "< 1")?,
                registers => writeln!(out, "  {name:<32}{bytes:>9}{registers:>11}")?,
            }
        }
        let rest = variables.skip(MAX_VARIABLES).map(|(variable, _)| variable);
        let (n, bytes) = rest.fold((0, 0), |(n, bytes), live| (n + 1, bytes + live.units));
        if n > 0 {
            writeln!(out, "  {:<32}{bytes:>9}", format!("{n} more"))?;
        }
    }
    writeln!(
        out,
        "\n  {DIM}{:<20}{:>9}{:>9}{:>11}{DIM:#}",
        "declared", "count", "aliases", "bytes"
    )?;
    for Declarations { class, count, aliases, bytes, .. } in &statistics.declarations {
        writeln!(out, "  {:<20}{count:>9}{aliases:>9}{bytes:>11}", class_name(*class))?;
    }
    Ok(())
}

fn stated(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let numbers = entry.stated_numbers();
    if !numbers.is_empty() {
        title("Device binary", out)?;
    }
    for (name, number) in numbers {
        writeln!(out, "  {name:<32}{number:>9}")?;
    }
    Ok(())
}

fn machine_code(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let Some(code) = &entry.machine_code else { return Ok(()) };
    title("Machine code", out)?;
    for (name, number) in code.numbers() {
        let number = number.map_or("unknown".into(), |number| number.to_string());
        writeln!(out, "  {name:<32}{number:>9}")?;
    }
    writeln!(out, "  {:<32}{}", "allocation", code.allocation.as_deref().unwrap_or("unknown"))
}
