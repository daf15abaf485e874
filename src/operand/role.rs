//! Vector operands that are written, or whose address is taken.

use crate::platform::RegisterSize;
use alloc::string::String;

use super::ids::VarId;
use super::region::{Region, Stride};
use super::types::DataType;
use super::vector::{Vector, VectorKind};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// A destination: a vector operand that an instruction writes. Its region has a horizontal stride
/// only, and [`SAT`](super::Modifier::SAT) is its only modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dst(pub Vector);

/// The destination of a comparison: a predicate, or elements of a general variable. Other classes
/// are errors, because readers decode them with the length of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CmpDst(pub Vector);

/// The first source of ADDR_ADD: the variable, surface or sampler whose address is taken. It is
/// encoded like an operand that reads it, not with the address-of class of the documents.
///
/// The address of a variable has an offset in bytes, such as `&V32[64]` in text. In files, it is a row and
/// a column: a row is a register of the platform, and a column is an element. In 4.2, which has no files,
/// `row` and `col` are the high and the low byte of the offset, which may be any number. Use
/// [`at_offset`](Self::at_offset) and [`offset`](Self::offset), which have this rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AddressOf(pub Vector);

impl AddressOf {
    /// Returns the address of a byte of a variable with elements of type `ty`, on a platform
    /// with registers of this size. In 4.2, the type and the platform do not matter.
    ///
    /// Returns `None` if the format cannot encode the offset: before 4.2, it is a multiple of the size of
    /// an element.
    ///
    /// ```
    /// use genvisa::operand::{AddressOf, DataType, VarId};
    /// use genvisa::RegisterSize::{Bytes32, Bytes64};
    /// use genvisa::{Format, Version};
    ///
    /// let (var, format) = (VarId(32), Format::igc2026(Version::V4_1));
    /// let at = |offset, size| AddressOf::at_offset(var, offset, DataType::D, format, size);
    /// let address = at(64, Bytes32).expect("a multiple of 4");
    /// assert_eq!(address.offset(DataType::D, format, Bytes32), Some(64));
    /// assert_eq!(address.offset(DataType::D, format, Bytes64), Some(128), "row 2");
    /// assert_eq!(at(617, Bytes32), None);
    /// assert!(AddressOf::at_offset(var, 617, DataType::D, Format::V4_2, Bytes32).is_some());
    /// ```
    pub fn at_offset(
        var: VarId,
        offset: u32,
        ty: DataType,
        format: Format,
        registers: RegisterSize,
    ) -> Option<AddressOf> {
        let (row, col) = if format == Format::V4_2 {
            (offset >> 8, offset & 0xff)
        } else {
            let (row, rest) = (offset / registers.bytes(), offset % registers.bytes());
            let size = ty.size() as u32;
            (row, (rest % size == 0).then_some(rest / size)?)
        };
        let (row, col) = (u8::try_from(row).ok()?, u8::try_from(col).ok()?);
        Some(AddressOf(Vector::general_at(var, row, col, Region::SCALAR)))
    }

    /// Returns the offset in bytes of the address of a variable with elements of type `ty`, on a platform
    /// with registers of this size. Returns `None` if it is not the address of a variable, or the
    /// offset does not fit.
    pub fn offset(&self, ty: DataType, format: Format, registers: RegisterSize) -> Option<u32> {
        let VectorKind::General { row, col, .. } = self.0.kind else { return None };
        let (row, col) = (u32::from(row), u32::from(col));
        if format == Format::V4_2 {
            return Some(row << 8 | col);
        }
        row.checked_mul(registers.bytes())?.checked_add(col * ty.size() as u32)
    }
}

impl Dst {
    /// Returns consecutive elements of a variable from its start.
    pub const fn new(var: VarId) -> Dst {
        Dst(Vector::general(var, Region::dst(Stride::S1)))
    }
}

impl From<VarId> for Dst {
    fn from(var: VarId) -> Dst {
        Dst::new(var)
    }
}

impl Default for Dst {
    fn default() -> Dst {
        Dst::new(VarId::NULL)
    }
}

impl Default for CmpDst {
    fn default() -> CmpDst {
        CmpDst(Dst::default().0)
    }
}

macro_rules! roles {
    ($($name:ident),*) => {$(
        impl From<Vector> for $name {
            fn from(vector: Vector) -> $name {
                $name(vector)
            }
        }

        impl Describe for $name {
            fn meaning(&self, format: Format) -> String {
                self.0.meaning(format)
            }
        }
    )*};
}

roles!(Dst, CmpDst, AddressOf);

macro_rules! wire_as_vector {
    ($($name:ident),*) => {$(
        impl Wire for $name {
            const LENGTH: Length = Length::VectorOperand;

            #[inline(always)]
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                self.0.decode_into(r)
            }

            #[inline(always)]
            fn encode(&self, w: &mut Writer) -> Result<()> {
                self.0.encode(w)
            }
        }
    )*};
}

wire_as_vector!(Dst, AddressOf);

impl CmpDst {
    /// Checks the class of an operand, which determines its length.
    fn check(class: u8) -> Result<(), ErrorKind> {
        match class {
            0 | 2 => Ok(()),
            class => Err(ErrorKind::InvalidValue {
                value: class.into(),
                expected: "operand class 0 (general) or 2 (predicate)",
            }),
        }
    }

    /// Checks the class of the next operand. If no byte remains, decoding the operand fails.
    fn check_next<T: Trace>(r: &Reader<'_, T>) -> Result<()> {
        let class = r.rest().first().map_or(0, |tag| tag & Vector::CLASS);
        Self::check(class).map_err(|kind| r.error(kind))
    }
}

impl Wire for CmpDst {
    const LENGTH: Length = Length::VectorOperand;

    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        Self::check_next(r)?;
        self.0.decode_into(r)
    }

    #[inline(always)]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        Self::check(self.0.kind.class()).map_err(|kind| w.error(kind))?;
        self.0.encode(w)
    }
}
