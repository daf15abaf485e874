//! Numbers of lanes: exact integers, and floating-point numbers in a format.

mod float;

pub use float::{Float, Mode, Rounding};

use genvisa::operand::DataType;

use crate::fault::FaultKind;
pub(crate) use crate::value::low_bits;
use crate::value::word;

/// Returns the value of a floating-point number, from its bits in the format of a type; `None` if the type
/// has none.
///
/// ```
/// use genvisa::operand::DataType;
///
/// assert_eq!(genvisa_interp::to_f64(DataType::HF, 0x3e00), Some(1.5));
/// ```
pub fn to_f64(ty: DataType, bits: u64) -> Option<f64> {
    Float::from_bits(bits, ty).ok().map(Float::to_f64)
}

/// Returns the number that has these bits in the format of a type, with as many digits as it needs.
///
/// ```
/// use genvisa::operand::DataType;
///
/// assert_eq!(genvisa_interp::number(DataType::B, 0xff), "-1");
/// assert_eq!(genvisa_interp::number(DataType::F, 0x3dcc_cccd), "0.1");
/// ```
pub fn number(ty: DataType, bits: u64) -> String {
    match to_f64(ty, bits) {
        Some(_) if ty == DataType::F => f32::from_bits(bits as u32).to_string(),
        Some(value) => value.to_string(),
        None if ty.is_signed_integer() => {
            let shift = 64 - bits_of(ty);
            ((bits << shift) as i64 >> shift).to_string()
        }
        None => bits.to_string(),
    }
}

/// Returns the numbers that the elements of a variable are; `None` for those with bits that nobody wrote. The bytes are
/// those that [`Thread::variable`](crate::Thread::variable) returns.
///
/// ```
/// use genvisa::operand::DataType;
///
/// let elements = genvisa_interp::elements(DataType::W, &[1, 0, 0xfe, 0xff, 0, 0], &[0, 0, 0, 0, 0, 1]);
/// assert_eq!(elements, [Some("1".into()), Some("-2".into()), None]);
/// ```
pub fn elements(ty: DataType, bytes: &[u8], undefined: &[u8]) -> Vec<Option<String>> {
    let size = ty.size().max(1);
    let elements = bytes.chunks_exact(size).zip(undefined.chunks_exact(size));
    let shown =
        elements.map(|(bytes, undefined)| (word(undefined) == 0).then(|| number(ty, word(bytes))));
    shown.collect()
}

/// Returns the bits of the number in the format of a type that is nearest to a value; `None` if the type
/// has no floating-point numbers.
///
/// ```
/// use genvisa::operand::DataType;
///
/// assert_eq!(genvisa_interp::nearest(DataType::HF, 1.5), Some(0x3e00));
/// ```
pub fn nearest(ty: DataType, value: f64) -> Option<u64> {
    Float::nearest(value, ty).ok().map(Float::bits)
}

/// The value of an element of an operand while an instruction computes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer. It is exact: the hardware has extra bits, and what does not fit is cut or clamped
    /// when it is stored.
    Integer(i128),
    /// A floating-point number.
    Float(Float),
}

/// Returns the number of bits of an element.
pub fn bits_of(ty: DataType) -> u32 {
    ty.size() as u32 * 8
}

impl Number {
    /// Returns the number with these bits.
    ///
    /// # Errors
    /// The type is not modelled.
    #[inline]
    pub fn from_bits(bits: u64, ty: DataType) -> Result<Number, FaultKind> {
        if ty.is_integer() {
            let unused = 64 - bits_of(ty);
            let bits = bits << unused;
            return Ok(Number::Integer(if ty.is_signed_integer() {
                i128::from(bits as i64 >> unused)
            } else {
                i128::from(bits >> unused)
            }));
        }
        Float::from_bits(bits, ty).map(Number::Float)
    }

    /// Returns the bits of the number in a type: integers are cut, or clamped if `saturate`, and floats
    /// are rounded, or clamped to [0, 1]; floats become integers by truncation.
    ///
    /// # Errors
    /// The type is not modelled.
    #[inline]
    pub fn to_bits(self, ty: DataType, saturate: bool, mode: &Mode) -> Result<u64, FaultKind> {
        if !ty.is_integer() {
            let float = match self {
                Number::Integer(value) => Float::from_integer(value, ty, mode)?,
                Number::Float(float) => float.convert(ty, mode)?,
            };
            return Ok(if saturate { float.saturate() } else { float }.bits());
        }
        let width = bits_of(ty);
        let (min, max) = match ty.is_signed_integer() {
            true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            false => (0, (1i128 << width) - 1),
        };
        let value = match self {
            // A conversion of a float always clamps.
            Number::Float(float) => float.truncate().clamp(min, max),
            Number::Integer(value) if saturate => value.clamp(min, max),
            Number::Integer(value) => value,
        };
        Ok(value as u64 & low_bits(width))
    }

    /// Returns the negated number.
    #[inline]
    pub fn negated(self) -> Number {
        match self {
            Number::Integer(value) => Number::Integer(-value),
            Number::Float(float) => Number::Float(float.negated()),
        }
    }

    /// Returns the absolute value.
    #[inline]
    pub fn absolute(self) -> Number {
        match self {
            Number::Integer(value) => Number::Integer(value.abs()),
            Number::Float(float) => Number::Float(float.absolute()),
        }
    }

    /// Compares two numbers; `None` if one is not a number.
    ///
    /// # Errors
    /// One is an integer and the other is a float.
    #[inline]
    pub fn compare(self, other: Number) -> Result<Option<std::cmp::Ordering>, FaultKind> {
        match (self, other) {
            (Number::Integer(a), Number::Integer(b)) => Ok(Some(a.cmp(&b))),
            (Number::Float(a), Number::Float(b)) => Ok(a.to_f64().partial_cmp(&b.to_f64())),
            _ => Err(mixed()),
        }
    }

    /// Returns the integer.
    ///
    /// # Errors
    /// The number is a float.
    #[inline]
    pub fn integer(self) -> Result<i128, FaultKind> {
        match self {
            Number::Integer(value) => Ok(value),
            Number::Float(_) => Err(of_floats()),
        }
    }

    /// Returns the float.
    ///
    /// # Errors
    /// The number is an integer.
    #[inline]
    pub fn float(self) -> Result<Float, FaultKind> {
        match self {
            Number::Float(float) => Ok(float),
            Number::Integer(_) => Err(of_integers()),
        }
    }
}

#[cold]
fn of_floats() -> FaultKind {
    FaultKind::not_modelled("this operation on floats")
}

#[cold]
fn of_integers() -> FaultKind {
    FaultKind::not_modelled("this operation on integers")
}

/// Returns the fault of an instruction with integers and floats.
#[cold]
pub fn mixed() -> FaultKind {
    FaultKind::not_modelled("arithmetic with integers and floats")
}
