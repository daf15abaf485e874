//! A verifier that checks whether a well-formed module is legal vISA.
//!
//! [`Verifier::check_module`] applies all rules to a module and returns every [`Finding`]:
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
//! let dst = k.add_variable("dst", DataType::UD, 24, Align::GRF);
//! k.sampleinfo(S8, ChannelMask::RGBA, SurfaceId(1), dst);
//! let mut module = Module::new(k.format());
//! module.kernels.push(k.into_kernel()?);
//!
//! let findings = Verifier::new().check_module(&module);
//! assert_eq!(
//!     findings[0].to_string(),
//!     "error[info-dst-size]: kernel `k`, instruction 0 info_3d, dst: expected at least 128 \
//!      bytes, found 96 in `dst` (offset 0x0)"
//! );
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Platforms
//!
//! Some rules depend on the platform: the instructions that it has, or the size of its registers.
//! Set the platform by [`Verifier::with_platform`]. Without one, rules that apply to some platforms
//! only are skipped, and registers have 32 bytes.
//!
//! # Rules
//!
//! A [`Rule`] has a stable name, a statement, the [`Response`] of the compiler to code that
//! violates it, the platforms that it applies to, and the section of the manual that it is taken
//! from. [`rules`] returns all rules; [a page](crate::docs::rules) has examples of each.
//!
//! There are two groups of rules. Group [`Igc`](Group::Igc) contains the rules that the compiler
//! enforces, and those whose violations it compiles to wrong code: their findings are errors. Group
//! [`Manual`](Group::Manual) contains rules that the compiler does not enforce, and that shipped
//! kernels may violate: their findings are warnings, and errors in dialect `Manual`. By default, a
//! verifier applies group `Igc`, and in dialect `Manual` both groups.
//!
//! [`Verifier::with_groups`] chooses the groups. [`Verifier::allow`], [`Verifier::warn`] and
//! [`Verifier::deny`] change the level of a rule or of a group:
//!
//! ```
//! use genvisa::verify::{Group, Verifier};
//! use genvisa::Platform;
//!
//! let verifier = Verifier::new()
//!     .with_platform(Platform::Tgllp)
//!     .with_groups([Group::Igc, Group::Manual])
//!     .allow("region-width")?
//!     .deny("call-no-mask")?;
//! # Ok::<(), genvisa::verify::UnknownRule>(())
//! ```
//!
//! # Text
//!
//! A finding refers to an instruction by its index and its offset in the file. If the module was
//! assembled from text, `diagnostics` returns the findings with their lines of the text:
//!
//! ```text
//! error[info-dst-size]: info_3d, dst: expected at least 128 bytes, found 96 in `x`
//!  --> 6:5
//!   |
//! 6 |     sampleinfo.RGBA (M1, 8) T6 x.0
//!   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//!   = help: The destination of INFO has one dword per lane for each channel returned.
//! ```

mod arithmetic;
mod availability;
mod compiler;
mod context;
mod control_flow;
mod decoding;
mod field;
mod finding;
#[cfg(all(feature = "proptest", feature = "build"))]
mod instructions;
mod levels;
mod lifetime;
mod messages;
mod operands;
#[cfg(feature = "analysis")]
mod overwrites;
mod platforms;
mod raw_arithmetic;
mod rule;
mod sync;
mod tables;
mod types;
mod variable_info;

pub use crate::error::Severity;
pub use compiler::{Compiler, Compilers};
pub use finding::{Finding, RequiredAlignment};
#[cfg(all(feature = "proptest", feature = "build"))]
pub(crate) use instructions::Instructions;
pub use messages::lsc::CacheControls;
pub use platforms::Platforms;
#[cfg(feature = "explanations")]
pub use rule::explanations;
pub use rule::{Group, Response, Rule, rule_url};

use crate::platform::Platform;
use alloc::string::String;
use alloc::vec::Vec;

use crate::format::{Dialect, Format};
use crate::isa::{Instruction, Kind};
use crate::object::{Module, Routine};
use crate::operand::VarId;
#[cfg(feature = "text")]
use crate::text::{Diagnostics, SourceMap};
use context::{Context, Location};
use control_flow::labels::{self, Labels};
use field::Field;
use levels::{Level, Levels};

