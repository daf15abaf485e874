//! Immediates (docs/format.md, 3.3, class 5).

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::types::{DataType, TypeByte};

/// A constant with a type. Its bits are as in the file: four bytes, or eight for `df`, `uq` and
/// `q`.
///
/// For types of less than four bytes, the upper bits have no meaning. The constructors extend the
/// value as GenX_IR does, by its sign for signed types and by zeros for others; decoding
/// preserves the bits.
///
/// ```
/// use genvisa::operand::{DataType, Imm};
///
/// let imm = Imm::w(-2);
/// assert_eq!((imm.ty(), imm.bits()), (DataType::W, 0xffff_fffe));
/// assert_eq!(imm.as_integer(), Some(-2));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Imm {
    ty: TypeByte,
    // Bytes rather than a u64, whose alignment would make every operand half as large again.
    bits: [u8; 8],
}

impl Imm {
    /// Returns the constant of a type with these bits, or `None` if the type has four bytes and the
    /// bits have more.
    pub const fn new(ty: DataType, bits: u64) -> Option<Imm> {
        if ty.is_wide() || bits <= u32::MAX as u64 { Some(Imm::from_bits(ty, bits)) } else { None }
    }

    #[inline(always)]
    const fn from_bits(ty: DataType, bits: u64) -> Imm {
        Imm::from_parts(TypeByte::from_bits(ty.bits()), bits)
    }

    #[inline(always)]
    pub(crate) const fn from_parts(ty: TypeByte, bits: u64) -> Imm {
        Imm { ty, bits: bits.to_le_bytes() }
    }

    const fn narrow(ty: DataType, low: u32) -> Imm {
        Imm::from_bits(ty, low as u64)
    }

    const fn low(self) -> u32 {
        self.bits() as u32
    }

    /// Returns a `ud`.
    pub const fn ud(value: u32) -> Imm {
        Imm::narrow(DataType::UD, value)
    }

    /// Returns a `d`.
    pub const fn d(value: i32) -> Imm {
        Imm::narrow(DataType::D, value as u32)
    }

    /// Returns a `uw`.
    pub const fn uw(value: u16) -> Imm {
        Imm::narrow(DataType::UW, value as u32)
    }

    /// Returns a `w`.
    pub const fn w(value: i16) -> Imm {
        Imm::narrow(DataType::W, value as u32)
    }

    /// Returns a `ub`.
    pub const fn ub(value: u8) -> Imm {
        Imm::narrow(DataType::UB, value as u32)
    }

    /// Returns a `b`.
    pub const fn b(value: i8) -> Imm {
        Imm::narrow(DataType::B, value as u32)
    }

    /// Returns a `uq`.
    pub const fn uq(value: u64) -> Imm {
        Imm::from_bits(DataType::UQ, value)
    }

    /// Returns a `q`.
    pub const fn q(value: i64) -> Imm {
        Imm::from_bits(DataType::Q, value as u64)
    }

    /// Returns an `f`.
    pub const fn f(value: f32) -> Imm {
        Imm::narrow(DataType::F, value.to_bits())
    }

    /// Returns a `df`.
    pub const fn df(value: f64) -> Imm {
        Imm::from_bits(DataType::DF, value.to_bits())
    }

    /// Returns an `hf` with these bits.
    pub const fn hf(bits: u16) -> Imm {
        Imm::narrow(DataType::HF, bits as u32)
    }

    /// Returns a `bf` with these bits.
    pub const fn bf(bits: u16) -> Imm {
        Imm::narrow(DataType::BF, bits as u32)
    }

    /// Returns a `bool`.
    pub const fn bool(value: bool) -> Imm {
        Imm::narrow(DataType::BOOL, value as u32)
    }

    /// Returns a `v` of eight elements, the first in bits 0 to 3, or `None` if one of them is not
    /// in -8 to 7.
    pub const fn v(elements: [i8; 8]) -> Option<Imm> {
        let (mut bits, mut i) = (0, 0);
        while i < 8 {
            if elements[i] < -8 || elements[i] > 7 {
                return None;
            }
            bits |= (elements[i] as u32 & 0xf) << (4 * i);
            i += 1;
        }
        Some(Imm::narrow(DataType::V, bits))
    }

    /// Returns a `uv` of eight elements, the first in bits 0 to 3, or `None` if one of them is
    /// above 15.
    pub const fn uv(elements: [u8; 8]) -> Option<Imm> {
        let (mut bits, mut i) = (0, 0);
        while i < 8 {
            if elements[i] > 15 {
                return None;
            }
            bits |= (elements[i] as u32) << (4 * i);
            i += 1;
        }
        Some(Imm::narrow(DataType::UV, bits))
    }

    /// Returns a `vf` of four 8-bit floats with these bits, the first in the lowest byte.
    pub const fn vf(elements: [u8; 4]) -> Imm {
        Imm::narrow(DataType::VF, u32::from_le_bytes(elements))
    }

