//! The verifier: whether well-formed bytes are also legal vISA.
//!
//! A [`Rule`] has a name that stays, a statement, a severity, the platforms that it holds for and the
//! place where it is written. [`rules`] lists them all. Some rules that compilers break are warnings,
//! and errors in dialect `Manual`: [`Rule::severity_in`]. A [`Verifier`] applies them and never stops at
//! the first [`Finding`]. For an instruction it allocates nothing but findings; for a routine, a few
//! bytes for each variable and label.
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use genvisa::build::Builder;
//! use genvisa::object::Align;
//! use genvisa::operand::{ChannelMask, DataType, ExecSize::*, SurfaceId, VarId};
//! use genvisa::verify::Verifier;
//! use genvisa::{Format, Module};
//!
//! let mut k = Builder::new("k", Format::default());
//! let dst = k.variable("dst", DataType::D, 32, Align::GRF);
//! k.sampleinfo(S8, ChannelMask::RGBA, SurfaceId(1), dst);
//! let mut module = Module::new(k.format());
//! module.kernels.push(k.into_kernel()?);
//!
//! let findings = Verifier::new().module(&module);
//! assert_eq!(
//!     findings[0].to_string(),
//!     "error[info-dst-type]: kernel `k`, instruction 0 info_3d, dst: d, not ud (offset 0x0)"
//! );
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The platform decides some rules. Where it is not known, only rules that hold on all platforms are
//! applied, with registers of 32 bytes.

mod arithmetic;
mod code;
mod context;
mod existence;
mod finding;
mod gather4_typed;
mod info;
mod labels;
mod media_block;
mod media_ld;
mod messages;
mod operands;
mod platform;
mod rt_write;
mod rule;
mod sample_3d;
mod tables;
mod types;
mod variable_info;

pub mod sentences {
    #![doc = include_str!("SENTENCES.md")]
}

pub use finding::Finding;
pub use platform::{Platform, Platforms};
pub use rule::{Rule, Severity};

use alloc::vec::Vec;

use crate::format::Format;
use crate::isa::{Instruction, Kind};
use crate::object::{Module, Routine};
use context::{Cx, Levels, Spot};
use labels::Labels;

/// The rules of each subject.
static GROUPS: &[&[&[&Rule]]] = &[
    &[
        info::info::RULES,
        media_ld::media_ld::RULES,
        rt_write::rt_write::RULES,
        gather4_typed::gather4_typed::RULES,
        sample_3d::sample_3d::RULES,
    ],
    operands::RULES,
    &[code::code::RULES],
    tables::RULES,
    labels::RULES,
    &[existence::existence::RULES],
    arithmetic::RULES,
    messages::RULES,
];

/// All rules, by subject.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().copied().flatten().copied().flatten().copied()
}

/// The rule of a name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// Applies the rules. See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    platform: Option<Platform>,
    levels: Levels,
    without_fast_path: bool,
}

impl Verifier {
    /// A verifier for a platform that is not known, with all rules as severe as they are written.
    pub fn new() -> Verifier {
        Verifier::default()
    }

    /// The same for a platform.
    #[must_use]
    pub fn with_platform(self, platform: Platform) -> Verifier {
        Verifier { platform: Some(platform), ..self }
    }

    /// The same without a rule.
    #[must_use]
    pub fn allowing(mut self, rule: &'static Rule) -> Verifier {
        self.levels.allowed.push(rule.name);
        self
    }

    /// The same with a rule as an error.
    #[must_use]
    pub fn denying(mut self, rule: &'static Rule) -> Verifier {
        self.levels.denied.push(rule.name);
        self
    }

    /// The same, but every rule sees everything. The findings are the same: this is for the tests
    /// of the fast path.
    #[doc(hidden)]
    #[must_use]
    pub fn without_fast_path(self) -> Verifier {
        Verifier { without_fast_path: true, ..self }
    }

    /// Everything that is wrong with a module, routine by routine.
    pub fn module(&self, module: &Module<'_>) -> Vec<Finding> {
        let mut cx = self.context(Format::default());
        for (index, routine) in module.routines().enumerate() {
            cx.index = Some(index);
            check_routine(routine, &mut cx);
        }
        cx.findings
    }