/// The rules, by subject.
static SUBJECTS: &[&[&[&Rule]]] = &[
    &[decoding::rules::RULES, availability::rules::RULES],
    tables::RULES,
    operands::RULES,
    arithmetic::RULES,
    raw_arithmetic::RULES,
    control_flow::labels::RULES,
    control_flow::jumps::RULES,
    sync::RULES,
    &[lifetime::rules::RULES],
    #[cfg(feature = "analysis")]
    &[overwrites::rules::RULES],
    messages::data_port::RULES,
    messages::render::RULES,
    messages::sampler::RULES,
    messages::svm::RULES,
    messages::lsc::RULES,
    messages::video::RULES,
    messages::send::RULES,
];

/// Returns all rules, sorted by subject.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    SUBJECTS.iter().copied().flatten().copied().flatten().copied()
}

/// Returns the rule of a name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// The rules that a name refers to.
enum Target {
    Rule(&'static Rule),
    Group(Group),
}

/// The error for a name that neither a rule nor a group has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule `{name}`")]
#[non_exhaustive]
pub struct UnknownRule {
    /// The name.
    pub name: String,
}

/// Returns findings as diagnostics, in their order, which print the lines of the text that they refer
/// to.
///
/// `source` is the text that the module was parsed from, and `source_map` is part of the
/// [`Document`](crate::text::Document). A diagnostic refers to the text of the field that the finding
/// is about. If there are findings about instructions, this parses the text once more.
/// [`Finding::to_diagnostic`] uses a recording instead.
///
/// ```
/// use genvisa::verify::{self, Verifier};
/// use genvisa::text::{Document, Errors, ParseOptions};
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     mov (M1, 16) x(0,0)<1> 0x1:d
/// ";
/// let document = Document::parse(source, ParseOptions::new()).into_result()?;
/// let verifier = Verifier::new().or_platform(document.platform);
/// let findings = verifier.check_module(&document.module);
/// let diagnostics = verify::diagnostics(&findings, &document.source_map, source);
/// assert_eq!(
///     diagnostics[0].to_string(),
///     "mov, dst: accesses bytes 0 to 63 of `x`, which has 32 bytes"
/// );
/// assert!(diagnostics.to_string().contains("4 |     mov (M1, 16) x(0,0)<1> 0x1:d"));
/// # Ok::<(), Errors>(())
/// ```
#[cfg(feature = "text")]
pub fn diagnostics(
    findings: &[Finding],
    source_map: &SourceMap,
    source: impl AsRef<[u8]>,
) -> Diagnostics {
    let source = source.as_ref();
    let mut spans: Vec<_> =
        findings.iter().filter_map(|finding| finding.instruction_span(source_map)).collect();
    spans.sort_unstable_by_key(|span| span.start);
    // Most texts have no findings, so the parser does not record operands the first time.
    let recorded = (!spans.is_empty()).then(|| source_map.record(source, spans));
    let to_diagnostic =
        |finding: &Finding| finding.diagnostic(source_map, recorded.as_ref(), source);
    let diagnostics: Diagnostics = findings.iter().map(to_diagnostic).collect();
    diagnostics.with_source(source)
}

/// A verifier of modules, routines and instructions. See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    platform: Option<Platform>,
    levels: Levels,
    without_fast_path: bool,
    unknown_variables: Vec<VarId>,
    more_rules: &'static [&'static Rule],
}

impl Verifier {
    /// Returns a verifier that applies the groups of the dialect and assumes no platform.
    pub fn new() -> Verifier {
        Verifier::default()
    }

    /// Sets the platform.
    #[must_use]
    pub fn with_platform(self, platform: Platform) -> Verifier {
        Verifier { platform: Some(platform), ..self }
    }

    /// Sets the platform, unless it is set: for example that of a [`Document`](crate::text::Document).
    #[must_use]
    pub fn or_platform(self, platform: Option<Platform>) -> Verifier {
        Verifier { platform: self.platform.or(platform), ..self }
    }

    /// Sets the version of the compiler. By default, it is the newest that was tested with the
    /// rules.
    ///
    /// A rule whose [`enforced_by`](Rule::enforced_by) contains the version is in group `Igc`, and
    /// its findings are errors; if the range does not contain it, the group and the severity are those of
    /// the response [`otherwise`](Rule::otherwise). A version after [`Compiler::NEWEST`] has the rules of the newest one.
    #[must_use]
    pub fn with_compiler(mut self, compiler: Compiler) -> Verifier {
        self.levels.set_compiler(compiler);
        self
    }

    /// Returns the version of the compiler.
    pub fn compiler(&self) -> Compiler {
        self.levels.compiler()
    }