    /// Returns the type.
    pub const fn ty(self) -> DataType {
        self.ty.ty()
    }

    /// Returns the byte that contains the type.
    pub const fn type_byte(self) -> TypeByte {
        self.ty
    }

    /// Sets the byte that contains the type. Returns `None` if the type would change.
    pub const fn with_type_byte(self, byte: TypeByte) -> Option<Imm> {
        if byte.ty().bits() == self.ty().bits() { Some(Imm { ty: byte, ..self }) } else { None }
    }

    /// Returns the bits as in the file, zero-extended to 64 bits.
    pub const fn bits(self) -> u64 {
        u64::from_le_bytes(self.bits)
    }

    /// Returns the value of a constant of any integer type; `None` for a `uq` above `i64::MAX`, and
    /// for other types.
    pub const fn as_integer(self) -> Option<i64> {
        Some(match self.ty() {
            DataType::UD => self.low() as i64,
            DataType::D => self.low() as i32 as i64,
            DataType::UW => self.low() as u16 as i64,
            DataType::W => self.low() as i16 as i64,
            DataType::UB => self.low() as u8 as i64,
            DataType::B => self.low() as i8 as i64,
            DataType::Q => self.bits() as i64,
            DataType::UQ if self.bits() <= i64::MAX as u64 => self.bits() as i64,
            _ => return None,
        })
    }

    /// Returns the value of an `f`; `None` for other types.
    pub const fn as_f32(self) -> Option<f32> {
        match self.ty() {
            DataType::F => Some(f32::from_bits(self.low())),
            _ => None,
        }
    }

    /// Returns the value of a `df`; `None` for other types.
    pub const fn as_f64(self) -> Option<f64> {
        match self.ty() {
            DataType::DF => Some(f64::from_bits(self.bits())),
            _ => None,
        }
    }

    /// Returns the bits of an `hf` or `bf`; `None` for other types.
    pub const fn as_half_bits(self) -> Option<u16> {
        match self.ty() {
            DataType::HF | DataType::BF => Some(self.low() as u16),
            _ => None,
        }
    }

    /// Returns the elements of a `v` or `uv`; `None` for other types.
    pub const fn as_packed_integers(self) -> Option<[i8; 8]> {
        let signed = match self.ty() {
            DataType::V => true,
            DataType::UV => false,
            _ => return None,
        };
        let (mut elements, mut i) = ([0; 8], 0);
        while i < 8 {
            let nibble = (self.low() >> (4 * i)) as u8 & 0xf;
            elements[i] = if signed { ((nibble << 4) as i8) >> 4 } else { nibble as i8 };
            i += 1;
        }
        Some(elements)
    }

    /// Returns the bits of the elements of a `vf`; `None` for other types.
    pub const fn as_packed_floats(self) -> Option<[u8; 4]> {
        match self.ty() {
            DataType::VF => Some(self.low().to_le_bytes()),
            _ => None,
        }
    }

    pub(crate) fn meaning(self) -> String {
        if let Some(value) = self.as_f32() {
            return format!("{value}");
        }
        if let Some(value) = self.as_f64() {
            return format!("{value}");
        }
        if let Some(elements) = self.as_packed_integers() {
            return format!("{elements:?}");
        }
        self.as_integer().map_or_else(String::new, |value| format!("{value}"))
    }
}

/// The serialized form of [`Imm`], before the check that the bits fit the type.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Imm", deny_unknown_fields)]
struct Parts {
    ty: TypeByte,
    bits: u64,
}

/// Passes the types of numbers to a macro, each with the method of [`Imm`] that makes a constant of it.
macro_rules! number_types {
    ($callback:ident) => {
        $callback! { u8 ub, i8 b, u16 uw, i16 w, u32 ud, i32 d, u64 uq, i64 q, f32 f, f64 df }
    };
}

macro_rules! from_numbers {
    ($($ty:ident $make:ident),*) => {$(
        impl From<$ty> for Imm {
            #[doc = concat!("Returns the constant of [`Imm::", stringify!($make), "`].")]
            fn from(value: $ty) -> Imm {
                Imm::$make(value)
            }
        }
    )*};
}

number_types!(from_numbers);

pub(crate) use number_types;

#[cfg(feature = "serde")]
impl serde::Serialize for Imm {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&Parts { ty: self.ty, bits: self.bits() }, s)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Imm {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Imm, D::Error> {
        use serde::de::{Error, Unexpected};
        let Parts { ty, bits } = serde::Deserialize::deserialize(d)?;
        let imm = Imm::new(ty.ty(), bits).and_then(|imm| imm.with_type_byte(ty));
        imm.ok_or_else(|| {
            D::Error::invalid_value(Unexpected::Unsigned(bits), &"bits that fit the type")
        })
    }
}

impl fmt::Display for Imm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}:{}", self.bits(), self.ty)
    }
}

impl fmt::Debug for Imm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Imm({self})")
    }
}
