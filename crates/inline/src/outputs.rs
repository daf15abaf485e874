//! Rules about the operands that the instructions of a block read and write.

use alloc::vec;
use alloc::vec::Vec;

use genvisa::Instruction;
use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Condition, Storage};
use genvisa::isa::IdClass;
use genvisa::object::Routine;
use genvisa::operand::VarId;

use super::constraint::Resolved;
use super::standin::StandIn;

/// The variables that are declared for operands, by their index in the variable table.
pub(super) type Variables = [(usize, StandIn)];

/// The part of an output that a block writes.
#[derive(Clone, Debug)]
struct Output {
    /// For each byte, whether it is written. `None` if the output is not checked, or which bytes
    /// are written is unknown.
    bytes: Option<Vec<bool>>,
    /// The first instruction that writes it.
    first: Option<usize>,
    /// The largest execution size of the instructions that write it.
    lanes: usize,
    /// Whether an instruction without a predicate writes it.
    is_written_always: bool,
    /// Whether a read before a write is reported: it is an output only, no instruction with a predicate has
    /// written it, and no read was reported.
    is_tracked: bool,
}

/// A problem with the use of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// An instruction writes an operand that is an input only.
    InputWritten,
    /// An instruction reads an output that no instruction has written.
    OutputRead,
    /// No instruction writes an output.
    OutputUnwritten,
    /// The block writes only some bytes of an output.
    PartialOutput {
        /// The number of bytes that are written.
        written: usize,
        /// The size of the output in bytes.
        size: usize,
        /// The largest execution size of the instructions that write it.
        lanes: usize,
    },
}

/// Returns the problems with operands: the number of the operand, the index of the instruction,
/// and the problem.
pub(super) fn check(
    routine: &Routine<'_, '_>,
    instructions: &[Instruction],
    variables: &Variables,
    operands: &[Resolved],
    registers: RegisterSize,
) -> Vec<(usize, usize, Problem)> {
    let mut problems = Vec::new();
    let mut outputs: Vec<Output> = Vec::with_capacity(variables.len());
    for (number, stand_in) in variables {
        let resolved = &operands[*number];
        let is_checked = resolved.is_written && !resolved.is_read;
        let size = stand_in.size().filter(|_| is_checked);
        let bytes = size.map(|size| vec![false; size]);
        outputs.push(Output {
            bytes,
            first: None,
            lanes: 0,
            is_written_always: false,
            is_tracked: is_checked,
        });
    }
    // In a loop or a branch, the order and the number of executions are not known.
    let is_straight = !instructions.iter().any(|one| matches!(one, Instruction::Label(_)));
    let storage = Storage::new(routine, registers);
    let variable_of = |access: &Access| {
        let index = access.root.number.checked_sub(VarId::FIRST_DECLARED.0)? as usize;
        (access.root.class == IdClass::Variable && index < variables.len()).then_some(index)
    };
    for (index, instruction) in instructions.iter().enumerate() {
        // An instruction reads before it writes.
        storage.visit_accesses(instruction, |access| {
            let Some(variable) = variable_of(&access).filter(|_| is_straight) else { return };
            if access.kind == AccessKind::Read && outputs[variable].is_read_first(&access) {
                outputs[variable].is_tracked = false;
                problems.push((variables[variable].0, index, Problem::OutputRead));
            }
        });
        storage.visit_accesses(instruction, |access| {
            let Some(variable) = variable_of(&access) else { return };
            let number = variables[variable].0;
            let problem = (number, index, Problem::InputWritten);
            let is_input = access.kind == AccessKind::Write && !operands[number].is_written;
            if is_input && problems.last() != Some(&problem) {
                problems.push(problem);
            }
            outputs[variable].add(index, instruction, &access);
        });
    }
    for ((number, _), output) in variables.iter().zip(&outputs) {
        let is_checked = operands[*number].is_written && !operands[*number].is_read;
        if is_checked && output.first.is_none() {
            problems.push((*number, 0, Problem::OutputUnwritten));
        }
    }
    if !is_straight {
        return problems;
    }
    for ((number, _), output) in variables.iter().zip(outputs) {
        let (Some(bytes), Some(first)) = (output.bytes, output.first) else { continue };
        let written = bytes.iter().filter(|is_written| **is_written).count();
        // Another rule reports writes after the end of the output.
        let is_outside = written == 0 && output.is_written_always;
        if written < bytes.len() && !is_outside {
            let lanes = output.lanes;
            let problem = Problem::PartialOutput { written, size: bytes.len(), lanes };
            problems.push((*number, first, problem));
        }
    }
    problems
}

impl Output {
    /// Returns whether an access reads bytes that certainly were not written.
    fn is_read_first(&self, access: &Access) -> bool {
        let is_unwritten = |range: core::ops::Range<u32>| match &self.bytes {
            Some(bytes) => {
                let range = range.start as usize..bytes.len().min(range.end as usize);
                bytes.get(range).is_some_and(|bytes| bytes.contains(&false))
            }
            None => self.first.is_none(),
        };
        self.is_tracked && access.footprint.ranges().any(is_unwritten)
    }

    /// Records the bytes that an instruction writes.
    fn add(&mut self, index: usize, instruction: &Instruction, access: &Access) {
        match access.kind {
            AccessKind::Write => {}
            // Indirect operands may write it.
            AccessKind::AddressTaken => self.bytes = None,
            _ => return,
        }
        self.first.get_or_insert(index);
        // Which bytes a message writes may depend on its parameters.
        if instruction.is_message() || access.condition == Condition::Possible {
            self.bytes = None;
        }
        self.is_tracked &= access.condition != Condition::Predicated;
        if let Some(lanes) = access.lanes {
            self.lanes = self.lanes.max(lanes.count.into());
        }
        if access.condition == Condition::Predicated {
            return;
        }
        self.is_written_always = true;
        let Some(bytes) = &mut self.bytes else { return };
        for range in access.footprint.ranges() {
            let end = bytes.len().min(range.end as usize);
            if let Some(written) = bytes.get_mut(range.start as usize..end) {
                written.fill(true);
            }
        }
    }
}
