//! The state of the verifier, and the functions that rules call to query it and to report findings.

use crate::platform::{Platform, RegisterSize};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use super::finding::{Finding, RequiredAlignment};
use super::levels::Levels;
use super::platforms::Platforms;
use super::rule::{Group, Rule};
use super::variable_info::{Root, VariableInfo};
use crate::error::{PathSegment, Severity};
use crate::format::Format;
use crate::isa::{Id, IdClass, Instruction};
use crate::object::{Body, Name, Routine, Variable};
use crate::operand::{DataType, Raw, StringId, VarId, Vector, VectorKind};
use crate::verify::field::Field;

/// The state of the verifier.
pub(super) struct Context<'v> {
    pub(super) format: Format,
    /// Whether a rule of group `Manual` may have findings. Always true without the fast path.
    pub(super) has_manual_rules: bool,
    pub(super) platform: Option<Platform>,
    /// Whether rules may be skipped for subjects that certainly satisfy them.
    pub(super) fast_path: bool,
    /// `None` for a single instruction.
    pub(super) routine: Option<Routine<'v, 'v>>,
    /// The index of the routine in the module; `None` if no module is verified.
    pub(super) index: Option<usize>,
    /// The routine's tables.
    pub(super) body: Option<&'v Body<'v>>,
    /// The size of a register.
    pub(super) registers: RegisterSize,
    /// Facts about each variable, predefined variables first.
    pub(super) variables: Vec<VariableInfo>,
    /// The root of each declared variable.
    pub(super) roots: Vec<Root>,
    /// The variables whose type and size are not known, in ascending order.
    pub(super) unknown_variables: &'v [VarId],
    /// The variables that the routine's systolic instructions align; `None` if not yet needed.
    pub(super) aligned_variables: Option<Vec<VarId>>,
    pub(super) location: Location,
    pub(super) levels: &'v Levels,
    /// Gets the findings. Without it, they are in `findings`.
    pub(super) visit: Option<&'v mut dyn FnMut(Finding)>,
    pub(super) findings: Vec<Finding>,
}

impl Context<'_> {
    /// Sets the format of the instructions and tables.
    pub(super) fn set_format(&mut self, format: Format) {
        self.format = format;
        self.has_manual_rules =
            !self.fast_path || self.levels.may_apply(Group::Manual, format.dialect);
    }

    /// Sets the size of a register for a routine.
    pub(super) fn set_register_size(&mut self, body: &Body<'_>) {
        self.registers = body.register_size(self.platform);
    }

    /// Returns whether the rules of a group must be applied. They are skipped if none of them can
    /// have findings.
    #[inline(always)]
    pub(super) fn applies(&self, group: Group) -> bool {
        group == Group::Igc || self.has_manual_rules
    }
}

/// The place in the routine that is being verified.
#[derive(Clone, Copy, Default)]
pub(super) enum Location {
    /// The routine as a whole.
    #[default]
    Routine,
    /// An entry of a table.
    Entry { table: &'static str, index: usize },
    /// An instruction.
    Instruction { index: usize, opcode: u8, offset: usize },
}

impl<'v> Context<'v> {
    /// Returns whether the routine uses efficient 64-bit addressing: it states so, or it is the
    /// default of the platform.
    pub(super) fn is_efficient_64bit(&self) -> bool {
        self.body.is_some_and(|body| body.efficient_64bit)
            || self.platform.is_some_and(Platform::has_efficient_64bit)
    }

    /// Returns whether the routine is known not to use efficient 64-bit addressing: because of the
    /// platform, or because text of 4.2 does not state it.
    pub(super) fn is_without_efficient_64bit(&self) -> bool {
        let is_known = self.platform.is_some() || self.format == Format::V4_2;
        is_known && !self.is_efficient_64bit()
    }

    /// Returns a variable that the routine declares; `None` if its type is not known.
    #[inline]
    pub(super) fn variable(&self, var: VarId) -> Option<&'v Variable> {
        self.declaration(var).filter(|_| self.unknown_variables.binary_search(&var).is_err())
    }

