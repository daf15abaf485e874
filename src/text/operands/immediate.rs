//! Immediates: integers, expressions, and numbers with a fraction.

use alloc::format;
use core::ops::Range;

use crate::operand::{DataType, Imm};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::{Cursor, Failed, Parsed};
use crate::text::recorder::TokenKind;
use crate::text::words::Quirk;

/// Returns whether the parser accepts these bits for a constant of a type: a value of the type,
/// possibly sign-extended to 32 bits.
#[inline]
pub(super) const fn is_immediate(ty: DataType, bits: u64) -> bool {
    // For narrow types, the bits above the type, and these bits with the sign bit.
    let (above, above_and_sign) = match ty {
        DataType::UB | DataType::B | DataType::BOOL => (0xffff_ff00, 0xffff_ff80),
        DataType::UW | DataType::W | DataType::BF => (0xffff_0000, 0xffff_8000),
        DataType::HF => (0xffff_0000, u64::MAX),
        DataType::DF | DataType::UQ | DataType::Q => return true,
        _ => return bits <= u32::MAX as u64,
    };
    bits <= u32::MAX as u64 && (bits & above == 0 || bits & above_and_sign == above_and_sign)
}

/// Returns the bits that GenX_IR's builder stores for an immediate: it extends words and
/// bytes to 32 bits, and does not support `bool` and `bf`.
const fn extended_by_genx_ir(ty: DataType, bits: u64) -> u64 {
    match ty {
        DataType::W => (bits as i16 as u32) as u64,
        DataType::UW | DataType::HF => bits as u16 as u64,
        DataType::B => (bits as i8 as u32) as u64,
        DataType::UB => bits as u8 as u64,
        DataType::BOOL | DataType::BF => u32::MAX as u64,
        _ => bits,
    }
}

impl Printer<'_> {
    pub(super) fn imm(&mut self, imm: Imm) {
        let bits = self.imm_bits(imm);
        self.line.hex(bits);
        self.ty(imm.type_byte());
        self.omit_if(!is_immediate(imm.ty(), bits));
        self.omit_if(imm.ty() == DataType::BF && self.is_v4_2());
    }

    /// Returns the bits that are printed for an immediate.
    pub(in crate::text) fn imm_bits(&self, imm: Imm) -> u64 {
        let bits = imm.bits();
        if self.has(Quirk::ImmediatesExtended) { extended_by_genx_ir(imm.ty(), bits) } else { bits }
    }
}

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
        if !self.c.overflow.is_empty() && self.c.overflow.start >= start {
            let message = "this expression overflows 64 bits: its lowest bits are used";
            self.warn(&self.c.overflow.clone(), message.into());
        }
        // Compilers calculate with 64 bits.
        let value = if ty.is_wide() { i128::from(value as i64) } else { value };
        let magnitude = value.unsigned_abs() as u64;
        integer(ty, value)
            .or_else(|| self.low_bits(ty, value < 0, magnitude, true, &span))
            .ok_or_else(|| self.out_of_range(ty, start..end, span))
    }

    /// Parses the type after a number with a fraction or an exponent, which begins at
    /// `digits_start`.
    fn float(&mut self, start: usize, digits_start: usize, negative: bool) -> Parsed<Imm> {
        let digits_end = self.c.at;
        self.c.record(digits_start, TokenKind::Number);
        let digits = self.c.str(digits_start..digits_end);
        let Ok(number) = digits.parse::<f64>() else {
            return Err(self.c.fail(start..digits_end, "invalid number"));
        };
        if matches!(self.c.peek(), Some(b' ' | b'\t')) {
            return Err(self
                .c
                .fail(start..digits_end, "the type must follow the fraction directly"));
        }
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
