//! Texel offsets of sampler messages (3D_SAMPLE.md, "Aoffimmi"; format-facts 4.5).

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::imm::Imm;
use super::types::DataType;
use super::vector::{Modifier, Vector, VectorKind};
use crate::error::{ErrorKind, Result};
use crate::format::{Format, Version};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// Offsets added to the texel address of a sampler message, each from -8 to 7.
///
/// A UW: bits 0 to 3 the R offset, 4 to 7 V, 8 to 11 U; 12 to 15 must be zero. `Manual` refuses
/// them; readers take them as part of a number, and so do the Igc dialects. From 3.4 on, and in the
/// manual, it is a scalar operand, which in real kernels is always an immediate; before 3.4 it is
/// the bare word. The operand is kept as it is, so that any operand survives; [`u`](Self::u),
/// [`v`](Self::v) and [`r`](Self::r) read the usual kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aoffimmi(pub Vector);

impl Aoffimmi {
    /// No offset.
    pub const ZERO: Aoffimmi = Aoffimmi::from_bits(0);

    /// The offsets of the three coordinates, or `None` where one is not in -8 to 7.
    pub const fn new(u: i8, v: i8, r: i8) -> Option<Aoffimmi> {
        const fn fits(offset: i8) -> bool {
            offset >= -8 && offset <= 7
        }
        if !(fits(u) && fits(v) && fits(r)) {
            return None;
        }
        let nibbles = (u as u16 & 15) << 8 | (v as u16 & 15) << 4 | (r as u16 & 15);
        Some(Aoffimmi::from_bits(nibbles))
    }

    /// The offsets by their word.
    pub const fn from_bits(bits: u16) -> Aoffimmi {
        Aoffimmi(Vector::imm(Imm::uw(bits)))
    }

    /// The word, if the operand is the immediate that can be written as one: a UW of 16 bits.
    pub const fn bits(self) -> Option<u16> {
        match self.0.kind {
            VectorKind::Immediate(imm)
                if imm.type_byte().bits() == DataType::UW.bits()
                    && imm.bits() <= u16::MAX as u64
                    && self.0.modifier.bits() == Modifier::NONE.bits() =>
            {
                Some(imm.bits() as u16)
            }
            _ => None,
        }
    }

    const fn nibble(self, shift: u32) -> Option<i8> {
        match self.bits() {
            Some(bits) => Some((((bits >> shift) as u8) << 4) as i8 >> 4),
            None => None,
        }
    }

    /// The offset of the U coordinate, if the operand is an immediate.
    pub const fn u(self) -> Option<i8> {
        self.nibble(8)
    }

    /// The offset of the V coordinate, if the operand is an immediate.
    pub const fn v(self) -> Option<i8> {
        self.nibble(4)
    }

    /// The offset of the R coordinate, if the operand is an immediate.
    pub const fn r(self) -> Option<i8> {
        self.nibble(0)
    }

    const RESERVED: u16 = 0xf000;

    /// The reserved bits that are set, where they can be told from the rest of a number.
    fn reserved(self) -> u16 {
        self.bits().unwrap_or_default() & Self::RESERVED
    }

    fn is_bare_word(format: Format) -> bool {
        !format.since(Version::V3_4)
    }
}

impl Default for Aoffimmi {
    fn default() -> Self {
        Aoffimmi::ZERO
    }
}

impl fmt::Display for Aoffimmi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Describe for Aoffimmi {
    fn meaning(&self, _: Format) -> String {
        match (self.bits(), self.u(), self.v(), self.r()) {
            (Some(0), ..) => "no texel offset".into(),
            (_, Some(u), Some(v), Some(r)) => format!("u {u:+}, v {v:+}, r {r:+}"),
            _ => String::new(),
        }
    }
}

impl Wire for Aoffimmi {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if Self::is_bare_word(r.format()) {
            *self = Aoffimmi::from_bits(r.u16()?);
            return Ok(());
        }
        self.0.decode_into(r)?;
        match self.reserved() {
            bits if bits != 0 && r.format().is_manual() => {
                Err(r.error_back(4, ErrorKind::ReservedBits { bits: bits.into() }))
            }
            _ => Ok(()),
        }
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        if w.format().is_manual() && self.reserved() != 0 {
            return Err(w.inexpressible("a reserved bit"));
        }
        if !Self::is_bare_word(w.format()) {
            return self.0.encode(w);
        }
        match self.bits() {
            Some(bits) => {
                w.u16(bits);
                Ok(())
            }
            None => Err(w.inexpressible("an offset that is not a UW immediate")),
        }
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        if Self::is_bare_word(r.format()) { r.advance(2) } else { Vector::skip(r) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_lie_where_the_document_says() {
        let offset = Aoffimmi::new(-8, 7, -1).unwrap();
        assert_eq!(offset.bits(), Some(0x087f));
        assert_eq!((offset.u(), offset.v(), offset.r()), (Some(-8), Some(7), Some(-1)));
        assert_eq!(Aoffimmi::new(8, 0, 0), None);
        assert_eq!(Aoffimmi::new(0, -9, 0), None);
    }
}