    /// Returns the declaration of a variable.
    #[inline]
    fn declaration(&self, var: VarId) -> Option<&'v Variable> {
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        self.body?.variables.get(index as usize)
    }

    /// Excludes the variables whose type is not known from the fast path.
    pub(super) fn exclude_unknown_variables(&mut self) {
        for var in self.unknown_variables {
            if let Some(info) = self.variables.get_mut(var.0 as usize) {
                *info = VariableInfo::unknown();
            }
        }
    }

    /// Returns the element type of a vector operand; `None` for an undeclared variable.
    ///
    /// As in GenX_IR, predicates have type BOOL, addresses UW, and states UD.
    #[inline]
    pub(super) fn ty(&self, operand: &Vector) -> Option<DataType> {
        match operand.kind {
            VectorKind::General { var, .. } => match var.predefined_type() {
                Some(ty) => Some(ty),
                None => self.variable(var).map(|variable| variable.ty),
            },
            VectorKind::Address { .. } => Some(DataType::UW),
            VectorKind::Predicate(_) => Some(DataType::BOOL),
            VectorKind::Indirect { ty, .. } => Some(ty.ty()),
            VectorKind::Immediate(imm) => Some(imm.ty()),
            VectorKind::State { .. } => Some(DataType::UD),
        }
    }

    /// Returns a string of the pool, shortened; `None` if it is empty or missing.
    fn string(&self, id: StringId) -> Option<String> {
        let name = self.body?.strings.get(id.0 as usize).filter(|name| !name.is_empty())?;
        Some(shortened(beginning(name)))
    }

    /// Returns the name that the routine declares for a table entry, shortened.
    fn declared_name(&self, id: Id) -> Option<String> {
        Some(shortened(beginning(self.body?.name_of(id)?)))
    }

    /// Returns the name of the entry at an index of a table.
    fn name_at(&self, table: &str, index: usize) -> Option<String> {
        let body = self.body?;
        match table {
            "attribute" => self.string(body.attributes.get(index)?.name),
            "input" => {
                let input = self.routine?.inputs.get(index)?;
                self.declared_name(input.id()?)
            }
            table => {
                let class = IdClass::from_name(table)?;
                let number = class.first_declared() + u32::try_from(index).ok()?;
                self.declared_name(Id { class, number })
            }
        }
    }
}

