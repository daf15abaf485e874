//! The meaning of arithmetic for one lane. Sources are exact integers, or floats of the same type.

use super::alu::{Meaning, Result1};
use crate::fault::FaultKind;
use crate::number::{Mode, Number, Rounding, mixed};

use Number::{Float as F, Integer as I};

/// ADD: the sum.
pub(super) struct Add;

impl Meaning<2> for Add {
    #[inline(always)]
    fn apply(&self, [a, b]: [Number; 2], mode: &Mode) -> Result1 {
        match (a, b) {
            (I(a), I(b)) => Ok(I(a + b)),
            (F(a), F(b)) => Ok(F(a.add(b, mode))),
            _ => Err(mixed()),
        }
    }
}

/// ADD3: the sum of integers.
#[inline(always)]
pub(super) fn add3([a, b, c]: [Number; 3], _: &Mode) -> Result1 {
    Ok(I(a.integer()? + b.integer()? + c.integer()?))
}

/// AVG: the average of integers, rounded up.
#[inline(always)]
pub(super) fn avg([a, b]: [Number; 2], _: &Mode) -> Result1 {
    Ok(I((a.integer()? + b.integer()? + 1) >> 1))
}

/// MUL: the product.
pub(super) struct Mul;

impl Meaning<2> for Mul {
    #[inline(always)]
    fn apply(&self, [a, b]: [Number; 2], mode: &Mode) -> Result1 {
        match (a, b) {
            (I(a), I(b)) => Ok(I(product(a, b))),
            (F(a), F(b)) => Ok(F(a.multiply(b, mode))),
            _ => Err(mixed()),
        }
    }
}

/// Returns the product of two integers of 64 bits. If it does not fit, the result has its low 64 bits, and
/// is still too large for any type.
#[inline(always)]
fn product(a: i128, b: i128) -> i128 {
    a.checked_mul(b).unwrap_or_else(|| (1 << 100) + i128::from(a.wrapping_mul(b) as u64))
}

/// MAD: the product of the first two plus the third; floats are rounded once.
pub(super) struct Mad;

impl Meaning<3> for Mad {
    #[inline(always)]
    fn apply(&self, [a, b, c]: [Number; 3], mode: &Mode) -> Result1 {
        match (a, b, c) {
            (I(a), I(b), I(c)) => Ok(I(product(a, b) + c)),
            (F(a), F(b), F(c)) => Ok(F(a.multiply_add(b, c, mode))),
            _ => Err(mixed()),
        }
    }
}

/// LRP: the first source interpolates between the third, for 0, and the second, for 1. Each operation is rounded.
#[inline(always)]
pub(super) fn lrp([a, b, c]: [Number; 3], mode: &Mode) -> Result1 {
    let (a, b, c) = (a.float()?, b.float()?, c.float()?);
    let rest = a.one().add(a.negated(), mode);
    Ok(F(a.multiply(b, mode).add(c.multiply(rest, mode), mode)))
}

/// MULH: the high dword of the product of dwords.
#[inline(always)]
pub(super) fn mulh([a, b]: [Number; 2], _: &Mode) -> Result1 {
    Ok(I((a.integer()? * b.integer()?) >> 32))
}

/// DIV of integers: the quotient, rounded to zero. DIV of floats is an approximation.
#[inline(always)]
pub(super) fn div([a, b]: [Number; 2], mode: &Mode) -> Result1 {
    match (a, b) {
        (I(_), I(0)) => Err(FaultKind::NotDefined("a division by zero".into())),
        (I(a), I(b)) => Ok(I(a / b)),
        (F(a), F(b)) => Ok(F(a.divide(b, mode))),
        _ => Err(mixed()),
    }
}

/// MOD: the remainder of integers, with the sign of the first.
#[inline(always)]
pub(super) fn modulo([a, b]: [Number; 2], _: &Mode) -> Result1 {
    match (a.integer()?, b.integer()?) {
        (_, 0) => Err(FaultKind::NotDefined("a division by zero".into())),
        (a, b) => Ok(I(a % b)),
    }
}

