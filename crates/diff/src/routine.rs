//! The result of comparing two routines, and its text.

use std::fmt::{self, Write};
use std::ops::Range;

use genvisa::format::Format;
use genvisa::isa::{self, Instruction};
use genvisa::object::{Body, Name, RoutineKind};
use genvisa::text::{LineNames, LinePrinter};

use super::align::Segment;
use super::counterparts::align_routines;
use super::declarations::{self, DeclarationChange};
use super::merged::{Merged, Renamed};
use super::side::Side;

/// The differences between two routines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RoutineDiff {
    /// Whether the routines are kernels or functions.
    pub kind: RoutineKind,
    /// The name of routine A.
    pub name_a: Name,
    /// The name of routine B.
    pub name_b: Name,
    /// The differences between declarations, inputs, attributes and other properties.
    pub declarations: Vec<DeclarationChange>,
    /// The alignment of the instructions, which covers both routines. Ranges are positions among the
    /// instructions that are compared, which are all unless locations are ignored.
    pub segments: Vec<Segment>,
    a: Listed,
    b: Listed,
    /// The tables of A and the entries that only B has.
    tables: Body<'static>,
    /// A name of B that has a suffix in the lines, because A has another use for it.
    with_suffix: Option<Name>,
}

/// The instructions of a routine with the ids of the merged tables. None if the routines are equal.
#[derive(Clone, Debug)]
struct Listed {
    format: Format,
    instructions: Vec<Renamed>,
    /// The indices of the instructions in the routine.
    indices: Vec<usize>,
}

/// Changed instructions with the unchanged ones around them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    /// The range in A.
    pub a: Range<usize>,
    /// The range in B.
    pub b: Range<usize>,
    /// The index of the first instruction in A, as in `/// $n`.
    pub index: usize,
    /// The last label or subroutine in A up to the first instruction.
    pub label: Option<String>,
    /// The lines, in the names of A.
    pub lines: Vec<HunkLine>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkLine {
    /// Which of the routines have it.
    pub change: LineChange,
    /// The instruction in the names of A.
    pub text: String,
}

/// Which routines have a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// Both.
    Unchanged,
    /// Only A.
    Removed,
    /// Only B.
    Added,
}

impl LineChange {
    /// Returns the character before the line in a unified diff.
    pub fn sign(self) -> char {
        match self {
            LineChange::Unchanged => ' ',
            LineChange::Removed => '-',
            LineChange::Added => '+',
        }
    }
}

impl RoutineDiff {
    pub(super) fn new(a: Side<'_, '_>, b: Side<'_, '_>) -> RoutineDiff {
        let (matching, segments) = align_routines(&a, &b);
        let mut diff = RoutineDiff {
            kind: a.routine.kind,
            name_a: a.routine.name.clone(),
            name_b: b.routine.name.clone(),
            declarations: Vec::new(),
            segments,
            a: Listed::new(a.routine.format()),
            b: Listed::new(b.routine.format()),
            tables: Body::default(),
            with_suffix: None,
        };
        if diff.is_empty() && declarations::are_equal(&a, &b, &matching) {
            return diff;
        }
        let mut merged = Merged::new(&a, &b, &matching);
        diff.declarations = declarations::changes(&a, &b, &matching, &mut merged);
        diff.with_suffix = merged.with_suffix.take();
        // Equal routines have no hunks, so they need no instructions.
        if !diff.is_empty() {
            diff.b.instructions = merged.rename(&b);
            diff.a.instructions = merged.check(&a);
            (diff.a.indices, diff.b.indices) = (a.indices, b.indices);
            diff.tables = merged.body;
        }
        diff
    }

    /// Returns whether the routines are equal except for names and numbers.
    pub fn is_empty(&self) -> bool {
        self.declarations.is_empty() && self.segments.iter().all(|segment| segment.is_equal)
    }

    /// Returns the changed instructions, each with up to `context` unchanged ones before and after
    /// it.
    pub fn hunks(&self, context: usize) -> Vec<Hunk> {
        let names = LineNames::new(&self.tables, self.a.format);
        let mut lines = LinePrinter::new(&names, self.a.format);
        let (mut hunks, mut label, mut searched) = (Vec::new(), None, 0);
        for (a, b, segments) in self.ranges(context) {
            // A label in the first line is part of the hunk.
            let is_label = |at: &usize| label_of(&self.a.instructions[*at].instruction).is_some();
            let end = (a.start + 1).min(self.a.instructions.len());
            label = (searched..end).rev().find(is_label).or(label);
            searched = end;
            let mut hunk = Hunk {
                index: self.a.indices.get(a.start).copied().unwrap_or(a.start),
                label: label.and_then(|at| {
                    let Renamed { instruction, has_names } = self.a.instructions[at];
                    let label = label_of(&instruction).filter(|_| has_names);
                    label.map(|label| lines.label(label))
                }),
                a,
                b,
                lines: Vec::new(),
            };
            let mut add = |change, side: &Listed, range: Range<usize>| {
                for at in range {
                    hunk.lines.push(HunkLine { change, text: side.line(at, change, &mut lines) });
                }
            };
            for Segment { is_equal, a, b } in segments {
                if is_equal {
                    add(LineChange::Unchanged, &self.a, a);
                } else {
                    add(LineChange::Removed, &self.a, a);
                    add(LineChange::Added, &self.b, b);
                }
            }
            hunks.push(hunk);
        }
        hunks
    }

