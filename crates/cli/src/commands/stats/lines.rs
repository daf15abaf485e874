//! The statistics of source lines, and their table.

use std::io::{self, Write};

use anstyle::Style;
use genvisa::analysis::{Analysis, LineStatistics};
use genvisa::object::Body;

use crate::source_files::{SourceFiles, file_of, place};
use super::{Entry, percent};
use super::table::head;

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
        Line { file, text, statistics }
    });
    lines.collect()
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
    writeln!(out, "\n{BOLD}INSTRUCTIONS           MESSAGES  REGISTERS  LINE{BOLD:#}")?;
    for line in lines {
        let LineStatistics { instructions, messages, pressure, .. } = &line.statistics;
        let share = format!("{DIM}{:>6.1} %{DIM:#}", percent(*instructions, all));
        let (messages_total, registers) = (messages.total(), pressure.registers);
        let text = line.text.as_deref().unwrap_or_default();
        let place = format!("{:<width$}  {text}", line.place());
        let numbers = format!("{instructions:>12} {share} {messages_total:>10} {registers:>10}");
        writeln!(out, "{numbers}  {}", place.trim_end())?;
        for (message, n) in messages.iter() {
            let name = entry.surface_name(message).map(|name| format!(" {name}"));
            let name = name.unwrap_or_default();
            writeln!(out, "{DIM}{n:>32}  {message}{name}{DIM:#}")?;
        }
    }
    Ok(())
}