/// Returns the beginning of a name, at least as much as is shown.
fn beginning(name: &Name) -> String {
    let bytes = name.as_bytes();
    // A character more than the longest text.
    let bytes = bytes.get(..Finding::LONGEST_TEXT + 4).unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// Limits the length of a text: a name may be as long as the file, and every instruction may have
/// findings that contain it.
fn shortened(text: String) -> String {
    if text.len() <= Finding::LONGEST_TEXT {
        return text;
    }
    let is_end = |end: &usize| text.is_char_boundary(*end);
    let end = (0..=Finding::LONGEST_TEXT).rfind(is_end).unwrap_or_default();
    format!("{}\u{2026}", &text[..end])
}

/// The rule that is being applied, and the state of the verifier.
pub(super) struct RuleContext<'c, 'v> {
    pub(super) rule: &'static Rule,
    pub(super) cx: &'c mut Context<'v>,
}

impl<'v> RuleContext<'_, 'v> {
    /// Reports that the subject breaks the rule, as "expected .., found ..".
    ///
    /// `field` is empty if the finding is about the whole subject. A finding that does not fit the
    /// form is reported by [`report`](Self::report).
    pub(super) fn fail(&mut self, field: Field, found: impl Display, expected: impl Display) {
        self.fail_with(field, &found, &expected, None, None);
    }

    /// Reports that a value breaks the rule, and what the compiler compiles instead.
    pub(super) fn fail_changed(
        &mut self,
        field: Field,
        found: impl Display,
        expected: impl Display,
        becomes: impl Display,
    ) {
        self.fail_with(field, &found, &expected, Some(&becomes), None);
    }

    /// Reports that a variable breaks the rule with its alignment, and which one satisfies it.
    pub(super) fn fail_alignment(
        &mut self,
        field: Field,
        found: impl Display,
        expected: impl Display,
        alignment: Option<RequiredAlignment>,
    ) {
        self.fail_with(field, &found, &expected, None, alignment);
    }

    #[cold]
    #[inline(never)]
    fn fail_with(
        &mut self,
        field: Field,
        found: &dyn Display,
        expected: &dyn Display,
        becomes: Option<&dyn Display>,
        alignment: Option<RequiredAlignment>,
    ) {
        if let Some(severity) = self.severity() {
            let (found, expected) = (shortened(found.to_string()), shortened(expected.to_string()));
            let mut message = format!("expected {expected}, found {found}");
            if let Some(becomes) = becomes {
                message += &format!("; IGC compiles {becomes}");
            }
            self.add(severity, field, message, Some((expected, found)), alignment);
        }
    }

    /// Reports that the subject breaks the rule, as a statement.
    ///
    /// A statement about a whole instruction contains the mnemonic, since diagnostics omit it. A
    /// statement about a table entry does not: diagnostics begin with its name.
    pub(super) fn report(&mut self, field: Field, message: impl Display) {
        self.report_text(field, &message);
    }

    #[cold]
    #[inline(never)]
    fn report_text(&mut self, field: Field, message: &dyn Display) {
        if let Some(severity) = self.severity() {
            self.add(severity, field, message.to_string(), None, None);
        }
    }

    /// Reports that the platform does not have the instruction, and which platforms do.
    #[cold]
    #[inline(never)]
    pub(super) fn report_unavailable(&mut self, available: Platforms) {
        let platform = self.platform().map_or("this platform", Platform::name);
        let range = match (available.since, available.before) {
            (None, None) => String::new(),
            (Some(since), None) => format!(": it exists since {since}"),
            (None, Some(before)) => format!(": it exists before {before}"),
            (Some(since), Some(before)) => format!(": it exists since {since} and before {before}"),
        };
        let message = format!("`{}` is not available on {platform}{range}", self.mnemonic());
        self.report(Field::WHOLE, message);
    }

    /// Reports that the manual does not have the instruction on the platform.
    #[cold]
    #[inline(never)]
    pub(super) fn report_unlisted(&mut self) {
        let platform = self.platform().map_or("this platform", Platform::name);
        let message = format!("the manual does not list `{}` for {platform}", self.mnemonic());
        self.report(Field::WHOLE, message);
    }

    /// Returns the severity of a finding; `None` if the rule does not apply to the platform or is
    /// disabled.
    fn severity(&self) -> Option<Severity> {
        let applies = self.rule.platforms.contains(self.cx.platform);
        applies.then(|| self.cx.levels.severity(self.rule, self.cx.format.dialect)).flatten()
    }

    fn add(
        &mut self,
        severity: Severity,
        field: Field,
        message: String,
        difference: Option<(String, String)>,
        alignment: Option<RequiredAlignment>,
    ) {
        let (rule, cx) = (self.rule, &mut *self.cx);
        let message = match rule.enforced_by {
            Some(compilers) => format!("{message} (enforced by {compilers})"),
            None => message,
        };
        let mut path = Vec::with_capacity(3);
        path.extend(cx.routine.map(|routine| PathSegment::Routine {
            kind: routine.kind,
            name: shortened(beginning(routine.name)),
        }));
        let (mut name, mut instruction, mut offset) = (None, None, None);
        match cx.location {
            Location::Routine => {}
            Location::Entry { table, index } => {
                path.push(PathSegment::Entry { table, index });
                name = cx.name_at(table, index);
            }
            Location::Instruction { index, opcode, offset: at } => {
                let mnemonic = Instruction::mnemonic_of(opcode).unwrap_or_default();
                path.push(PathSegment::Instruction { index, mnemonic });
                (instruction, offset) = (Some(index), Some(at));
            }
        }
        if field != Field::WHOLE {
            path.push(PathSegment::Field(field.name()));
        }
        let routine = cx.index;
        let (expected, found) = difference.unzip();
        let finding = Finding {
            rule,
            severity,
            routine,
            path,
            name,
            instruction,
            offset,
            message,
            expected,
            found,
            alignment,
        };
        match &mut cx.visit {
            Some(visit) => visit(finding),
            None => cx.findings.push(finding),
        }
    }

    /// Returns the name of a variable, label or other table entry, in backticks: the name that the
    /// routine declares, the name of a predefined variable, or a name made of the id, such as
    /// `V32`.
    pub(super) fn name(&self, id: impl Into<Id>) -> String {
        let id = id.into();
        let predefined = || match id.class {
            IdClass::Variable => VarId(id.number).predefined_name().map(ToString::to_string),
            _ => None,
        };
        let name = self.cx.declared_name(id).or_else(predefined);
        let name = name.unwrap_or_else(|| format!("{}{}", id.class.letter(), id.number));
        format!("`{name}`")
    }

    /// Returns the variable whose entry of the table is verified.
    pub(super) fn entry_variable(&self) -> Option<VarId> {
        match self.cx.location {
            Location::Entry { table, index } if table == IdClass::Variable.name() => {
                Some(VarId(u32::try_from(index).ok()? + VarId::FIRST_DECLARED.0))
            }
            _ => None,
        }
    }

    /// Returns the mnemonic of the instruction.
    pub(super) fn mnemonic(&self) -> &'static str {
        match self.cx.location {
            Location::Instruction { opcode, .. } => Instruction::mnemonic_of(opcode),
            _ => None,
        }
        .unwrap_or("the instruction")
    }

    pub(super) fn format(&self) -> Format {
        self.cx.format
    }

    pub(super) fn platform(&self) -> Option<Platform> {
        self.cx.platform
    }

    /// Returns whether the platform is known to be one of these.
    pub(super) fn is_on(&self, platforms: Platforms) -> bool {
        platforms.contains(self.cx.platform)
    }

    /// Returns whether the routine uses efficient 64-bit addressing.
    pub(super) fn is_efficient_64bit(&self) -> bool {
        self.cx.is_efficient_64bit()
    }

    /// Returns the size of a register in bytes: 32 if the platform is unknown.
    pub(super) fn grf(&self) -> i64 {
        self.cx.registers.bytes().into()
    }

    /// Returns the routine's tables; `None` for a single instruction.
    pub(super) fn body(&self) -> Option<&'v Body<'v>> {
        self.cx.body
    }

    /// Returns a variable that the routine declares.
    #[inline]
    pub(super) fn variable(&self, var: VarId) -> Option<&'v Variable> {
        self.cx.variable(var)
    }

    /// Returns whether the routine declares a variable.
    pub(super) fn is_declared(&self, var: VarId) -> bool {
        self.cx.declaration(var).is_some()
    }

    /// Returns the variable whose storage a declared variable shares, and the offset of the
    /// declared variable in it. A variable that is no alias is its own root.
    pub(super) fn root(&self, var: VarId) -> Option<(&'v Variable, i64)> {
        let (root, offset) = self.root_id(var)?;
        Some((self.variable(root)?, offset))
    }

    /// Returns the id of the variable whose storage a declared variable shares, and the offset of
    /// the declared variable in it.
    pub(super) fn root_id(&self, var: VarId) -> Option<(VarId, i64)> {
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        let root = self.cx.roots.get(index as usize);
        let (index, offset) = root.map_or((index, 0), |root| (root.index, root.offset));
        Some((VarId(index + VarId::FIRST_DECLARED.0), offset.into()))
    }

    /// Returns whether a systolic instruction of the routine has a variable as a raw operand. The
    /// compiler raises the alignment of these variables.
    #[cold]
    pub(super) fn is_aligned_by_systolic(&mut self, var: VarId) -> bool {
        let cx = &mut *self.cx;
        let variables = cx.aligned_variables.get_or_insert_with(|| {
            let code = cx.body.into_iter().flat_map(|body| body.code.instructions(cx.format));
            let instructions = code.filter_map(|item| Some(item.ok()?.1));
            let raws = instructions.flat_map(|instruction| match instruction {
                Instruction::Dpas(i) => [i.dst, i.src0, i.src1, Raw::NULL],
                Instruction::Dpasw(i) => [i.dst, i.src0, i.src1, Raw::NULL],
                Instruction::Bdpas(i) => [i.dst, i.src0, i.src1, i.src2],
                _ => [Raw::NULL; 4],
            });
            let mut variables: Vec<VarId> = raws.map(|raw| raw.var).collect();
            variables.sort_unstable();
            variables.dedup();
            variables
        });
        variables.binary_search(&var).is_ok()
    }

    /// Returns the type of a raw operand's variable, if the routine declares the variable or it is
    /// predefined. The null variable has no type.
    #[inline]
    pub(super) fn raw_ty(&self, raw: Raw) -> Option<DataType> {
        match self.variable(raw.var) {
            Some(variable) => Some(variable.ty),
            None => raw.var.predefined_type().filter(|_| !raw.is_null()),
        }
    }

    /// Returns the element type of a vector operand; `None` for an undeclared variable.
    #[inline]
    pub(super) fn ty(&self, operand: &Vector) -> Option<DataType> {
        self.cx.ty(operand)
    }

    /// Returns the number of bytes from a raw operand's offset to the end of its variable's storage, if
    /// the routine declares the variable. It is negative if the offset is past the end.
    #[inline]
    pub(super) fn bytes_left(&self, raw: Raw) -> Option<i64> {
        Some(self.storage_size(raw.var)? - i64::from(raw.offset))
    }

    /// Returns the number of bytes from the start of a declared variable to the end of its storage: for an
    /// alias, of the variable whose storage it shares.
    pub(super) fn storage_size(&self, var: VarId) -> Option<i64> {
        let variable = self.variable(var)?;
        let (root, offset) = self.root(var)?;
        Some(size_of_variable(variable).max(size_of_variable(root) - offset))
    }
}

/// Returns the size of a variable in bytes.
pub(super) fn size_of_variable(variable: &Variable) -> i64 {
    i64::from(variable.num_elements) * variable.ty.size() as i64
}
