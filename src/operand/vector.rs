//! Vector operands, of which scalars are a case (format-facts 3.3).

mod codec;
mod trace;

use super::code::code;
use super::ids::{AddrId, SamplerId, SurfaceId, VarId};
use super::imm::Imm;
use super::predicate::Pred;
use super::region::Region;
use super::types::{DataType, TypeByte};

code! {
    /// What is done to a source's values before use, or to a destination's before storing.
    ///
    /// Bits 3 to 5 of an operand's first byte. Readers heed it on general and indirect operands.
    pub struct Modifier(max 7) {
        /// Values as they are.
        NONE = 0 "none",
        /// Absolute value.
        ABS = 1 "abs",
        /// Negated.
        NEG = 2 "neg",
        /// Negated absolute value.
        NEG_ABS = 3 "neg_abs",
        /// Saturated; destinations only.
        SAT = 4 "sat",
        /// Bitwise complement.
        NOT = 5 "not",
    }
}

impl Modifier {
    /// How it is written before an operand.
    #[cfg(feature = "text")]
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Modifier::ABS => "(abs)",
            Modifier::NEG => "(-)",
            Modifier::NEG_ABS => "(-abs)",
            Modifier::NOT => "(~)",
            _ => "",
        }
    }
}

code! {
    /// How many elements an address operand takes, in the code of execution sizes.
    pub struct AddrWidth(max 255) {
        /// One element.
        W1 = 0 "1",
        /// Two elements.
        W2 = 1 "2",
        /// Four elements.
        W4 = 2 "4",
        /// Eight elements.
        W8 = 3 "8",
        /// Sixteen elements.
        W16 = 4 "16",
        /// Thirty-two elements, which the documents do not allow.
        W32 = 5 "32",
    }
}

code! {
    /// What kind of state a state operand names.
    pub struct StateClass(max 255) {
        /// A surface.
        SURFACE = 0 "surface",
        /// A sampler.
        SAMPLER = 1 "sampler",
    }
}

/// An operand of arithmetic, moves and comparisons, and every scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Vector {
    /// The modifier. It is kept, and written, with every class of operand.
    pub modifier: Modifier,
    /// What the operand names.
    pub kind: VectorKind,
}

/// The classes of vector operands: bits 0 to 2 of the first byte.
///
/// Class 4, address-of, is documented but no reader accepts it:
/// [`ErrorKind::AddressOfOperand`](crate::error::ErrorKind::AddressOfOperand).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub enum VectorKind {
    /// Class 0: elements of a general variable.
    General {
        /// The variable.
        var: VarId,
        /// Offset of the first element in rows: registers of 32 bytes.
        row: u8,
        /// Offset of the first element in elements, within the row.
        col: u8,
        /// Which elements follow.
        region: Region,
    },
    /// Class 1: elements of an address variable.
    Address {
        /// The variable.
        addr: AddrId,
        /// The first element.
        offset: u8,
        /// How many elements.
        width: AddrWidth,
    },
    /// Class 2: a predicate.
    Predicate(Pred),
    /// Class 3: elements of a general variable through addresses.
    Indirect {
        /// The address variable.
        addr: AddrId,
        /// Its first element.
        addr_offset: u8,
        /// Added to each address, in bytes. The documents allow -512 to 511.
        offset: i16,
        /// The type of the elements.
        ty: TypeByte,
        /// Which elements; a null vertical stride takes an address for each row.
        region: Region,
    },
    /// Class 5: a constant.
    Immediate(Imm),
    /// Class 6: a surface or a sampler.
    State {
        /// Which of the two.
        class: StateClass,
        /// Its index in the table of that kind.
        index: u16,
        /// Offset of the element.
        offset: u8,
    },
}

impl Default for VectorKind {
    fn default() -> Self {
        VectorKind::General { var: VarId::NULL, row: 0, col: 0, region: Region::SCALAR }
    }
}

impl VectorKind {
    const ADDRESS_OF: u8 = 4;

    pub(super) const fn class(self) -> u8 {
        match self {
            VectorKind::General { .. } => 0,
            VectorKind::Address { .. } => 1,
            VectorKind::Predicate(_) => 2,
            VectorKind::Indirect { .. } => 3,
            VectorKind::Immediate(_) => 5,
            VectorKind::State { .. } => 6,
        }
    }
}

impl Vector {
    pub(crate) const CLASS: u8 = 0x07;

    const fn plain(kind: VectorKind) -> Vector {
        Vector { modifier: Modifier::NONE, kind }
    }

    /// Elements of a general variable, from row 0, column 0 on.
    pub const fn general(var: VarId, region: Region) -> Vector {
        Vector::plain(VectorKind::General { var, row: 0, col: 0, region })
    }

    /// Elements of a general variable, from a row and a column on.
    pub const fn general_at(var: VarId, row: u8, col: u8, region: Region) -> Vector {
        Vector::plain(VectorKind::General { var, row, col, region })
    }

    /// Elements of a type through addresses, `offset` bytes behind each.
    pub const fn indirect(
        addr: AddrId,
        addr_offset: u8,
        offset: i16,
        ty: DataType,
        region: Region,
    ) -> Vector {
        let ty = TypeByte::from_bits(ty.bits());
        Vector::plain(VectorKind::Indirect { addr, addr_offset, offset, ty, region })
    }

    /// The first element of a general variable, for all lanes.
    pub const fn scalar(var: VarId) -> Vector {
        Vector::general(var, Region::SCALAR)
    }

    /// A constant.
    pub const fn imm(imm: Imm) -> Vector {
        Vector::plain(VectorKind::Immediate(imm))
    }

    /// Elements of an address variable.
    pub const fn address(addr: AddrId, offset: u8, width: AddrWidth) -> Vector {
        Vector::plain(VectorKind::Address { addr, offset, width })
    }

    /// A predicate.
    pub const fn predicate(pred: Pred) -> Vector {
        Vector::plain(VectorKind::Predicate(pred))
    }

    /// A surface.
    pub const fn surface(surface: SurfaceId, offset: u8) -> Vector {
        let index = surface.0 as u16;
        Vector::plain(VectorKind::State { class: StateClass::SURFACE, index, offset })
    }

    /// A sampler.
    pub const fn sampler(sampler: SamplerId, offset: u8) -> Vector {
        let index = sampler.0 as u16;
        Vector::plain(VectorKind::State { class: StateClass::SAMPLER, index, offset })
    }

    /// The same operand with another modifier.
    #[must_use]
    pub const fn with_modifier(self, modifier: Modifier) -> Vector {
        Vector { modifier, ..self }
    }

    /// The constant, if the operand is one.
    pub const fn as_imm(self) -> Option<Imm> {
        match self.kind {
            VectorKind::Immediate(imm) => Some(imm),
            _ => None,
        }
    }
}

impl From<Imm> for Vector {
    fn from(imm: Imm) -> Vector {
        Vector::imm(imm)
    }
}

const _: () = assert!(size_of::<Vector>() == 16, "operands are meant to stay small");
