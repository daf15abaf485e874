//! Vector operands, which include scalars (docs/format.md, 3.3).

mod codec;
mod trace;

use super::code::code;
use super::ids::{AddrId, SamplerId, SurfaceId, VarId};
use super::imm::{Imm, number_types};
use super::predicate::Pred;
use super::region::Region;
use super::types::{DataType, TypeByte};

code! {
    /// A modification of the values of a source before they are used, or of a destination before
    /// they are stored.
    ///
    /// Bits 3 to 5 of the first byte of an operand. Readers ignore it on operands that are neither
    /// general nor indirect.
    pub struct Modifier(max 7) {
        /// No modification.
        NONE = 0 "none",
        /// Absolute value.
        ABS = 1 "abs",
        /// Negated.
        NEG = 2 "neg",
        /// Negated absolute value.
        NEG_ABS = 3 "neg_abs",
        /// Saturation. Destinations only.
        SAT = 4 "sat",
        /// Bitwise complement.
        NOT = 5 "not",
    }
}

impl Modifier {
    /// Returns the text before an operand.
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
    /// The number of elements of an address operand: the binary logarithm.
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
    /// The table of a state operand.
    pub struct StateClass(max 255) {
        /// A surface.
        SURFACE = 0 "surface",
        /// A sampler.
        SAMPLER = 1 "sampler",
    }
}

/// A vector operand: an operand of arithmetic, moves and comparisons, or a scalar operand of a
/// message.
///
/// The first byte contains the class (bits 0 to 2, [`VectorKind`]) and the modifier (bits 3 to 5).
/// Bits 6 and 7 must be zero.
///
/// A number converts to a constant of its type, and an id to the first element of the variable:
///
/// ```
/// use genvisa::operand::{Imm, VarId, Vector};
///
/// assert_eq!(Vector::from(4u32), Imm::ud(4).into());
/// assert_eq!(Vector::from(-1i32), Imm::d(-1).into());
/// assert_eq!(Vector::from(1.5f32), Imm::f(1.5).into());
/// assert_eq!(Vector::from(VarId(32)), Vector::scalar(VarId(32)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Vector {
    /// The modifier. It is encoded for all classes, although readers ignore it on some.
    pub modifier: Modifier,
    /// The class and its fields.
    pub kind: VectorKind,
}

/// The class of a vector operand, and its fields in the order of their bytes.
///
/// The documents also have class 4, address-of, which no reader accepts:
/// [`ErrorKind::AddressOfOperand`](crate::error::ErrorKind::AddressOfOperand).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
// `repr(u8)` keeps the order of the fields: `row`, `col` and `region` are adjacent, as in the
// encoding, and are stored at once.
#[repr(u8)]
pub enum VectorKind {
    /// Class 0: elements of a general variable.
    General {
        /// The variable.
        var: VarId,
        /// The row of the first element. A row is a register of the platform: 32 or 64 bytes.
        row: u8,
        /// The column of the first element: its position in the row, in elements.
        col: u8,
        /// The region.
        region: Region,
    },
    /// Class 1: elements of an address variable.
    Address {
        /// The variable.
        addr: AddrId,
        /// The first element.
        offset: u8,
        /// The number of elements.
        width: AddrWidth,
    },
    /// Class 2: a predicate.
    Predicate(Pred),
    /// Class 3: elements of a general variable whose addresses are in an address variable.
    Indirect {
        /// The address variable.
        addr: AddrId,
        /// The first element of the address variable.
        addr_offset: u8,
        /// The offset that is added to each address, in bytes. The documents allow -512 to 511.
        offset: i16,
        /// The type of the elements.
        ty: TypeByte,
        /// The region. If its vertical stride is null, each row has an address.
        region: Region,
    },
    /// Class 5: a constant.
    Immediate(Imm),
    /// Class 6: a surface or a sampler.
    State {
        /// Whether it is a surface or a sampler.
        class: StateClass,
        /// The id.
        index: u16,
        /// The element of the surface or sampler variable.
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
    /// The bits of the first byte that contain the class of the operand.
    pub const CLASS: u8 = 0x07;

    const fn without_modifier(kind: VectorKind) -> Vector {
        Vector { modifier: Modifier::NONE, kind }
    }

    /// Returns elements of a general variable from its start.
    pub const fn general(var: VarId, region: Region) -> Vector {
        Vector::without_modifier(VectorKind::General { var, row: 0, col: 0, region })
    }

    /// Returns elements of a general variable from a row and a column on.
    pub const fn general_at(var: VarId, row: u8, col: u8, region: Region) -> Vector {
        Vector::without_modifier(VectorKind::General { var, row, col, region })
    }

    /// Returns elements of a type at addresses of an address variable, plus `offset` bytes.
    pub const fn indirect(
        addr: AddrId,
        addr_offset: u8,
        offset: i16,
        ty: DataType,
        region: Region,
    ) -> Vector {
        let ty = TypeByte::from_bits(ty.bits());
        Vector::without_modifier(VectorKind::Indirect { addr, addr_offset, offset, ty, region })
    }

    /// Returns the first element of a general variable, for all lanes.
    pub const fn scalar(var: VarId) -> Vector {
        Vector::general(var, Region::SCALAR)
    }

    /// Returns a constant.
    pub const fn imm(imm: Imm) -> Vector {
        Vector::without_modifier(VectorKind::Immediate(imm))
    }

    /// Returns elements of an address variable.
    pub const fn address(addr: AddrId, offset: u8, width: AddrWidth) -> Vector {
        Vector::without_modifier(VectorKind::Address { addr, offset, width })
    }

    /// Returns a predicate.
    pub const fn predicate(pred: Pred) -> Vector {
        Vector::without_modifier(VectorKind::Predicate(pred))
    }

    /// Returns an element of a surface variable; 0 is the first.
    pub const fn surface(surface: SurfaceId, offset: u8) -> Vector {
        let index = surface.0 as u16;
        Vector::without_modifier(VectorKind::State { class: StateClass::SURFACE, index, offset })
    }

    /// Returns an element of a sampler variable; 0 is the first.
    pub const fn sampler(sampler: SamplerId, offset: u8) -> Vector {
        let index = sampler.0 as u16;
        Vector::without_modifier(VectorKind::State { class: StateClass::SAMPLER, index, offset })
    }

    /// Sets the modifier.
    #[must_use]
    pub const fn with_modifier(self, modifier: Modifier) -> Vector {
        Vector { modifier, ..self }
    }

    /// Returns the constant, if the operand is one.
    pub const fn as_imm(self) -> Option<Imm> {
        match self.kind {
            VectorKind::Immediate(imm) => Some(imm),
            _ => None,
        }
    }
}

impl From<VarId> for Vector {
    /// Returns the first element for all lanes, as [`Vector::scalar`].
    fn from(var: VarId) -> Vector {
        Vector::scalar(var)
    }
}

macro_rules! from_numbers {
    ($($ty:ident $make:ident),*) => {$(
        impl From<$ty> for Vector {
            #[doc = concat!("Returns the constant of [`Imm::", stringify!($make), "`].")]
            fn from(value: $ty) -> Vector {
                Imm::$make(value).into()
            }
        }
    )*};
}

number_types!(from_numbers);

impl From<Imm> for Vector {
    fn from(imm: Imm) -> Vector {
        Vector::imm(imm)
    }
}

const _: () = assert!(size_of::<Vector>() == 16, "operands must stay small");
