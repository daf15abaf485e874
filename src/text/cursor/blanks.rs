//! Blanks, comments and line breaks, which separate statements and their parts.

use core::mem;

use memchr::{memchr, memchr_iter};

use super::Cursor;
use super::words::word_len;
use crate::text::recorder::TokenKind;
use crate::text::words::Directive;

/// Returns the length of the first line of a text, without its line break.
pub(in crate::text) fn line_len(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// Returns whether a text begins with a directive that starts a routine.
fn starts_routine(text: &[u8]) -> bool {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let Some(rest) = text[blanks..].strip_prefix(b".") else { return false };
    let word = &rest[..word_len(rest)];
    let starts = [Directive::Version, Directive::Kernel, Directive::GlobalFunction];
    starts.iter().any(|directive| directive.word().as_bytes() == word)
}

impl<'t> Cursor<'t> {
    /// Skips blanks and comments up to the end of the line or an annotation.
    #[inline]
    pub(in crate::text) fn skip_blanks(&mut self) {
        if self.peek() == Some(b' ') {
            self.at += 1;
        }
        // Fast path: usually there is nothing else to skip.
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'/' | b'\\')) {
            self.skip_blanks_and_comments();
        }
    }

    #[inline(never)]
    fn skip_blanks_and_comments(&mut self) {
        loop {
            self.skip_spaces();
            match self.rest() {
                [b'/', b'/', b'@', ..] => return,
                [b'/', b'/', ..] => {
                    let start = self.at;
                    self.skip_line();
                    self.record(start, TokenKind::Comment);
                }
                [b'/', b'*', rest @ ..] => {
                    // Do not search the rest of the text for every comment.
                    let rest = if self.at < self.last_comment_end { rest } else { &[] };
                    match rest.windows(2).position(|pair| pair == b"*/") {
                        Some(len) => {
                            let start = self.at;
                            self.at += len + 4;
                            self.record(start, TokenKind::Comment);
                        }
                        None => {
                            let start = self.at;
                            self.last_comment_end = self.last_comment_end.min(start);
                            self.at = self.routine_end();
                            self.report(start..start + 2, "unterminated comment");
                        }
                    }
                }
                [b'\\', b'\n', ..] if self.can_continue(self.at) => self.at += 2,
                [b'\\', b'\r', b'\n', ..] if self.can_continue(self.at) => self.at += 3,
                _ => return,
            }
        }
    }

    /// Skips blanks, but not comments: for the text of an annotation. Returns the next byte.
    pub(in crate::text) fn skip_spaces(&mut self) -> Option<u8> {
        // Comments are usually aligned.
        const MANY: [u8; 8] = [b' '; 8];
        while self.rest().starts_with(&MANY) {
            self.at += MANY.len();
        }
        // A carriage return is part of a line break.
        while matches!(self.rest(), [b' ' | b'\t', ..] | [b'\r'] | [b'\r', b'\n', ..]) {
            self.at += 1;
        }
        self.peek()
    }

    /// Returns whether only blanks and comments follow in the line.
    #[inline]
    pub(in crate::text) fn is_at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.rest(), [] | [b'\n', ..] | [b'/', b'/', ..])
    }

    /// Skips to the end of the line.
    pub(in crate::text) fn skip_line(&mut self) {
        self.at += line_len(self.rest());
    }

    /// Skips the rest of a statement, including comments and strings of several lines.
    pub(in crate::text) fn skip_statement(&mut self) {
        while !self.is_at_line_end() {
            if self.peek() == Some(b'"') {
                let start = self.at;
                // Skip the quote of an unterminated string.
                if self.string().is_err() {
                    self.at = self.at.max(start + 1);
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Skips the rest of a routine. Stops before the line break that precedes the next routine.
    pub(in crate::text) fn skip_routine(&mut self) {
        let diagnostics = mem::take(&mut self.diagnostics);
        loop {
            self.skip_statement();
            self.skip_line();
            let line_end = self.at;
            if self.is_at_end() {
                break;
            }
            self.at += 1;
            self.skip_blanks();
            if starts_routine(self.rest()) {
                self.at = line_end;
                break;
            }
        }
        self.diagnostics = diagnostics;
    }

    /// Returns the end of the last line before the next routine, judged by the first words of the
    /// lines.
    fn routine_end(&self) -> usize {
        let mut line_ends = memchr_iter(b'\n', self.rest()).map(|len| self.at + len);
        let end = line_ends.find(|end| starts_routine(&self.text[end + 1..]));
        end.unwrap_or(self.text.len())
    }

    /// Skips to the end of a statement with an error, and of the lines that continue it, but not
    /// into the next routine.
    pub(in crate::text) fn recover(&mut self, statement: usize) {
        self.skip_continued_line();
        let mut line = statement;
        let line_ends = memchr_iter(b'\n', &self.text[statement..self.at.min(self.text.len())]);
        for end in line_ends.map(|len| statement + len) {
            let text = self.text[line..end].trim_ascii_end();
            if text.ends_with(b"\\") && starts_routine(&self.text[end + 1..]) {
                self.at = end;
                self.diagnostics.clamp(end);
                return;
            }
            line = end + 1;
        }
    }

    /// Skips to the end of the line, and of the lines that continue it.
    fn skip_continued_line(&mut self) {
        let mut start = self.at;
        self.skip_line();
        while !self.is_at_end() && self.is_continued(start, self.at) {
            self.at += 1;
            start = self.at;
            self.skip_line();
        }
    }

    /// Returns whether the next line continues a line. The range does not include the line break.
    fn is_continued(&self, start: usize, end: usize) -> bool {
        let line = &self.text[start.min(end)..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.ends_with(b"\\")
            && self.can_continue(start + line.len() - 1)
            && !line.windows(2).any(|pair| pair == b"//")
    }

    /// Returns whether a backslash at a position can continue a line: a blank precedes it, and a part
    /// of a statement precedes the blank or the line that this one continues.
    fn can_continue(&self, at: usize) -> bool {
        let before = &self.text[..at.min(self.text.len())];
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match &before[..before.len() - blanks] {
            [] => false,
            [line @ .., b'\n'] => line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\"),
            _ => blanks > 0,
        }
    }

    /// Returns whether an `@` may be in the rest of the line or of those that continue it.
    pub(in crate::text) fn may_have_annotation(&mut self) -> bool {
        if !(self.plain.start..=self.plain.end).contains(&self.at) {
            let len = memchr(b'@', self.rest()).unwrap_or(self.rest().len());
            self.plain = self.at..self.at + len;
        }
        let before = self.text.get(self.at..self.plain.end).unwrap_or_default();
        if self.plain.end == self.text.len() {
            return false;
        }
        let line = &before[..line_len(before)];
        // A backslash may continue the line.
        line.len() == before.len() || line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
    }

    /// Finds a comment that begins with `mark` in this line, outside of quotes. Returns the
    /// positions of the comment and of the end of the line.
    pub(in crate::text) fn comment(&self, mark: &str) -> Option<(usize, usize)> {
        let rest = self.rest();
        let mut len = line_len(rest);
        let mut start = 0;
        while len < rest.len() && self.is_continued(self.at + start, self.at + len) {
            start = len + 1;
            len = start + line_len(&rest[start..]);
        }
        let (mut quoted, mut escaped) = (false, false);
        for (i, byte) in rest[..len].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = quoted,
                b'"' => quoted = !quoted,
                b'/' if !quoted && rest[i..len].starts_with(mark.as_bytes()) => {
                    return Some((self.at + i, self.at + len));
                }
                _ => {}
            }
        }
        None
    }
}
