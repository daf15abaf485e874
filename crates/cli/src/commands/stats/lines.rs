//! The statistics of source lines, and their table.

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::Style;
use genvisa::analysis::{Analysis, LineStatistics, SourceLine};
use genvisa::isa::Instruction;
use genvisa::object::{Body, Routine};

use super::table::head;
use super::{Entry, percent};
use crate::finalizer_asm::MachineCode;
use crate::source_files::{SourceFiles, file_of, place};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The maximum width of the column with the lines. Longer names lose their beginning.
const MAX_PLACE: usize = 48;

/// The instructions of a source line.
pub struct Line {
    /// The name of the file, if the routine states it.
    pub file: Option<String>,
    /// The text of the line, if the file is found.
    pub text: Option<String>,
    pub statistics: LineStatistics,
    /// The number of machine instructions that came from the line, if there is machine code.
    pub machine_instructions: Option<usize>,
}

impl Line {
    /// Returns the file and the line in one word.
    fn place(&self) -> String {
        let Some(line) = self.statistics.line else { return "no line".into() };
        let place = place(self.file.as_deref(), line.line);
        match place.char_indices().rev().nth(MAX_PLACE - 1) {
            Some((start, _)) if start > 0 => {
                let end: String = place[start..].chars().skip(3).collect();
                format!("...{end}")
            }
            _ => place,
        }
    }
}

/// Returns the source lines of a routine, those with the most instructions first.
pub fn of_routine(analysis: &Analysis, body: &Body<'_>, sources: &SourceFiles) -> Vec<Line> {
    let lines = LineStatistics::new(analysis).into_iter().map(|statistics| {
        let file = statistics.line.and_then(|line| file_of(line, body));
        let text = statistics.line.zip(file.as_ref());
        let text = text.and_then(|(line, file)| sources.text(file, line.line));
        Line { file, text, statistics, machine_instructions: None }
    });
    lines.collect()
}

/// Adds the numbers of machine instructions to the lines of a routine.
pub fn add_machine_code(lines: &mut [Line], routine: &Routine<'_, '_>, code: &MachineCode) {
    let instructions: Vec<Instruction> =
        routine.instructions().map_while(|item| Some(item.ok()?.1)).collect();
    let mut counts: HashMap<Option<SourceLine>, usize> = HashMap::new();
    for (line, code) in SourceLine::of_instructions(&instructions).into_iter().zip(&code.lines) {
        *counts.entry(line).or_default() += code.len();
    }
    for line in lines {
        line.machine_instructions = Some(counts.get(&line.statistics.line).copied().unwrap_or(0));
    }
}

/// Prints a table for each routine.
pub fn print<'e>(
    entries: impl Iterator<Item = &'e Entry>,
    has_files: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    for (index, entry) in entries.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        if has_files {
            write!(out, "{}: ", entry.file)?;
        }
        head(entry, out)?;
        table(entry, out)?;
    }
    Ok(())
}

fn table(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let lines = entry.lines.as_deref().unwrap_or_default();
    let all = lines.iter().map(|line| line.statistics.instructions).sum();
    let width = lines.iter().map(|line| line.place().chars().count()).max().unwrap_or(0);
    let has_machine_code = lines.iter().any(|line| line.machine_instructions.is_some());
    let machine = if has_machine_code { format!("{:>9}", "MACHINE") } else { String::new() };
    writeln!(out, "\n{BOLD}INSTRUCTIONS         {machine}  MESSAGES  REGISTERS  LINE{BOLD:#}")?;
    for line in lines {
        let LineStatistics { instructions, messages, pressure, .. } = &line.statistics;
        let share = format!("{DIM}{:>6.1} %{DIM:#}", percent(*instructions, all));
        let (messages_total, registers) = (messages.total(), pressure.registers);
        let text = line.text.as_deref().unwrap_or_default();
        let place = format!("{:<width$}  {text}", line.place());
        let machine = line.machine_instructions.map(|count| format!("{count:>9}"));
        let machine = machine.unwrap_or_default();
        let numbers =
            format!("{instructions:>12} {share}{machine} {messages_total:>9} {registers:>10}");
        writeln!(out, "{numbers}  {}", place.trim_end())?;
        for (message, n) in messages.iter() {
            let name = entry.surface_name(message).map(|name| format!(" {name}"));
            let name = name.unwrap_or_default();
            let width = 31 + machine.len();
            writeln!(out, "{DIM}{n:>width$}  {message}{name}{DIM:#}")?;
        }
    }
    Ok(())
}
