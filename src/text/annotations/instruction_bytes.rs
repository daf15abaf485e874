//! Instructions with their bytes in an annotation, because their text is incomplete.
//!
//! The bytes have the ids of the time when the text was printed. Declarations and labels may have
//! been added, moved or renamed since then, so ids are taken from the text if it contains them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::format::Format;
use crate::isa::Instruction;
use crate::object::Body;
use crate::operand::{PredId, SurfaceId, VarId};
use crate::text::Style;
use crate::text::print::{Print, Printer};

/// The class of an id, as the letter that precedes it in text without names, and the id.
pub(in crate::text) type Reference = (char, u32);

/// Replaces the ids of an instruction, unless a new one is too large for its field.
pub(in crate::text) fn replace_ids(
    instruction: &mut Instruction,
    mut replace: impl FnMut(char, u32) -> u32,
) -> Option<()> {
    instruction.replace_ids(|id| replace(id.class.letter(), id.number)).ok()
}

/// Returns the ids of an instruction.
pub(in crate::text) fn references(instruction: &Instruction) -> Vec<Reference> {
    let mut found = Vec::new();
    instruction.visit_ids(|id| found.push((id.class.letter(), id.number)));
    found
}

/// Visits the ids of an instruction that are not in its text, which has ids for names.
pub(super) fn each_hidden(instruction: &Instruction, text: &str, mut visit: impl FnMut(Reference)) {
    // `references` would allocate for each instruction.
    instruction.visit_ids(|id| {
        let id = (id.class.letter(), id.number);
        if !tokens(text).filter_map(reference).any(|shown| shown == id) {
            visit(id);
        }
    });
}

/// Returns whether an id is that of a declaration or label of a routine.
pub(in crate::text) fn is_in_tables((class, id): Reference, body: &Body<'_>) -> bool {
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

/// Returns the text of an instruction with ids for names.
fn with_ids(instruction: &Instruction, format: Format) -> String {
    let mut printer = Printer::new(Style::Faithful, format, None);
    instruction.print(&mut printer);
    printer.line.as_str().into_owned()
}

/// Splits text into words and single other characters, without blanks.
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

/// Returns the id that a token of [`with_ids`] represents.
fn reference(token: &str) -> Option<Reference> {
    let mut chars = token.chars();
    let class = chars.next().filter(|class| matches!(class, 'V' | 'A' | 'P' | 'S' | 'T' | 'L'))?;
    let digits = chars.as_str();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((class, digits.parse().ok().filter(|_| is_number)?))
}

/// An instruction with its bytes in an annotation.
#[derive(Clone, Debug)]
pub(in crate::text) struct InstructionBytes {
    /// The instruction of the bytes.
    pub(in crate::text) instruction: Instruction,
    /// The ids that are not in the text, and the current ids of the names in the annotation.
    pub(in crate::text) hidden: BTreeMap<Reference, u32>,
}

impl InstructionBytes {
    /// Returns whether the annotation has names for exactly those ids of the bytes that are not in
    /// the text and are declared.
    fn names_hidden(&self, format: Format, body: &Body<'_>) -> bool {
        let (mut is_complete, mut unused) = (true, self.hidden.clone());
        each_hidden(&self.instruction, &with_ids(&self.instruction, format), |id| {
            unused.remove(&id);
            is_complete &= self.hidden.contains_key(&id) || !is_in_tables(id, body);
        });
        is_complete && unused.is_empty()
    }

    /// Returns the instruction of the bytes with the ids of that of the text, if the two have the
    /// same text except for ids. The strings are those of the bytes.
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
        let (bytes, text) = (without_strings(&self.instruction)?, without_strings(text)?);
        let (printed, expected) = (with_ids(&bytes, format), with_ids(&text, format));
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

    /// Returns the instruction of the bytes if it prints as this text with the names of a routine.
    pub(in crate::text) fn if_printed_as(
        &self,
        text: &str,
        p: &mut Printer<'_>,
        body: &Body<'_>,
    ) -> Option<Instruction> {
        let is_renumbered = |(old, new): (&Reference, &u32)| old.1 != *new;
        if self.hidden.iter().any(is_renumbered) || !self.names_hidden(p.format, body) {
            return None;
        }
        p.line.clear();
        self.instruction.print(p);
        let printed = p.line.as_str();
        // The bytes of a subroutine are in the line of its label.
        let printed = printed.rsplit('\n').next().unwrap_or_default();
        tokens(text).eq(tokens(printed)).then_some(self.instruction)
    }
}
