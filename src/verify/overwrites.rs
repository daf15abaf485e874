//! Rules for instructions that write inputs which share registers.

use alloc::format;
use alloc::vec::Vec;

use super::context::{Context, Location};
use super::field::Field;
use super::rule::rules;
use crate::analysis::{Analysis, Overwrite};
use crate::isa::Id;
use crate::operand::{Raw, Slot, VarId, Vector, VectorKind, Visitor};

/// An instruction that writes an input, and what it changes.
pub(super) struct Writes<'b> {
    field: Field,
    changed: &'b [Overwrite],
}

rules! { rules for Writes<'_>;
    /// A write to an input changes no bytes of another input in the same registers that are read later.
    fn overwritten "input-overwritten" (Miscompiles, ANY, "IGC") |w, c| {
        let changed = w.changed.iter().map(|one| {
            let (first, last) = (one.bytes.start, one.bytes.end - 1);
            let bytes = match first == last {
                true => format!("byte {first}"),
                false => format!("bytes {first} to {last}"),
            };
            format!("{bytes} of {}", c.name(one.changed))
        });
        let changed = changed.collect::<Vec<_>>().join(", ");
        c.report(w.field, format_args!("changes {changed}, in the same registers, before they are read"));
    }
}

/// Applies the rules to the routine, and returns the inputs whose writes change others. What cannot be decoded
/// is reported by other rules.
pub(super) fn check(cx: &mut Context<'_>) -> Vec<Id> {
    let Some(routine) = cx.routine else { return Vec::new() };
    let Ok(analysis) = Analysis::new(&routine, cx.registers) else { return Vec::new() };
    let overwrites = analysis.overwrites(routine.inputs);
    let mut code = routine.instructions().flatten().enumerate();
    for changed in overwrites.chunk_by(|one, other| one.instruction == other.instruction) {
        let index = changed[0].instruction;
        let Some((_, (offset, instruction))) = code.find(|(at, _)| *at == index) else { break };
        let mut finder = FieldOf { analysis: &analysis, root: changed[0].written, field: None };
        instruction.visit(&mut finder);
        let field = finder.field.map_or(Field::WHOLE, Field::from);
        cx.location = Location::Instruction { index, opcode: instruction.opcode(), offset };
        rules::check(&Writes { field, changed }, cx);
    }
    overwrites.iter().map(|one| one.written).collect()
}

/// Finds the operand that writes a variable.
struct FieldOf<'a> {
    analysis: &'a Analysis,
    root: Id,
    field: Option<Slot>,
}

impl FieldOf<'_> {
    fn visit(&mut self, slot: Slot, var: VarId) {
        let location = self.analysis.storage.location(var);
        let is_found = slot.is_written && location.is_some_and(|it| it.root == self.root);
        if is_found && self.field.is_none() {
            self.field = Some(slot);
        }
    }
}

impl Visitor for FieldOf<'_> {
    fn dst(&mut self, slot: Slot, operand: &Vector) {
        if let VectorKind::General { var, .. } = operand.kind {
            self.visit(slot, var);
        }
    }

    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.dst(slot, operand);
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        self.visit(slot, operand.var);
    }
}
