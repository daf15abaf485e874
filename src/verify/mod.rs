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
//! let dst = k.add_variable("dst", DataType::D, 32, Align::GRF);
//! k.sampleinfo(S8, ChannelMask::RGBA, SurfaceId(1), dst);
//! let mut module = Module::new(k.format());
//! module.kernels.push(k.into_kernel()?);
//!
//! let findings = Verifier::new().check_module(&module);
//! assert_eq!(
//!     findings[0].to_string(),
//!     "error[info-dst-type]: kernel `k`, instruction 0 info_3d, dst: expected ud, found d (offset 0x0)"
//! );
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The platform decides some rules. Where it is not known, only rules that hold on all platforms are
//! applied, with registers of 32 bytes.

mod arithmetic;
mod availability;
mod context;
mod decoding;
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

pub mod conformance {
    #![doc = include_str!("../../docs/conformance.md")]
}

pub use crate::error::Severity;
pub use finding::Finding;
pub use platform::{Platform, Platforms};
pub use rule::Rule;

use alloc::string::String;
use alloc::vec::Vec;

use crate::format::Format;
use crate::isa::{Instruction, Kind};
use crate::object::{Module, Routine};
use crate::text::{Diagnostics, SourceMap};
use context::{Context, Levels, Location};
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
    &[decoding::decoding::RULES],
    tables::RULES,
    labels::RULES,
    &[availability::availability::RULES],
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

fn rule_named(name: &str) -> Result<&'static Rule, UnknownRule> {
    rule(name).ok_or_else(|| UnknownRule { name: name.into() })
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule `{name}`")]
#[non_exhaustive]
pub struct UnknownRule {
    /// The name.
    pub name: String,
}

/// Returns the findings in a text as diagnostics, which print the lines that they refer to.
///
/// ```
/// use genvisa::verify::{self, Verifier};
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     mov (M1, 16) x(0,0)<1> 0x1:d
/// ";
/// let assembly = text::assemble(source, Format::default())?;
/// let findings = Verifier::new().check_module(&assembly.module);
/// let diagnostics = verify::diagnostics(&findings, &assembly.source_map, source);
/// assert!(diagnostics.to_string().contains("4 |     mov (M1, 16) x(0,0)<1> 0x1:d"));
/// # Ok::<(), text::Errors>(())
/// ```
pub fn diagnostics(
    findings: &[Finding],
    source_map: &SourceMap,
    source: impl AsRef<[u8]>,
) -> Diagnostics {
    let diagnostics: Diagnostics =
        findings.iter().map(|finding| finding.to_diagnostic(source_map)).collect();
    diagnostics.with_source(source)
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

    /// Leaves out a rule.
    ///
    /// ```
    /// use genvisa::verify::Verifier;
    ///
    /// let verifier = Verifier::new().allow("region-width")?.deny("call-no-mask")?;
    /// assert_eq!(verifier.allow("no-such-rule").unwrap_err().to_string(), "unknown rule `no-such-rule`");
    /// # Ok::<(), genvisa::verify::UnknownRule>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownRule`] if there is no rule of this name.
    pub fn allow(mut self, name: &str) -> Result<Verifier, UnknownRule> {
        self.levels.allowed.push(rule_named(name)?.name);
        Ok(self)
    }

    /// Makes the findings of a rule errors.
    ///
    /// # Errors
    /// [`UnknownRule`] if there is no rule of this name.
    pub fn deny(mut self, name: &str) -> Result<Verifier, UnknownRule> {
        self.levels.denied.push(rule_named(name)?.name);
        Ok(self)
    }

    /// The same, but every rule sees everything. The findings are the same: this is for the tests
    /// of the fast path.
    #[doc(hidden)]
    #[must_use]
    pub fn without_fast_path(self) -> Verifier {
        Verifier { without_fast_path: true, ..self }
    }

    /// Everything that is wrong with a module, routine by routine.
    pub fn check_module(&self, module: &Module<'_>) -> Vec<Finding> {
        let mut cx = self.context(Format::default());
        for (index, routine) in module.routines().enumerate() {
            cx.index = Some(index);
            verify_routine(routine, &mut cx);
        }
        cx.findings
    }

    /// Everything that is wrong with a routine. An instruction that cannot be decoded is its last,
    /// since nothing tells where the next one would begin.
    pub fn check_routine(&self, routine: &Routine<'_, '_>) -> Vec<Finding> {
        let mut cx = self.context(routine.format());
        verify_routine(*routine, &mut cx);
        cx.findings
    }

    /// What is wrong with a single instruction, as far as it can be told without the routine's
    /// tables.
    pub fn check_instruction(&self, instruction: &Instruction, format: Format) -> Vec<Finding> {
        let mut cx = self.context(format);
        cx.location = Location::Instruction { index: 0, opcode: instruction.opcode(), offset: 0 };
        apply_rules(instruction, &mut cx);
        cx.findings
    }

    fn context(&self, format: Format) -> Context<'_> {
        Context {
            format,
            platform: self.platform,
            fast_path: !self.without_fast_path,
            routine: None,
            index: None,
            body: None,
            grf: self.platform.map_or(32, Platform::grf),
            variables: variable_info::predefined(),
            roots: Vec::new(),
            location: Location::Routine,
            levels: &self.levels,
            findings: Vec::new(),
        }
    }
}

/// Applies all rules to a routine.
fn verify_routine<'v>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    if cx.fast_path {
        check_routine_with::<true>(routine, cx);
    } else {
        check_thoroughly(routine, cx);
    }
}

/// Applies all rules to a routine without the fast path.
#[cold]
#[inline(never)]
fn check_thoroughly<'v>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    check_routine_with::<false>(routine, cx);
}

/// Applies all rules to a routine, with or without the fast path.
#[inline(always)]
fn check_routine_with<'v, const FAST_PATH: bool>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    let body = routine.body;
    (cx.routine, cx.body, cx.format) = (Some(routine), Some(body), routine.format());
    cx.location = Location::Routine;
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
                cx.location = Location::Instruction { index, opcode: instruction.opcode(), offset };
                if instruction.kind() == Kind::Flow {
                    labels.see(&instruction, cx);
                }
                apply_rules(&instruction, cx);
            }
            Ok(None) => return labels.end(cx),
            Err(error) => {
                let opcode = body.code.bytes().get(offset - start).copied().unwrap_or_default();
                cx.location = Location::Instruction { index, opcode, offset };
                return decoding::decoding::check(&error, cx);
            }
        }
    }
}

/// Whether an instruction satisfies every rule. `false` if that is not certain: this is the fast path.
#[inline(always)]
fn provably_legal(instruction: &Instruction, cx: &Context<'_>) -> bool {
    // No rule applies to LOC.
    matches!(instruction, Instruction::Loc(_))
        || availability::of(instruction).is_none() && arithmetic::provably_legal(instruction, cx)
}

/// Applies the rules for instructions and their operands to an instruction.
fn apply_rules(instruction: &Instruction, cx: &mut Context<'_>) {
    if cx.platform.is_some() {
        if let Some(availability) = availability::of(instruction) {
            availability::availability::check(&availability, cx);
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
