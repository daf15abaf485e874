//! Rules for labels: each placed once, of the kind that its uses want.

use super::context::Cx;
use super::rule::Rule;
use crate::isa::Instruction;

/// The rules of this file.
pub(super) static RULES: &[&[&Rule]] = &[];

/// What was seen of a routine's labels.
#[derive(Default)]
pub(super) struct Labels {}

impl Labels {
    /// Takes note of an instruction.
    #[inline]
    pub(super) fn see(&mut self, instruction: &Instruction, cx: &mut Cx<'_>) {
        let _ = (instruction, cx);
    }

    /// Applies the rules that need all of a routine's instructions.
    pub(super) fn end(self, cx: &mut Cx<'_>) {
        let _ = cx;
    }
}
