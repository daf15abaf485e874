//! Messages that access bytes: untyped messages of the load-store cache, of shared virtual memory and of
//! the data port, and fences.

use genvisa::Instruction;

use crate::context::Context;
use crate::fault::Result;

/// Executes a message; returns `false` for others.
pub(super) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    let _ = (cx, instruction);
    Ok(false)
}
