//! Messages: instructions that access memory, surfaces and samplers.

mod image;
mod memory;

use genvisa::Instruction;

use crate::context::Context;
use crate::fault::Result;

/// Executes a message; returns `false` for other instructions, and for messages that are not modelled.
pub(crate) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    Ok(memory::execute(cx, instruction)? || image::execute(cx, instruction)?)
}
