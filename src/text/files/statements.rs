//! Parsing of the lines of a text: braces, a statement, and an annotation.

use super::parser::FileParser;
use crate::text::cursor::{Failed, Parsed};
use crate::text::recorder::TokenKind;
use crate::text::statements::annotations::Subject;
use crate::text::words::platforms;

impl FileParser<'_> {
    pub(in crate::text) fn statements(&mut self) {
        while !self.p.c.is_at_end() {
            let start = self.p.c.at;
            if let (Some(routine), Some(comment)) =
                (&mut self.routine, self.p.c.rest().strip_prefix(b"//"))
            {
                if let Some(efficient_64bit) = platforms::efficient_64bit(comment) {
                    routine.efficient_64bit = efficient_64bit;
                }
            }
            if self.p.c.is_at_line_end() {
                if self.p.c.rest().starts_with(b"//@") && self.annotation().is_err() {
                    self.recover(start);
                } else {
                    self.p.c.skip_line();
                }
                self.p.c.at += 1;
                continue;
            }
            match self.line() {
                Ok(()) => self.p.c.skip_line(),
                Err(_) => self.recover(start),
            }
        }
        self.complete_statement();
    }

    /// Records what can begin a statement as completions, if the text ends with an empty line.
    fn complete_statement(&mut self) {
        if !self.p.c.is_completing() {
            return;
        }
        let text = self.p.c.text;
        self.p.c.at = text.len();
        let line = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if !line.trim_ascii().is_empty() {
            return;
        }
        self.complete_directives(text.len());
        if self.routine.is_some() {
            self.p.complete_mnemonics();
        }
    }

    /// Goes on after an error in a statement: with the next line, or with the next routine if this
    /// one has too many errors.
    fn recover(&mut self, statement: usize) {
        let start = self.p.c.at;
        if self.p.c.diagnostics.is_full() {
            self.p.c.skip_routine();
        }
        self.p.c.recover(statement);
        if self.p.c.is_recording() {
            self.record_rest(start);
        }
    }

    /// Records the names, numbers and strings from a position to the cursor, which an error precedes.
    fn record_rest(&mut self, start: usize) {
        let end = core::mem::replace(&mut self.p.c.at, start);
        let diagnostics = core::mem::take(&mut self.p.c.diagnostics);
        loop {
            self.p.c.skip_blanks();
            let start = self.p.c.at;
            if start >= end {
                break;
            }
            match self.p.c.peek() {
                Some(b'"') if self.p.c.string().is_ok() => {}
                Some(b'0'..=b'9') => {
                    self.p.c.word_here();
                    self.p.c.record(start, TokenKind::Number);
                }
                _ => match self.p.c.name() {
                    Some((name, span)) => {
                        if let Some(symbol) = self.p.symbols.find(name) {
                            self.p.record_symbol(&span, symbol, TokenKind::Reference);
                        }
                    }
                    None => self.p.c.at = start + 1,
                },
            }
        }
        (self.p.c.at, self.p.c.diagnostics) = (end, diagnostics);
    }

    /// Parses a line: braces, a statement, and an annotation.
    fn line(&mut self) -> Parsed<()> {
        let mut subject = Subject::Nothing;
        // Fast path: most lines have no braces.
        let has_braces = matches!(self.p.c.peek(), Some(b'{' | b'}'));
        let is_closed = has_braces && self.braces(true)?;
        if !is_closed && !self.p.c.is_at_line_end() {
            subject = self.statement()?;
        }
        if !self.p.c.is_at_line_end() {
            self.braces(false)?;
            if !self.p.c.is_at_line_end() {
                let failed = self.p.c.expected("the end of the line");
                return Err(self.p.with_help_on_separator(failed));
            }
        }
        if self.p.c.rest().starts_with(b"//@") {
            self.p.annotate(self.routine.as_mut(), subject)?;
        }
        Ok(())
    }

    /// The largest number of nested scopes.
    const MAX_DEPTH: usize = 1000;

    /// Parses braces, which open and close scopes. Scopes can only be opened if `can_open` is true,
    /// and before any is closed. Returns whether any was closed.
    fn braces(&mut self, can_open: bool) -> Parsed<bool> {
        let mut has_closed = false;
        loop {
            self.p.c.skip_blanks();
            let brace = self.p.c.at..self.p.c.at + 1;
            match self.p.c.peek() {
                Some(b'{') if self.routine.is_none() => {
                    return Err(self.expected_routine());
                }
                Some(b'{') if can_open && !has_closed => {
                    self.p.c.at += 1;
                    self.p.symbols.open(brace.start);
                    self.p.c.builtins.open_scope();
                    if let Some(routine) = &mut self.routine {
                        routine.has_scopes = true;
                    }
                    if self.p.symbols.depth() > Self::MAX_DEPTH {
                        return Err(self.p.c.fail(brace, "at most 1000 scopes can be nested"));
                    }
                }
                Some(b'}') => {
                    self.p.c.at += 1;
                    if !self.p.symbols.close() {
                        return Err(self.p.c.fail(brace, "unexpected `}`: no scope is open"));
                    }
                    self.p.c.builtins.close_scope();
                    has_closed = true;
                }
                _ => return Ok(has_closed),
            }
        }
    }

    /// Parses a statement. Returns the subject of an annotation after it.
    fn statement(&mut self) -> Parsed<Subject> {
        let mut start = self.p.c.at;
        while self.p.c.peek() == Some(b'.') {
            let subject = self.directive()?;
            let span = start..self.p.c.at;
            if let Some(routine) = &mut self.routine {
                let counts = routine.counts();
                routine.source_map.record_declarations(counts, &span);
            }
            // GenX_IR writes the first instruction into the line of the last attribute.
            let is_followed = subject == Subject::Attribute && self.p.c.eat_here("    ");
            if !is_followed || self.p.c.is_at_line_end() {
                return Ok(subject);
            }
            start = self.p.c.at;
        }
        let Some(routine) = &mut self.routine else {
            return Err(self.expected_routine());
        };
        self.p.code_statement(routine, start)?;
        Ok(Subject::Nothing)
    }

    /// Reports a statement that is in no routine, and skips to the next routine: every statement up
    /// to there would have the same error.
    fn expected_routine(&mut self) -> Failed {
        let failed = self.p.c.expected("`.kernel` or `.global_function`");
        self.p.c.skip_routine();
        failed
    }
}
