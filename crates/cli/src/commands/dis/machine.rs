//! The column with the machine instructions that came from each instruction.

use std::fmt::Write;

use crate::finalizer_asm::MachineCode;

/// The number of ranges of lines that are printed. The others are `..`.
const MAX_RANGES: usize = 3;

/// The column of a routine.
pub struct MachineColumn {
    /// The comment before the routine that explains the column.
    pub legend: String,
    cells: Vec<String>,
    width: usize,
}

impl MachineColumn {
    pub fn new(code: &MachineCode) -> MachineColumn {
        let MachineCode { file, instructions, added, .. } = code;
        let legend = format!(
            "// number and lines of machine instructions in {file}; {instructions} in total, {added} \
             of them added by the finalizer\n"
        );
        let cells: Vec<String> = code.lines.iter().map(|lines| cell(lines)).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(0);
        MachineColumn { legend, cells, width }
    }

    /// Appends the column of an instruction: a comment.
    pub fn print(&self, instruction: usize, text: &mut String) {
        let (cell, width) = (self.cells.get(instruction).map_or("", String::as_str), self.width);
        // Writing to a string never fails.
        let _ = write!(text, "/* {cell:<width$} */ ");
    }
}

/// Returns the number of lines, with their ranges; nothing if there are none.
fn cell(lines: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut parts: Vec<String> = ranges.iter().take(MAX_RANGES).map(range).collect();
    if ranges.len() > MAX_RANGES {
        parts.push("..".into());
    }
    match lines.len() {
        0 => String::new(),
        count => format!("{count}: {}", parts.join(" ")),
    }
}