    /// Sets the groups of rules to apply.
    ///
    /// ```
    /// use genvisa::verify::{Group, Verifier};
    ///
    /// let verifier = Verifier::new().with_groups([Group::Igc, Group::Manual]);
    /// # let _ = verifier;
    /// ```
    #[must_use]
    pub fn with_groups(mut self, groups: impl IntoIterator<Item = Group>) -> Verifier {
        self.levels.set_groups(groups.into_iter().collect());
        self
    }

    /// Disables a rule, or the rules of a group.
    ///
    /// The last call of `allow`, `warn` or `deny` for a rule has precedence over earlier calls and
    /// over calls for its group.
    ///
    /// ```
    /// use genvisa::verify::Verifier;
    ///
    /// let verifier = Verifier::new().allow("region-width")?.warn("manual")?;
    /// assert_eq!(verifier.allow("no-such-rule").unwrap_err().to_string(), "unknown rule `no-such-rule`");
    /// # Ok::<(), genvisa::verify::UnknownRule>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownRule`] if there is no rule or group of this name.
    pub fn allow(self, name: &str) -> Result<Verifier, UnknownRule> {
        self.with_level(name, Level::Allow)
    }

    /// Enables a rule, or the rules of a group. Their findings are warnings.
    ///
    /// # Errors
    /// [`UnknownRule`] if there is no rule or group of this name.
    pub fn warn(self, name: &str) -> Result<Verifier, UnknownRule> {
        self.with_level(name, Level::Warn)
    }

    /// Enables a rule, or the rules of a group. Their findings are errors.
    ///
    /// `deny("warnings")` turns all warnings into errors, and enables no rules.
    ///
    /// ```
    /// # #[cfg(feature = "text")] {
    /// use genvisa::text;
    /// use genvisa::verify::Verifier;
    /// use genvisa::{Format, Version};
    ///
    /// let source = "\
    /// .version 3.6
    /// .kernel \"k\"
    /// .decl x v_type=G type=d num_elts=8 align=GRF
    /// .decl y v_type=G type=ud num_elts=8 align=GRF
    ///     mulh (M1, 8) x(0,0)<1> x(0,0)<8;8,1> y(0,0)<8;8,1>
    /// ";
    /// let module = text::parse(source, Format::igc2022(Version::V3_6))?;
    /// let verifier = Verifier::new();
    /// assert!(verifier.check_module(&module).is_empty());
    /// let findings = verifier.warn("same-type")?.deny("warnings")?.check_module(&module);
    /// assert!(findings[0].to_string().starts_with("error[same-type]"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownRule`] if there is no rule or group of this name.
    pub fn deny(mut self, name: &str) -> Result<Verifier, UnknownRule> {
        if name == "warnings" {
            self.levels.deny_warnings();
            return Ok(self);
        }
        self.with_level(name, Level::Deny)
    }

    fn with_level(mut self, name: &str, level: Level) -> Result<Verifier, UnknownRule> {
        match self.target(name)? {
            Target::Rule(rule) => self.levels.set_rule(rule, level),
            Target::Group(group) => self.levels.set_group(group, level),
        }
        Ok(self)
    }

    /// Returns the rule or group of a name.
    fn target(&self, name: &str) -> Result<Target, UnknownRule> {
        let more = self.more_rules.iter().copied().find(|rule| rule.name == name);
        let group = || Group::ALL.iter().find(|group| group.name() == name).copied();
        let rule = more.or_else(|| rule(name)).map(Target::Rule);
        let target = rule.or_else(|| group().map(Target::Group));
        target.ok_or_else(|| UnknownRule { name: name.into() })
    }

