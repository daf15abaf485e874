//! Rules for waits, fences and barriers.

use super::context::{Context, RuleContext};
use super::platforms::since;
use super::rule::{Rule, rules};
use super::types::{Types, constant};
use crate::format::Format;
use crate::isa::{Fence, Instruction, Nbarrier, Wait};
use crate::operand::{BarrierMode, DataType, FenceFlags};
use crate::platform::Platform;
use crate::verify::field::field;

/// The rules of this file.
pub(super) static RULES: &[&[&Rule]] =
    &[wait::RULES, fence::RULES, barrier::RULES, nbarrier::RULES];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::Wait(i) => wait::check(i, cx),
        Instruction::Fence(i) => fence::check(i, cx),
        Instruction::Sbarrier(i) => barrier::check(&BarrierKind(i.mode), cx),
        Instruction::Nbarrier(i) => {
            barrier::check(&BarrierKind(i.mode), cx);
            nbarrier::check(i, cx);
        }
        _ => {}
    }
}

rules! { wait for Wait;
    /// The mask of WAIT has type UB.
    fn mask_type "wait-mask-type" (Accepts, ANY, "WAIT.md, Mask") |i, c| {
        if let Some(mask) = &i.mask {
            c.require_scalar_type(field!(Wait.mask), mask, Types::UB);
        }
    }
}

/// Returns the caches that IGC flushes if a fence says so.
fn flushed(mask: FenceFlags, c: &RuleContext<'_, '_>) -> FenceFlags {
    let only_global =
        |caches| if mask.contains(FenceFlags::LOCAL) { FenceFlags::empty() } else { caches };
    if c.is_on(since(Platform::Dg2)) {
        only_global(FenceFlags::READ_WRITE)
    } else if c.is_on(since(Platform::XeHpSdv)) {
        (CACHES - FenceFlags::L1) | only_global(FenceFlags::L1)
    } else {
        only_global(FenceFlags::L1)
    }
}

/// The caches that a fence flushes.
const CACHES: FenceFlags = FenceFlags::INSTRUCTION
    .union(FenceFlags::SAMPLER)
    .union(FenceFlags::CONSTANT)
    .union(FenceFlags::READ_WRITE)
    .union(FenceFlags::L1);

rules! { fence for Fence;
    /// On TGLLP, a fence flushes no cache but L1. Since DG2, it flushes none but the read-write cache. A fence
    /// of shared local memory flushes neither.
    fn flush "fence-flush" (Changes, since(Tgllp), "IGC") |i, c| {
        let found = i.mask & CACHES;
        let kept = found & flushed(i.mask, c);
        if found != kept && !i.mask.contains(FenceFlags::SOFTWARE) {
            c.fail_changed(field!(Fence.mask), found - kept, "no flush", "no flush");
        }
    }

    /// Fences for shared local memory alone exist since ICLLP.
    fn local "fence-local" (Accepts, before(Icllp), "FENCE.md, Mask") |i, c| {
        if i.mask.contains(FenceFlags::LOCAL) {
            c.report(field!(Fence.mask), "local fences are not available before ICLLP");
        }
    }
}

/// The mode of SBARRIER or NBARRIER.
pub(super) struct BarrierKind(BarrierMode);

rules! { barrier for BarrierKind;
    /// The mode of SBARRIER and NBARRIER is wait or signal.
    fn mode "barrier-mode" (Accepts, ANY, "SBARRIER.md, Mode") |i, c| {
        if i.0.name().is_none() {
            c.fail(field!(Nbarrier.mode), i.0, "wait or signal");
        }
    }
}

/// The types of ids and counts of NBARRIER.
fn types_of_counts(c: &RuleContext<'_, '_>) -> Types {
    const UNSIGNED: Types = Types::of(&[DataType::UB, DataType::UW, DataType::UD]);
    if c.format() == Format::V4_2 { UNSIGNED } else { Types::UB }
}

rules! { nbarrier for Nbarrier;
    /// The barrier id of NBARRIER has type UB, in 4.2 also UW or UD.
    fn id_type "nbarrier-id-type" (Accepts, ANY, "NBARRIER.md, Id; IGC") |i, c| {
        c.require_scalar_type(field!(Nbarrier.id), &i.id, types_of_counts(c));
    }

    /// The barrier id of NBARRIER is 0 to 31.
    fn id "nbarrier-id" (Accepts, ANY, "NBARRIER.md, Id") |i, c| {
        if let Some(id) = constant(&i.id).filter(|id| !(0..=31).contains(id)) {
            c.fail(field!(Nbarrier.id), id, "0 to 31");
        }
    }

    /// The barrier type of an NBARRIER that signals is 0, 1 or 2 and has type UW, in 4.2 also UB or
    /// UD.
    fn role "nbarrier-role" (Accepts, ANY, "NBARRIER.md, Type; IGC") |i, c| {
        if let Some(role) = i.barrier_type.as_ref().filter(|_| i.mode != BarrierMode::WAIT) {
            let types = if c.format() == Format::V4_2 { types_of_counts(c) } else { Types::UW };
            c.require_scalar_type(field!(Nbarrier.barrier_type), role, types);
            if let Some(role) = constant(role).filter(|role| !(0..=2).contains(role)) {
                c.fail(field!(Nbarrier.barrier_type), role, "0, 1 or 2");
            }
        }
    }

    /// The numbers of producers and consumers of an NBARRIER that signals are at least 1 and have
    /// type UB, in 4.2 also UW or UD.
    fn count "nbarrier-count" (Accepts, ANY, "NBARRIER.md, Num_producers; IGC") |i, c| {
        if i.mode == BarrierMode::WAIT {
            return;
        }
        let counts = [
            (field!(Nbarrier.num_producers), Some(&i.num_producers)),
            (field!(Nbarrier.num_consumers), i.num_consumers.as_ref()),
        ];
        for (field, count) in counts {
            let Some(count) = count else { continue };
            c.require_scalar_type(field, count, types_of_counts(c));
            if let Some(count) = constant(count).filter(|count| *count < 1) {
                c.fail(field, count, "at least 1");
            }
        }
    }
}
