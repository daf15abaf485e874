//! Messages to surfaces with a format or with two dimensions, and to samplers.

use genvisa::Instruction;

use crate::context::Context;
use crate::fault::Result;

/// Executes a message; returns `false` for others.
pub(super) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    let _ = (cx, instruction);
    Ok(false)
}
