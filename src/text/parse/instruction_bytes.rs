//! Parsing and lowering of instructions with their bytes in an annotation.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use core::cell::OnceCell;

use super::Parser;
use super::cursor::Parsed;
use super::diagnostic::{Collector, Diagnostic};
use super::labels::label_instruction;
use super::lower::FinalIds;
use super::routine::{BytesAnnotation, LateInstruction, ParsedRoutine};
use super::symbols::Symbol;
use crate::isa::Instruction;
use crate::object::{Body, Name};
use crate::operand::LabelId;
use crate::text::Style;
use crate::text::annotations::{InstructionBytes, Reference, references, replace_ids};
use crate::text::names::Names;
use crate::text::print::Printer;

impl<'t> Parser<'t> {
    /// Parses a line from `start`, whose annotation with the bytes begins at `bytes_at`.
    pub(super) fn instruction_with_bytes(
        &mut self,
        start: usize,
        bytes_at: usize,
        line_end: usize,
    ) -> Parsed<()> {
        let end = self.c.comment("//").map_or(bytes_at, |(comment, _)| comment);
        let (text, is_label) = self.instruction_without_bytes(end);
        self.c.at = bytes_at + 3;
        let bytes = self.c.hex_bytes()?;
        let hidden = self.hidden()?;
        let instruction = match Instruction::from_bytes(&bytes, self.text_format()) {
            Ok(instruction) => instruction,
            Err(error) => {
                let message = format!("invalid instruction bytes: {error}");
                return Err(self.c.fail(bytes_at..line_end, &message));
            }
        };
        if matches!(instruction, Instruction::Subroutine(_)) || is_label {
            self.follows_function(&self.c.text[start..end])?;
        }
        let annotation = Box::new(BytesAnnotation { text, hidden });
        self.push_late(instruction, start..end, Some(annotation));
        self.c.at = line_end;
        Ok(())
    }

    /// Parses the text of an instruction up to `end`. Returns the instruction or the first error,
    /// and whether the line defines a label. Errors are not reported, and leave no new labels.
    fn instruction_without_bytes(
        &mut self,
        end: usize,
    ) -> (Result<Instruction, Option<Diagnostic>>, bool) {
        let diagnostics = core::mem::take(&mut self.c.diagnostics);
        let labels = self.symbols.labels.len();
        self.symbols.is_trial = true;
        let label = self.label_definition();
        let is_label = label.is_some();
        let parsed = match label {
            Some((name, span)) => {
                let is_subroutine = self.routine().function.is_some();
                let label = self.symbols.label(name, span);
                label.map(|label| label_instruction(label, is_subroutine))
            }
            None => self.instruction().ok(),
        };
        let is_complete = self.c.is_at_line_end() && self.c.at >= end;
        self.symbols.is_trial = false;
        let Collector(errors) = core::mem::replace(&mut self.c.diagnostics, diagnostics);
        let result = match parsed {
            Some(instruction) if is_complete && errors.is_empty() => Ok(instruction),
            _ => {
                self.symbols.forget_labels(labels);
                Err(errors.into_iter().next())
            }
        };
        (result, is_label)
    }

