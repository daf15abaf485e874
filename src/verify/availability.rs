//! Rules for the platforms that have an instruction.

use super::platform::{ANY, Platform, Platforms, before, since};
use super::rule::rules;
use crate::isa::Instruction;

/// The platforms that have an instruction.
pub(super) struct Availability {
    /// According to the reference.
    reference: Platforms,
    /// The platforms since the manual introduced it.
    manual: Platforms,
    /// The platforms that no longer have it, according to the manual.
    removed: Option<Platforms>,
}

/// Returns the availability of an instruction that not all platforms have.
///
/// MOD, SAD2, SWITCHJMP and DPASW, which the reference's verifier rejects on newer platforms, have
/// rules of their own; so does RAW_SENDG, which requires efficient 64-bit addressing. MADW, SQRTM
/// and DIVM are left out: their pages contradict the tables.
#[inline(always)]
pub(super) fn of(instruction: &Instruction) -> Option<Availability> {
    use Instruction::*;
    let everywhere = Availability { reference: ANY, manual: ANY, removed: None };
    let from = |platform| Availability { reference: since(platform), ..everywhere };
    let manual = |platform| Availability { manual: since(platform), ..everywhere };
    let until = |platform| Availability { removed: Some(since(platform)), ..everywhere };
    let between = |first, last| Availability {
        removed: Some(Platforms { since: Some(first), before: Some(last) }),
        ..everywhere
    };
    use Platform::*;
    Some(match instruction {
        Rol(_) | Ror(_) => from(Icllp),
        Dp4a(_) => from(Tgllp),
        Dpas(_) | Dpasw(_) | QwGather(_) | QwScatter(_) => from(XeHpSdv),
        LscUntyped(_) | LscTyped(_) | LscFence(_) => from(Dg2),
        Nbarrier(_) | Fcvt(_) => from(Pvc),
        Srnd(_) => from(PvcXt),
        ShflIdx4(_) | Tanh(_) | Sigm(_) | Lfsr(_) | Bdpas(_) | Dnscl(_) => from(Xe3pCri),
        Add3(_) | Add3o(_) | Bfn(_) => manual(XeHpSdv),
        VmeIdm(_) => Availability { reference: since(Skl), ..until(Tgllp) },
        Avs(_) | VmeIme(_) | VmeSic(_) | VmeFbr(_) => until(Tgllp),
        Lrp(_) => until(Icllp),
        Plane(_) => Availability { reference: before(Xe3pCri), ..until(Icllp) },
        // From TGLLP on, `sad-platform` reports an error.
        Sad2(_) | Sad2add(_) => between(Icllp, Tgllp),
        // The manual ends with PVC; kernels for Xe2 use these instructions again.
        Sample3d(_) | Load3d(_) | Gather4(_) | Info(_) | RtWrite(_) | TypedAtomic(_)
        | UrbWrite(_) => between(Pvc, Xe2),
        _ => return None,
    })
}

rules! { availability for Availability;
    /// The platform has the instruction.
    fn platform "opcode-platform" (Refuses, ANY, "6_instructions; reference") |a, c| {
        if c.platform().is_some() && !c.is_on(a.reference) {
            c.report_unavailable(a.reference);
        }
    }

    /// The manual lists the instruction for the platform: ADD3, ADD3.O and BFN since XeHP_SDV.
    fn early "opcode-early" (Accepts, ANY, "6_instructions") |a, c| {
        if c.platform().is_some() && !c.is_on(a.manual) {
            c.report_unlisted();
        }
    }

    /// The manual still lists the instruction for the platform: LRP, PLANE, SAD2 and SAD2ADD before
    /// ICLLP, AVS and VME before TGLLP; PVC has no sampler messages with 3D parameters, render
    /// target writes, URB writes or typed atomics.
    fn removed "opcode-gone" (Accepts, ANY, "6_instructions; appendix_instruction_by_platform")
    |a, c| {
        if a.removed.is_some_and(|removed| c.platform().is_some() && c.is_on(removed)) {
            c.report_unlisted();
        }
    }
}