    /// Returns the ranges of the hunks, with their segments.
    fn ranges(&self, context: usize) -> Vec<(Range<usize>, Range<usize>, Vec<Segment>)> {
        let mut hunks: Vec<(Range<usize>, Range<usize>, Vec<Segment>)> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            if segment.is_equal {
                continue;
            }
            let before = match at.checked_sub(1).map(|before| &self.segments[before]) {
                // This part begins in the previous hunk.
                Some(equal) if at > 1 && equal.a.len() <= context.saturating_mul(2) => {
                    if let Some((a, b, segments)) = hunks.last_mut() {
                        // It contains only the first of the equal instructions.
                        segments.pop();
                        segments.extend([equal.clone(), segment.clone()]);
                        (a.end, b.end) = (segment.a.end, segment.b.end);
                    }
                    None
                }
                Some(equal) => Some(Segment {
                    is_equal: true,
                    a: equal.a.end - context.min(equal.a.len())..equal.a.end,
                    b: equal.b.end - context.min(equal.b.len())..equal.b.end,
                }),
                None => Some(Segment {
                    is_equal: true,
                    a: segment.a.start..segment.a.start,
                    b: segment.b.start..segment.b.start,
                }),
            };
            if let Some(before) = before {
                let a = before.a.start..segment.a.end;
                let b = before.b.start..segment.b.end;
                hunks.push((a, b, vec![before, segment.clone()]));
            }
            if let (Some(equal), Some((a, b, segments))) =
                (self.segments.get(at + 1), hunks.last_mut())
            {
                let len = context.min(equal.a.len());
                let after = Segment {
                    is_equal: true,
                    a: equal.a.start..equal.a.start + len,
                    b: equal.b.start..equal.b.start + len,
                };
                (a.end, b.end) = (after.a.end, after.b.end);
                segments.push(after);
            }
        }
        hunks
    }

    /// Writes the differences as a unified diff in the names of A; nothing if there are none.
    ///
    /// Each instruction is a line. After the range of a hunk, `$n` is the number of its first
    /// instruction in the listing of A. `a` and `b` name the routines in the first two lines. The
    /// declarations follow the instructions. A name of B for which A has another use ends in `_b`.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_unified<W: Write>(
        &self,
        out: &mut W,
        a: &str,
        b: &str,
        context: usize,
    ) -> fmt::Result {
        if self.is_empty() {
            return Ok(());
        }
        writeln!(out, "--- {a}\n+++ {b}")?;
        for hunk in self.hunks(context) {
            writeln!(out, "{}", hunk.header())?;
            for line in &hunk.lines {
                writeln!(out, "{}{}", line.change.sign(), line.text)?;
            }
        }
        declarations::write(out, &self.declarations, self.with_suffix.as_ref())
    }

    /// Returns the text of [`write_unified`](Self::write_unified).
    pub fn to_unified(&self, a: &str, b: &str, context: usize) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_unified(&mut text, a, b, context);
        text
    }
}

impl Hunk {
    /// Returns the first line of the hunk in a unified diff, such as `@@ -12,7 +12,8 @@ $11, loop`.
    pub fn header(&self) -> String {
        let range = |range: &Range<usize>| match range.len() {
            // An empty range follows a line.
            0 => format!("{},0", range.start),
            1 => (range.start + 1).to_string(),
            len => format!("{},{len}", range.start + 1),
        };
        let (a, b) = (range(&self.a), range(&self.b));
        let label = self.label.as_ref().map_or(String::new(), |label| format!(", {label}"));
        format!("@@ -{a} +{b} @@ ${}{label}", self.index)
    }
}

impl Listed {
    fn new(format: Format) -> Listed {
        Listed { format, instructions: Vec::new(), indices: Vec::new() }
    }

    fn line(&self, at: usize, change: LineChange, lines: &mut LinePrinter<'_>) -> String {
        let Renamed { instruction, has_names } = &self.instructions[at];
        if *has_names {
            return lines.instruction(instruction, self.format);
        }
        let of = if change == LineChange::Added { "B" } else { "A" };
        format!("    {instruction} //@ ids of {of}: one is not declared, or too large")
            .replace('\n', " ")
    }
}

/// Returns the label that an instruction defines.
fn label_of(instruction: &Instruction) -> Option<genvisa::operand::LabelId> {
    match instruction {
        Instruction::Label(isa::Label { label })
        | Instruction::Subroutine(isa::Subroutine { label }) => Some(*label),
        _ => None,
    }
}
