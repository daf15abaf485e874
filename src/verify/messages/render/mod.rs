//! Rules for writes to render targets and to the unified return buffer.

mod rt_write;
mod urb_write;

use super::data_port;
use crate::isa::Instruction;
use crate::verify::context::Context;
use crate::verify::rule::Rule;

/// The rules of this module.
pub(in crate::verify) static RULES: &[&[&Rule]] =
    &[rt_write::rules::RULES, urb_write::rules::RULES];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::RtWrite(i) => rt_write::rules::check(i, cx),
        Instruction::UrbWrite(i) => {
            urb_write::rules::check(i, cx);
            data_port::data::check(&i.into(), cx);
        }
        _ => {}
    }
}
