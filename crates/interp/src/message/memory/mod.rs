//! Messages that access bytes: untyped messages of the load-store cache, of shared virtual memory and of
//! the data port, and fences.

pub(super) mod access;
pub(super) mod atomics;
mod blocks;
mod lsc;
mod scattered;

use genvisa::Instruction;

use crate::context::Context;
use crate::fault::Result;

/// Executes a message; returns `false` for others.
pub(super) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    match instruction {
        Instruction::LscUntyped(message) => return lsc::untyped(cx, message),
        Instruction::Svm(message) => return scattered::svm(cx, message),
        Instruction::Gather(message) => scattered::gather(cx, message)?,
        Instruction::Scatter(message) => scattered::scatter(cx, message)?,
        Instruction::Gather4Scaled(message) => scattered::gather4_scaled(cx, message)?,
        Instruction::Scatter4Scaled(message) => scattered::scatter4_scaled(cx, message)?,
        Instruction::GatherScaled(message) => scattered::gather_scaled(cx, message)?,
        Instruction::ScatterScaled(message) => scattered::scatter_scaled(cx, message)?,
        Instruction::QwGather(message) => scattered::qw_gather(cx, message)?,
        Instruction::QwScatter(message) => scattered::qw_scatter(cx, message)?,
        Instruction::DwordAtomic(message) => scattered::dword_atomic(cx, message)?,
        Instruction::OwordLd(message) => blocks::oword_ld(cx, message)?,
        Instruction::OwordLdUnaligned(message) => blocks::oword_ld_unaligned(cx, message)?,
        Instruction::OwordSt(message) => blocks::oword_st(cx, message)?,
        // Memory is coherent: the order of the accesses of a thread is that of its instructions.
        Instruction::LscFence(_) | Instruction::Fence(_) | Instruction::SamplerCacheFlush(_) => {}
        _ => return Ok(false),
    }
    Ok(true)
}
