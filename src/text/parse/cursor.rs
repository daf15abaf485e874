//! A cursor over the text, which reads blanks, words, numbers and strings.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr3};

use super::diagnostic::{Collector, Diagnostic, cut};
use super::expression::Builtins;

/// Parsing failed; the diagnostic has been recorded.
pub(in crate::text) struct Failed;

pub(in crate::text) type Parsed<T> = Result<T, Failed>;

/// A position in the text, and the diagnostics that have been recorded.
pub(in crate::text) struct Cursor<'t> {
    pub(in crate::text) text: &'t [u8],
    /// The text, if it is UTF-8: a part of it needs no validation.
    utf8: Option<&'t str>,
    pub(in crate::text) at: usize,
    /// A part of the text without `@`, which ends before one or at the end of the text.
    plain: Range<usize>,
    pub(super) diagnostics: Collector,
    /// The values of `%sizeof` and `%DispatchSimd`.
    pub(super) builtins: Builtins<'t>,
    /// Whether decimal numbers must fit in 31 bits.
    pub(super) has_short_decimals: bool,
}

/// A type of integers in the text.
pub(in crate::text) trait Integer: TryFrom<u32> + TryFrom<i128> {}

impl<N: TryFrom<u32> + TryFrom<i128>> Integer for N {}

/// Returns whether words, such as names and mnemonics, contain a byte.
#[inline]
fn is_word(byte: u8) -> bool {
    const IS_WORD: [bool; 256] = {
        let (mut table, mut byte) = ([false; 256], 0u8);
        while byte < 128 {
            table[byte as usize] =
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'?');
            byte += 1;
        }
        table
    };
    IS_WORD[usize::from(byte)]
}

