//! Messages that access bytes: untyped messages of the load-store cache, of shared virtual memory and of
//! the data port, and fences.

pub(super) mod access;
pub(super) mod atomics;
mod blocks;
mod lsc;
mod scattered;

use genvisa::Instruction;
use genvisa::operand::{Exec, ExecSize, Slot, Visitor};

use crate::context::Context;
use crate::fault::Result;
use crate::memory::WHOLE;

/// Returns the lane of the thread that the first lane of a message is; [`WHOLE`] if it has one lane, which accesses
/// memory for all lanes.
fn first_lane(instruction: &Instruction) -> u8 {
    struct First(u8);

    impl Visitor for First {
        fn exec(&mut self, _: Slot, exec: Exec) {
            self.0 = match exec.size {
                ExecSize::S1 => WHOLE,
                _ => exec.mask.first_lane() as u8,
            };
        }
    }

    let mut first = First(WHOLE);
    instruction.visit(&mut first);
    first.0
}

/// Executes a message; returns `false` for others.
pub(super) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    cx.actor.first_lane = first_lane(instruction);
    cx.actor.has_items = cx.shared.has_work_items;
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
        Instruction::LscFence(_) | Instruction::Fence(_) | Instruction::SamplerCacheFlush(_) => {
            cx.actor.events += 1;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
