//! Rules for labels: each is defined once, and its kind fits its uses.

use alloc::vec;
use alloc::vec::Vec;

use crate::isa::IdClass;
use crate::isa::Instruction;
use crate::object::LabelKind;
use crate::operand::{ExecSize, LabelId};
use crate::verify::context::{Context, Location};
use crate::verify::field::{Field, field};
use crate::verify::operands::is_legal_control;
use crate::verify::rule::{Rule, rules};

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[uses::RULES, definitions::RULES, labels::RULES];

/// The definitions and uses of a routine's labels up to the current instruction.
#[derive(Default)]
pub(in crate::verify) struct Labels {
    states: Vec<LabelState>,
    /// The number of subroutines that have begun.
    subroutine: u32,
}

/// The definition and the uses of a label. Subroutine 0 is the code before the first subroutine.
#[derive(Clone, Copy, Default)]
pub(in crate::verify) struct LabelState {
    /// The subroutine that defines the label.
    defined: Option<u32>,
    /// The subroutine of the jumps to the label that precede its definition; [`SEVERAL`] if there
    /// is more than one.
    jumped: Option<u32>,
    is_used: bool,
}

/// A number that no subroutine has.
const SEVERAL: u32 = u32::MAX;

/// The way in which an instruction uses a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::verify) enum Purpose {
    Jump,
    Call,
    Block,
    Subroutine,
}

/// A label that an instruction names.
pub(in crate::verify) struct LabelReference {
    field: Field,
    label: LabelId,
    purpose: Purpose,
    /// The kind of the label, if it is declared.
    kind: Option<LabelKind>,
    /// Whether this jump, or an earlier jump to the label that is defined here, leaves its
    /// subroutine.
    leaves: bool,
}

/// An instruction that defines a label.
pub(in crate::verify) struct Definition {
    label: LabelId,
    /// Whether an earlier instruction defines the label too.
    is_repeated: bool,
}

impl Purpose {
    /// Returns whether a label of this kind fits. Bit 0 distinguishes subroutines and functions
    /// from blocks.
    fn accepts(self, kind: LabelKind) -> bool {
        match self {
            Purpose::Jump | Purpose::Block => kind.bits() & 1 == 0,
            Purpose::Call | Purpose::Subroutine => kind.bits() & 1 == 1 || kind == LabelKind::FC,
        }
    }
}

rules! { uses for LabelReference;
    /// Labels are declared.
    fn target "label-target" (RefusedIn2022, ANY, "4_visa_header, Labels") |u, c| {
        if u.kind.is_none() && c.body().is_some() {
            let name = c.name(u.label);
            c.report(u.field, format_args!("{name} is not declared"));
        }
    }

    /// Jumps and LABEL have labels of blocks; calls and FUNC have labels of subroutines.
    fn kind "label-kind" (Refuses, ANY, "4_visa_header, Labels") |u, c| {
        if let Some(kind) = u.kind.filter(|kind| !u.purpose.accepts(*kind)) {
            let expected = match u.purpose {
                Purpose::Jump | Purpose::Block => "the label of a block",
                Purpose::Call | Purpose::Subroutine => "the label of a subroutine",
            };
            let name = c.name(u.label);
            c.fail(u.field, format_args!("{name} of kind {kind}"), expected);
        }
    }

    /// A jump stays within its subroutine.
    fn leaves "label-same-subroutine" (Accepts, ANY, "JMP.md; GOTO.md") |u, c| {
        if u.leaves {
            let name = c.name(u.label);
            if u.purpose == Purpose::Jump {
                c.report(u.field, format_args!("{name} is in another subroutine"));
            } else {
                c.report(u.field, format_args!("another subroutine jumps to {name}"));
            }
        }
    }
}

rules! { definitions for Definition;
    /// A label is defined once.
    fn redefined "label-redefined" (Refuses, ANY, "4_visa_header, Labels") |d, c| {
        if d.is_repeated {
            let name = c.name(d.label);
            c.report(field!(Jmp.label), format_args!("{name} is already defined"));
        }
    }
}

rules! { labels for LabelState;
    /// A label that is jumped to or called is defined in the routine.
    fn undefined "label-undefined" (Refuses, ANY, "IGC") |l, c| {
        if l.is_used && l.defined.is_none() {
            c.report(Field::WHOLE, "used but never defined");
        }
    }
}

/// The fast path: returns whether an instruction certainly satisfies every rule, except those for
/// labels.
#[inline(always)]
pub(in crate::verify) fn is_known_legal(instruction: &Instruction, cx: &Context<'_>) -> bool {
    match instruction {
        Instruction::Label(_) | Instruction::Subroutine(_) => true,
        Instruction::Jmp(i) => i.exec.size == ExecSize::S1 && is_legal_control(i.exec, i.pred, cx),
        _ => false,
    }
}

impl Labels {
    /// Returns the state at the start of a routine with this number of labels.
    pub(in crate::verify) fn new(count: usize) -> Labels {
        Labels { states: vec![LabelState::default(); count], subroutine: 0 }
    }

    /// Records the labels that an instruction defines or uses, and applies the rules to them.
    #[inline]
    pub(in crate::verify) fn visit(&mut self, instruction: &Instruction, cx: &mut Context<'_>) {
        match instruction {
            Instruction::Label(i) => self.record(field!(Jmp.label), i.label, Purpose::Block, cx),
            Instruction::Subroutine(i) => {
                self.subroutine += 1;
                self.record(field!(Jmp.label), i.label, Purpose::Subroutine, cx);
            }
            Instruction::Jmp(i) => self.record(field!(Jmp.label), i.label, Purpose::Jump, cx),
            Instruction::Goto(i) => self.record(field!(Jmp.label), i.label, Purpose::Jump, cx),
            Instruction::Call(i) => self.record(field!(Jmp.label), i.label, Purpose::Call, cx),
            Instruction::SwitchJmp(i) => {
                for label in i.labels.iter() {
                    self.record(field!(SwitchJmp.labels), *label, Purpose::Jump, cx);
                }
            }
            _ => {}
        }
    }

    #[inline(never)]
    fn record(&mut self, field: Field, label: LabelId, purpose: Purpose, cx: &mut Context<'_>) {
        let index = usize::from(label.0);
        let declared = cx.body.and_then(|body| body.labels.get(index));
        let kind = declared.map(|declared| declared.kind);
        let mut undeclared = LabelState::default();
        let state = self.states.get_mut(index).unwrap_or(&mut undeclared);
        let current = self.subroutine;
        let mut leaves = false;
        match purpose {
            Purpose::Jump => {
                state.is_used = true;
                leaves = state.defined.is_some_and(|defined| defined != current);
                state.jumped = match state.jumped {
                    Some(jumped) if jumped != current => Some(SEVERAL),
                    _ => Some(current),
                };
            }
            // A composable function is defined in another file.
            Purpose::Call => state.is_used |= kind != Some(LabelKind::FC),
            Purpose::Block | Purpose::Subroutine => {
                let is_repeated = state.defined.is_some();
                leaves = state.jumped.is_some_and(|jumped| jumped != current) && !is_repeated;
                state.defined = Some(state.defined.unwrap_or(current));
                definitions::check(&Definition { label, is_repeated }, cx);
            }
        }
        uses::check(&LabelReference { field, label, purpose, kind, leaves }, cx);
    }

    /// Applies the rules that depend on all instructions of the routine.
    pub(in crate::verify) fn finish(self, cx: &mut Context<'_>) {
        for (index, state) in self.states.iter().enumerate() {
            cx.location = Location::Entry { table: IdClass::Label.name(), index };
            labels::check(state, cx);
        }
    }
}