/// Returns the length of the first line of a text, without its line break.
pub(in crate::text) fn line_len(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

impl<'t> Cursor<'t> {
    pub(in crate::text) fn new(text: &'t [u8]) -> Cursor<'t> {
        Cursor::with_utf8(text, core::str::from_utf8(text).ok())
    }

    /// Returns a new cursor at the start of the text.
    pub(super) fn at_start(&self) -> Cursor<'t> {
        Cursor::with_utf8(self.text, self.utf8)
    }

    fn with_utf8(text: &'t [u8], utf8: Option<&'t str>) -> Cursor<'t> {
        Cursor {
            text,
            utf8,
            at: 0,
            plain: 0..0,
            diagnostics: Collector::default(),
            builtins: Builtins::default(),
            has_short_decimals: false,
        }
    }

    #[inline]
    pub(in crate::text) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns a part of the text, or an empty string if it is not UTF-8.
    #[inline]
    pub(super) fn str(&self, span: Range<usize>) -> &'t str {
        match self.utf8 {
            Some(text) => text.get(span).unwrap_or_default(),
            None => self.text.get(span).map_or("", |part| core::str::from_utf8(part).unwrap_or("")),
        }
    }

    #[inline]
    pub(in crate::text) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(in crate::text) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

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
                [b'/', b'/', ..] => self.skip_line(),
                [b'/', b'*', rest @ ..] => {
                    let close = rest.windows(2).position(|pair| pair == b"*/");
                    match close {
                        Some(len) => self.at += len + 4,
                        None => {
                            let start = self.at;
                            self.at = self.text.len();
                            self.report(start..start + 2, "unterminated comment");
                        }
                    }
                }
                [b'\\', b'\n', ..] if self.follows_blank(self.at) => self.at += 2,
                [b'\\', b'\r', b'\n', ..] if self.follows_blank(self.at) => self.at += 3,
                _ => return,
            }
        }
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

    /// Skips to the end of the line.
    pub(in crate::text) fn skip_line(&mut self) {
        self.at += line_len(self.rest());
    }

    /// Returns whether an `@` may be in the rest of the line or of those that continue it.
    pub(super) fn may_have_annotation(&mut self) -> bool {
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

    /// Skips to the end of the line, and of the lines that continue it.
    pub(super) fn skip_continued_line(&mut self) {
        let mut start = self.at;
        self.skip_line();
        while !self.is_at_end() && self.is_continued(start, self.at) {
            self.at += 1;
            start = self.at;
            self.skip_line();
        }
    }

    /// Returns whether the next line continues a line. The range is that of the line without its
    /// line break.
    pub(super) fn is_continued(&self, start: usize, end: usize) -> bool {
        let line = &self.text[start.min(end)..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.ends_with(b"\\")
            && self.follows_blank(start + line.len() - 1)
            && !line.windows(2).any(|pair| pair == b"//")
    }

    /// Returns whether a blank or a line break precedes a position, as before a backslash that
    /// continues a line.
    fn follows_blank(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.text.get(before));
        matches!(before, None | Some(b' ' | b'\t' | b'\n'))
    }

    /// Returns whether only blanks and comments follow in the line.
    #[inline]
    pub(in crate::text) fn is_at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.rest(), [] | [b'\n', ..] | [b'/', b'/', ..])
    }

    /// Skips blanks, and a text if it follows. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat(&mut self, text: &str) -> bool {
        self.skip_blanks();
        self.eat_here(text)
    }

    /// Skips a text if it comes next. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat_here(&mut self, text: &str) -> bool {
        let eaten = self.rest().starts_with(text.as_bytes());
        if eaten {
            self.at += text.len();
        }
        eaten
    }

    /// Skips a word if it comes next and is not part of a longer one. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat_word_here(&mut self, word: &str) -> bool {
        let ends = self.rest().get(word.len()).is_none_or(|byte| !is_word(*byte));
        ends && self.eat_here(word)
    }

    #[inline]
    pub(in crate::text) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected_text(text)) }
    }

    #[cold]
    fn expected_text(&mut self, text: &str) -> Failed {
        self.expected(&format!("`{text}`"))
    }

    /// Reads a word, which may be empty.
    pub(in crate::text) fn word_here(&mut self) -> &'t str {
        let start = self.at;
        self.skip_word();
        self.str(start..self.at)
    }

    #[inline]
    fn skip_word(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
    }

    /// Reads the name of a variable or label. Predefined names begin with `%`.
    pub(in crate::text) fn name(&mut self) -> Option<(&'t str, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let first = self.peek()?;
        if first.is_ascii_digit() || !(is_word(first) || first == b'%') {
            return None;
        }
        self.at += 1;
        self.skip_word();
        Some((self.str(start..self.at), start..self.at))
    }

    /// Reads the name of a label. It may contain `-` if it is in quotes.
    pub(in crate::text) fn label_name(&mut self) -> Option<(&'t str, Range<usize>)> {
        self.skip_blanks();
        if self.peek() != Some(b'"') {
            return self.name();
        }
        let start = self.at;
        self.at += 1;
        let name = self.label_here();
        if name.is_empty() || !self.eat_here("\"") {
            self.at = start;
            return None;
        }
        Some((name, start..self.at))
    }

    /// Reads the characters of a label, which include `-`. The name may be empty.
    pub(in crate::text) fn label_here(&mut self) -> &'t str {
        let start = self.at;
        if self.peek().is_some_and(|first| is_word(first) && !first.is_ascii_digit()) {
            while self.peek().is_some_and(|byte| is_word(byte) || byte == b'-') {
                self.at += 1;
            }
        }
        self.str(start..self.at)
    }

    /// Reads an unsigned integer. Returns it and whether it is hexadecimal.
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
        match value {
            None => self.report(start..self.at, "this number does not fit in 64 bits"),
            Some(value) if self.has_short_decimals && !hexadecimal && !self.is_at_fraction() => {
                self.require_short_decimal(value, start..self.at);
            }
            Some(_) => {}
        }
        Some((value.unwrap_or_default(), hexadecimal))
    }

    /// Reads an unsigned integer as [`unsigned_here`](Self::unsigned_here) does, but also a decimal
    /// one of more than 31 bits.
    pub(super) fn unsigned_of_any_length(&mut self) -> Option<(u64, bool)> {
        let has_short_decimals = core::mem::take(&mut self.has_short_decimals);
        let number = self.unsigned_here();
        self.has_short_decimals = has_short_decimals;
        number
    }

    /// Reports a decimal number of more than 31 bits.
    pub(super) fn require_short_decimal(&mut self, value: u64, span: Range<usize>) {
        if i32::try_from(value).is_err() {
            let help = "write it in hexadecimal";
            let message = "version 4.2 has decimal numbers up to 2147483647";
            self.fail_with_help(span, message, Some(help.into()));
        }
    }

    /// Reads a decimal integer, which an `x` may follow.
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
            return Err(self.fail(start..self.at, "leading zeros are not allowed here"));
        }
        N::try_from(value).map_err(|_| {
            let digits = cut(self.str(start..self.at));
            let message = format!("`{digits}` is out of range for {what}");
            self.fail(start..self.at, &message)
        })
    }

    /// Returns whether a fraction or an exponent comes next.
    pub(in crate::text) fn is_at_fraction(&self) -> bool {
        self.peek() == Some(b'.') || matches!(self.rest(), [b'e' | b'E', b'+' | b'-', ..])
    }

    /// Skips the fraction and the exponent of a number.
    pub(in crate::text) fn skip_fraction(&mut self) {
        let digits = |cursor: &mut Self| {
            while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                cursor.at += 1;
            }
        };
        if self.eat_here(".") {
            digits(self);
        }
        // The grammar requires the sign of an exponent.
        if matches!(self.rest(), [b'e' | b'E', b'+' | b'-', ..]) {
            self.at += 2;
            digits(self);
        }
    }

    /// Reads an integer that fits in the type.
    pub(in crate::text) fn number<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        // Fast path: most numbers are decimal, short, and without a fraction.
        let number = self.number_before(|rest| matches!(rest, [b' ' | b')' | b'>' | b'\n', ..]));
        number.map_or_else(|| self.number_by(what, Self::integer), Ok)
    }

    pub(in crate::text) fn number_by<N: Integer>(
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
        N::try_from(value).map_err(|_| {
            self.fail(start..self.at, &format!("`{value}` is out of range for {what}"))
        })
    }

    /// Reads a short decimal number if it is a whole expression, after which comes one of the
    /// delimiters.
    #[inline]
    pub(super) fn number_before<N: TryFrom<u32>>(
        &mut self,
        is_delimiter: impl Fn(&[u8]) -> bool,
    ) -> Option<N> {
        /// The values of all numbers with so many digits fit in 31 bits.
        const MAX_DIGITS: usize = 9;
        self.skip_blanks();
        let rest = self.rest();
        let (mut value, mut len) = (0u32, 0);
        while let Some(digit @ b'0'..=b'9') = rest.get(len).copied() {
            if len == MAX_DIGITS {
                return None;
            }
            value = 10 * value + u32::from(digit - b'0');
            len += 1;
        }
        if len == 0 || !is_delimiter(&rest[len..]) {
            return None;
        }
        let value = N::try_from(value).ok()?;
        self.at += len;
        Some(value)
    }

    /// Reads a string in quotes, and returns its bytes.
    pub(in crate::text) fn string(&mut self) -> Parsed<Cow<'t, [u8]>> {
        self.skip_blanks();
        let start = self.at;
        if !self.eat_here("\"") {
            return Err(self.expected("a string in quotes"));
        }
        // It is borrowed unless it has escapes.
        let mut bytes = Cow::Borrowed(&b""[..]);
        loop {
            match self.rest() {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(bytes);
                }
                [] | [b'\n', ..] => {
                    return Err(self.fail(start..self.at, "unterminated string"));
                }
                [b'\\', ..] => bytes.to_mut().push(self.escape()?),
                rest => {
                    let len = memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
                    match &mut bytes {
                        Cow::Borrowed([]) => bytes = Cow::Borrowed(&rest[..len]),
                        bytes => bytes.to_mut().extend_from_slice(&rest[..len]),
                    }
                    self.at += len;
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
                let byte = self.digits(start, 8, 3)?;
                if self.at < start + 4 && matches!(self.peek(), Some(b'8' | b'9')) {
                    self.at += 1;
                    // The compiler accepts 8 and 9 as octal digits.
                    return Err(self.unknown_escape(start));
                }
                return Ok(byte);
            }
            _ => {
                self.at = start + 1;
                self.skip_char();
                return Err(self.unknown_escape(start));
            }
        };
        Ok(byte)
    }

    fn unknown_escape(&mut self, start: usize) -> Failed {
        let escape = String::from_utf8_lossy(&self.text[start..self.at]);
        let message = format!("unknown escape `{}`", cut(&escape));
        self.fail(start..self.at, &message)
    }

    /// Skips a character of UTF-8, unless it ends the line.
    fn skip_char(&mut self) {
        if matches!(self.peek(), None | Some(b'\n')) {
            return;
        }
        self.at += 1;
        while self.peek().is_some_and(|byte| byte & 0xc0 == 0x80) {
            self.at += 1;
        }
    }

    /// Reads a byte of at most `max_len` digits.
    fn digits(&mut self, start: usize, radix: u32, max_len: usize) -> Parsed<u8> {
        let (mut value, begin) = (0u32, self.at);
        while self.at - begin < max_len {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) else {
                break;
            };
            value = value * radix + digit;
            self.at += 1;
        }
        if self.at == begin {
            return Err(self.unknown_escape(start));
        }
        u8::try_from(value)
            .map_err(|_| self.fail(start..self.at, "this escape does not fit in a byte"))
    }

    /// Reads bytes, each of two hexadecimal digits, up to a semicolon or the end of the line.
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
                    let found = String::from_utf8_lossy(&self.text[start..self.at]);
                    let message =
                        format!("expected two hexadecimal digits, found `{}`", cut(&found));
                    return Err(self.fail(start..self.at, &message));
                }
            }
        }
        Ok(bytes)
    }

    /// Skips blanks, but not comments: for the text of an annotation. Returns the next byte.
    pub(in crate::text) fn skip_spaces(&mut self) -> Option<u8> {
        // Comments are usually aligned.
        const MANY: [u8; 8] = [b' '; 8];
        while self.rest().starts_with(&MANY) {
            self.at += MANY.len();
        }
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        self.peek()
    }

    /// Reports what was expected and the token that comes next.
    pub(in crate::text) fn expected(&mut self, what: &str) -> Failed {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let len = match rest {
            [] | [b'\n', ..] | [b'/', b'/', ..] => 0,
            [first, ..] if is_word(*first) => {
                rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
            }
            // Include all bytes of the character.
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

    pub(in crate::text) fn report(&mut self, span: Range<usize>, message: &str) {
        self.diagnostics.push(Diagnostic::new(span, message));
    }

    pub(in crate::text) fn fail(&mut self, span: Range<usize>, message: &str) -> Failed {
        self.report(span, message);
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
