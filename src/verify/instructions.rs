//! Checks of instructions one at a time, which the search for legal instructions needs.

use alloc::vec::Vec;

use super::context::{Context, Location};
use super::{Finding, Verifier, apply_rules, begin};
use crate::isa::Instruction;
use crate::object::Routine;

/// Checks instructions that refer to the tables of a routine, but are not part of it.
pub(crate) struct Instructions<'v>(Context<'v>);

impl<'v> Instructions<'v> {
    pub(crate) fn new(verifier: &'v Verifier, routine: Routine<'v, 'v>) -> Instructions<'v> {
        let mut cx = verifier.context(routine.format());
        begin(routine, &mut cx);
        cx.findings.clear();
        Instructions(cx)
    }

    /// Returns the findings in an instruction.
    pub(crate) fn check(&mut self, instruction: &Instruction) -> Vec<Finding> {
        let Instructions(cx) = self;
        cx.location = Location::Instruction { index: 0, opcode: instruction.opcode(), offset: 0 };
        apply_rules(instruction, cx);
        core::mem::take(&mut cx.findings)
    }
}
