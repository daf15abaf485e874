//! Strings in quotes, and bytes in hexadecimal.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr3;

use super::{Cursor, Failed, Parsed, char_len};
use crate::text::diagnostic::cut;
use crate::text::recorder::TokenKind;

impl<'t> Cursor<'t> {
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
                    self.record(start, TokenKind::String);
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

    /// Reads a string in quotes or a name, and returns its bytes. Returns `None` if neither comes
    /// next.
    pub(in crate::text) fn string_or_name(&mut self) -> Parsed<Option<Cow<'t, [u8]>>> {
        self.skip_blanks();
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            _ => Ok(self.name().map(|(name, _)| name.as_bytes().into())),
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

    /// Skips a character of UTF-8, unless it ends the line.
    fn skip_char(&mut self) {
        if !matches!(self.peek(), None | Some(b'\n')) {
            self.at += char_len(self.rest());
        }
    }
}