/// DIVM: the quotient as IEEE defines it.
#[inline(always)]
pub(super) fn divm([a, b]: [Number; 2], mode: &Mode) -> Result1 {
    Ok(F(a.float()?.divide(b.float()?, mode)))
}

/// SQRTM: the square root as IEEE defines it.
#[inline(always)]
pub(super) fn sqrtm([a]: [Number; 1], mode: &Mode) -> Result1 {
    if mode.rounding != Rounding::NearestEven {
        return Err(FaultKind::not_modelled("a square root that is not rounded to nearest"));
    }
    Ok(F(a.float()?.square_root(mode)))
}

/// FRC: the source minus its floor.
#[inline(always)]
pub(super) fn frc([a]: [Number; 1], mode: &Mode) -> Result1 {
    let a = a.float()?;
    let floor = a.round_to_integer(Rounding::Down, mode);
    Ok(F(a.add(floor.negated(), mode)))
}

/// RNDD, RNDU, RNDE and RNDZ: the source as an integer, in a type of floats.
#[inline(always)]
pub(super) fn round(rounding: Rounding) -> impl Fn([Number; 1], &Mode) -> Result1 {
    move |[a], mode| Ok(F(a.float()?.round_to_integer(rounding, mode)))
}

/// MIN and MAX: of two numbers; if one is not a number, the other.
#[inline(always)]
pub(super) fn min_max(is_max: bool) -> impl Fn([Number; 2], &Mode) -> Result1 {
    move |[a, b], mode| {
        if let (F(a), F(b)) = (a, b) {
            let [a, b] = [a, b].map(|float| float.flushed(mode));
            if a.is_nan() {
                return Ok(F(b));
            }
            if b.is_nan() {
                return Ok(F(a));
            }
        }
        let order = a.compare(b)?;
        let takes_first = match is_max {
            true => order.is_some_and(std::cmp::Ordering::is_ge),
            false => order.is_some_and(std::cmp::Ordering::is_lt),
        };
        Ok(match (if takes_first { a } else { b }, mode) {
            (F(float), mode) => F(float.flushed(mode)),
            (integer, _) => integer,
        })
    }
}

/// INV, SQRT, RSQRT, EXP, LOG, SIN, COS, TANH and SIGM: an approximation of a function.
#[inline(always)]
pub(super) fn function(function: fn(f64) -> f64) -> impl Fn([Number; 1], &Mode) -> Result1 {
    move |[a], mode| Ok(F(a.float()?.approximate(mode, function)))
}

/// POW: an approximation of the power of the absolute value.
#[inline(always)]
pub(super) fn pow([a, b]: [Number; 2], mode: &Mode) -> Result1 {
    let exponent = b.float()?.flushed(mode).to_f64();
    Ok(F(a.float()?.approximate(mode, |base| base.abs().powf(exponent))))
}

/// DP4A: the third source as bytes times the second, plus the first.
#[inline(always)]
pub(super) fn dp4a(signed: [bool; 2]) -> impl Fn([Number; 3], &Mode) -> Result1 {
    move |[sum, a, b], _| {
        let (a, b) = (a.integer()? as u32, b.integer()? as u32);
        let byte = |dword: u32, index: usize, signed: bool| {
            let byte = dword.to_le_bytes()[index];
            if signed { i128::from(byte as i8) } else { i128::from(byte) }
        };
        let products = (0..4).map(|index| byte(a, index, signed[0]) * byte(b, index, signed[1]));
        Ok(I(sum.integer()? + products.sum::<i128>()))
    }
}

/// LZD: the number of leading zeros of a dword.
#[inline(always)]
pub(super) fn lzd([a]: [Number; 1], _: &Mode) -> Result1 {
    Ok(I((a.integer()? as u32).leading_zeros().into()))
}
