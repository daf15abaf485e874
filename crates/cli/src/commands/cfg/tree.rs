//! The blocks of routines as lines, indented by the depth of loops.

use std::fmt::Write;

use genvisa::analysis::{BlockId, EdgeKind, LoopId};

use super::Graph;
use crate::words::{count, shortened};

/// The number of columns of the output.
const WIDTH: usize = 80;

/// The columns of the marks, the block, its instructions and its registers.
const BLOCK: usize = 24;
const RANGE: usize = 13;
const REGISTERS: usize = 4;

/// Adds a routine to a text.
pub fn print(graph: &Graph, text: &mut String) {
    // Writing to a string never fails.
    let _ = graph.print(text);
}

impl Graph {
    fn print(&self, out: &mut String) -> std::fmt::Result {
        let (blocks, loops) = (self.analysis.cfg.blocks().len(), self.loops.loops().len());
        let part = self.view.part.as_ref().map(|part| shortened(&format!(", {part}"), WIDTH / 2));
        let part = part.unwrap_or_default();
        let width = WIDTH - 10 - part.chars().count();
        writeln!(out, "{} {}{part}", self.kind, shortened(&self.name, width))?;
        if self.view.part.is_some() {
            write!(out, "{} of ", self.view.blocks().count())?;
        }
        write!(out, "{}, {}, ", count(blocks, "block"), count(loops, "loop"))?;
        let at = self.analysis.liveness.peak().map_or(0, |(at, _)| at);
        let size = self.analysis.storage.registers().bytes();
        writeln!(out, "peak of {} {size}-byte registers before ${at}", self.peak)?;
        let (block, range, registers) = ("BLOCK", "INSTRUCTIONS", "REGS");
        writeln!(out, "\n  {block:BLOCK$}{range:RANGE$}{registers:>REGISTERS$}  SUCCESSORS")?;
        let mut marks = [false; 2];
        let mut part = 0;
        for (index, (id, blocks)) in self.view.boxes().iter().enumerate() {
            let subroutine = self.block(*id).subroutine;
            if subroutine != part && index > 0 {
                writeln!(out)?;
            }
            part = subroutine;
            self.line(*id, blocks, &mut marks, out)?;
        }
        let legend: Vec<&str> = [
            (loops > 0, "* start of a loop"),
            (marks[0], "~ lanes may have diverged"),
            (marks[1], "x unreachable"),
        ]
        .into_iter()
        .filter_map(|(is_used, what)| is_used.then_some(what))
        .collect();
        if !legend.is_empty() {
            writeln!(out, "\n{}", legend.join(", "))?;
        }
        let neighbors = self.view.neighbors(&self.analysis.cfg);
        if !neighbors.is_empty() {
            writeln!(out)?;
            let names = neighbors.iter().map(|id| shortened(&self.block_name(*id), WIDTH - 20));
            write_wrapped(out, "outside of this part:", 4, separated(names.collect()))?;
        }
        for cycle in self.loops.irreducible() {
            let head = "cycle with several entries:";
            write_wrapped(out, head, 4, cycle.iter().map(|block| format!("B{}", block.0)))?;
        }
        Ok(())
    }

    fn line(
        &self,
        id: BlockId,
        blocks: &[BlockId],
        marks: &mut [bool; 2],
        out: &mut String,
    ) -> std::fmt::Result {
        let is_unreachable = !self.analysis.cfg.is_reachable(id);
        let is_divergent = !is_unreachable && self.analysis.divergence.is_divergent(id);
        marks[0] |= is_divergent;
        marks[1] |= is_unreachable;
        let mark = match (is_unreachable, is_divergent) {
            (true, _) => 'x',
            (_, true) => '~',
            _ => ' ',
        };
        let ranges = self.ranges(blocks);
        let is_empty = ranges.is_empty();
        let mut tree = self.indent(id);
        write!(tree, "B{} ", id.0)?;
        if blocks.len() > 1 {
            write!(tree, "and {} more ", blocks.len() - 1)?;
        }
        tree += match &self.labels[id.index()] {
            Some(label) => label,
            None if is_empty => "(end of the subroutine)",
            None => "",
        };
        let tree = shortened(&tree, BLOCK - 1);
        let pressure = match is_empty {
            true => String::new(),
            false => self.pressure(blocks).to_string(),
        };
        // The ranges of several blocks may be longer than the column.
        let range = shortened(&ranges, RANGE - 1);
        let line = format!("{mark} {tree:BLOCK$}{range:RANGE$}{pressure:>REGISTERS$} ");
        write_wrapped(out, &line, line.chars().count() + 1, self.successors(blocks))
    }

    /// Returns a column for each loop of a block. The header of a loop begins it.
    fn indent(&self, id: BlockId) -> String {
        /// Deeper loops are not indented, because the label would not fit.
        const DEPTH: u32 = 6;
        let depth = self.loops.depth(id);
        if depth > DEPTH {
            return format!("{depth}: ");
        }
        let mut columns = String::new();
        let mut inner: Option<LoopId> = self.loops.innermost(id);
        while let Some(current) = inner {
            let found = &self.loops.loops()[current.index()];
            columns.insert_str(0, if found.header == id { "* " } else { "| " });
            inner = found.parent;
        }
        columns
    }

    /// Returns the successors of the blocks of a box with the reason for each.
    fn successors(&self, blocks: &[BlockId]) -> impl Iterator<Item = String> {
        let mut words: Vec<String> = Vec::new();
        for id in blocks {
            for edge in self.analysis.cfg.successors(*id) {
                let is_back = self.is_back_edge(edge);
                if !is_back
                    && edge.from != edge.to
                    && self.view.head(edge.to) == self.view.head(*id)
                {
                    continue;
                }
                let kind = match edge.kind {
                    EdgeKind::FallThrough if edge.to.0 == id.0 + 1 => "next",
                    EdgeKind::FallThrough => "then",
                    EdgeKind::Branch if is_back => "repeat",
                    EdgeKind::Branch => "jump",
                    EdgeKind::Call => "call",
                    EdgeKind::Return => "return",
                    _ => "",
                };
                let condition =
                    self.condition(edge).map_or(String::new(), |text| format!("{text} "));
                let to = self.view.head(edge.to).0;
                words.push(format!("{}{kind} B{to}", shortened(&condition, 14)));
            }
            words.extend(
                self.after_call(*id).map(|after| format!("then B{}", self.view.head(after).0)),
            );
            if self.analysis.cfg.may_end(*id, &self.analysis.instructions) {
                words.push("end".into());
            }
        }
        separated(words)
    }
}

/// Adds a comma to all words but the last.
fn separated(words: Vec<String>) -> impl Iterator<Item = String> {
    let count = words.len();
    words.into_iter().enumerate().map(move |(index, word)| match index + 1 == count {
        true => word,
        false => word + ",",
    })
}

/// Writes words after the start of a line, in lines of at most [`WIDTH`] columns.
fn write_wrapped(
    out: &mut String,
    start: &str,
    indent: usize,
    words: impl Iterator<Item = String>,
) -> std::fmt::Result {
    let mut line = start.to_string();
    for word in words {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.trim() != start.trim() {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(indent.saturating_sub(1));
        }
        line.push(' ');
        line += &word;
    }
    writeln!(out, "{}", line.trim_end())
}
