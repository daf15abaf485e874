//! Lowering of instructions with their bytes in an annotation.

use alloc::format;
use alloc::string::String;
use core::cell::OnceCell;

use super::final_ids::FinalIds;
use crate::format::Format;
use crate::isa::{IdClass, Instruction};
use crate::object::{Body, Name};
use crate::operand::LabelId;
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::names::{Names, string_ids};
use crate::text::rows::{InstructionBytes, RESERVED};
use crate::text::statements::{DeferredInstruction, ParsedRoutine};
use crate::text::words::Style;

impl<'t> Parser<'t> {
    /// Returns the instruction of the bytes with the ids of the text, or the instruction of the
    /// text if the bytes do not match it.
    pub(super) fn lower_with_bytes(
        &mut self,
        deferred: DeferredInstruction,
        final_ids: &mut FinalIds<'_>,
        tables: &RoutineTables<'_, '_>,
    ) -> Parsed<Instruction> {
        let DeferredInstruction { instruction, span, annotation, .. } = deferred;
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
                let fits = matched.replace_ids(|id| match id.class {
                    IdClass::Label => match final_ids.final_label(LabelId(id.number as u16)) {
                        Some(label) => label.0.into(),
                        None => {
                            has_labels = false;
                            id.number
                        }
                    },
                    _ => id.number,
                });
                if has_labels && fits.is_ok() {
                    return Ok(matched);
                }
            }
        }
        let line = String::from_utf8_lossy(&self.c.text[span.clone()]).into_owned();
        if let Some(names) = tables.names() {
            let mut printer = Printer::new(Style::Complete, format, Some(names));
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
}

/// The tables of a routine, for instructions with their bytes in an annotation.
pub(in crate::text) struct RoutineTables<'r, 't> {
    body: &'r Body<'r>,
    routine: &'r ParsedRoutine<'t>,
    /// The names of the text, or `None` if several variables may have the same name. Created on
    /// demand.
    names: OnceCell<Option<Names<'r>>>,
}

impl<'r, 't> RoutineTables<'r, 't> {
    pub(in crate::text) fn new(body: &'r Body<'r>, routine: &'r ParsedRoutine<'t>) -> Self {
        RoutineTables { body, routine, names: OnceCell::new() }
    }

    fn names(&self) -> Option<&Names<'r>> {
        let names = self.names.get_or_init(|| {
            let names = || {
                let body = self.body;
                let names = Names::new(body, b"", Style::Complete, Format::default(), &RESERVED);
                names.with_text(&self.routine.names())
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
    let ids = string_ids(instruction).into_iter();
    ids.map(move |id| table(id.0).map_or(&b""[..], Name::as_bytes))
}
