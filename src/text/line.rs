//! The buffer that text is made in: a line at a time, then handed on as a whole.

use alloc::string::String;
use alloc::vec::Vec;

/// A line under way. Its memory is used again for the next one.
///
/// Integers are written by hand: the formatting machinery of `core` costs several times as much.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Nothing but whole characters is added.
    text: Vec<u8>,
}

impl Line {
    /// What was written.
    pub(super) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.text).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
    }

    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
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
        if value < 10 { self.digit(value as u8) } else { self.long_dec(value) }
    }

    fn long_dec(&mut self, mut value: u64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        while value != 0 {
            start -= 1;
            digits[start] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.text.extend_from_slice(&digits[start..]);
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
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let significant = (u64::BITS - value.leading_zeros()).div_ceil(4);
        let mut digits = [0; 16];
        let count = significant.max(width) as usize;
        for (digit, place) in digits.iter_mut().zip((0..count).rev()) {
            *digit = DIGITS[(value >> (4 * place)) as usize & 0xf];
        }
        self.text.extend_from_slice(&digits[..count.min(16)]);
    }

    #[inline]
    fn digit(&mut self, digit: u8) {
        self.text.push(b'0' + digit);
    }

    /// A space and two digits for each byte.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.ch(' ');
            self.hex_digits((*byte).into(), 2);
        }
    }

    /// Hexadecimal digits in upper case.
    pub(super) fn hex_digits_upper(&mut self, value: u64) {
        let start = self.text.len();
        self.hex_digits(value, 1);
        if let Some(digits) = self.text.get_mut(start..) {
            digits.make_ascii_uppercase();
        }
    }

    /// Spaces up to a column, if the line is shorter.
    pub(super) fn pad_to(&mut self, column: usize) {
        const SPACES: &str = "                                        ";
        let mut missing = column.saturating_sub(self.text.len());
        while missing > 0 {
            let some = missing.min(SPACES.len());
            self.push(&SPACES[..some]);
            missing -= some;
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
        for byte in bytes {
            match byte {
                0x07 => self.push("\\a"),
                0x08 => self.push("\\b"),
                0x1b => self.push("\\e"),
                0x0c => self.push("\\f"),
                b'\n' => self.push("\\n"),
                b'\r' => self.push("\\r"),
                b'\t' => self.push("\\t"),
                0x0b => self.push("\\v"),
                b'\'' | b'"' | b'\\' => {
                    self.ch('\\');
                    self.ch(char::from(*byte));
                }
                b' '..=b'~' => self.ch(char::from(*byte)),
                _ => {
                    self.push("\\x");
                    self.hex_digits((*byte).into(), 2);
                }
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
        line.as_str().into()
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
