//! Data types (format-facts 3.2).

use alloc::string::String;
use core::fmt;

use super::code::code;
use crate::format::Format;
use crate::wire::Describe;

code! {
    /// The type of a variable's elements, of an immediate, or of what an indirect operand points to.
    ///
    /// Four bits wide. Types newer than `bf` have no binary form.
    pub struct DataType(max 15) {
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
    }
}

impl DataType {
    /// The size of an element in bytes; packed vectors count as a whole.
    pub const fn size(self) -> usize {
        match self {
            DataType::UB | DataType::B | DataType::BOOL => 1,
            DataType::UW | DataType::W | DataType::HF | DataType::BF => 2,
            DataType::DF | DataType::UQ | DataType::Q => 8,
            _ => 4,
        }
    }

    /// Whether an immediate of this type takes eight bytes rather than four.
    pub const fn is_wide(self) -> bool {
        matches!(self, DataType::DF | DataType::UQ | DataType::Q)
    }
}

/// The byte that holds an operand's type: the low nibble is the [`DataType`].
///
/// The high nibble should be zero and no reader looks at it, but files of vISA 3.2 set it, so it is
/// kept.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TypeByte(u8);

impl TypeByte {
    /// The byte as it is.
    pub const fn from_bits(bits: u8) -> TypeByte {
        TypeByte(bits)
    }

    /// The byte.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The type.
    pub const fn ty(self) -> DataType {
        DataType::from_low_bits(self.0)
    }
}

impl From<DataType> for TypeByte {
    fn from(ty: DataType) -> TypeByte {
        TypeByte(ty.bits())
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_code!(
    // The name of a type says nothing of the high nibble.
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
