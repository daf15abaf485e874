//! The scalars of messages, jumps and barriers (5_operands, Scalar Operands).

use crate::isa::Instruction;
use crate::operand::{Slot, Vector, VectorKind, Visitor};
use crate::verify::rule::rules;

/// A scalar and the field that it stands in.
pub(in crate::verify) struct Scalar<'o> {
    field: &'static str,
    operand: &'o Vector,
}

rules! { scalar for Scalar<'_>;
    /// A scalar is an element of a variable, direct or indirect, or a constant.
    fn class "scalar-class" (Error, ANY, "5_operands, Scalar Operands") |s, c| {
        let found = match s.operand.kind {
            VectorKind::General { .. } | VectorKind::Indirect { .. } | VectorKind::Immediate(_) => {
                return;
            }
            VectorKind::Address { .. } => "an address",
            VectorKind::Predicate(_) => "a predicate",
            VectorKind::State { .. } => "a state",
        };
        c.fail(s.field, found, "a variable or a constant");
    }
}

struct Walk<'c, 'v>(&'c mut super::Cx<'v>);

impl Visitor for Walk<'_, '_> {
    #[inline(always)]
    fn vector(&mut self, slot: Slot, operand: &Vector) {
        if slot.is_scalar {
            scalar::check(&Scalar { field: slot.field, operand }, self.0);
        }
    }
}

/// Applies the rules to the scalars of an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut super::Cx<'_>) {
    instruction.visit(&mut Walk(cx));
}
