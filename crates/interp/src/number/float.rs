//! Floating-point numbers in the formats of operands.

use genvisa::operand::DataType;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float as Soft, FloatConvert, Round, Status};

use crate::fault::FaultKind;

/// A floating-point number: its bits in the format of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Float {
    ty: DataType,
    bits: u64,
}

/// How results are rounded (4_visa_header.md, cr0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, or to the even one of two.
    NearestEven,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To zero.
    Zero,
}

/// The state of the control register that numbers depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The rounding of results.
    pub rounding: Rounding,
    /// The bits of the control register.
    control: u32,
}

impl Mode {
    /// The default: to the nearest, and denormals are kept.
    pub const DEFAULT: Mode = Mode { rounding: Rounding::NearestEven, control: Mode::KEEP_ALL };

    const ALTERNATIVE: u32 = 1;
    const KEEP_DF: u32 = 1 << 6;
    const KEEP_F: u32 = 1 << 7;
    const KEEP_HF: u32 = 1 << 10;
    const KEEP_BF: u32 = 1 << 30;
    const KEEP_ALL: u32 = Mode::KEEP_DF | Mode::KEEP_F | Mode::KEEP_HF | Mode::KEEP_BF;

    /// Returns the mode that the control register states.
    ///
    /// # Errors
    /// The alternative mode of floats is not modelled.
    pub fn from_control(control: u32) -> Result<Mode, FaultKind> {
        if control & Mode::ALTERNATIVE != 0 {
            return Err(FaultKind::not_modelled("the alternative floating-point mode"));
        }
        let rounding = match control >> 4 & 3 {
            0 => Rounding::NearestEven,
            1 => Rounding::Up,
            2 => Rounding::Down,
            _ => Rounding::Zero,
        };
        Ok(Mode { rounding, control })
    }

    /// Returns the mode with another rounding.
    pub fn with_rounding(self, rounding: Rounding) -> Mode {
        Mode { rounding, ..self }
    }

    #[inline]
    fn keeps_denormals(&self, ty: DataType) -> bool {
        let bit = match ty {
            DataType::DF => Mode::KEEP_DF,
            DataType::F => Mode::KEEP_F,
            DataType::HF => Mode::KEEP_HF,
            DataType::BF | DataType::TF32 => Mode::KEEP_BF,
            // The page of FCVT: denormals of 8 bits are retained.
            _ => return true,
        };
        self.control & bit != 0
    }

    /// Returns whether numbers of a type are rounded to nearest, and denormals are kept.
    pub fn is_default_for(&self, ty: DataType) -> bool {
        self.is_native() && self.keeps_denormals(ty)
    }

    #[inline]
    fn is_native(&self) -> bool {
        self.rounding == Rounding::NearestEven
    }

    fn round(&self) -> Round {
        match self.rounding {
            Rounding::NearestEven => Round::NearestTiesToEven,
            Rounding::Up => Round::TowardPositive,
            Rounding::Down => Round::TowardNegative,
            Rounding::Zero => Round::TowardZero,
        }
    }
}

/// The bits of a format: of all, and of the mantissa.
const fn layout(ty: DataType) -> Option<(u32, u32)> {
    Some(match ty {
        DataType::DF => (64, 52),
        // The lowest 13 bits of TF32 are 0.
        DataType::F | DataType::TF32 => (32, 23),
        DataType::HF => (16, 10),
        DataType::BF => (16, 7),
        DataType::BF8 => (8, 2),
        DataType::HF8 => (8, 3),
        _ => return None,
    })
}

/// Evaluates an expression with the soft float type of a format as `S`.
macro_rules! with_format {
    ($ty:expr, $S:ident => $body:expr) => {
        match $ty {
            DataType::DF => {
                type $S = Double;
                $body
            }
            DataType::F | DataType::TF32 => {
                type $S = Single;
                $body
            }
            DataType::HF => {
                type $S = Half;
                $body
            }
            DataType::BF => {
                type $S = BFloat;
                $body
            }
            DataType::BF8 => {
                type $S = Float8E5M2;
                $body
            }
            _ => {
                type $S = Float8E4M3FN;
                $body
            }
        }
    };
}

impl Float {
    /// Returns the number with these bits.
    ///
    /// # Errors
    /// The type is not a modelled floating-point type.
    #[inline]
    pub fn from_bits(bits: u64, ty: DataType) -> Result<Float, FaultKind> {
        match layout(ty) {
            Some((width, _)) => Ok(Float { ty, bits: bits & super::low_bits(width) }),
            None => Err(FaultKind::not_modelled(format!("type {ty}"))),
        }
    }

