//! Parsing of the lines of a text: braces, a statement, and an annotation.

use alloc::boxed::Box;
use core::ops::Range;

use super::Parser;
use super::annotations::Subject;
use super::comments;
use super::cursor::{Failed, Parsed};
use super::lower::has_late_ids;
use super::routine::{BytesAnnotation, LateInstruction};
use crate::isa::Instruction;
use crate::wire::Wire;

impl Parser<'_> {
    pub(super) fn statements(&mut self) {
        while !self.c.is_at_end() {
            let start = self.c.at;
            if let (Some(routine), Some(comment)) =
                (&mut self.routine, self.c.rest().strip_prefix(b"//"))
            {
                comments::read(comment, routine);
            }
            if self.c.is_at_line_end() {
                if self.c.rest().starts_with(b"//@") && self.annotation().is_err() {
                    self.recover(start);
                } else {
                    self.c.skip_line();
                }
                self.c.at += 1;
                continue;
            }
            match self.line() {
                Ok(()) => self.c.skip_line(),
                Err(_) => self.recover(start),
            }
        }
    }

    /// Goes on after an error in a statement: with the next line, or with the next routine if this
    /// one has too many errors.
    fn recover(&mut self, statement: usize) {
        if self.c.diagnostics.is_full() {
            self.c.skip_routine();
        }
        self.c.recover(statement);
    }

    /// Parses a line: braces, a statement, and an annotation.
    fn line(&mut self) -> Parsed<()> {
        let mut subject = Subject::Nothing;
        // Fast path: most lines have no braces.
        let has_braces = matches!(self.c.peek(), Some(b'{' | b'}'));
        let is_closed = has_braces && self.braces(true)?;
        if !is_closed && !self.c.is_at_line_end() {
            subject = self.statement()?;
        }
        if !self.c.is_at_line_end() {
            self.braces(false)?;
            if !self.c.is_at_line_end() {
                let failed = self.c.expected("the end of the line");
                return Err(self.with_help_on_separator(failed));
            }
        }
        if self.c.rest().starts_with(b"//@") {
            self.annotate(subject)?;
        }
        Ok(())
    }

    /// The largest number of nested scopes.
    const MAX_DEPTH: usize = 100;

    /// Parses braces, which open and close scopes. Scopes can only be opened if `can_open` is true,
    /// and before any is closed. Returns whether any was closed.
    fn braces(&mut self, can_open: bool) -> Parsed<bool> {
        let mut has_closed = false;
        loop {
            self.c.skip_blanks();
            let brace = self.c.at..self.c.at + 1;
            match self.c.peek() {
                Some(b'{') if self.routine.is_none() => {
                    return Err(self.expected_routine());
                }
                Some(b'{') if can_open && !has_closed => {
                    self.c.at += 1;
                    self.symbols.open(brace.start);
                    self.c.builtins.open_scope();
                    if let Some(routine) = &mut self.routine {
                        routine.has_scopes = true;
                    }
                    if self.symbols.depth() > Self::MAX_DEPTH {
                        return Err(self.c.fail(brace, "scopes are nested too deeply"));
                    }
                }
                Some(b'}') => {
                    self.c.at += 1;
                    if !self.symbols.close() {
                        return Err(self.c.fail(brace, "unexpected `}`: no scope is open"));
                    }
                    self.c.builtins.close_scope();
                    has_closed = true;
                }
                _ => return Ok(has_closed),
            }
        }
    }

    /// Parses a statement. Returns the subject of an annotation after it.
    fn statement(&mut self) -> Parsed<Subject> {
        let mut start = self.c.at;
        while self.c.peek() == Some(b'.') {
            let subject = self.directive()?;
            let span = start..self.c.at;
            if let Some(routine) = &mut self.routine {
                let counts = routine.counts();
                routine.source_map.record_declarations(counts, &span);
            }
            // The reference writes the first instruction into the line of the last attribute.
            let is_followed = subject == Subject::Attribute && self.c.eat_here("    ");
            if !is_followed || self.c.is_at_line_end() {
                return Ok(subject);
            }
            start = self.c.at;
        }
        if self.routine.is_none() {
            return Err(self.expected_routine());
        }
        // Fast path: few lines have an annotation.
        let has_annotation = self.c.may_have_annotation();
        if let Some((bytes_at, line_end)) = has_annotation.then(|| self.c.comment("//@")).flatten()
        {
            self.instruction_with_bytes(start, bytes_at, line_end)?;
        } else if let Some((name, span)) = self.label_definition() {
            let is_first = start == 0 || self.c.text[start - 1] == b'\n';
            if self.is_strict() && !is_first {
                let help = "remove what precedes it in the line, including blanks";
                let message = "in version 4.2, a label is at the start of a line";
                self.c.fail_with_help(span.clone(), message, Some(help.into()));
            }
            self.define_label(name, span)?;
        } else {
            let instruction = self.instruction()?;
            self.push(&instruction, start..self.c.at);
        }
        Ok(Subject::Nothing)
    }

    /// Reports a statement that is in no routine, and skips to the next routine: every statement up
    /// to there would have the same error.
    fn expected_routine(&mut self) -> Failed {
        let failed = self.c.expected("`.kernel` or `.global_function`");
        self.c.skip_routine();
        failed
    }

    /// Adds an instruction to the routine.
    pub(super) fn push(&mut self, instruction: &Instruction, span: Range<usize>) {
        let Some(routine) = &mut self.routine else { return };
        if has_late_ids(instruction) {
            self.push_late(*instruction, span, None);
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

    /// Adds an instruction to the routine that is encoded at its end.
    pub(super) fn push_late(
        &mut self,
        instruction: Instruction,
        span: Range<usize>,
        annotation: Option<Box<BytesAnnotation>>,
    ) {
        let Some(routine) = &mut self.routine else { return };
        let code = &mut routine.code;
        code.spans.push(span.clone());
        let position = code.encoded.len();
        code.late.push(LateInstruction { instruction, span, position, annotation });
    }
}
