//! Vector operands that are written, or whose address is taken.

use alloc::string::String;

use super::ids::VarId;
use super::region::{Region, Stride};
use super::vector::Vector;
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AddressOf(pub Vector);

impl Dst {
    /// Returns consecutive elements of a variable from its start.
    pub const fn new(var: VarId) -> Dst {
        Dst(Vector::general(var, Region::dst(Stride::S1)))
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
