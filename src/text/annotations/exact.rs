//! Instructions that are given by their bytes, because their text does not say all of them.
//!
//! The ids in the bytes were right when the text was printed. Since then declarations and labels may
//! have been added, moved or renamed, so the ids are taken from the text where it names them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::format::Format;
use crate::isa::Instruction;
use crate::object::Body;
use crate::operand::{
    Aoffimmi, LabelId, LifetimeClass, Pred, PredId, Raw, SamplerId, ShortStringId, Slot,
    StateClass, StringId, SurfaceId, VarId, Vector, VectorKind, VisitorMut,
};
use crate::text::Style;
use crate::text::print::{Printer, Token};

/// A class of ids, by the letter that an id without a name is printed with, and an id.
pub(in crate::text) type Reference = (char, u32);

/// Shows each id of an instruction to a function, which can change it.
pub(in crate::text) struct References<F>(F);

impl<F: FnMut(char, u32) -> u32> References<F> {
    /// Lets a function replace the ids of an instruction. A replacement that has no room in its field
    /// is not made.
    pub(in crate::text) fn replace(instruction: &mut Instruction, function: F) {
        let mut references = References(function);
        if let Instruction::Lifetime(lifetime) = instruction {
            let class = match lifetime.properties.class {
                LifetimeClass::ADDRESS => 'A',
                LifetimeClass::PREDICATE => 'P',
                _ => 'V',
            };
            lifetime.variable.0 = (references.0)(class, lifetime.variable.0);
        }
        instruction.visit_mut(&mut references);
    }

    fn var(&mut self, id: &mut VarId) {
        id.0 = (self.0)('V', id.0);
    }

    fn short(&mut self, class: char, id: &mut u16) {
        let new = (self.0)(class, (*id).into());
        *id = u16::try_from(new).unwrap_or(*id);
    }

    fn byte(&mut self, class: char, id: &mut u8) {
        let new = (self.0)(class, (*id).into());
        *id = u8::try_from(new).unwrap_or(*id);
    }

    fn predicate(&mut self, pred: &mut Pred) {
        if pred.is_none() {
            return;
        }
        let mut id = pred.id();
        self.short('P', &mut id.0);
        if let Some(new) = Pred::new(id) {
            let new = new.with_control(pred.control());
            *pred = if pred.is_inverted() { new.inverted() } else { new };
        }
    }

    fn operand(&mut self, operand: &mut Vector) {
        match &mut operand.kind {
            VectorKind::General { var, .. } => self.var(var),
            VectorKind::Address { addr, .. } | VectorKind::Indirect { addr, .. } => {
                self.short('A', &mut addr.0);
            }
            VectorKind::Predicate(pred) => self.predicate(pred),
            VectorKind::Immediate(_) => {}
            VectorKind::State { class, index, .. } => match *class {
                StateClass::SURFACE => self.short('T', index),
                StateClass::SAMPLER => self.short('S', index),
                _ => {}
            },
        }
    }
}

impl<F: FnMut(char, u32) -> u32> VisitorMut for References<F> {
    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        self.predicate(pred);
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn dst(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn raw(&mut self, _: Slot, operand: &mut Raw) {
        self.var(&mut operand.var);
    }

    fn aoffimmi(&mut self, _: Slot, operand: &mut Aoffimmi) {
        self.operand(&mut operand.0);
    }

    fn surface(&mut self, _: Slot, SurfaceId(id): &mut SurfaceId) {
        self.byte('T', id);
    }

    fn sampler(&mut self, _: Slot, SamplerId(id): &mut SamplerId) {
        self.byte('S', id);
    }

    fn label(&mut self, _: Slot, LabelId(id): &mut LabelId) {
        self.short('L', id);
    }

    fn string(&mut self, _: Slot, StringId(id): &mut StringId) {
        *id = (self.0)('#', *id);
    }

    fn short_string(&mut self, _: Slot, ShortStringId(id): &mut ShortStringId) {
        self.short('#', id);
    }
}

/// The ids of an instruction.
pub(in crate::text) fn references(instruction: &Instruction) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut copy = *instruction;
    References::replace(&mut copy, |class, id| {
        found.push((class, id));
        id
    });
    found
}

/// Shows the ids of an instruction that its text, printed with ids for names, does not show.
pub(super) fn each_hidden(instruction: &Instruction, text: &str, mut see: impl FnMut(Reference)) {
    let mut copy = *instruction;
    References::replace(&mut copy, |class, id| {
        let is_shown = tokens(text).filter_map(reference).any(|shown| shown == (class, id));
        if !is_shown {
            see((class, id));
        }
        id
    });
}

