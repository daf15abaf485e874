//! Integers, and the fractions of other numbers.

use alloc::format;
use core::ops::Range;

use super::{Cursor, Failed, Parsed};
use crate::text::diagnostic::cut;
use crate::text::recorder::TokenKind;

/// A type of integers in the text.
pub(in crate::text) trait Integer: TryFrom<u32> + TryFrom<i128> {}

impl<N: TryFrom<u32> + TryFrom<i128>> Integer for N {}

impl<'t> Cursor<'t> {
    /// Reads an integer that fits in the type.
    pub(in crate::text) fn number<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        // Fast path: most numbers are decimal, short, and without a fraction.
        let number = self.number_before(|rest| matches!(rest, [b' ' | b')' | b'>' | b'\n', ..]));
        number.map_or_else(|| self.number_by(what, Self::integer), Ok)
    }

    /// Reads a decimal number that fits in the type.
    pub(in crate::text) fn decimal<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        self.skip_blanks();
        let is_decimal = matches!(self.peek(), Some(b'0'..=b'9'))
            && !matches!(self.rest(), [b'0', b'x' | b'X', ..]);
        if is_decimal { self.number(what) } else { Err(self.expected(what)) }
    }

    /// Reads an integer with a function, and checks that it fits in the type. `what` is the text
    /// that an error contains.
    pub(super) fn number_by<N: Integer>(
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
        if size_of::<N>() == size_of::<u64>() {
            self.require_short_decimals(start)?;
        }
        N::try_from(value).map_err(|_| {
            self.fail(start..self.at, &format!("`{value}` is out of range for {what}"))
        })
    }

    /// Reads a decimal number of at most nine digits before a delimiter. Otherwise, returns `None`
    /// and reads only blanks.
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
        let start = self.at;
        self.at += len;
        self.record(start, TokenKind::Number);
        Some(value)
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
        self.record(start, TokenKind::Number);
        match value {
            None => self.report(start..self.at, "this number does not fit in 64 bits"),
            Some(value) if !hexadecimal && i32::try_from(value).is_err() => {
                if !self.has_short_decimals {
                    self.long_decimal = start..self.at;
                } else if !self.is_at_fraction() {
                    self.report_long_decimal(start..self.at);
                }
            }
            Some(_) => {}
        }
        Some((value.unwrap_or_default(), hexadecimal))
    }

    /// Reads numbers. Decimal numbers may have more than 31 bits.
    pub(in crate::text) fn with_long_decimals<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let has_short_decimals = core::mem::take(&mut self.has_short_decimals);
        let number = read(self);
        self.has_short_decimals = has_short_decimals;
        number
    }

    /// Reports a decimal number of more than 31 bits after `start`, if there is one. Compilers keep 32
    /// bits of it, with its sign, so that it is another number in 64 bits.
    pub(in crate::text) fn require_short_decimals(&mut self, start: usize) -> Parsed<()> {
        let is_after_start = start <= self.long_decimal.start && self.long_decimal.end <= self.at;
        if self.long_decimal.is_empty() || !is_after_start {
            return Ok(());
        }
        Err(self.report_long_decimal(self.long_decimal.clone()))
    }

    fn report_long_decimal(&mut self, span: Range<usize>) -> Failed {
        let message = if self.has_short_decimals {
            "version 4.2 has decimal numbers up to 2147483647"
        } else {
            "compilers read decimal numbers up to 2147483647 here"
        };
        let help = Some("write it in hexadecimal".into());
        self.fail_with_help(span, message, help)
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
        self.record(start, TokenKind::Number);
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
}
