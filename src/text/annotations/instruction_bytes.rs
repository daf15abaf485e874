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
use crate::operand::{PredId, SurfaceId, VarId};
use crate::text::Style;
use crate::text::print::{Printer, Token};

/// A class of ids, by the letter that an id without a name is printed with, and an id.
pub(in crate::text) type Reference = (char, u32);

/// Replaces the ids of an instruction, unless a new one is too large for its field.
pub(in crate::text) fn replace_ids(
    instruction: &mut Instruction,
    mut replace: impl FnMut(char, u32) -> u32,
) -> Option<()> {
    instruction.replace_ids(|id| replace(id.class.letter(), id.number)).ok()
}

/// The ids of an instruction.
pub(in crate::text) fn references(instruction: &Instruction) -> Vec<Reference> {
    let mut found = Vec::new();
    instruction.visit_ids(|id| found.push((id.class.letter(), id.number)));
    found
}

/// Shows the ids of an instruction that its text, printed with ids for names, does not show.
pub(super) fn each_hidden(instruction: &Instruction, text: &str, mut visit: impl FnMut(Reference)) {
    // Not `references`, which allocates: this is for each instruction that has bytes.
    instruction.visit_ids(|id| {
        let id = (id.class.letter(), id.number);
        if !tokens(text).filter_map(reference).any(|shown| shown == id) {
            visit(id);
        }
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
pub(in crate::text) struct InstructionBytes {
    /// What the bytes say.
    pub(in crate::text) instruction: Instruction,
    /// The ids that the text does not show, by the ids of today where names were given.
    pub(in crate::text) hidden: BTreeMap<Reference, u32>,
}

impl InstructionBytes {
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
            replace_ids(&mut copy, |class, id| if class == '#' { 0 } else { id })?;
            Some(copy)
        };
        let (exact, text) = (without_strings(&self.instruction)?, without_strings(text)?);
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
        replace_ids(&mut result, |class, id| new.get(&(class, id)).copied().unwrap_or(id))?;
        (with_ids(&without_strings(&result)?, format) == expected).then_some(result)
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
