//! Statistics of source lines.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::counts::Counts;
use super::is_marker;
use super::message::Message;
use crate::analysis::{Analysis, Pressure};
use crate::isa::Instruction;
use crate::operand::StringId;

/// A source line, as FILE and LOC state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct SourceLine {
    /// The name of the file in the string pool of the routine; `None` if no FILE precedes the
    /// instruction.
    pub file: Option<StringId>,
    /// The number of the line, from 1.
    pub line: u32,
}

impl SourceLine {
    /// Returns the source line of each instruction: FILE and LOC apply to themselves and to the
    /// instructions after them, in the order of the text. Branches and labels do not change the line.
    ///
    /// Instructions before the first LOC, and after `LOC 0`, have no line. FILE alone keeps the number
    /// of the line.
    pub fn of_instructions(instructions: &[Instruction]) -> Vec<Option<SourceLine>> {
        let (mut file, mut line) = (None, 0);
        let lines = instructions.iter().map(|instruction| {
            match instruction {
                Instruction::File(it) => file = Some(it.file_name),
                Instruction::Loc(it) => line = it.line_number,
                _ => {}
            }
            (line > 0).then_some(SourceLine { file, line })
        });
        lines.collect()
    }
}

/// Statistics of the instructions of a source line.
///
/// ```
/// use genvisa::analysis::{Analysis, LineStatistics};
/// use genvisa::RegisterSize;
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 4.2
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     LOC 7
///     mov (M1, 8) x(0,0)<1> 0x2a:d
///     LOC 8
///     add (M1, 8) x(0,0)<1> x(0,0)<1;1,0> 0x1:d
///     LOC 7
///     mul (M1, 8) x(0,0)<1> x(0,0)<1;1,0> x(0,0)<1;1,0>
/// ";
/// let module = text::parse(source, Format::V4_2)?;
/// let routine = module.routines().next().expect("a kernel");
/// let analysis = Analysis::new(&routine, RegisterSize::Bytes32)?;
/// let lines = LineStatistics::new(&analysis);
/// let counts: Vec<_> =
///     lines.iter().map(|it| (it.line.map_or(0, |line| line.line), it.instructions)).collect();
/// assert_eq!(counts, [(7, 2), (8, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineStatistics {
    /// The line; `None` for the instructions that have none.
    pub line: Option<SourceLine>,
    /// The number of instructions without [markers](super::Statistics::markers).
    pub instructions: u32,
    /// The number of messages of each operation and target.
    pub messages: Counts<Message>,
    /// The first instruction of the line before which the most registers are live.
    pub peak_instruction: usize,
    /// The live bytes there, and the registers that they take.
    pub pressure: Pressure,
}

impl LineStatistics {
    /// Returns the statistics of the source lines of a routine, those with the most instructions
    /// first, then in the order of the files and lines, and instructions without a line after others.
    ///
    /// The [lines](SourceLine::of_instructions) of the instructions are those of the text, which the
    /// compiler may have reordered.
    pub fn new(analysis: &Analysis) -> Vec<LineStatistics> {
        let mut groups: BTreeMap<_, (LineStatistics, BTreeMap<_, u32>)> = BTreeMap::new();
        let lines = SourceLine::of_instructions(&analysis.instructions);
        let pressures = analysis.liveness.pressure();
        let instructions = analysis.instructions.iter().zip(lines).zip(pressures).enumerate();
        for (index, ((instruction, line), pressure)) in instructions {
            if is_marker(instruction) {
                continue;
            }
            let (group, messages) = groups.entry(line).or_default();
            if group.instructions == 0 || pressure.registers > group.pressure.registers {
                group.peak_instruction = index;
                group.pressure = *pressure;
            }
            group.line = line;
            group.instructions += 1;
            if let Some(message) = Message::of(instruction) {
                *messages.entry(message).or_insert(0) += 1;
            }
        }
        let groups = groups.into_values();
        let mut lines: Vec<LineStatistics> = groups
            .map(|(group, messages)| LineStatistics { messages: Counts::new(messages), ..group })
            .collect();
        lines.sort_by_key(|group| (Reverse(group.instructions), group.line.is_none(), group.line));
        lines
    }
}
