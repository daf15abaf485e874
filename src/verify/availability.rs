//! Which platforms have an instruction.

use super::platform::{ANY, Platform, Platforms, since};
use super::rule::rules;
use crate::isa::Instruction;

/// Where an instruction exists, if not everywhere.
pub(super) struct Availability {
    /// By the reference.
    reference: Platforms,
    /// By the manual.
    manual: Platforms,
    /// Where the manual has it no more.
    gone: Option<Platforms>,
}

/// The platforms of an instruction that are not all.
///
/// MOD, SAD2, SWITCHJMP and DPASW, which the reference itself ends, have rules of their own. MADW,
/// SQRTM and DIVM are left out, whose pages and tables contradict each other.
#[inline]
pub(super) fn of(instruction: &Instruction) -> Option<Availability> {
    use Instruction::*;
    let everywhere = Availability { reference: ANY, manual: ANY, gone: None };
    let from = |platform| Availability { reference: since(platform), ..everywhere };
    let manual = |platform| Availability { manual: since(platform), ..everywhere };
    let until = |platform| Availability { gone: Some(since(platform)), ..everywhere };
    let between = |first, last| Availability {
        gone: Some(Platforms { since: Some(first), before: Some(last) }),
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
        Add3(_) | Add3o(_) | Bfn(_) => manual(XeHpSdv),
        VmeIdm(_) => Availability { reference: since(Skl), ..until(Tgllp) },
        Avs(_) | VmeIme(_) | VmeSic(_) | VmeFbr(_) => until(Tgllp),
        Lrp(_) | Plane(_) => until(Icllp),
        // From TGLLP on there is a rule that is an error.
        Sad2(_) | Sad2add(_) => between(Icllp, Tgllp),
        // The manual ends with PVC, and kernels for Xe2 have them again.
        Sample3d(_) | Load3d(_) | Gather4(_) | Info(_) | RtWrite(_) | TypedAtomic(_)
        | UrbWrite(_) => between(Pvc, Xe2),
        _ => return None,
    })
}

rules! { availability for Availability;
    /// The platform has the instruction already: VME_IDM since SKL, ROL and ROR since ICLLP, DP4A
    /// since TGLLP, DPAS, DPASW, QW_GATHER and QW_SCATTER since XeHP_SDV, LSC_UNTYPED, LSC_TYPED and
    /// LSC_FENCE since DG2, NBARRIER and FCVT since PVC, SRND since PVCXT.
    fn platform "opcode-platform" (Error, ANY, "6_instructions; reference") |e, c| {
        if c.platform().is_some() && !c.is_on(e.reference) {
            c.fail("", "an instruction of newer platforms", "one of this");
        }
    }

    /// By the manual the platform has the instruction already: ADD3, ADD3.O and BFN since XeHP_SDV.
    fn early "opcode-early" (Warning, ANY, "6_instructions") |e, c| {
        if c.platform().is_some() && !c.is_on(e.manual) {
            c.fail("", "an instruction of newer platforms", "one of this");
        }
    }

    /// By the manual the platform still has the instruction: LRP, PLANE, SAD2 and SAD2ADD before
    /// ICLLP, AVS and VME before TGLLP, and on PVC no sampler with 3D parameters, render target,
    /// URB or atomics on typed surfaces.
    fn gone "opcode-gone" (Warning, ANY, "6_instructions; appendix_instruction_by_platform") |e, c| {
        if e.gone.is_some_and(|gone| c.platform().is_some() && c.is_on(gone)) {
            c.fail("", "an instruction of older platforms", "one of this");
        }
    }
}
