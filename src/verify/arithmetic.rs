//! Rules for arithmetic, logic, moves and comparison: types, classes and modifiers of their operands.

use super::context::Cx;
use super::kind::Kind;
use super::rule::Rule;
use crate::isa::Instruction;

/// The rules of this file and those below it.
pub(super) static RULES: &[&[&Rule]] = &[];

/// Applies them to an instruction.
#[inline]
pub(super) fn check(instruction: &Instruction, kind: Kind, cx: &mut Cx<'_>) {
    let _ = (instruction, kind, cx);
}