    /// Returns a number of type F.
    #[inline]
    pub fn single(value: f32) -> Float {
        Float { ty: DataType::F, bits: value.to_bits().into() }
    }

    /// Returns a number of type DF.
    #[inline]
    pub fn double(value: f64) -> Float {
        Float { ty: DataType::DF, bits: value.to_bits() }
    }

    /// Returns the type.
    #[inline]
    pub fn ty(self) -> DataType {
        self.ty
    }

    /// Returns a number of a type that is nearest to a value.
    ///
    /// # Errors
    /// The type is not a modelled floating-point type.
    pub fn nearest(value: f64, ty: DataType) -> Result<Float, FaultKind> {
        // Rust rounds to nearest, too, and is faster.
        if ty == DataType::F && !value.is_nan() {
            return Ok(Float::single(value as f32));
        }
        Float { ty: DataType::DF, bits: value.to_bits() }.convert(ty, &Mode::DEFAULT)
    }

    /// Returns 1 in the type of the number.
    pub fn one(self) -> Float {
        let (width, mantissa) = self.layout();
        let exponent_bits = width - 1 - mantissa;
        let bias = super::low_bits(exponent_bits - 1);
        Float { bits: bias << mantissa, ..self }
    }

    /// Returns the bits.
    #[inline]
    pub fn bits(self) -> u64 {
        self.bits
    }

