//! Vector operands in roles that restrict or reinterpret them.

use alloc::string::String;

use super::ids::VarId;
use super::region::{Region, Stride};
use super::vector::Vector;
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// A vector operand that an instruction writes. Only the horizontal stride of its region counts,
/// and of the modifiers only [`SAT`](super::Modifier::SAT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dst(pub Vector);

/// The destination of a comparison: a predicate or elements of a general variable. Any other class
/// is an error, since readers take it for a predicate whatever its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CmpDst(pub Vector);

/// The first source of ADDR_ADD: the variable, surface or sampler whose address is taken. It is
/// encoded as that variable, not with the address-of class of the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AddressOf(pub Vector);

impl Dst {
    /// Consecutive elements of a variable from its start.
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

            #[inline(always)]
            fn skip(r: &mut Reader<'_>) -> Result<()> {
                Vector::skip(r)
            }
        }
    )*};
}

wire_as_vector!(Dst, AddressOf);

impl CmpDst {
    /// The class decides how many bytes there are, and readers know these two only.
    fn check(class: u8) -> Result<(), ErrorKind> {
        match class {
            0 | 2 => Ok(()),
            class => Err(ErrorKind::InvalidValue {
                value: class.into(),
                expected: "a class that a comparison can write (0 general or 2 predicate)",
            }),
        }
    }

    /// Where no byte is left, decoding the operand will say so.
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

    #[inline(always)]
    fn skip(r: &mut Reader<'_>) -> Result<()> {
        Self::check_next(r)?;
        Vector::skip(r)
    }
}