    /// Everything that is wrong with a routine. An instruction that cannot be decoded is its last,
    /// since nothing tells where the next one would begin.
    pub fn routine(&self, routine: &Routine<'_, '_>) -> Vec<Finding> {
        let mut cx = self.context(routine.format());
        check_routine(*routine, &mut cx);
        cx.findings
    }

    /// What is wrong with a single instruction, as far as it can be told without the routine's
    /// tables.
    pub fn instruction(&self, instruction: &Instruction, format: Format) -> Vec<Finding> {
        let mut cx = self.context(format);
        cx.place = Spot::Instruction { index: 0, opcode: instruction.opcode(), offset: 0 };
        apply_rules(instruction, &mut cx);
        cx.findings
    }

    fn context(&self, format: Format) -> Cx<'_> {
        Cx {
            format,
            platform: self.platform,
            fast_path: !self.without_fast_path,
            routine: None,
            index: None,
            body: None,
            grf: self.platform.map_or(32, Platform::grf),
            variables: variable_info::predefined(),
            roots: Vec::new(),
            place: Spot::Routine,
            levels: &self.levels,
            findings: Vec::new(),
        }
    }
}

/// Applies all rules to a routine.
fn check_routine<'v>(routine: Routine<'v, 'v>, cx: &mut Cx<'v>) {
    if cx.fast_path {
        check_routine_with::<true>(routine, cx);
    } else {
        check_thoroughly(routine, cx);
    }
}

/// Applies all rules to a routine without the fast path.
#[cold]
#[inline(never)]
fn check_thoroughly<'v>(routine: Routine<'v, 'v>, cx: &mut Cx<'v>) {
    check_routine_with::<false>(routine, cx);
}

/// Applies all rules to a routine, with or without the fast path.
#[inline(always)]
fn check_routine_with<'v, const FAST_PATH: bool>(routine: Routine<'v, 'v>, cx: &mut Cx<'v>) {
    let body = routine.body;
    (cx.routine, cx.body, cx.format) = (Some(routine), Some(body), routine.format());
    cx.place = Spot::Routine;
    tables::check(routine.stack_sizes, cx);
    let mut labels = Labels::new(body.labels.len());
    let mut instructions = body.code.instructions(cx.format);
    let start = instructions.offset();
    let mut instruction = Instruction::default();
    for index in 0.. {
        let offset = instructions.offset();
        match instructions.next_into(&mut instruction) {
            Ok(Some(_)) if FAST_PATH && provably_legal(&instruction, cx) => {}
            Ok(Some(_)) => {
                cx.place = Spot::Instruction { index, opcode: instruction.opcode(), offset };
                if instruction.kind() == Kind::Flow {
                    labels.see(&instruction, cx);
                }
                apply_rules(&instruction, cx);
            }
            Ok(None) => return labels.end(cx),
            Err(error) => {
                let opcode = body.code.bytes().get(offset - start).copied().unwrap_or_default();
                cx.place = Spot::Instruction { index, opcode, offset };
                return code::code::check(&error, cx);
            }
        }
    }
}

/// Whether an instruction satisfies every rule. `false` if that is not certain: this is the fast path.
#[inline(always)]
fn provably_legal(instruction: &Instruction, cx: &Cx<'_>) -> bool {
    // No rule applies to LOC.
    matches!(instruction, Instruction::Loc(_))
        || existence::of(instruction).is_none() && arithmetic::provably_legal(instruction, cx)
}

/// Applies the rules for instructions and their operands to an instruction.
fn apply_rules(instruction: &Instruction, cx: &mut Cx<'_>) {
    if cx.platform.is_some() {
        if let Some(existence) = existence::of(instruction) {
            existence::existence::check(&existence, cx);
        }
    }
    let kind = instruction.kind();
    operands::check(instruction, kind, cx);
    match instruction {
        Instruction::Info(i) => info::info::check(i, cx),
        Instruction::MediaLd(i) => media_ld::media_ld::check(i, cx),
        Instruction::RtWrite(i) => rt_write::rt_write::check(i, cx),
        Instruction::Gather4Typed(i) => gather4_typed::gather4_typed::check(i, cx),
        Instruction::Sample3d(i) => sample_3d::sample_3d::check(i, cx),
        _ if kind.is_arithmetic() => arithmetic::check(instruction, cx),
        _ => messages::check(instruction, cx),
    }
}