    #[inline]
    fn as_single(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    #[inline]
    fn layout(self) -> (u32, u32) {
        layout(self.ty).unwrap_or((32, 23))
    }

    #[inline]
    fn sign_bit(self) -> u64 {
        1 << (self.layout().0 - 1)
    }

    /// Returns the number with the other sign.
    #[inline]
    #[must_use]
    pub fn negated(self) -> Float {
        Float { bits: self.bits ^ self.sign_bit(), ..self }
    }

    /// Returns the number without its sign.
    #[inline]
    #[must_use]
    pub fn absolute(self) -> Float {
        Float { bits: self.bits & !self.sign_bit(), ..self }
    }

    /// Returns whether the number is not a number.
    pub fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    #[inline]
    fn is_denormal(self) -> bool {
        let (width, mantissa) = self.layout();
        let exponent = super::low_bits(width - 1) & !super::low_bits(mantissa);
        self.bits & exponent == 0 && self.bits & super::low_bits(mantissa) != 0
    }

    /// Returns the number that arithmetic computes with or stores: a denormal is a zero with its sign
    /// unless the mode keeps it.
    #[inline]
    #[must_use]
    pub fn flushed(self, mode: &Mode) -> Float {
        if self.is_denormal() && !mode.keeps_denormals(self.ty) {
            return Float { bits: self.bits & self.sign_bit(), ..self };
        }
        self
    }

    /// Returns the value, which is exact.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self.ty {
            DataType::DF => f64::from_bits(self.bits),
            DataType::F | DataType::TF32 => f32::from_bits(self.bits as u32).into(),
            DataType::BF => f32::from_bits((self.bits as u32) << 16).into(),
            _ => self.soft_to_f64(),
        }
    }

    #[inline(never)]
    fn soft_to_f64(self) -> f64 {
        with_format!(self.ty, S => {
            let mut loses = false;
            let wide: Double = S::from_bits(self.bits.into()).convert(&mut loses).value;
            f64::from_bits(wide.to_bits() as u64)
        })
    }

    /// Returns the integer that truncation gives; 0 for what is not a number, and the bounds of
    /// `i128` for infinities.
    pub fn truncate(self) -> i128 {
        // A conversion with `as` saturates, and NaN becomes 0.
        self.to_f64().trunc() as i128
    }

    /// Returns the number clamped to [0, 1]; 0 for what is not a number.
    #[must_use]
    pub fn saturate(self) -> Float {
        let value = self.to_f64();
        if value >= 1.0 {
            return Float::nearest(1.0, self.ty).unwrap_or(self);
        }
        // Also a zero with a sign, and NaN.
        if value > 0.0 { self } else { Float { bits: 0, ..self } }
    }

    /// Converts an integer.
    ///
    /// # Errors
    /// The type is not a modelled floating-point type.
    pub fn from_integer(value: i128, ty: DataType, mode: &Mode) -> Result<Float, FaultKind> {
        Float::from_bits(0, ty)?;
        let bits = with_format!(ty, S => S::from_i128_r(value, mode.round()).value.to_bits());
        Ok(Float { ty, bits: bits as u64 })
    }

    /// Converts the number to another type.
    ///
    /// # Errors
    /// The type is not a modelled floating-point type.
    pub fn convert(self, ty: DataType, mode: &Mode) -> Result<Float, FaultKind> {
        if ty == self.ty {
            return Ok(self);
        }
        if ty == DataType::TF32 {
            return Ok(self.convert(DataType::F, mode)?.rounded_to_tf32());
        }
        if self.ty == DataType::TF32 {
            return Float { ty: DataType::F, ..self }.convert(ty, mode);
        }
        Float::from_bits(0, ty)?;
        let source = self.flushed(mode);
        if ty == DataType::F && self.layout().0 < 32 {
            return Ok(Float::single(source.to_f64() as f32));
        }
        let bits = with_format!(self.ty, From => with_format!(ty, To => {
            let mut loses = false;
            let value = From::from_bits(source.bits.into());
            let value: To = FloatConvert::<To>::convert_r(value, mode.round(), &mut loses).value;
            value.to_bits()
        }));
        Ok(Float { ty, bits: bits as u64 }.flushed(mode))
    }

    /// Returns a number of type F as TF32, rounded to nearest; denormals are zeros (FCVT.md).
    fn rounded_to_tf32(self) -> Float {
        const CUT: u32 = 13;
        let cut = super::low_bits(CUT);
        let bits = match self.to_f64() {
            _ if self.is_denormal() => self.bits & self.sign_bit(),
            // A payload in the lowest bits only is still not a number.
            value if value.is_nan() => self.bits | 1 << 22,
            value if value.is_infinite() => self.bits,
            _ => self.bits + (cut >> 1) + (self.bits >> CUT & 1),
        };
        Float { ty: DataType::TF32, bits: bits & !cut }
    }

    /// Returns the sum.
    #[inline(always)]
    #[must_use]
    pub fn add(self, other: Float, mode: &Mode) -> Float {
        self.arithmetic(other, mode, |a, b| a + b, |a, b| a + b, Operation::Add)
    }

    /// Returns the product.
    #[inline(always)]
    #[must_use]
    pub fn multiply(self, other: Float, mode: &Mode) -> Float {
        self.arithmetic(other, mode, |a, b| a * b, |a, b| a * b, Operation::Multiply)
    }

    /// Returns the quotient.
    #[inline(always)]
    #[must_use]
    pub fn divide(self, other: Float, mode: &Mode) -> Float {
        self.arithmetic(other, mode, |a, b| a / b, |a, b| a / b, Operation::Divide)
    }

    /// Computes with numbers of the same type: with the machine's instructions if it rounds to nearest,
    /// and by software otherwise.
    #[inline(always)]
    fn arithmetic(
        self,
        other: Float,
        mode: &Mode,
        single: impl Fn(f32, f32) -> f32,
        double: impl Fn(f64, f64) -> f64,
        operation: Operation,
    ) -> Float {
        let (a, b) = (self.flushed(mode), other.flushed(mode));
        let bits = match self.ty {
            DataType::F if mode.is_native() => {
                let value = single(a.as_single(), b.as_single());
                if value.is_nan() { not_a_number([a, b]) } else { value.to_bits().into() }
            }
            DataType::DF if mode.is_native() => {
                let value = double(f64::from_bits(a.bits), f64::from_bits(b.bits));
                if value.is_nan() { not_a_number([a, b]) } else { value.to_bits() }
            }
            _ => a.soft_arithmetic(b, mode, operation),
        };
        Float { bits, ..self }.flushed(mode)
    }

    #[inline(never)]
    fn soft_arithmetic(self, other: Float, mode: &Mode, operation: Operation) -> u64 {
        with_format!(self.ty, S => {
            let (a, b) = (S::from_bits(self.bits.into()), S::from_bits(other.bits.into()));
            let value = match operation {
                Operation::Add => a.add_r(b, mode.round()),
                Operation::Multiply => a.mul_r(b, mode.round()),
                Operation::Divide => a.div_r(b, mode.round()),
            };
            value.value.to_bits() as u64
        })
    }

    /// Returns `self * factor + summand`, rounded once.
    #[inline(always)]
    #[must_use]
    pub fn multiply_add(self, factor: Float, summand: Float, mode: &Mode) -> Float {
        let (a, b, c) = (self.flushed(mode), factor.flushed(mode), summand.flushed(mode));
        let bits = match self.ty {
            DataType::F if mode.is_native() => {
                let value = multiply_add(a.as_single(), b.as_single(), c.as_single());
                if value.is_nan() { not_a_number([a, b, c]) } else { value.to_bits().into() }
            }
            DataType::DF if mode.is_native() => {
                let double = |float: Float| f64::from_bits(float.bits);
                let value = double(a).mul_add(double(b), double(c));
                if value.is_nan() { not_a_number([a, b, c]) } else { value.to_bits() }
            }
            _ => a.soft_multiply_add(b, c, mode),
        };
        Float { bits, ..self }.flushed(mode)
    }

    #[inline(never)]
    fn soft_multiply_add(self, factor: Float, summand: Float, mode: &Mode) -> u64 {
        with_format!(self.ty, S => {
            let [a, b, c] = [self, factor, summand].map(|float| S::from_bits(float.bits.into()));
            a.mul_add_r(b, c, mode.round()).value.to_bits() as u64
        })
    }

    /// Returns the correctly rounded square root.
    #[must_use]
    pub fn square_root(self, mode: &Mode) -> Float {
        let source = self.flushed(mode);
        let bits = match self.ty {
            DataType::DF => f64::from_bits(source.bits).sqrt().to_bits(),
            DataType::F => f32::from_bits(source.bits as u32).sqrt().to_bits().into(),
            // The square root of a half in double precision is far enough from ties of halves.
            _ => match Float::nearest(source.to_f64().sqrt(), self.ty) {
                Ok(float) => float.bits,
                Err(_) => source.bits,
            },
        };
        Float { bits, ..self }.flushed(mode)
    }

    /// Rounds to an integer.
    #[must_use]
    pub fn round_to_integer(self, rounding: Rounding, mode: &Mode) -> Float {
        let source = self.flushed(mode);
        let round = mode.with_rounding(rounding).round();
        let bits = with_format!(self.ty, S => {
            let value: rustc_apfloat::StatusAnd<S> =
                S::from_bits(source.bits.into()).round_to_integral(round);
            debug_assert!(!value.status.contains(Status::DIV_BY_ZERO));
            value.value.to_bits() as u64
        });
        Float { bits, ..self }
    }

    /// Computes a function in double precision, and rounds the result to the type. The functions of the
    /// hardware are approximations, too, with other errors.
    #[must_use]
    pub fn approximate(self, mode: &Mode, function: impl Fn(f64) -> f64) -> Float {
        let value = function(self.flushed(mode).to_f64());
        Float::nearest(value, self.ty).unwrap_or(self).flushed(mode)
    }
}

