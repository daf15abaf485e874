//! Constants of LLVM IR.

use crate::ty::{Element, Type};

/// Returns the bits of a constant of a scalar type, extended with zeros.
pub(in crate::source) fn bits(ty: &Type, literal: &str) -> Option<u64> {
    if ty.components != 1 {
        return None;
    }
    if matches!(literal, "zeroinitializer" | "null") {
        return Some(0);
    }
    match ty.element {
        Element::I1 => match literal {
            "true" => Some(1),
            "false" => Some(0),
            _ => integer(literal, 1),
        },
        Element::I8 => integer(literal, 8),
        Element::I16 => integer(literal, 16),
        Element::I32 => integer(literal, 32),
        Element::I64 => integer(literal, 64),
        Element::Double => double(literal).map(f64::to_bits),
        // LLVM accepts only literals that a float represents exactly.
        Element::Float => double(literal).map(|value| u64::from((value as f32).to_bits())),
        Element::Half => match literal.strip_prefix("0xH") {
            Some(digits) => hex(digits, 16),
            None => half(double(literal)?),
        },
        Element::BFloat => match literal.strip_prefix("0xR") {
            Some(digits) => hex(digits, 16),
            None => {
                let bits = (double(literal)? as f32).to_bits();
                (bits & 0xffff == 0).then_some(u64::from(bits >> 16))
            }
        },
        Element::Pointer(_) => None,
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn integer(literal: &str, width: u32) -> Option<u64> {
    if let Some(digits) = literal.strip_prefix("u0x").or(literal.strip_prefix("s0x")) {
        return hex(digits, width);
    }
    let value: i128 = literal.parse().ok()?;
    // The type has all values from the smallest signed to the largest unsigned one.
    let range = -(1 << (width - 1))..1 << width;
    range.contains(&value).then_some(value as u64 & mask(width))
}

/// Returns the value of hexadecimal digits, if it has at most `width` bits.
pub(in crate::source) fn hex(digits: &str, width: u32) -> Option<u64> {
    let value = u64::from_str_radix(digits, 16).ok()?;
    (value <= mask(width)).then_some(value)
}

/// Returns the value of `1.5e+00` or of `0x3FF8000000000000`, the bits of a double.
fn double(literal: &str) -> Option<f64> {
    match literal.strip_prefix("0x") {
        Some(digits) => hex(digits, 64).map(f64::from_bits),
        None if literal.contains('.') => literal.parse().ok(),
        None => None,
    }
}

/// Returns the bits of the half that is exactly equal to a value.
fn half(value: f64) -> Option<u64> {
    let bits = value.to_bits();
    let sign = bits >> 63 << 15;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let mantissa = bits & ((1 << 52) - 1);
    match exponent {
        _ if bits << 1 == 0 => Some(sign),
        -14..=15 if mantissa & mask(42) == 0 => {
            Some(sign | ((exponent + 15) as u64) << 10 | mantissa >> 42)
        }
        _ => None,
    }
}
