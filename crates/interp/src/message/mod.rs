//! Messages: instructions that access memory, surfaces and samplers.

use genvisa::Instruction;

use crate::context::Context;
use crate::fault::Result;

/// Executes a message; returns `false` for other instructions, and for messages that are not modelled.
pub(crate) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    let _ = (cx, instruction);
    Ok(false)
}