    /// Parses the references that are in the bytes, but not in the text: `; V40=x A3=y`. Returns
    /// the current ids of the names.
    fn hidden(&mut self) -> Parsed<BTreeMap<Reference, u32>> {
        let mut hidden = BTreeMap::new();
        if !self.c.eat_here(";") {
            return Ok(hidden);
        }
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let mut chars = self.c.word_here().chars();
            let reference =
                chars.next().and_then(|class| Some((class, chars.as_str().parse().ok()?)));
            let Some((class, old)) = reference.filter(|_| self.c.eat_here("=")) else {
                self.c.at = start;
                return Err(self.c.expected("an id and its name, such as `V40=x`"));
            };
            let Some((name, _)) = self.c.label_name() else {
                return Err(self.c.expected("a name"));
            };
            if let Some(new) = self.id_of(class, name) {
                hidden.insert((class, old), new);
            }
        }
        Ok(hidden)
    }

    /// Returns the instruction of the bytes with the ids of the text, or the instruction of the
    /// text if the bytes do not match it.
    pub(super) fn lower_with_bytes(
        &mut self,
        late: LateInstruction,
        final_ids: &mut FinalIds<'_>,
        tables: &RoutineTables<'_, '_>,
    ) -> Parsed<Instruction> {
        let LateInstruction { instruction, span, annotation, .. } = late;
        let Some(annotation) = annotation else { return Ok(instruction) };
        let format = self.text_format();
        let bytes = InstructionBytes { instruction, hidden: annotation.hidden };
        if let Ok(text) = &annotation.text {
            let same_strings = {
                let strings = &tables.body.strings;
                let of_bytes = strings_of(&bytes.instruction, |id| strings.get(id as usize));
                of_bytes.eq(strings_of(text, |id| self.strings.get(id)))
            };
            let matched = bytes.with_ids_of(text, format, tables.body).filter(|_| same_strings);
            if let Some(mut matched) = matched {
                let mut has_labels = true;
                let fits = replace_ids(&mut matched, |class, id| match class {
                    'L' => match final_ids.final_label(LabelId(id as u16)) {
                        Some(label) => label.0.into(),
                        None => {
                            has_labels = false;
                            id
                        }
                    },
                    _ => id,
                });
                if has_labels && fits.is_some() {
                    return Ok(matched);
                }
            }
        }
        let line = String::from_utf8_lossy(&self.c.text[span.clone()]).into_owned();
        if let Some(names) = tables.names() {
            let mut printer = Printer::new(Style::Faithful, format, Some(names));
            if let Some(printed) = bytes.if_printed_as(&line, &mut printer, tables.body) {
                return Ok(printed);
            }
        }
        match annotation.text {
            Ok(text) => {
                let message = "the bytes of the annotation do not match the text: they are ignored";
                self.warn(&span, message.into());
                final_ids.apply(text).map_err(|message| self.c.fail(span, message))
            }
            Err(error) => {
                let help =
                    error.map(|error| format!("the text without the bytes is invalid: {error}"));
                let message = "the bytes of the annotation do not match the text";
                Err(self.c.fail_with_help(span, message, help))
            }
        }
    }

    /// Returns the current id of a name, if it has this class.
    fn id_of(&self, class: char, name: &str) -> Option<u32> {
        match (class, self.symbols.find(name)?) {
            ('V', Symbol::Variable(id, _)) => Some(id.0),
            ('A', Symbol::Address(id)) => Some(id.0.into()),
            ('P', Symbol::Predicate(id)) => Some(id.0.into()),
            ('S', Symbol::Sampler(id)) => Some(id.into()),
            ('T', Symbol::Surface(id)) => Some(id.into()),
            _ => None,
        }
    }
}

/// The tables of a routine, for instructions with their bytes in an annotation.
pub(super) struct RoutineTables<'r, 't> {
    body: &'r Body<'r>,
    routine: &'r ParsedRoutine<'t>,
    /// The names of the text, or `None` if several variables may have the same name. Created on
    /// demand.
    names: OnceCell<Option<Names<'r>>>,
}

impl<'r, 't> RoutineTables<'r, 't> {
    pub(super) fn new(body: &'r Body<'r>, routine: &'r ParsedRoutine<'t>) -> Self {
        RoutineTables { body, routine, names: OnceCell::new() }
    }

    fn names(&self) -> Option<&Names<'r>> {
        let names = self.names.get_or_init(|| {
            let ParsedRoutine {
                variables,
                addresses,
                predicates,
                samplers,
                surfaces,
                label_names,
                ..
            } = self.routine;
            let names = || {
                Names::of_text(
                    self.body,
                    variables.iter().map(|variable| variable.symbol),
                    addresses.iter().map(|variable| variable.symbol),
                    predicates.iter().map(|variable| variable.symbol),
                    samplers.iter().map(|variable| variable.symbol),
                    surfaces.iter().map(|variable| variable.symbol),
                    label_names.iter().copied(),
                )
            };
            (!self.routine.has_scopes).then(names)
        });
        names.as_ref()
    }
}

/// Returns the strings of an instruction, which a table contains.
fn strings_of<'s>(
    instruction: &Instruction,
    table: impl Fn(u32) -> Option<&'s Name>,
) -> impl Iterator<Item = &'s [u8]> {
    let ids = references(instruction).into_iter().filter(|(class, _)| *class == '#');
    ids.map(move |(_, id)| table(id).map_or(&b""[..], Name::as_bytes))
}
