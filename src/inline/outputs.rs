//! Rules about the operands that the instructions of a block read and write.

use alloc::vec;
use alloc::vec::Vec;

use super::constraint::Resolved;
use super::standin::StandIn;
use crate::Instruction;
use crate::isa::{AccessKind, Id, IdClass};
use crate::object::Body;
use crate::operand::{Exec, Pred, Raw, Slot, Stride, VarId, Vector, VectorKind, Visitor};

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
}

/// A problem with the use of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// An instruction writes an operand that is an input only.
    InputWritten,
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
    body: &Body<'_>,
    instructions: &[Instruction],
    variables: &Variables,
    operands: &[Resolved],
    grf: usize,
) -> Vec<(usize, usize, Problem)> {
    let mut problems = Vec::new();
    let mut outputs: Vec<Output> = Vec::with_capacity(variables.len());
    for (number, stand_in) in variables {
        let resolved = &operands[*number];
        let is_checked = resolved.is_written && !resolved.is_read;
        let size = stand_in.size().filter(|_| is_checked);
        let bytes = size.map(|size| vec![false; size]);
        outputs.push(Output { bytes, first: None, lanes: 0, is_written_always: false });
    }
    // In a loop or a branch, the order and the number of executions are not known.
    let is_straight = !instructions.iter().any(|one| matches!(one, Instruction::Label(_)));
    for (index, instruction) in instructions.iter().enumerate() {
        let mut writes = Writes {
            body,
            outputs: &mut outputs,
            grf,
            index,
            exec: Exec::default(),
            is_predicated: false,
            is_select: matches!(instruction, Instruction::Sel(_)),
        };
        instruction.visit(&mut writes);
        instruction.visit_accesses(|access| {
            let Some(entry) = entry(body, access.id) else { return };
            let Some((number, _)) = variables.get(entry.0) else { return };
            let resolved = &operands[*number];
            if access.kind == AccessKind::Write && !resolved.is_written {
                problems.push((*number, index, Problem::InputWritten));
            }
        });
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

/// Returns the index in the variable table of the root of a variable, and the offset in it.
fn entry(body: &Body<'_>, id: Id) -> Option<(usize, usize)> {
    if id.class != IdClass::Variable {
        return None;
    }
    let index_of = |number: u32| number.checked_sub(VarId::FIRST_DECLARED.0).map(|i| i as usize);
    let (mut index, mut offset) = (index_of(id.number)?, 0);
    // A chain of aliases that is longer than the table is a cycle.
    for _ in 0..=body.variables.len() {
        let variable = body.variables.get(index)?;
        if variable.alias.0 == 0 {
            return Some((index, offset));
        }
        offset += usize::from(variable.alias_offset);
        index = index_of(variable.alias.0)?;
    }
    None
}

/// Records the bytes of outputs that an instruction writes.
struct Writes<'w, 'b> {
    body: &'w Body<'b>,
    outputs: &'w mut Vec<Output>,
    grf: usize,
    index: usize,
    exec: Exec,
    is_predicated: bool,
    /// Whether it is SEL, whose predicate chooses a source: all lanes are written.
    is_select: bool,
}

impl Writes<'_, '_> {
    fn output(&mut self, var: VarId) -> Option<(&mut Output, usize)> {
        let id = Id { class: IdClass::Variable, number: var.0 };
        let (index, offset) = entry(self.body, id)?;
        let output = self.outputs.get_mut(index)?;
        output.first.get_or_insert(self.index);
        output.lanes = output.lanes.max(self.exec.size.lanes());
        Some((output, offset))
    }
}

impl Visitor for Writes<'_, '_> {
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.exec = exec;
    }

    fn pred(&mut self, _: Slot, pred: Pred) {
        self.is_predicated = !pred.is_none() && !self.is_select;
    }

    fn dst(&mut self, _: Slot, operand: &Vector) {
        let VectorKind::General { var, row, col, region } = operand.kind else { return };
        let (grf, is_predicated, lanes) = (self.grf, self.is_predicated, self.exec.size.lanes());
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0).map(|index| index as usize);
        let variable = index.and_then(|index| self.body.variables.get(index));
        let Some(size) = variable.map(|variable| variable.ty.size()) else { return };
        let Some((output, offset)) = self.output(var) else { return };
        let stride = match region.horizontal() {
            Stride::S2 => 2,
            Stride::S4 => 4,
            _ => 1,
        };
        output.is_written_always |= !is_predicated;
        let Some(bytes) = output.bytes.as_mut().filter(|_| !is_predicated) else { return };
        let start = offset + usize::from(row) * grf + usize::from(col) * size;
        for lane in 0..lanes {
            let first = start + lane * stride * size;
            for byte in bytes.iter_mut().skip(first).take(size) {
                *byte = true;
            }
        }
    }

    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.dst(slot, operand);
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        if slot.is_written {
            if let Some((output, _)) = self.output(operand.var) {
                output.bytes = None;
            }
        }
    }

    fn address_of(&mut self, _: Slot, operand: &Vector) {
        // Indirect operands may write it.
        if let VectorKind::General { var, .. } = operand.kind {
            if let Some((output, _)) = self.output(var) {
                output.bytes = None;
            }
        }
    }
}
