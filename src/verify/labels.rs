//! Rules for labels: each placed once, of the kind that its uses want.

use alloc::vec;
use alloc::vec::Vec;

use super::context::{Context, Location};
use super::rule::{Rule, rules};
use crate::isa::Instruction;
use crate::object::LabelKind;
use crate::operand::LabelId;

/// The rules of this file.
pub(super) static RULES: &[&[&Rule]] = &[uses::RULES, placements::RULES, labels::RULES];

/// What was seen of a routine's labels.
#[derive(Default)]
pub(super) struct Labels {
    seen: Vec<Seen>,
    /// How many subroutines began.
    subroutine: u32,
}

/// What was seen of a label. Subroutines are numbered from 0, the routine's own code.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// The subroutine that it was placed in.
    placed: Option<u32>,
    /// The subroutine of the jumps to it before it was placed; [`SEVERAL`] if there were more.
    jumped: Option<u32>,
    is_used: bool,
}

/// No subroutine's number.
const SEVERAL: u32 = u32::MAX;

/// What an instruction does with a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Jump,
    Call,
    Block,
    Subroutine,
}

/// A label that an instruction names.
pub(super) struct Use {
    field: &'static str,
    label: LabelId,
    purpose: Purpose,
    /// Its kind, if it is declared.
    kind: Option<LabelKind>,
    /// Whether a jump leaves its subroutine, be it this one or, to a label that is only now placed,
    /// an earlier one.
    leaves: bool,
}

/// A label that is placed.
pub(super) struct Placement {
    label: LabelId,
    /// Whether it was before.
    again: bool,
}

impl Purpose {
    /// Whether a label of a kind serves it. Bit 0 tells subroutines, and functions, from blocks.
    fn accepts(self, kind: LabelKind) -> bool {
        match self {
            Purpose::Jump | Purpose::Block => kind.bits() & 1 == 0,
            Purpose::Call | Purpose::Subroutine => kind.bits() & 1 == 1 || kind == LabelKind::FC,
        }
    }
}

rules! { uses for Use;
    /// A label is declared.
    fn target "label-target" (Error, ANY, "4_visa_header, Labels") |u, c| {
        if u.kind.is_none() && c.body().is_some() {
            c.fail(u.field, u.label, "a label that is declared");
        }
    }

    /// A jump goes to a block and a call to a subroutine; LABEL marks a block, FUNC a subroutine.
    fn kind "label-kind" (Error, ANY, "4_visa_header, Labels") |u, c| {
        if let Some(kind) = u.kind.filter(|kind| !u.purpose.accepts(*kind)) {
            let expected = match u.purpose {
                Purpose::Jump | Purpose::Block => "that of a block",
                Purpose::Call | Purpose::Subroutine => "that of a subroutine",
            };
            c.fail(u.field, format_args!("a label of kind {kind}"), expected);
        }
    }

    /// A jump stays within its subroutine.
    fn leaves "label-same-subroutine" (Error, ANY, "JMP.md; GOTO.md") |u, c| {
        if u.leaves {
            c.fail(u.field, format_args!("{} of another subroutine", u.label), "of the same");
        }
    }
}

rules! { placements for Placement;
    /// A label is placed once.
    fn redefined "label-redefined" (Error, ANY, "4_visa_header, Labels") |p, c| {
        if p.again {
            c.fail("label", format_args!("{}, which was placed before", p.label), "a new one");
        }
    }
}

rules! { labels for Seen;
    /// A label that is jumped to or called is placed in the routine.
    fn undefined "label-undefined" (Error, ANY, "reference") |l, c| {
        if l.is_used && l.placed.is_none() {
            c.fail("", "used and nowhere placed", "placed");
        }
    }
}

impl Labels {
    /// Nothing seen of any of the labels.
    pub(super) fn new(count: usize) -> Labels {
        Labels { seen: vec![Seen::default(); count], subroutine: 0 }
    }

    /// Takes note of an instruction.
    #[inline]
    pub(super) fn see(&mut self, instruction: &Instruction, cx: &mut Context<'_>) {
        match instruction {
            Instruction::Label(i) => self.name("label", i.label, Purpose::Block, cx),
            Instruction::Subroutine(i) => {
                self.subroutine += 1;
                self.name("label", i.label, Purpose::Subroutine, cx);
            }
            Instruction::Jmp(i) => self.name("label", i.label, Purpose::Jump, cx),
            Instruction::Goto(i) => self.name("label", i.label, Purpose::Jump, cx),
            Instruction::Call(i) => self.name("label", i.label, Purpose::Call, cx),
            Instruction::SwitchJmp(i) => {
                for label in i.labels.iter() {
                    self.name("labels", *label, Purpose::Jump, cx);
                }
            }
            _ => {}
        }
    }

    #[inline(never)]
    fn name(
        &mut self,
        field: &'static str,
        label: LabelId,
        purpose: Purpose,
        cx: &mut Context<'_>,
    ) {
        let index = usize::from(label.0);
        let declared = cx.body.and_then(|body| body.labels.get(index));
        let kind = declared.map(|declared| declared.kind);
        let mut nowhere = Seen::default();
        let seen = self.seen.get_mut(index).unwrap_or(&mut nowhere);
        let here = self.subroutine;
        let mut leaves = false;
        match purpose {
            Purpose::Jump => {
                seen.is_used = true;
                leaves = seen.placed.is_some_and(|placed| placed != here);
                seen.jumped = match seen.jumped {
                    Some(jumped) if jumped != here => Some(SEVERAL),
                    _ => Some(here),
                };
            }
            // A composable function is placed in another file.
            Purpose::Call => seen.is_used |= kind != Some(LabelKind::FC),
            Purpose::Block | Purpose::Subroutine => {
                let again = seen.placed.is_some();
                leaves = seen.jumped.is_some_and(|jumped| jumped != here) && !again;
                seen.placed = Some(seen.placed.unwrap_or(here));
                placements::check(&Placement { label, again }, cx);
            }
        }
        uses::check(&Use { field, label, purpose, kind, leaves }, cx);
    }

    /// Applies the rules that need all of a routine's instructions.
    pub(super) fn end(self, cx: &mut Context<'_>) {
        for (index, seen) in self.seen.iter().enumerate() {
            cx.location = Location::Entry { table: "label", index };
            labels::check(seen, cx);
        }
    }
}
