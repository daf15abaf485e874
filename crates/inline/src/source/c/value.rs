//! Values of constant expressions.

use alloc::string::String;

use super::declarations::CType;
use super::reader::Reader;
use crate::source::cpp::lexer::Kind;
use crate::ty::{Element, Type};

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Integer {
        value: i128,
        /// The number of bits of its type.
        width: u32,
        is_signed: bool,
        /// Whether the language determines the type.
        is_certain: bool,
    },
    Float(Element, f64),
}

impl Constant {
    fn integer(value: i128, width: u32, is_signed: bool, is_certain: bool) -> Constant {
        let mask = (1_i128 << width) - 1;
        let low = value & mask;
        let is_negative = is_signed && low >> (width - 1) == 1;
        let value = if is_negative { low - mask - 1 } else { low };
        Constant::Integer { value, width, is_signed, is_certain }
    }

    /// Returns the bits, extended with zeros.
    pub(super) fn bits(self) -> u64 {
        match self {
            Constant::Integer { value, width: 64, .. } => value as u64,
            Constant::Integer { value, width, .. } => value as u64 & ((1 << width) - 1),
            Constant::Float(Element::Half, value) => u64::from(half_bits(value)),
            Constant::Float(Element::Float, value) => u64::from((value as f32).to_bits()),
            Constant::Float(_, value) => value.to_bits(),
        }
    }

    /// Returns the type.
    pub(super) fn ty(self) -> Option<Type> {
        let element = match self {
            Constant::Float(element, _) => element,
            Constant::Integer { is_certain: false, .. } => return None,
            Constant::Integer { width: 8, .. } => Element::I8,
            Constant::Integer { width: 16, .. } => Element::I16,
            Constant::Integer { width: 32, .. } => Element::I32,
            Constant::Integer { .. } => Element::I64,
        };
        Some(Type::scalar(element))
    }

    pub(super) fn signed(self) -> Option<i64> {
        match self {
            Constant::Integer { value, .. } => value.try_into().ok(),
            Constant::Float(..) => None,
        }
    }
}

/// Returns the bits of the nearest half.
fn half_bits(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 48) & 0x8000) as u16;
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 1024 {
        return sign | 0x7c00 | if fraction == 0 { 0 } else { 0x200 };
    }
    // The unit of the last place, and the value in such units.
    let shift = if exponent < -14 { 42 + (-14 - exponent) } else { 42 };
    if shift > 54 {
        return sign;
    }
    let mantissa = fraction | if exponent == -1023 { 0 } else { 1 << 52 };
    let units = mantissa >> shift;
    let rest = mantissa & ((1 << shift) - 1);
    let tie = 1_u64 << (shift - 1);
    let rounded = units + u64::from(rest > tie || rest == tie && units & 1 == 1);
    let base = if exponent < -14 { 0 } else { (exponent + 14) as u64 * 1024 };
    sign | (base + rounded).min(0x7c00) as u16
}

/// The maximum depth of expressions.
const MAX_DEPTH: u32 = 32;

/// Returns the value of an expression that takes up all tokens.
pub(super) fn evaluate(reader: &Reader<'_, '_, '_>) -> Option<Constant> {
    let mut evaluator = Evaluator { reader, at: 0 };
    let value = evaluator.binary(0, 0)?;
    (evaluator.at == reader.tokens.len()).then_some(value)
}

struct Evaluator<'r, 't, 'e, 'a> {
    reader: &'r Reader<'t, 'e, 'a>,
    at: usize,
}