/// Returns the bits of a result that is not a number: those of the first source that is none, as a quiet one. A compiled
/// operation on numbers that are both none may return either.
#[inline(always)]
fn not_a_number<const N: usize>(sources: [Float; N]) -> u64 {
    let (width, mantissa) = sources[0].layout();
    let exponent = super::low_bits(width - 1) & !super::low_bits(mantissa);
    let quiet = 1 << (mantissa - 1);
    // That of an operation that is not defined, as processors return it.
    let mut bits = 1 << (width - 1) | exponent;
    for source in sources.iter().rev() {
        if source.bits & super::low_bits(width - 1) > exponent {
            bits = source.bits;
        }
    }
    bits | quiet
}

/// Returns `a * b + c`, rounded once, as [`f32::mul_add`] does by a call of a function on many machines.
#[inline]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    // In double precision, the product is exact, and the sum is not, by `rest` (the sum of two numbers of Knuth).
    let (product, summand) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + summand;
    let part = sum - product;
    let rest = (product - (sum - part)) + (summand - part);
    // Rounded to odd, the sum is no tie of the second rounding that the exact sum is not.
    // It is not a number if the sum is infinite.
    let is_inexact = rest.abs() > 0.0;
    let is_even = sum.to_bits() & 1 == 0;
    let away = if (rest > 0.0) == (sum > 0.0) { 1 } else { u64::MAX };
    let odd = if is_inexact && is_even { away } else { 0 };
    f64::from_bits(sum.to_bits().wrapping_add(odd)) as f32
}

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Multiply,
    Divide,
}
