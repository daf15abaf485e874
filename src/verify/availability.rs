//! Rules for the platforms that have an instruction.

use super::context::RuleContext;
use super::platforms::{ANY, Platforms};
use super::rule::rules;
use crate::isa::{Instruction, instruction_table};
use crate::platform::Platform;

/// The platforms that have an instruction.
pub(super) struct Availability {
    /// According to GenX_IR.
    reference: Platforms,
    /// The platforms since the manual introduced it.
    manual: Platforms,
    /// The platforms that no longer have it, according to the manual.
    removed: Option<Platforms>,
    /// The platforms for which IGC compiles it to bytes that are no instruction of the hardware.
    garbled: Option<Platforms>,
}

/// The methods that the column `on` of a row names. The manual ends with PVC.
impl Availability {
    const EVERYWHERE: Availability =
        Availability { reference: ANY, manual: ANY, removed: None, garbled: None };

    /// GenX_IR has the instruction since a platform.
    const fn from(self, platform: Platform) -> Self {
        let reference = Platforms { since: Some(platform), ..self.reference };
        Availability { reference, ..self }
    }

    /// GenX_IR has the instruction before a platform.
    const fn until(self, platform: Platform) -> Self {
        let reference = Platforms { before: Some(platform), ..self.reference };
        Availability { reference, ..self }
    }

    /// IGC compiles the instruction to bytes that are no instruction since a platform.
    const fn garbled_from(self, platform: Platform) -> Self {
        Availability { garbled: Some(Platforms { since: Some(platform), before: None }), ..self }
    }

    /// IGC compiles the instruction to bytes that are no instruction before a platform.
    const fn garbled_until(self, platform: Platform) -> Self {
        Availability { garbled: Some(Platforms { since: None, before: Some(platform) }), ..self }
    }

    fn is_garbled(&self, c: &RuleContext<'_, '_>) -> bool {
        self.garbled.is_some_and(|garbled| c.platform().is_some() && c.is_on(garbled))
    }

    /// The manual lists the instruction since a platform.
    const fn listed_from(self, platform: Platform) -> Self {
        Availability { manual: Platforms { since: Some(platform), before: None }, ..self }
    }

    /// The manual lists the instruction before a platform.
    const fn listed_until(self, platform: Platform) -> Self {
        Availability { removed: Some(Platforms { since: Some(platform), before: None }), ..self }
    }

    /// The manual does not list the instruction from one platform on, and another one has it again,
    /// or a rule reports an error there.
    const fn unlisted(self, first: Platform, next: Platform) -> Self {
        Availability { removed: Some(Platforms { since: Some(first), before: Some(next) }), ..self }
    }
}

/// Returns the availability in a column `on`.
macro_rules! availability_of {
    ([]) => {
        None
    };
    ([[$($method:ident($($platform:ident),+))+]]) => {
        Some(const { Availability::EVERYWHERE$(.$method($(Platform::$platform),+))+ })
    };
}

macro_rules! instruction_availability {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt $text:tt $manual:tt
    })*) => {
        /// Returns the availability of an instruction that not all platforms have.
        ///
        /// MOD, SAD2, SWITCHJMP and DPASW, which GenX_IR's verifier rejects on newer platforms,
        /// have rules of their own; so does RAW_SENDG, which requires efficient 64-bit addressing.
        /// MADW, SQRTM and DIVM are left out: their pages contradict the tables.
        #[inline(always)]
        pub(super) fn of(instruction: &Instruction) -> Option<Availability> {
            match instruction {
                $(Instruction::$name(_) => availability_of!($on),)*
            }
        }
    };
}

instruction_table!(instruction_availability);

rules! { rules for Availability;
    /// An instruction must exist on the platform that it is compiled for.
    fn platform "opcode-platform" (Refuses, ANY, "6_instructions; IGC") |a, c| {
        if c.platform().is_some() && !c.is_on(a.reference) {
            c.report_unavailable(a.reference);
        }
    }

    // GenX_IR has these instructions; iga64 cannot read what IGC writes for them.
    /// The hardware has the instruction: ADD3 and BFN since XeHP_SDV, and DP2, DP3, DP4, DPH, LINE and LRP
    /// before TGLLP.
    fn garbled "opcode-garbled" (Miscompiles, ANY, "IGC") |a, c| {
        if a.is_garbled(c) {
            let range = a.garbled.unwrap_or_default();
            let exists = Platforms { since: range.before, before: range.since };
            c.report_unavailable(exists);
        }
    }

    /// The manual lists the instruction for the platform: ADD3, ADD3.O and BFN since XeHP_SDV.
    fn early "opcode-early" (Accepts, ANY, "6_instructions") |a, c| {
        if !a.is_garbled(c) && c.platform().is_some() && !c.is_on(a.manual) {
            c.report_unlisted();
        }
    }

    /// The manual still lists the instruction for the platform: LRP, PLANE, SAD2 and SAD2ADD before
    /// ICLLP, AVS and VME before TGLLP; PVC has no sampler messages with 3D parameters, render
    /// target writes, URB writes or typed atomics.
    fn removed "opcode-gone" (Accepts, ANY, "6_instructions; appendix_instruction_by_platform")
    |a, c| {
        if !a.is_garbled(c) && a.removed.is_some_and(|removed| c.platform().is_some() && c.is_on(removed)) {
            c.report_unlisted();
        }
    }
}
