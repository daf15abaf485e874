//! What a rule sees besides its subject, and where it tells what it found.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use super::finding::Finding;
use super::platform::{Platform, Platforms};
use super::rule::Rule;
use super::variable_info::{Root, VariableInfo};
use crate::error::{PathSegment, Severity};
use crate::format::Format;
use crate::isa::Instruction;
use crate::object::{Body, Name, Routine, Variable};
use crate::operand::{DataType, Raw, VarId, Vector, VectorKind};

/// What is verified, and how far the verifier has come.
pub(super) struct Context<'v> {
    pub(super) format: Format,
    pub(super) platform: Option<Platform>,
    /// Whether rules may skip what provably satisfies them.
    pub(super) fast_path: bool,
    /// `None` for a single instruction.
    pub(super) routine: Option<Routine<'v, 'v>>,
    /// The routine's index in the module, if all of it is verified.
    pub(super) index: Option<usize>,
    /// The routine's tables.
    pub(super) body: Option<&'v Body<'v>>,
    /// The size of a register in bytes: the smaller one where the platform is not known.
    pub(super) grf: u32,
    /// What is known of each variable, the predefined ones first.
    pub(super) variables: Vec<VariableInfo>,
    /// Whose storage each declared variable shares.
    pub(super) roots: Vec<Root>,
    pub(super) location: Location,
    pub(super) levels: &'v Levels,
    pub(super) findings: Vec<Finding>,
}

impl Context<'_> {
    /// The root of the variable at a position of the table: itself, unless it is an alias.
    #[inline]
    pub(super) fn root_of(&self, index: usize) -> Root {
        self.roots.get(index).copied().unwrap_or(Root { index: index as u32, offset: 0 })
    }
}

/// Where the verifier is within the routine.
#[derive(Clone, Copy, Default)]
pub(super) enum Location {
    /// At the routine as a whole.
    #[default]
    Routine,
    /// At an entry of a table.
    Entry { table: &'static str, index: usize },
    /// At an instruction.
    Instruction { index: usize, opcode: u8, offset: usize },
}

/// Which rules are not as severe as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    pub(super) allowed: Vec<&'static str>,
    pub(super) denied: Vec<&'static str>,
}

impl<'v> Context<'v> {
    /// A variable that the routine declares.
    #[inline]
    pub(super) fn variable(&self, var: VarId) -> Option<&'v Variable> {
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        self.body?.variables.get(index as usize)
    }

    /// The type of a vector operand's elements; `None` for a variable that is not known.
    ///
    /// Predicates count as BOOL, addresses as UW, states as UD, as they do in the reference.
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
}

/// A name, or more of it than is shown.
fn beginning(name: &Name) -> String {
    let bytes = name.as_bytes();
    // A character more than the longest text.
    let bytes = bytes.get(..Finding::LONGEST_TEXT + 4).unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text, or its beginning: names may be as long as the file, and findings as many as instructions.
fn shortened(text: String) -> String {
    if text.len() <= Finding::LONGEST_TEXT {
        return text;
    }
    let is_end = |end: &usize| text.is_char_boundary(*end);
    let end = (0..=Finding::LONGEST_TEXT).rfind(is_end).unwrap_or_default();
    format!("{}\u{2026}", &text[..end])
}

/// A rule at work.
pub(super) struct RuleContext<'c, 'v> {
    pub(super) rule: &'static Rule,
    pub(super) cx: &'c mut Context<'v>,
}

impl<'v> RuleContext<'_, 'v> {
    /// The subject breaks the rule. `field` may be empty where the whole subject does.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(
        &mut self,
        field: &'static str,
        found: impl Display,
        expected: impl Display,
    ) {
        let (rule, cx) = (self.rule, &mut *self.cx);
        if !rule.platforms.contains(cx.platform) || cx.levels.allowed.contains(&rule.name) {
            return;
        }
        let denied = cx.levels.denied.contains(&rule.name);
        let stated = rule.severity_in(cx.format.dialect);
        let severity = if denied { Severity::Error } else { stated };
        let (mut path, mut instruction, mut offset) = (Vec::with_capacity(3), None, None);
        path.extend(cx.routine.map(|routine| PathSegment::Routine {
            kind: routine.kind,
            name: shortened(beginning(routine.name)),
        }));
        match cx.location {
            Location::Routine => {}
            Location::Entry { table, index } => path.push(PathSegment::Entry { table, index }),
            Location::Instruction { index, opcode, offset: at } => {
                let mnemonic = Instruction::mnemonic_of(opcode).unwrap_or_default();
                path.push(PathSegment::Instruction { index, mnemonic });
                (instruction, offset) = (Some(index), Some(at));
            }
        }
        if !field.is_empty() {
            path.push(PathSegment::Field(field));
        }
        cx.findings.push(Finding {
            rule,
            severity,
            routine: cx.index,
            path,
            instruction,
            offset,
            found: shortened(found.to_string()),
            expected: shortened(expected.to_string()),
        });
    }

    pub(super) fn format(&self) -> Format {
        self.cx.format
    }

    pub(super) fn platform(&self) -> Option<Platform> {
        self.cx.platform
    }

    /// Whether the platform is known to be among these.
    pub(super) fn is_on(&self, platforms: Platforms) -> bool {
        platforms.contains(self.cx.platform)
    }

    /// The size of a register in bytes: the smaller one where the platform is not known.
    pub(super) fn grf(&self) -> i64 {
        self.cx.grf.into()
    }

    /// The routine's tables; `None` for a single instruction.
    pub(super) fn body(&self) -> Option<&'v Body<'v>> {
        self.cx.body
    }

    /// A variable that the routine declares.
    #[inline]
    pub(super) fn variable(&self, var: VarId) -> Option<&'v Variable> {
        self.cx.variable(var)
    }

    /// The variable whose storage a declared variable shares, itself if it is no alias, and where in
    /// it that variable begins.
    pub(super) fn root(&self, var: VarId) -> Option<(&'v Variable, i64)> {
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        let root = self.cx.root_of(index as usize);
        Some((self.cx.body?.variables.get(root.index as usize)?, root.offset.into()))
    }

    /// The type of a raw operand whose variable the routine declares.
    #[inline]
    pub(super) fn raw_ty(&self, raw: Raw) -> Option<DataType> {
        self.variable(raw.var).map(|variable| variable.ty)
    }

    /// The type of a vector operand's elements; `None` for a variable that is not known.
    #[inline]
    pub(super) fn ty(&self, operand: &Vector) -> Option<DataType> {
        self.cx.ty(operand)
    }

    /// How many bytes a raw operand's variable has from the operand's offset on, if the routine
    /// declares it. It may be less than none.
    #[inline]
    pub(super) fn room(&self, raw: Raw) -> Option<i64> {
        let variable = self.variable(raw.var)?;
        Some(size_of_variable(variable) - i64::from(raw.offset))
    }
}

/// The size of a variable in bytes.
pub(super) fn size_of_variable(variable: &Variable) -> i64 {
    i64::from(variable.num_elements) * variable.ty.size() as i64
}
