//! Rules for operands, whatever the instruction (5_operands).

use super::context::Cx;
use super::kind::Kind;
use super::rule::Rule;
use crate::isa::Instruction;
use crate::operand::{Exec, Pred, Raw, SamplerId, Slot, SurfaceId, Vector, Visitor};

/// The rules of this file.
pub(super) static RULES: &[&[&Rule]] = &[];

/// A vector operand that is read.
pub(super) struct Source<'o> {
    pub(super) slot: Slot,
    pub(super) operand: &'o Vector,
    pub(super) exec: Exec,
    pub(super) kind: Kind,
}

/// Sees the operands of an instruction and applies the rules for each.
struct Walk<'c, 'v> {
    cx: &'c mut Cx<'v>,
    kind: Kind,
    /// Of the instruction; operands come behind it.
    exec: Exec,
}

/// Applies the rules for operands to those of an instruction.
pub(super) fn check(instruction: &Instruction, kind: Kind, cx: &mut Cx<'_>) {
    instruction.visit(&mut Walk { cx, kind, exec: Exec::default() });
}

impl Visitor for Walk<'_, '_> {
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.exec = exec;
    }

    fn pred(&mut self, _: Slot, _: Pred) {}

    fn vector(&mut self, slot: Slot, operand: &Vector) {
        let _ = Source { slot, operand, exec: self.exec, kind: self.kind };
    }

    fn raw(&mut self, _: Slot, _: Raw) {}

    fn surface(&mut self, _: Slot, _: SurfaceId) {}

    fn sampler(&mut self, _: Slot, _: SamplerId) {}
}