/// Whether an id is that of a declaration or label of a routine.
pub(super) fn is_in_tables((class, id): Reference, body: &Body<'_>) -> bool {
    let (first, count) = match class {
        'V' => (VarId::FIRST_DECLARED.0, body.variables.len()),
        'A' => (0, body.addresses.len()),
        'P' => (PredId::FIRST_DECLARED.0.into(), body.predicates.len()),
        'S' => (0, body.samplers.len()),
        'T' => (SurfaceId::FIRST_DECLARED.0.into(), body.surfaces.len()),
        'L' => (0, body.labels.len()),
        _ => return false,
    };
    id.checked_sub(first).is_some_and(|index| (index as usize) < count)
}

/// The text of an instruction with ids for names.
fn with_ids(instruction: &Instruction, format: Format) -> String {
    let mut printer = Printer::new(Style::Faithful, format, None);
    instruction.print(&mut printer);
    printer.line.as_str().into_owned()
}

/// Names, numbers and single characters; blanks separate them.
pub(in crate::text) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        rest = rest.trim_start();
        let is_word =
            |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '$' | '@' | '?' | '%');
        let first = rest.chars().next()?;
        let len = match rest.find(|ch| !is_word(ch)) {
            Some(0) => first.len_utf8(),
            Some(len) => len,
            None => rest.len(),
        };
        let (token, after) = rest.split_at(len);
        rest = after;
        Some(token)
    })
}

/// The id that a token of [`with_ids`] is.
fn reference(token: &str) -> Option<Reference> {
    let mut chars = token.chars();
    let class = chars.next().filter(|class| matches!(class, 'V' | 'A' | 'P' | 'S' | 'T' | 'L'))?;
    let digits = chars.as_str();
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((class, digits.parse().ok().filter(|_| is_plain)?))
}

/// An instruction that was given by its bytes.
#[derive(Clone, Debug)]
pub(in crate::text) struct Exact {
    /// What the bytes say.
    pub(in crate::text) instruction: Instruction,
    /// The ids that the text does not show, by the ids of today where names were given.
    pub(in crate::text) hidden: BTreeMap<Reference, u32>,
}

impl Exact {
    /// Whether the annotation names what the bytes refer to and the text does not show, and nothing
    /// else.
    fn names_hidden(&self, format: Format, body: &Body<'_>) -> bool {
        let (mut is_complete, mut unused) = (true, self.hidden.clone());
        each_hidden(&self.instruction, &with_ids(&self.instruction, format), |id| {
            unused.remove(&id);
            is_complete &= self.hidden.contains_key(&id) || !is_in_tables(id, body);
        });
        is_complete && unused.is_empty()
    }

    /// The instruction of the bytes with the ids of the instruction that the text says, if the two
    /// have the same text otherwise. Strings stay those of the bytes.
    pub(in crate::text) fn with_ids_of(
        &self,
        text: &Instruction,
        format: Format,
        body: &Body<'_>,
    ) -> Option<Instruction> {
        let without_strings = |instruction: &Instruction| {
            let mut copy = *instruction;
            References::replace(&mut copy, |class, id| if class == '#' { 0 } else { id });
            copy
        };
        let (exact, text) = (without_strings(&self.instruction), without_strings(text));
        let (printed, expected) = (with_ids(&exact, format), with_ids(&text, format));
        let mut new = self.hidden.clone();
        if !self.names_hidden(format, body) {
            return None;
        }
        let (mut old_tokens, mut new_tokens) = (tokens(&printed), tokens(&expected));
        loop {
            match (old_tokens.next(), new_tokens.next()) {
                (None, None) => break,
                (Some(old), Some(token)) => match (reference(old), reference(token)) {
                    (Some(old), Some((class, id))) if old.0 == class => {
                        if *new.entry(old).or_insert(id) != id {
                            return None;
                        }
                    }
                    _ if old == token => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
        let mut result = self.instruction;
        References::replace(&mut result, |class, id| new.get(&(class, id)).copied().unwrap_or(id));
        (with_ids(&without_strings(&result), format) == expected).then_some(result)
    }

    /// The instruction of the bytes as it is, if its text, printed with the names of a routine, is
    /// this one.
    pub(in crate::text) fn if_printed_as(
        &self,
        text: &str,
        p: &mut Printer<'_>,
        body: &Body<'_>,
    ) -> Option<Instruction> {
        let is_moved = |(old, new): (&Reference, &u32)| old.1 != *new;
        if self.hidden.iter().any(is_moved) || !self.names_hidden(p.format, body) {
            return None;
        }
        p.line.clear();
        self.instruction.print(p);
        let printed = p.line.as_str();
        // Of a subroutine, the line of the label has the bytes.
        let printed = printed.rsplit('\n').next().unwrap_or_default();
        tokens(text).eq(tokens(printed)).then_some(self.instruction)
    }
}