    /// Adds rules that the caller applies in addition to the verifier's rules.
    ///
    /// [`allow`](Self::allow), [`warn`](Self::warn) and [`deny`](Self::deny) then accept their names,
    /// and [`severity`](Self::severity) returns what the user has chosen:
    ///
    /// ```
    /// use genvisa::verify::{Response, Rule, Severity, Verifier};
    /// use genvisa::Dialect;
    ///
    /// static SHORT: Rule = Rule::new("short", "Our kernels have names of 8 bytes.", Response::Accepts)
    ///     .with_source("our style guide");
    ///
    /// static RULES: &[&Rule] = &[&SHORT];
    ///
    /// let verifier = Verifier::new().with_rules(RULES);
    /// assert_eq!(verifier.severity(&SHORT, Dialect::Igc2022), None, "group manual is off");
    /// let verifier = verifier.deny("short")?;
    /// assert_eq!(verifier.severity(&SHORT, Dialect::Igc2022), Some(Severity::Error));
    /// # Ok::<(), genvisa::verify::UnknownRule>(())
    /// ```
    #[must_use]
    pub fn with_rules(self, rules: &'static [&'static Rule]) -> Verifier {
        Verifier { more_rules: rules, ..self }
    }

    /// Returns the severity of a rule's findings; `None` if the rule is disabled.
    pub fn severity(&self, rule: &Rule, dialect: Dialect) -> Option<Severity> {
        self.levels.severity(rule, dialect)
    }

    /// Applies every rule to every instruction. The findings are the same: tests of the fast path
    /// compare them.
    #[doc(hidden)]
    #[must_use]
    pub fn without_fast_path(self) -> Verifier {
        Verifier { without_fast_path: true, ..self }
    }

    /// Sets the variables whose declarations are placeholders, because their types and sizes are
    /// unknown. Rules about types and sizes do not apply to them.
    ///
    /// ```
    /// # #[cfg(feature = "text")] {
    /// use genvisa::operand::VarId;
    /// use genvisa::verify::Verifier;
    /// use genvisa::{Format, text};
    ///
    /// // The caller of this fragment provides `x`.
    /// let source = "\
    /// .version 3.6
    /// .kernel \"fragment\"
    /// .decl x v_type=G type=d num_elts=1
    ///     mov (M1, 16) x(0,0)<1> 0x1:d
    /// ";
    /// let module = text::parse(source, Format::default())?;
    /// assert_eq!(Verifier::new().check_module(&module).len(), 1, "x is too small");
    /// let x = VarId(VarId::FIRST_DECLARED.0);
    /// assert_eq!(Verifier::new().with_unknown_variables([x]).check_module(&module), []);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_unknown_variables(self, variables: impl IntoIterator<Item = VarId>) -> Verifier {
        let mut unknown_variables: Vec<VarId> = variables.into_iter().collect();
        unknown_variables.sort_unstable();
        Verifier { unknown_variables, ..self }
    }

    /// Returns all findings in a module, routine by routine.
    pub fn check_module(&self, module: &Module<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.visit_module(module, |finding| findings.push(finding));
        findings
    }

    /// Visits all findings in a module, routine by routine. Unlike
    /// [`check_module`](Self::check_module), this needs no memory for findings.
    pub fn visit_module(&self, module: &Module<'_>, mut visit: impl FnMut(Finding)) {
        let mut cx = self.context(Format::default());
        cx.visit = Some(&mut visit);
        for (index, routine) in module.routines().enumerate() {
            cx.index = Some(index);
            verify_routine(routine, &mut cx);
        }
    }

    /// Returns all findings in a routine.
    ///
    /// Verification stops at an instruction that cannot be decoded, because the start of the next
    /// instruction is unknown. That instruction is the last finding.
    pub fn check_routine(&self, routine: &Routine<'_, '_>) -> Vec<Finding> {
        let mut cx = self.context(routine.format());
        verify_routine(*routine, &mut cx);
        cx.findings
    }

    /// Returns findings about instructions that break a rule of the caller; see
    /// [`with_rules`](Self::with_rules). There are none if the rule is disabled or does not apply to
    /// the platform.
    ///
    /// `index` is the index of the routine in its module. `instructions` are indices of instructions
    /// in ascending order, each with the message.
    pub fn report(
        &self,
        rule: &'static Rule,
        index: usize,
        routine: &Routine<'_, '_>,
        instructions: impl IntoIterator<Item = (usize, String)>,
    ) -> Vec<Finding> {
        let mut cx = self.context(routine.format());
        (cx.routine, cx.body, cx.index) = (Some(*routine), Some(routine.body), Some(index));
        let mut reported = instructions.into_iter().peekable();
        for (index, item) in routine.instructions().enumerate() {
            let (Ok((offset, instruction)), Some(_)) = (item, reported.peek()) else { break };
            let opcode = instruction.opcode();
            cx.location = Location::Instruction { index, opcode, offset };
            while let Some((_, message)) = reported.next_if(|(at, _)| *at == index) {
                context::RuleContext { rule, cx: &mut cx }.report(Field::WHOLE, message);
            }
        }
        cx.findings
    }

    /// Returns the findings in a single instruction. Rules that require the routine's tables are
    /// skipped.
    pub fn check_instruction(&self, instruction: &Instruction, format: Format) -> Vec<Finding> {
        let mut cx = self.context(format);
        cx.location = Location::Instruction { index: 0, opcode: instruction.opcode(), offset: 0 };
        apply_rules(instruction, &mut cx);
        cx.findings
    }

    fn context(&self, format: Format) -> Context<'_> {
        let mut cx = Context {
            format,
            has_manual_rules: true,
            platform: self.platform,
            fast_path: !self.without_fast_path,
            routine: None,
            index: None,
            body: None,
            registers: self.platform.map(Platform::register_size).unwrap_or_default(),
            variables: variable_info::predefined(),
            unknown_variables: &self.unknown_variables,
            aligned_variables: None,
            roots: Vec::new(),
            location: Location::Routine,
            levels: &self.levels,
            visit: None,
            findings: Vec::new(),
        };
        cx.set_format(format);
        cx
    }
}

