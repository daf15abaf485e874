//! Data types (docs/format.md, 3.2).

use alloc::string::String;
use core::fmt;

use super::code::code;
use crate::format::Format;
use crate::wire::Describe;

code! {
    /// The type of the elements of a variable, of an immediate, or of an indirect operand.
    ///
    /// Four bits in files. The types from 16 on exist in text of 4.2 only, as types of variables.
    pub struct DataType(max 31) {
        /// 32-bit unsigned integer.
        UD = 0 "ud",
        /// 32-bit signed integer.
        D = 1 "d",
        /// 16-bit unsigned integer.
        UW = 2 "uw",
        /// 16-bit signed integer.
        W = 3 "w",
        /// 8-bit unsigned integer.
        UB = 4 "ub",
        /// 8-bit signed integer.
        B = 5 "b",
        /// 64-bit float.
        DF = 6 "df",
        /// 32-bit float.
        F = 7 "f",
        /// Packed vector of eight signed 4-bit integers. Immediates only.
        V = 8 "v",
        /// Packed vector of four restricted 8-bit floats. Immediates only.
        VF = 9 "vf",
        /// Boolean.
        BOOL = 10 "bool",
        /// 64-bit unsigned integer.
        UQ = 11 "uq",
        /// Packed vector of eight unsigned 4-bit integers. Immediates only.
        UV = 12 "uv",
        /// 64-bit signed integer.
        Q = 13 "q",
        /// 16-bit float.
        HF = 14 "hf",
        /// 16-bit float with the exponent of `f`.
        BF = 15 "bf",
        /// 32-bit float with 10 bits of mantissa.
        TF32 = 16 "tf32",
        /// 8-bit float with 4 bits of exponent (e4m3).
        HF8 = 17 "hf8",
        /// 8-bit float with 5 bits of exponent (e5m2).
        BF8 = 18 "bf8",
        /// Two 4-bit floats with 2 bits of exponent in a byte.
        E2M1 = 19 "e2m1",
    }
}

impl DataType {
    /// Returns the size of an element in bytes. A packed vector is one element.
    pub const fn size(self) -> usize {
        match self {
            DataType::UB | DataType::B | DataType::BOOL => 1,
            DataType::HF8 | DataType::BF8 | DataType::E2M1 => 1,
            DataType::UW | DataType::W | DataType::HF | DataType::BF => 2,
            DataType::DF | DataType::UQ | DataType::Q => 8,
            _ => 4,
        }
    }

    /// Returns whether the type has a binary form.
    pub const fn has_binary_form(self) -> bool {
        self.0 < 16
    }

    /// Returns whether values of the type are integers, also those of packed vectors and predicates.
    pub const fn is_integer(self) -> bool {
        use DataType as T;
        let is_unsigned = matches!(self, T::UD | T::UW | T::UB | T::UQ | T::UV | T::BOOL);
        is_unsigned || self.is_signed_integer()
    }

    /// Returns whether values of the type are integers with a sign.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, DataType::D | DataType::W | DataType::B | DataType::Q | DataType::V)
    }

    /// Returns whether variables can have the type: not packed vectors, which are types of immediates, and
    /// [`BOOL`](DataType::BOOL), the type of predicates.
    pub const fn can_be_declared(self) -> bool {
        !matches!(self, DataType::V | DataType::VF | DataType::UV | DataType::BOOL)
    }

    /// Returns whether an immediate of this type has eight bytes rather than four.
    pub const fn is_wide(self) -> bool {
        matches!(self, DataType::DF | DataType::UQ | DataType::Q)
    }
}

/// The byte that contains the type of an operand.
///
/// Bits 0 to 3 are the [`DataType`]. Bits 4 to 7 should be zero, and readers ignore them; they are
/// preserved, because files of vISA 3.2 set them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TypeByte(u8);

impl TypeByte {
    /// Returns the type with a byte.
    pub const fn from_bits(bits: u8) -> TypeByte {
        TypeByte(bits)
    }

    /// Returns the byte.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the type.
    pub const fn ty(self) -> DataType {
        DataType::from_low_bits(self.0 & 0xf)
    }
}

impl From<DataType> for TypeByte {
    fn from(ty: DataType) -> TypeByte {
        TypeByte(ty.bits())
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_code!(
    // A name cannot represent bits 4 to 7.
    TypeByte: |byte| byte.ty().name().filter(|_| TypeByte::from(byte.ty()) == byte),
    "a byte"
);

impl fmt::Display for TypeByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty().fmt(f)
    }
}

impl fmt::Debug for TypeByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 >> 4 {
            0 => write!(f, "TypeByte({})", self.ty()),
            high => write!(f, "TypeByte({}, high nibble {high:#x})", self.ty()),
        }
    }
}

impl Describe for TypeByte {
    fn meaning(&self, _: Format) -> String {
        match self.0 >> 4 {
            0 => String::new(),
            _ => "the high nibble is ignored".into(),
        }
    }
}
