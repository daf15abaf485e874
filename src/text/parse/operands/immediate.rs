//! Immediates: integers, expressions, and numbers with a fraction.

use alloc::format;
use core::ops::Range;

use super::Parser;
use crate::operand::{DataType, Imm};
use crate::text::parse::cursor::{Cursor, Failed, Parsed};
use crate::text::print::is_immediate;

impl Parser<'_> {
    pub(super) fn immediate(&mut self) -> Parsed<Imm> {
        self.c.skip_blanks();
        let start = self.c.at;
        let negative = self.c.eat_here("-");
        self.c.skip_blanks();
        let digits_start = self.c.at;
        let Some((value, hexadecimal)) = self.c.with_long_decimals(Cursor::unsigned_here) else {
            self.c.at = start;
            let value = self.c.number("a number")?;
            return self.expression(start, value);
        };
        if self.c.is_at_fraction() && !hexadecimal {
            let lacks_digit = matches!(self.c.rest(), [b'.', rest @ ..]
                if !rest.first().is_some_and(u8::is_ascii_digit));
            if lacks_digit && self.is_strict() {
                self.c.at += 1;
                return Err(self.c.expected("a digit after `.`"));
            }
            self.c.skip_fraction();
            return self.float(start, digits_start, negative);
        }
        let digits_end = self.c.at;
        let ty = self.ty()?;
        let span = start..self.c.at;
        if ty.is_wide() {
            self.c.require_short_decimals(digits_start)?;
        }
        if ty == DataType::BF && self.is_strict() {
            let help = Some("use an immediate of type `f` or `uw`".into());
            let message = "version 4.2 has no immediates of type `bf`";
            return Err(self.c.fail_with_help(span, message, help));
        }
        match ty {
            // An integer has the bits of the value; a minus inverts the sign bit.
            DataType::F | DataType::DF => {
                let sign = u64::from(negative) << (ty.size() * 8 - 1);
                Imm::new(ty, value).and_then(|_| Imm::new(ty, value ^ sign))
            }
            DataType::HF | DataType::BF if negative || !hexadecimal => {
                self.c.at = start;
                let what = format!("hexadecimal bits of type `{ty}`, such as `0x3c00:{ty}`");
                return Err(self.c.expected(&what));
            }
            _ if hexadecimal && !negative => {
                Imm::new(ty, value).filter(|_| is_immediate(ty, value))
            }
            _ => integer(ty, if negative { -i128::from(value) } else { value.into() }),
        }
        .or_else(|| self.low_bits(ty, negative, value, hexadecimal, &span))
        .ok_or_else(|| self.out_of_range(ty, start..digits_end, span))
    }

    /// Returns the immediate that the compiler makes of a number that is out of range for an
    /// integer type of up to four bytes: its lowest bits. Warns about it, unless the number is a
    /// sign-extended value of the type.
    fn low_bits(
        &mut self,
        ty: DataType,
        negative: bool,
        value: u64,
        hexadecimal: bool,
        span: &Range<usize>,
    ) -> Option<Imm> {
        let is_float = matches!(ty, DataType::F | DataType::HF | DataType::BF);
        // The compiler reads larger decimal numbers as -1.
        let is_readable = hexadecimal || i64::try_from(value).is_ok();
        if !self.is_strict() || ty.is_wide() || is_float || !is_readable {
            return None;
        }
        let bits = if negative { value.wrapping_neg() } else { value };
        if !negative && is_immediate(ty, bits) {
            return Imm::new(ty, bits);
        }
        let mask = u64::MAX >> (64 - 8 * ty.size());
        let imm = Imm::new(ty, bits & mask)?;
        let message = format!(
            "`{}` is out of range for type `{ty}`: its lowest bits are used",
            self.shown(span.clone())
        );
        self.warn(span, message);
        Some(imm)
    }

    fn out_of_range(&mut self, ty: DataType, number: Range<usize>, span: Range<usize>) -> Failed {
        let message = format!("`{}` is out of range for type `{ty}`", self.shown(number));
        self.c.fail(span, &message)
    }

    /// Parses the type after an expression, which must be an integer type.
    fn expression(&mut self, start: usize, value: i128) -> Parsed<Imm> {
        let end = self.c.at;
        let ty = self.ty()?;
        let span = start..self.c.at;
        if matches!(ty, DataType::F | DataType::DF | DataType::HF | DataType::BF) {
            self.c.at = end;
            self.c.eat(":");
            return Err(self.c.expected("an integer type after an expression"));
        }
        if ty.is_wide() {
            self.c.require_short_decimals(start)?;
        }
        integer(ty, value).ok_or_else(|| self.out_of_range(ty, start..end, span))
    }

    /// Parses the type after a number with a fraction or an exponent, which begins at
    /// `digits_start`.
    fn float(&mut self, start: usize, digits_start: usize, negative: bool) -> Parsed<Imm> {
        let digits_end = self.c.at;
        let digits = self.c.str(digits_start..digits_end);
        let Ok(number) = digits.parse::<f64>() else {
            return Err(self.c.fail(start..digits_end, "invalid number"));
        };
        let number = if negative { -number } else { number };
        let ty = self.ty_such_as(DataType::F)?;
        if self.is_strict() && self.c.text[digits_end..self.c.at].iter().any(u8::is_ascii_uppercase)
        {
            self.c.at = digits_end;
            self.c.eat(":");
            return Err(self.c.expected("`f` or `df` in lower case after a fraction"));
        }
        match ty {
            // Compilers round to a double first.
            DataType::F => Ok(Imm::f(number as f32)),
            DataType::DF => Ok(Imm::df(number)),
            _ => {
                self.c.at = digits_end;
                self.c.eat(":");
                let failed = self.c.expected("type `f` or `df` after a fraction");
                let help = "write the bits of a half, such as `0x3c00:hf` for 1";
                Err(if ty == DataType::HF { self.with_help(failed, help) } else { failed })
            }
        }
    }
}

/// Returns the immediate of an integer type. The value may be in the range of the signed or of the
/// unsigned type of this width.
fn integer(ty: DataType, value: i128) -> Option<Imm> {
    let bits = 8 * ty.size() as u32;
    if !(-(1 << (bits - 1))..1 << bits).contains(&value) {
        return None;
    }
    Imm::new(ty, if ty.is_wide() { value as u64 } else { u64::from(value as u32) })
}
