//! Instructions with their bytes in an annotation, because their text is incomplete.
//!
//! The bytes have the ids of the time when the text was printed. Declarations and labels may have
//! been added, moved or renamed since then, so ids are taken from the text if it contains them.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use crate::format::Format;
use crate::isa::{Id, IdClass, Instruction};
use crate::object::Body;
use crate::operand::VarId;
use crate::text::context::{Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::diagnostic::{Collector, Diagnostic};
use crate::text::names::{Symbol, string_ids};
use crate::text::operands::label_instruction;
use crate::text::recorder::TokenKind;
use crate::text::words::Style;

/// Visits the ids of an instruction, except of strings, that are not in its text, which has ids for names.
fn each_hidden(instruction: &Instruction, text: &str, mut visit: impl FnMut(Id)) {
    instruction.visit_ids(|id| {
        let is_shown = || tokens(text).filter_map(reference).any(|shown| shown == id);
        if id.class != IdClass::String && !is_shown() {
            visit(id);
        }
    });
}

/// Returns the text of an instruction with ids for names.
fn with_ids(instruction: &Instruction, format: Format) -> String {
    let mut printer = Printer::new(Style::Complete, format, None);
    instruction.print(&mut printer);
    printer.line.as_str().into_owned()
}

/// Splits text into words and single other characters, without blanks.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
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
fn reference(token: &str) -> Option<Id> {
    let mut chars = token.chars();
    let class = IdClass::from_letter(chars.next()?)?;
    let digits = chars.as_str();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some(Id { class, number: digits.parse().ok().filter(|_| is_number)? })
}

/// An instruction with its bytes in an annotation.
#[derive(Clone, Debug)]
pub(in crate::text) struct InstructionBytes {
    /// The instruction of the bytes.
    pub(in crate::text) instruction: Instruction,
    /// The ids that are not in the text, and the current ids of the names in the annotation.
    pub(in crate::text) hidden: BTreeMap<Id, u32>,
}

impl InstructionBytes {
    /// Returns whether the annotation has names for exactly those ids of the bytes that are not in
    /// the text and are declared.
    fn names_hidden(&self, format: Format, body: &Body<'_>) -> bool {
        let (mut is_complete, mut unused) = (true, self.hidden.clone());
        each_hidden(&self.instruction, &with_ids(&self.instruction, format), |id| {
            unused.remove(&id);
            is_complete &= self.hidden.contains_key(&id) || !body.declares(id);
        });
        is_complete && unused.is_empty()
    }

    /// Returns the instruction of the bytes with the ids of the instruction in the text, if the two
    /// have the same text except for ids. String ids are taken from the bytes.
    pub(in crate::text) fn with_ids_of(
        &self,
        text: &Instruction,
        format: Format,
        body: &Body<'_>,
    ) -> Option<Instruction> {
        let without_strings = |instruction: &Instruction| {
            let mut copy = *instruction;
            copy.replace_ids(|id| if id.class == IdClass::String { 0 } else { id.number }).ok()?;
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
                    (Some(old), Some(id)) if old.class == id.class => {
                        if *new.entry(old).or_insert(id.number) != id.number {
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
        result.replace_ids(|id| new.get(&id).copied().unwrap_or(id.number)).ok()?;
        (with_ids(&without_strings(&result)?, format) == expected).then_some(result)
    }

    /// Returns the instruction of the bytes if it prints as this text with the names of a routine.
    pub(in crate::text) fn if_printed_as(
        &self,
        text: &str,
        p: &mut Printer<'_>,
        body: &Body<'_>,
    ) -> Option<Instruction> {
        let is_renumbered = |(old, new): (&Id, &u32)| old.number != *new;
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

/// Prints the bytes of an instruction whose text is incomplete, and the names of the ids that only
/// the bytes contain.
pub(in crate::text) fn print_instruction_bytes(
    p: &mut Printer<'_>,
    instruction: &Instruction,
    bytes: &[u8],
) {
    p.line.push(" //@");
    p.line.hex_bytes(bytes);
    let Some(names) = p.names else { return };
    const MAX_HIDDEN: usize = 32;
    let (mut hidden, mut count) = ([Id::from(VarId(0)); MAX_HIDDEN], 0);
    // Find the ids that the text lacks by printing it with ids instead of names. The end of the
    // line is the buffer, so that this does not allocate.

    let (start, needs_string_pool) = (p.line.len(), p.needs_string_pool);
    p.names = None;
    instruction.print(p);
    let text = core::str::from_utf8(&p.line.bytes()[start..]).unwrap_or_default();
    each_hidden(instruction, text, |id| {
        let is_new = !hidden[..count].contains(&id);
        if is_new && count < MAX_HIDDEN && names.body().declares(id) {
            hidden[count] = id;
            count += 1;
        }
    });
    p.line.truncate(start);
    (p.names, p.needs_string_pool, p.is_incomplete) = (Some(names), needs_string_pool, true);
    for (i, id) in hidden.into_iter().take(count).enumerate() {
        p.line.push(if i == 0 { "; " } else { " " });
        p.id(id.class.letter(), id.number);
        p.line.ch('=');
        p.reference(id);
    }
}

/// The text of an instruction with its bytes in an annotation.
pub(in crate::text) struct BytesAnnotation {
    /// The instruction of the text without the bytes, or the first error in it.
    pub(in crate::text) text: Result<Instruction, Option<Box<Diagnostic>>>,
    /// The current ids of the references that are in the bytes, but not in the text.
    pub(in crate::text) hidden: BTreeMap<Id, u32>,
}

impl<'t> Parser<'t> {
    /// Parses a line from `start` without the tables of a routine.
    pub(super) fn single_instruction_with_bytes(
        &mut self,
        start: usize,
        bytes_at: usize,
        line_end: usize,
    ) -> Parsed<Instruction> {
        let bytes_span = bytes_at..line_end;
        let (instruction, annotation, span) = self.bytes_annotation(start, bytes_span, false)?;
        self.c.at = line_end;
        let (format, body) = (self.text_format(), Body::default());
        let bytes = InstructionBytes { instruction, hidden: annotation.hidden };
        let line = String::from_utf8_lossy(&self.c.text[span.clone()]).into_owned();
        let mut printer = Printer::new(Style::Complete, format, None);
        let matched = bytes.if_printed_as(&line, &mut printer, &body).or_else(|| {
            let text = annotation.text.as_ref().ok()?;
            let is_same = string_ids(text) == string_ids(&instruction);
            bytes.with_ids_of(text, format, &body).filter(|_| is_same)
        });
        matched
            .ok_or_else(|| self.c.fail(span, "the bytes of the annotation do not match the text"))
    }

    /// Returns the end of the text that comes next, before its first comment or annotation.
    pub(in crate::text) fn end_before(&self, annotation: &Range<usize>) -> usize {
        self.c.comment("//").map_or(annotation.start, |(comment, _)| comment)
    }

    /// Parses an instruction from `start` and its bytes, which are in an annotation. Returns the
    /// instruction of the bytes, the rest of the annotation, and the span of the instruction.
    pub(in crate::text) fn bytes_annotation(
        &mut self,
        start: usize,
        annotation: Range<usize>,
        is_subroutine: bool,
    ) -> Parsed<(Instruction, BytesAnnotation, Range<usize>)> {
        let end = self.end_before(&annotation);
        let text = self.instruction_without_bytes(end, is_subroutine);
        self.c.at = annotation.start + 3;
        self.c.record(annotation.start, TokenKind::Annotation);
        let bytes = self.c.hex_bytes()?;
        let hidden = self.hidden()?;
        let instruction = match Instruction::from_bytes(&bytes, self.text_format()) {
            Ok(instruction) => instruction,
            Err(error) => {
                let message = format!("invalid instruction bytes: {error}");
                return Err(self.c.fail(annotation, &message));
            }
        };
        Ok((instruction, BytesAnnotation { text, hidden }, start..end))
    }

    /// Parses the text of an instruction up to `end`, or of a label, which may start a subroutine.
    /// Returns the instruction or the first error. Errors are not reported, and leave no new labels.
    fn instruction_without_bytes(
        &mut self,
        end: usize,
        is_subroutine: bool,
    ) -> Result<Instruction, Option<Box<Diagnostic>>> {
        let diagnostics = core::mem::take(&mut self.c.diagnostics);
        let labels = self.symbols.labels.len();
        self.symbols.is_trial = true;
        let parsed = match self.label_definition() {
            Some((name, span)) => {
                self.record_label(&span, TokenKind::Definition);
                let label = self.symbols.label(name, span);
                label.map(|label| label_instruction(label, is_subroutine))
            }
            None => self.instruction().ok(),
        };
        let is_complete = self.c.is_at_line_end() && self.c.at >= end;
        self.symbols.is_trial = false;
        let Collector(errors) = core::mem::replace(&mut self.c.diagnostics, diagnostics);
        match parsed {
            Some(instruction) if is_complete && errors.is_empty() => Ok(instruction),
            _ => {
                self.symbols.forget_labels(labels);
                Err(errors.into_iter().next().map(Box::new))
            }
        }
    }

    /// Parses the references that are in the bytes, but not in the text: `; V40=x A3=y`. Returns
    /// the current ids of the names.
    fn hidden(&mut self) -> Parsed<BTreeMap<Id, u32>> {
        let mut hidden = BTreeMap::new();
        if !self.c.eat_here(";") {
            return Ok(hidden);
        }
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let mut chars = self.c.word_here().chars();
            let letter = chars.next();
            let number = chars.as_str().parse().ok();
            let Some((letter, number)) = letter.zip(number).filter(|_| self.c.eat_here("=")) else {
                self.c.at = start;
                return Err(self.c.expected("an id and its name, such as `V40=x`"));
            };
            let Some((name, span)) = self.c.label_name() else {
                return Err(self.c.expected("a name"));
            };
            let class = IdClass::from_letter(letter);
            let symbol = self.symbols.find(name).filter(|_| class != Some(IdClass::Label));
            match symbol {
                Some(symbol) => self.record_symbol(&span, symbol, TokenKind::Reference),
                None => self.record_label(&span, TokenKind::Reference),
            }
            if let Some(new) = symbol.and_then(Symbol::id).filter(|new| Some(new.class) == class) {
                hidden.insert(Id { class: new.class, number }, new.number);
            }
        }
        Ok(hidden)
    }
}
