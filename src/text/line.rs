//! The buffer of the printer.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use crate::text::words::{Charset, Words, needs_escape};

/// A buffer of text, which is reused after it has been written to the output.
///
/// Integers are formatted by hand, which is several times as fast as `core::fmt`.
#[derive(Debug, Default)]
pub(in crate::text) struct Line {
    text: Vec<u8>,
}

/// The numbers with two decimal digits.
const PAIRS: &[u8; 200] = b"00010203040506070809101112131415161718192021222324\
                            25262728293031323334353637383940414243444546474849\
                            50515253545556575859606162636465666768697071727374\
                            75767778798081828384858687888990919293949596979899";
/// The hexadecimal digits.
const HEX: &[u8; 16] = b"0123456789abcdef";

impl Line {
    pub(in crate::text) fn with_capacity(capacity: usize) -> Line {
        Line { text: Vec::with_capacity(capacity) }
    }

    /// Returns the text as bytes.
    pub(in crate::text) fn bytes(&self) -> &[u8] {
        &self.text
    }

    /// Returns the text. It is UTF-8: all of it was pushed as text or as ASCII.
    pub(in crate::text) fn as_str(&self) -> Cow<'_, str> {
        // Fast path: the text is always valid UTF-8 in practice.
        match core::str::from_utf8(&self.text) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(&self.text),
        }
    }

    pub(in crate::text) fn len(&self) -> usize {
        self.text.len()
    }

    pub(in crate::text) fn clear(&mut self) {
        self.text.clear();
    }

    /// Shortens the text to a length.
    #[inline]
    pub(in crate::text) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
    }

    /// Writes the text to the output and clears it.
    pub(in crate::text) fn flush<W: Write>(&mut self, out: &mut W) -> fmt::Result {
        out.write_str(&self.as_str())?;
        self.clear();
        Ok(())
    }

    /// Writes the text to the output if there is enough of it: validating UTF-8 is faster in large
    /// pieces.
    #[inline]
    pub(in crate::text) fn flush_if_large<W: Write>(&mut self, out: &mut W) -> fmt::Result {
        const LARGE: usize = 4096;
        if self.text.len() < LARGE { Ok(()) } else { self.flush(out) }
    }

    /// Inserts bytes that need no escapes.
    pub(in crate::text) fn insert(&mut self, at: usize, bytes: &[u8]) {
        self.text.splice(at..at, bytes.iter().copied());
    }

    #[inline]
    pub(in crate::text) fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Appends bytes that need no escapes.
    #[inline]
    pub(in crate::text) fn push_bytes(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Appends a part of another text.
    ///
    /// Fast path: parts are usually short. Copying a constant number of bytes and truncating is
    /// faster than copying a variable number.
    #[inline]
    pub(in crate::text) fn push_part(&mut self, other: &Line, part: Range<usize>) {
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

    /// Appends a word of a list.
    #[inline]
    pub(in crate::text) fn word<const COUNT: usize>(
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
    pub(in crate::text) fn ch(&mut self, ch: char) {
        if ch.is_ascii() {
            self.text.push(ch as u8);
        } else {
            self.push(ch.encode_utf8(&mut [0; 4]));
        }
    }

    /// Appends an integer in decimal.
    #[inline]
    pub(in crate::text) fn dec(&mut self, value: impl Into<u64>) {
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

    /// Appends a signed integer in decimal.
    pub(in crate::text) fn signed(&mut self, value: impl Into<i64>) {
        let value: i64 = value.into();
        if value < 0 {
            self.ch('-');
        }
        self.dec(value.unsigned_abs());
    }

    /// Appends an integer as `0x` and hexadecimal digits in lower case.
    #[inline]
    pub(in crate::text) fn hex(&mut self, value: impl Into<u64>) {
        self.push("0x");
        self.hex_digits(value.into(), 1);
    }

    /// Appends at least `width` hexadecimal digits, at most sixteen.
    #[inline]
    pub(in crate::text) fn hex_digits(&mut self, value: u64, width: u32) {
        let significant = (u64::BITS - value.leading_zeros()).div_ceil(4);
        for place in (0..significant.max(width).min(16)).rev() {
            let digit = (value >> (4 * place)) as usize & 0xf;
            self.text.push(HEX[digit]);
        }
    }

    /// Appends a space and two hexadecimal digits for each byte.
    pub(in crate::text) fn hex_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.ch(' ');
            self.hex_digits((*byte).into(), 2);
        }
    }

    /// Appends hexadecimal digits in upper case.
    pub(in crate::text) fn hex_digits_upper(&mut self, value: u64) {
        let start = self.text.len();
        self.hex_digits(value, 1);
        self.text[start..].make_ascii_uppercase();
    }

    /// Appends spaces up to a column, if the text is shorter.
    pub(in crate::text) fn pad_to(&mut self, column: usize) {
        const SPACES: &str =
            "                                                                                ";
        if self.text.len() < column {
            while self.text.len() < column {
                self.push(SPACES);
            }
            self.text.truncate(column);
        }
    }

    /// Appends a name with `_` for `.` and `$`, as GenX_IR prints it outside of quotes.
    pub(in crate::text) fn push_without_dots(&mut self, name: &[u8]) {
        for ch in String::from_utf8_lossy(name).chars() {
            self.ch(if matches!(ch, '.' | '$') { '_' } else { ch });
        }
    }

    /// Appends a string in quotes, with the escapes of the vISA lexer.
    pub(in crate::text) fn quoted(&mut self, bytes: &[u8]) {
        self.ch('"');
        self.escaped(bytes);
        self.ch('"');
    }

    /// Returns whether [`escaped`](Self::escaped) prints a byte in hexadecimal.
    pub(in crate::text) fn is_escaped_in_hex(byte: u8) -> bool {
        !matches!(byte, 0x07 | 0x08 | 0x1b | 0x0c | b'\n' | b'\r' | b'\t' | 0x0b | b' '..=b'~')
    }

    /// Appends a string with escapes, without quotes.
    pub(in crate::text) fn escaped(&mut self, bytes: &[u8]) {
        match Charset::of(bytes) {
            Charset::Word | Charset::Plain => self.push_bytes(bytes),
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