/// Applies all rules to a routine.
fn verify_routine<'v>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    if cx.fast_path {
        check_routine_with::<true>(routine, cx);
    } else {
        check_routine_without_fast_path(routine, cx);
    }
}

/// Applies all rules to a routine without the fast path.
#[cold]
#[inline(never)]
fn check_routine_without_fast_path<'v>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    check_routine_with::<false>(routine, cx);
}

/// Applies all rules to a routine, with or without the fast path.
#[inline(always)]
fn check_routine_with<'v, const FAST_PATH: bool>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    let body = routine.body;
    begin(routine, cx);
    let mut labels = Labels::new(body.labels.len());
    let mut instructions = body.code.instructions(cx.format);
    let start = instructions.offset();
    let mut instruction = Instruction::default();
    let mut offset = start;
    for index in 0.. {
        let last = offset;
        offset = instructions.offset();
        match instructions.next_into(&mut instruction) {
            Ok(Some(_)) if FAST_PATH && is_known_legal(&instruction, cx) => {}
            Ok(Some(_)) => {
                cx.location = Location::Instruction { index, opcode: instruction.opcode(), offset };
                if instruction.kind() == Kind::Flow {
                    labels.visit(&instruction, cx);
                    if FAST_PATH && labels::is_known_legal(&instruction, cx) {
                        continue;
                    }
                }
                apply_rules(&instruction, cx);
            }
            Ok(None) => {
                if index > 0 {
                    let opcode = instruction.opcode();
                    cx.location = Location::Instruction { index: index - 1, opcode, offset: last };
                    control_flow::jumps::end::check(&instruction, cx);
                }
                return labels.finish(cx);
            }
            Err(error) => {
                let opcode = body.code.bytes().get(offset - start).copied().unwrap_or_default();
                cx.location = Location::Instruction { index, opcode, offset };
                return decoding::rules::check(&error, cx);
            }
        }
    }
}

/// Applies the rules about the tables of a routine, to which its instructions refer.
fn begin<'v>(routine: Routine<'v, 'v>, cx: &mut Context<'v>) {
    (cx.routine, cx.body) = (Some(routine), Some(routine.body));
    cx.set_format(routine.format());
    cx.aligned_variables = None;
    cx.location = Location::Routine;
    cx.set_register_size(routine.body);
    tables::check(routine.stack_sizes, cx);
    cx.exclude_unknown_variables();
}

/// The fast path: returns whether an instruction certainly satisfies every rule.
#[inline(always)]
fn is_known_legal(instruction: &Instruction, cx: &Context<'_>) -> bool {
    // No rule applies to LOC.
    matches!(instruction, Instruction::Loc(_)) || arithmetic::is_known_legal(instruction, cx)
}

/// Applies the rules to an instruction and its operands.
fn apply_rules(instruction: &Instruction, cx: &mut Context<'_>) {
    if cx.platform.is_some() {
        if let Some(availability) = availability::of(instruction) {
            availability::rules::check(&availability, cx);
        }
    }
    let kind = instruction.kind();
    operands::check(instruction, kind, cx);
    match kind {
        Kind::Flow => control_flow::jumps::check(instruction, cx),
        Kind::Sync => sync::check(instruction, cx),
        Kind::Misc => {
            if let Instruction::Lifetime(i) = instruction {
                lifetime::rules::check(i, cx);
            }
            raw_arithmetic::check(instruction, cx);
            messages::check(instruction, cx);
        }
        _ if kind.is_arithmetic() => arithmetic::check(instruction, cx),
        _ => messages::check(instruction, cx),
    }
}