impl Evaluator<'_, '_, '_, '_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        match self.reader.tokens.get(self.at + ahead)?.kind {
            Kind::Punctuation(byte) => Some(byte),
            _ => None,
        }
    }

    /// Returns the binary operator at the current token, its length and its precedence.
    fn operator(&self) -> Option<(u8, usize, u32)> {
        Some(match (self.peek(0)?, self.peek(1)) {
            (b'|', next) if next != Some(b'|') => (b'|', 1, 1),
            (b'^', _) => (b'^', 1, 2),
            (b'&', next) if next != Some(b'&') => (b'&', 1, 3),
            (b'<', Some(b'<')) => (b'<', 2, 4),
            (b'>', Some(b'>')) => (b'>', 2, 4),
            (byte @ (b'+' | b'-'), _) => (byte, 1, 5),
            (byte @ (b'*' | b'/' | b'%'), _) => (byte, 1, 6),
            _ => return None,
        })
    }

    fn binary(&mut self, lowest: u32, depth: u32) -> Option<Constant> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.unary(depth + 1)?;
        while let Some((operator, length, precedence)) = self.operator() {
            if precedence <= lowest {
                break;
            }
            self.at += length;
            let right = self.binary(precedence, depth + 1)?;
            left = apply(operator, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self, depth: u32) -> Option<Constant> {
        if depth > MAX_DEPTH {
            return None;
        }
        let token = self.reader.tokens.get(self.at)?;
        match token.kind {
            Kind::Punctuation(sign @ (b'-' | b'+' | b'~')) => {
                self.at += 1;
                let operand = promote(self.unary(depth + 1)?);
                Some(match (operand, sign) {
                    (operand, b'+') => operand,
                    (Constant::Float(element, value), b'-') => Constant::Float(element, -value),
                    (Constant::Float(..), _) => return None,
                    (Constant::Integer { value, width, is_signed, is_certain }, _) => {
                        let value = if sign == b'-' { -value } else { !value };
                        Constant::integer(value, width, is_signed, is_certain)
                    }
                })
            }
            Kind::Punctuation(b'(') => {
                let end = self.reader.after_group(self.at);
                let inner = self.reader.of(self.reader.tokens.get(self.at + 1..end - 1)?);
                if let Some(ty) = inner.type_name() {
                    self.at = end;
                    return cast(self.unary(depth + 1)?, &ty);
                }
                self.at += 1;
                let value = self.binary(0, depth + 1)?;
                if self.at + 1 != end {
                    return None;
                }
                self.at = end;
                Some(value)
            }
            Kind::Number => {
                let text = self.reader.expander.word(token);
                self.at += 1;
                number(&text)
            }
            Kind::Character => {
                let literal = self.reader.expander.characters(token);
                self.at += 1;
                match literal[..] {
                    [(b'\'', _), (byte, _), (b'\'', _)] if byte.is_ascii() => {
                        Some(Constant::integer(i128::from(byte), 32, true, false))
                    }
                    _ => None,
                }
            }
            Kind::Identifier => self.word(),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<Constant> {
        let reader = self.reader;
        let token = reader.tokens.get(self.at)?;
        let word = reader.expander.word(token);
        self.at += 1;
        match &*word {
            "true" | "false" => Some(Constant::integer(i128::from(word == "true"), 8, false, true)),
            "sizeof" if self.peek(0) == Some(b'(') => {
                let end = reader.after_group(self.at);
                let inner = reader.of(reader.tokens.get(self.at + 1..end - 1)?);
                self.at = end;
                let ty = match inner.type_name() {
                    Some(ty) => ty,
                    None if inner.tokens.len() == 1 => inner.expression(0)?,
                    None => return None,
                };
                let ty = ty.operand()?;
                // In memory, three components occupy four, and pointers have 64 bits in C++.
                let size = match ty.element {
                    Element::Pointer(_) => return None,
                    element if ty.components == 3 => u64::from(element.size()) * 4,
                    _ => ty.size(),
                };
                Some(Constant::integer(i128::from(size), 64, false, true))
            }
            _ => {
                let value = reader.declarations.constant(word.as_bytes())?;
                let width = if i32::try_from(value).is_ok() { 32 } else { 64 };
                Some(Constant::integer(i128::from(value), width, true, true))
            }
        }
    }
}

/// Converts an integer to at least 32 bits.
fn promote(value: Constant) -> Constant {
    match value {
        Constant::Integer { value, width: 0..=31, is_certain, .. } => {
            Constant::integer(value, 32, true, is_certain)
        }
        other => other,
    }
}

fn apply(operator: u8, left: Constant, right: Constant) -> Option<Constant> {
    let (left, right) = (promote(left), promote(right));
    let Constant::Integer { value: a, width: a_width, is_signed: a_signed, is_certain: a_certain } =
        left
    else {
        return None;
    };
    let Constant::Integer { value: b, width: b_width, is_signed: b_signed, is_certain: b_certain } =
        right
    else {
        return None;
    };
    let is_shift = matches!(operator, b'<' | b'>');
    let (width, is_signed) = match a_width.cmp(&b_width) {
        _ if is_shift => (a_width, a_signed),
        core::cmp::Ordering::Less => (b_width, b_signed),
        core::cmp::Ordering::Greater => (a_width, a_signed),
        core::cmp::Ordering::Equal => (a_width, a_signed && b_signed),
    };
    let convert = |value| match Constant::integer(value, width, is_signed, true) {
        Constant::Integer { value, .. } => value,
        Constant::Float(..) => value,
    };
    let (a, b) = if is_shift { (a, b) } else { (convert(a), convert(b)) };
    let value = match operator {
        b'+' => a + b,
        b'-' => a - b,
        // Products of 64-bit numbers may need 128 bits without a sign.
        b'*' => a.wrapping_mul(b),
        b'/' => a.checked_div(b)?,
        b'%' => a.checked_rem(b)?,
        b'|' => a | b,
        b'^' => a ^ b,
        b'&' => a & b,
        b'<' if (0..i128::from(width)).contains(&b) => a.wrapping_shl(b as u32),
        b'>' if (0..i128::from(width)).contains(&b) => a >> b,
        _ => return None,
    };
    Some(Constant::integer(value, width, is_signed, a_certain && b_certain))
}

fn cast(value: Constant, ty: &CType) -> Option<Constant> {
    let CType::Value(Type { element, components: 1 }) = ty else { return None };
    match (value, element) {
        (
            Constant::Integer { value, .. },
            Element::I8 | Element::I16 | Element::I32 | Element::I64,
        ) => {
            // The sign of the type is not known, but only later operations depend on it.
            Some(Constant::integer(value, element.size() * 8, true, true))
        }
        (Constant::Integer { value, .. }, Element::Float | Element::Half | Element::Double) => {
            Some(Constant::Float(*element, value as f64))
        }
        (Constant::Float(_, value), Element::Double) => Some(Constant::Float(*element, value)),
        (Constant::Float(_, value), Element::Float) => {
            Some(Constant::Float(*element, f64::from(value as f32)))
        }
        (Constant::Float(Element::Double, value), Element::Half) => {
            Some(Constant::Float(*element, value))
        }
        _ => None,
    }
}

/// Reads a number with its suffix.
fn number(text: &str) -> Option<Constant> {
    let text: String =
        text.chars().filter(|&c| c != '\'').map(|c| c.to_ascii_lowercase()).collect();
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => match text.strip_prefix("0b") {
            Some(digits) => (digits, 2),
            None => (&*text, 10),
        },
    };
    if radix == 10 && text.contains(['.', 'e']) {
        let (digits, element) = match text.as_bytes().last()? {
            b'f' => (&text[..text.len() - 1], Element::Float),
            b'h' => (&text[..text.len() - 1], Element::Half),
            _ => (&*text, Element::Double),
        };
        let value = match element {
            // Parsing as the final type rounds only once.
            Element::Float => f64::from(digits.parse::<f32>().ok()?),
            _ => digits.parse::<f64>().ok()?,
        };
        return Some(Constant::Float(element, value));
    }
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let radix = if radix == 10 && digits.len() > 1 && digits.starts_with('0') { 8 } else { radix };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let (is_unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" | "z" => (false, 1),
        "ul" | "lu" | "uz" | "zu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    let fits_32 = match (is_unsigned, radix) {
        (false, 10) => value <= i32::MAX as u64,
        _ => value <= u64::from(u32::MAX),
    };
    let width = if longs == 0 && fits_32 { 32 } else { 64 };
    let limit = if width == 32 { i32::MAX as u64 } else { i64::MAX as u64 };
    let is_signed = !is_unsigned && value <= limit;
    // `long long` has 128 bits in OpenCL C, 64 in C.
    Some(Constant::integer(i128::from(value), width, is_signed, longs < 2))
}
