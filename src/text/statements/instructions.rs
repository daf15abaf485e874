//! Parsing of instructions and labels, which are the code of a routine.

use alloc::boxed::Box;
use core::ops::Range;

use super::routine::{DeferredInstruction, ParsedRoutine};
use crate::isa::Instruction;
use crate::operand::{LabelId, Slot, StringId, Visitor};
use crate::text::context::Parser;
use crate::text::cursor::Parsed;
use crate::text::recorder::TokenKind;
use crate::text::rows::BytesAnnotation;
use crate::wire::Wire;

impl<'t> Parser<'t> {
    /// Parses an instruction or the definition of a label, which may have an annotation.
    pub(in crate::text) fn code_statement(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        start: usize,
    ) -> Parsed<()> {
        // Fast path: few lines have an annotation.
        let has_annotation = self.c.may_have_annotation();
        if let Some((bytes_at, line_end)) = has_annotation.then(|| self.c.comment("//@")).flatten()
        {
            match self.is_paired_annotation(bytes_at) {
                true => self.paired_instruction(routine, start, bytes_at, line_end)?,
                false => self.instruction_with_bytes(routine, start, bytes_at, line_end)?,
            }
        } else if let Some((name, span)) = self.label_definition() {
            let is_first = start == 0 || self.c.text[start - 1] == b'\n';
            if self.is_strict() && !is_first {
                let help = "remove what precedes it in the line, including blanks";
                let message = "in version 4.2, a label is at the start of a line";
                self.c.fail_with_help(span.clone(), message, Some(help.into()));
            }
            self.define_label(routine, name, span)?;
        } else {
            self.place_function(routine);
            let instruction = self.instruction()?;
            self.push(routine, &instruction, start..self.c.at);
        }
        Ok(())
    }

    /// Parses a sampler message with its paired surface, which an annotation states.
    fn paired_instruction(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        start: usize,
        annotation: usize,
        end: usize,
    ) -> Parsed<()> {
        let mut instruction = self.instruction_with(true)?;
        let span = start..self.c.at;
        if !self.c.is_at_line_end() {
            return Err(self.c.expected("the end of the line"));
        }
        if instruction.paired_surface_mut().is_none() {
            let message = "only sampler messages have a paired surface";
            return Err(self.c.fail(annotation..end, message));
        }
        self.push(routine, &instruction, span);
        self.c.at = end;
        self.c.record(annotation, TokenKind::Annotation);
        Ok(())
    }

    /// Parses a line from `start`, whose annotation with the bytes begins at `bytes_at`.
    fn instruction_with_bytes(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        start: usize,
        bytes_at: usize,
        line_end: usize,
    ) -> Parsed<()> {
        let bytes_span = bytes_at..line_end;
        let line = self.c.text[start..self.end_before(&bytes_span)].trim_ascii_end();
        let label = line.strip_suffix(b":").unwrap_or(line);
        let is_subroutine = self.takes_function(routine, label);
        let (instruction, annotation, span) =
            self.bytes_annotation(start, bytes_span, is_subroutine)?;
        defer(routine, instruction, span, Some(Box::new(annotation)));
        self.c.at = line_end;
        Ok(())
    }

    /// Adds an instruction to the routine.
    pub(in crate::text) fn push(
        &mut self,
        routine: &mut ParsedRoutine<'_>,
        instruction: &Instruction,
        span: Range<usize>,
    ) {
        if has_deferred_ids(instruction) {
            defer(routine, *instruction, span, None);
            return;
        }
        let encoded = &mut routine.code.encoded;
        let start = encoded.len();
        routine.code.spans.push(span.clone());
        if let Err(error) = instruction.encode(encoded) {
            encoded.truncate(start);
            self.not_encodable(instruction, &error, span);
        }
    }
}

/// Adds an instruction to the routine that is encoded at its end.
fn defer(
    routine: &mut ParsedRoutine<'_>,
    instruction: Instruction,
    span: Range<usize>,
    annotation: Option<Box<BytesAnnotation>>,
) {
    let code = &mut routine.code;
    code.spans.push(span.clone());
    let position = code.encoded.len();
    code.deferred.push(DeferredInstruction { instruction, span, position, annotation });
}

/// Returns whether an instruction has the id of a string or label, which is not final before the
/// end of its routine.
fn has_deferred_ids(instruction: &Instruction) -> bool {
    struct DeferredIds(bool);

    impl Visitor for DeferredIds {
        fn label(&mut self, _: Slot, _: LabelId) {
            self.0 = true;
        }

        fn string(&mut self, _: Slot, _: StringId) {
            self.0 = true;
        }
    }

    let mut ids = DeferredIds(false);
    instruction.visit(&mut ids);
    ids.0
}
