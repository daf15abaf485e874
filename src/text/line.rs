//! The buffer that text is made in, and handed on when it is some lines.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use super::charset::{Charset, needs_escape};
use super::words::Words;

/// Text under way, as the bytes that it is. Its memory is used again when it was handed on.
///
/// Integers are written by hand: the formatting machinery of `core` costs several times as much.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: Vec<u8>,
}

/// The numbers of two decimal digits.
const PAIRS: &[u8; 200] = b"00010203040506070809101112131415161718192021222324\
                            25262728293031323334353637383940414243444546474849\
                            50515253545556575859606162636465666768697071727374\
                            75767778798081828384858687888990919293949596979899";
/// Those of one hexadecimal digit.
const HEX: &[u8; 16] = b"0123456789abcdef";

impl Line {
    pub(super) fn with_capacity(capacity: usize) -> Line {
        Line { text: Vec::with_capacity(capacity) }
    }

    /// What was written, as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.text
    }

    /// What was written. All of it was pushed as text, or as bytes that are ASCII.
    pub(super) fn as_str(&self) -> Cow<'_, str> {
        // Many times as fast as the other, which does not come up.
        match core::str::from_utf8(&self.text) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(&self.text),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// Takes back what was written behind a length that the text had.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
    }

    /// Hands on what was written.
    pub(super) fn flush<W: Write>(&mut self, out: &mut W) -> fmt::Result {
        out.write_str(&self.as_str())?;
        self.clear();
        Ok(())
    }

    /// Hands on what was written once it is some: that it is UTF-8 is seen faster of more.
    #[inline]
    pub(super) fn flush_some<W: Write>(&mut self, out: &mut W) -> fmt::Result {
        const SOME: usize = 4096;
        if self.text.len() < SOME { Ok(()) } else { self.flush(out) }
    }

    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// What need not be escaped, of which there are bytes.
    #[inline]
    pub(super) fn plain(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// A part of another text, mostly a short one: to copy a number of bytes that is known and take
    /// some back is less work than to copy as many as there are.
    #[inline]
    pub(super) fn push_part(&mut self, other: &Line, part: Range<usize>) {
        const SHORT: usize = 16;
        let (end, rest) = (self.text.len() + part.len(), other.text.get(part.start..));
        match rest.and_then(<[u8]>::first_chunk::<SHORT>) {
            Some(chunk) if part.len() <= SHORT => {
                self.text.extend_from_slice(chunk);
                self.text.truncate(end);
            }
            _ => self.text.extend_from_slice(other.text.get(part).unwrap_or_default()),
        }
    }

    /// A word of a list.
    #[inline]
    pub(super) fn word<const COUNT: usize>(
        &mut self,
        words: &Words<COUNT>,
        index: impl Into<usize>,
    ) {
        let (word, len) = words.get(index.into());
        let end = self.text.len() + len;
        self.text.extend_from_slice(word);
        self.text.truncate(end);
    }

    #[inline]
    pub(super) fn ch(&mut self, ch: char) {
        if ch.is_ascii() {
            self.text.push(ch as u8);
        } else {
            self.push(ch.encode_utf8(&mut [0; 4]));
        }
    }

    /// An integer in decimal.
    #[inline]
    pub(super) fn dec(&mut self, value: impl Into<u64>) {
        let value: u64 = value.into();
        if value < 10 { self.text.push(b'0' + value as u8) } else { self.long_dec(value) }
    }

    fn long_dec(&mut self, value: u64) {
        if value >= 100 {
            self.dec(value / 100);
        }
        let pair = (value % 100) as usize;
        self.text.extend_from_slice(&PAIRS[2 * pair..2 * pair + 2]);
    }

    /// A signed integer in decimal.
    pub(super) fn signed(&mut self, value: impl Into<i64>) {
        let value: i64 = value.into();
        if value < 0 {
            self.ch('-');
        }
        self.dec(value.unsigned_abs());
    }

    /// An integer as `0x` and hexadecimal digits, in lower case.
    #[inline]
    pub(super) fn hex(&mut self, value: impl Into<u64>) {
        self.push("0x");
        self.hex_digits(value.into(), 1);
    }

    /// At least `width` hexadecimal digits, sixteen at most.
    #[inline]
    pub(super) fn hex_digits(&mut self, value: u64, width: u32) {
        let significant = (u64::BITS - value.leading_zeros()).div_ceil(4);
        for place in (0..significant.max(width).min(16)).rev() {
            let digit = (value >> (4 * place)) as usize & 0xf;
            self.text.push(HEX[digit]);
        }
    }

    /// A space and two digits for each byte.
    pub(super) fn hex_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.ch(' ');
            self.hex_digits((*byte).into(), 2);
        }
    }

    /// Hexadecimal digits in upper case.
    pub(super) fn hex_digits_upper(&mut self, value: u64) {
        let start = self.text.len();
        self.hex_digits(value, 1);
        self.text[start..].make_ascii_uppercase();
    }

    /// Spaces up to a column, if the line is shorter.
    pub(super) fn pad_to(&mut self, column: usize) {
        const SPACES: &str =
            "                                                                                ";
        if self.text.len() < column {
            while self.text.len() < column {
                self.push(SPACES);
            }
            self.text.truncate(column);
        }
    }

    /// A name without its dots and dollars, as the reference writes it outside of quotes.
    pub(super) fn push_cleaned(&mut self, name: &[u8]) {
        for ch in String::from_utf8_lossy(name).chars() {
            self.ch(if matches!(ch, '.' | '$') { '_' } else { ch });
        }
    }

    /// A string in quotes, with the escapes that the text's lexer knows.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.ch('"');
        self.escaped(bytes);
        self.ch('"');
    }

    /// Whether [`escaped`](Self::escaped) has no letter for a byte.
    pub(super) fn is_escaped_in_hex(byte: u8) -> bool {
        !matches!(byte, 0x07 | 0x08 | 0x1b | 0x0c | b'\n' | b'\r' | b'\t' | 0x0b | b' '..=b'~')
    }

    /// The inside of quotes.
    pub(super) fn escaped(&mut self, bytes: &[u8]) {
        match Charset::of(bytes) {
            Charset::Word | Charset::Plain => self.plain(bytes),
            Charset::Escaped => bytes.iter().for_each(|byte| self.escaped_byte(*byte)),
        }
    }

    fn escaped_byte(&mut self, byte: u8) {
        match byte {
            0x07 => self.push("\\a"),
            0x08 => self.push("\\b"),
            0x1b => self.push("\\e"),
            0x0c => self.push("\\f"),
            b'\n' => self.push("\\n"),
            b'\r' => self.push("\\r"),
            b'\t' => self.push("\\t"),
            0x0b => self.push("\\v"),
            _ if Self::is_escaped_in_hex(byte) => {
                self.push("\\x");
                self.hex_digits(byte.into(), 2);
            }
            _ => {
                if needs_escape(byte) {
                    self.ch('\\');
                }
                self.ch(char::from(byte));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(write: impl Fn(&mut Line)) -> String {
        let mut line = Line::default();
        write(&mut line);
        line.as_str().into_owned()
    }

    #[test]
    fn integers_read_as_those_of_core() {
        for value in [0, 1, 9, 10, 99, 100, 255, 4095, 65536, u64::MAX] {
            assert_eq!(line(|line| line.dec(value)), alloc::format!("{value}"));
            assert_eq!(line(|line| line.hex(value)), alloc::format!("{value:#x}"));
        }
        for value in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(line(|line| line.signed(value)), alloc::format!("{value}"));
        }
        assert_eq!(line(|line| line.hex_digits(0xa, 8)), "0000000a");
    }

    #[test]
    fn quotes_hide_what_would_end_them() {
        let text = line(|line| line.quoted(b"d:\\a \"b\"\n\x01\xff'"));
        assert_eq!(text, r#""d:\\a \"b\"\n\x01\xff\'""#);
    }

    #[test]
    fn padding_stops_at_the_column() {
        let mut line = Line::default();
        line.push("abc");
        line.pad_to(5);
        assert_eq!(line.as_str(), "abc  ");
        line.pad_to(2);
        assert_eq!(line.len(), 5);
    }
}
