//! Reading text from left to right: blanks, words, numbers, strings, and where each of them stood.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::diagnostic::{Collector, Diagnostic, cut};

/// A place in the text, and what is wrong there was already said.
pub(in crate::text) struct Failed;

pub(in crate::text) type Parsed<T> = Result<T, Failed>;

/// A position in the text, and all that was found wrong so far.
pub(in crate::text) struct Cursor<'t> {
    pub(in crate::text) text: &'t [u8],
    pub(in crate::text) at: usize,
    pub(super) diagnostics: Collector,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'?')
}

impl<'t> Cursor<'t> {
    pub(in crate::text) fn new(text: &'t [u8]) -> Cursor<'t> {
        Cursor { text, at: 0, diagnostics: Collector::default() }
    }

    pub(in crate::text) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(in crate::text) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(in crate::text) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Moves over blanks and comments, but neither over the end of a line nor over `//@`.
    #[inline]
    pub(in crate::text) fn skip_blanks(&mut self) {
        // A call in vain is what most of them are.
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'/')) {
            self.skip_blanks_and_comments();
        }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
            match self.rest() {
                [b'/', b'/', b'@', ..] => return,
                [b'/', b'/', ..] => self.skip_line(),
                [b'/', b'*', rest @ ..] => {
                    let close = rest.windows(2).position(|pair| pair == b"*/");
                    match close {
                        Some(len) => self.at += len + 4,
                        None => {
                            let start = self.at;
                            self.at = self.text.len();
                            self.complain(start..start + 2, "this comment has no end");
                        }
                    }
                }
                _ => return,
            }
        }
    }

    /// Moves to the end of a statement's line, over the comments and strings in it.
    pub(in crate::text) fn skip_statement(&mut self) {
        while !self.is_at_line_end() {
            if self.peek() == Some(b'"') {
                let start = self.at;
                // One without an end is one byte that means nothing.
                if self.string().is_err() {
                    self.at = self.at.max(start + 1);
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Moves to the end of the line.
    pub(in crate::text) fn skip_line(&mut self) {
        let len = self.rest().iter().position(|byte| *byte == b'\n');
        self.at = len.map_or(self.text.len(), |len| self.at + len);
    }

    /// Whether nothing but comments follows in the line.
    pub(in crate::text) fn is_at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.rest(), [] | [b'\n', ..] | [b'/', b'/', ..])
    }

    /// Moves over a text if it comes next, blanks before it or not.
    pub(in crate::text) fn eat(&mut self, text: &str) -> bool {
        self.skip_blanks();
        self.eat_here(text)
    }

    /// Moves over a text if it comes next.
    pub(in crate::text) fn eat_here(&mut self, text: &str) -> bool {
        let eaten = self.rest().starts_with(text.as_bytes());
        if eaten {
            self.at += text.len();
        }
        eaten
    }

    /// Moves over a word if exactly that word comes next.
    pub(in crate::text) fn eat_word_here(&mut self, word: &str) -> bool {
        let ends = self.rest().get(word.len()).is_none_or(|byte| !is_word(*byte));
        ends && self.eat_here(word)
    }

    pub(in crate::text) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    /// Letters, digits and underscores, which may be none.
    pub(in crate::text) fn word_here(&mut self) -> &'t str {
        let rest = self.rest();
        let len = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        self.at += len;
        core::str::from_utf8(&rest[..len]).unwrap_or_default()
    }

    /// The name of a variable or label; predefined ones begin with `%`.
    pub(in crate::text) fn name(&mut self) -> Option<(&'t str, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let first = self.peek()?;
        if first.is_ascii_digit() || !(is_word(first) || first == b'%') {
            return None;
        }
        self.at += usize::from(first == b'%');
        self.word_here();
        let name = core::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
        Some((name, start..self.at))
    }

    /// An integer without a sign, decimal or hexadecimal, and whether it was the latter.
    pub(in crate::text) fn unsigned_here(&mut self) -> Option<(u64, bool)> {
        let start = self.at;
        let hexadecimal = matches!(self.rest(), [b'0', b'x' | b'X', ..]);
        let radix = if hexadecimal { 16 } else { 10 };
        self.at += if hexadecimal { 2 } else { 0 };
        let digits_start = self.at;
        let mut value = Some(0u64);
        while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) {
            value = value
                .and_then(|value| value.checked_mul(radix.into()))
                .and_then(|value| value.checked_add(digit.into()));
            self.at += 1;
        }
        if self.at == digits_start {
            self.at = start;
            return None;
        }
        if value.is_none() {
            self.complain(start..self.at, "this number does not fit into 64 bits");
        }
        Some((value.unwrap_or_default(), hexadecimal))
    }

    /// An integer of decimal digits alone, since what follows may be an `x`.
    pub(in crate::text) fn decimal_here<N: TryFrom<u64>>(&mut self, what: &str) -> Parsed<N> {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add((digit - b'0').into());
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected(what));
        }
        if self.at > start + 1 && self.text[start] == b'0' {
            return Err(self.fail(start..self.at, "a number here has no leading zeros"));
        }
        N::try_from(value).map_err(|_| {
            let digits = core::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
            let message = format!("`{}` is out of range for {what}", cut(digits));
            self.fail(start..self.at, &message)
        })
    }

    /// Moves over what may stand behind the first digits of a fraction.
    pub(in crate::text) fn skip_fraction(&mut self) {
        let digits = |cursor: &mut Self| {
            while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                cursor.at += 1;
            }
        };
        if self.eat_here(".") {
            digits(self);
        }
        // The grammar requires the sign.
        if matches!(self.rest(), [b'e' | b'E', b'+' | b'-', ..]) {
            self.at += 2;
            digits(self);
        }
    }

    /// An integer that the type holds.
    pub(in crate::text) fn number<N: TryFrom<i128>>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, Self::integer)
    }

    pub(in crate::text) fn number_by<N: TryFrom<i128>>(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Self) -> Parsed<i128>,
    ) -> Parsed<N> {
        self.skip_blanks();
        let start = self.at;
        let value = match read(self) {
            Ok(value) => value,
            Err(failed) => {
                if self.at == start {
                    self.diagnostics.rename_last_expected(what);
                }
                return Err(failed);
            }
        };
        N::try_from(value)
            .map_err(|_| self.fail(start..self.at, &format!("{value} is out of range for {what}")))
    }

    /// The bytes of a string in quotes.
    pub(in crate::text) fn string(&mut self) -> Parsed<Vec<u8>> {
        self.skip_blanks();
        let start = self.at;
        if !self.eat_here("\"") {
            return Err(self.expected("a string in quotes"));
        }
        let mut bytes = Vec::new();
        loop {
            match self.rest() {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(bytes);
                }
                [] | [b'\n', ..] => {
                    return Err(self.fail(start..self.at, "this string has no end"));
                }
                [b'\\', ..] => bytes.push(self.escape()?),
                [byte, ..] => {
                    bytes.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Parsed<u8> {
        let start = self.at;
        let kind = self.text.get(start + 1).copied().unwrap_or_default();
        self.at += 2;
        let byte = match kind {
            b'a' => 0x07,
            b'b' => 0x08,
            b'e' => 0x1b,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\'' | b'"' | b'?' | b'\\' => kind,
            b'x' => return self.digits(start, 16, 2),
            b'0'..=b'7' => {
                self.at -= 1;
                return self.digits(start, 8, 3);
            }
            _ => {
                self.at = start + 1;
                self.skip_char();
                return Err(self.fail(start..self.at, "there is no such escape"));
            }
        };
        Ok(byte)
    }

    /// Moves over a character, unless it ends the line.
    fn skip_char(&mut self) {
        if matches!(self.peek(), None | Some(b'\n')) {
            return;
        }
        self.at += 1;
        while self.peek().is_some_and(|byte| byte & 0xc0 == 0x80) {
            self.at += 1;
        }
    }

    /// One byte by at most `most` digits.
    fn digits(&mut self, start: usize, radix: u32, most: usize) -> Parsed<u8> {
        let (mut value, begin) = (0u32, self.at);
        while self.at - begin < most {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) else {
                break;
            };
            value = value * radix + digit;
            self.at += 1;
        }
        if self.at == begin {
            return Err(self.fail(start..self.at, "there is no such escape"));
        }
        u8::try_from(value).map_err(|_| self.fail(start..self.at, "this is more than a byte"))
    }

    /// Two hexadecimal digits a byte, up to a semicolon or the end of the line.
    pub(in crate::text) fn hex_bytes(&mut self) -> Parsed<Vec<u8>> {
        let mut bytes = Vec::new();
        while !matches!(self.skip_spaces(), None | Some(b'\n' | b';')) {
            let start = self.at;
            let word = self.word_here();
            match (word.len(), u8::from_str_radix(word, 16)) {
                (2, Ok(byte)) => bytes.push(byte),
                _ => {
                    if self.at == start {
                        self.skip_char();
                    }
                    return Err(self.fail(start..self.at, "expected two hexadecimal digits"));
                }
            }
        }
        Ok(bytes)
    }

    /// Inside a comment, where comments do not begin.
    pub(in crate::text) fn skip_spaces(&mut self) -> Option<u8> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        self.peek()
    }

    /// Says what was expected instead of what comes next.
    pub(in crate::text) fn expected(&mut self, what: &str) -> Failed {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let len = match rest {
            [] | [b'\n', ..] | [b'/', b'/', ..] => 0,
            [first, ..] if is_word(*first) => {
                rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
            }
            // A character of several bytes is one thing.
            [_, rest @ ..] => 1 + rest.iter().take_while(|byte| **byte & 0xc0 == 0x80).count(),
        };
        let found = core::str::from_utf8(&rest[..len]).unwrap_or_default();
        let found = cut(found).to_string();
        let mut diagnostic = Diagnostic::new(start..start + len, String::new());
        diagnostic.expected = Some(what.into());
        diagnostic.found = found;
        self.diagnostics.push(diagnostic);
        Failed
    }

    pub(in crate::text) fn complain(&mut self, span: Range<usize>, message: &str) {
        self.diagnostics.push(Diagnostic::new(span, message));
    }

    pub(in crate::text) fn fail(&mut self, span: Range<usize>, message: &str) -> Failed {
        self.complain(span, message);
        Failed
    }

    pub(in crate::text) fn fail_with_help(
        &mut self,
        span: Range<usize>,
        message: &str,
        help: Option<String>,
    ) -> Failed {
        let mut diagnostic = Diagnostic::new(span, message);
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
        Failed
    }
}
