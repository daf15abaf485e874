//! Texel offsets of sampler messages (3D_SAMPLE.md, "Aoffimmi"; docs/format.md, 4.5).

use alloc::format;
use alloc::string::String;
#[cfg(feature = "text")]
use core::fmt;

use super::imm::Imm;
use super::types::DataType;
use super::vector::{Modifier, Vector, VectorKind};
use crate::error::{ErrorKind, Result};
use crate::format::{Format, Version};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// The texel offsets of a sampler message, which are added to the texel address. Each is from -8 to
/// 7.
///
/// The offsets are a word of type UW: bits 0 to 3 R, 4 to 7 V, 8 to 11 U; 12 to 15 must be zero.
/// Since 3.4, and in dialect `Manual`, it is a scalar operand, which is always an immediate in
/// practice; before 3.4 it is two bytes.
///
/// Dialect `Manual` rejects immediates of all types with one of bits 12 to 15 set. The Igc dialects
/// ignore these bits, as readers do, and keep all operands unchanged. [`u`](Self::u),
/// [`v`](Self::v) and [`r`](Self::r) return the offsets of every immediate whose value has 16 bits;
/// [`bits`](Self::bits) returns the word only if the operand can be encoded as two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aoffimmi(pub Vector);

impl Aoffimmi {
    /// Offsets of zero.
    pub const ZERO: Aoffimmi = Aoffimmi::from_bits(0);

    /// Returns the offsets of the three coordinates, or `None` if one is not in -8 to 7.
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

    /// Returns the offsets with a word.
    pub const fn from_bits(bits: u16) -> Aoffimmi {
        Aoffimmi(Vector::imm(Imm::uw(bits)))
    }

    /// Returns the word, if the operand can be encoded as two bytes, as before 3.4: an immediate of
    /// type UW without a modifier, whose upper half is zero.
    ///
    /// Immediates of other types have offsets too, which [`u`](Self::u), [`v`](Self::v) and
    /// [`r`](Self::r) return.
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

    /// Returns the value of an immediate of any integer type, if it has 16 bits, signed or
    /// unsigned.
    const fn word(self) -> Option<u16> {
        match self.0.kind {
            VectorKind::Immediate(imm) => match imm.as_integer() {
                Some(value) if value >= i16::MIN as i64 && value <= u16::MAX as i64 => {
                    Some(value as u16)
                }
                _ => None,
            },
            _ => None,
        }
    }

    const fn nibble(self, shift: u32) -> Option<i8> {
        match self.word() {
            Some(word) => Some((((word >> shift) as u8) << 4) as i8 >> 4),
            None => None,
        }
    }

    /// Returns the offset of the U coordinate, if the operand is an immediate of an integer type
    /// whose value has 16 bits.
    pub const fn u(self) -> Option<i8> {
        self.nibble(8)
    }

    /// Returns the offset of the V coordinate, under the conditions of [`u`](Self::u).
    pub const fn v(self) -> Option<i8> {
        self.nibble(4)
    }

    /// Returns the offset of the R coordinate, under the conditions of [`u`](Self::u).
    pub const fn r(self) -> Option<i8> {
        self.nibble(0)
    }

    pub(crate) const RESERVED: u16 = 0xf000;

    /// Returns the reserved bits that are set in the low 16 bits of an immediate of any type.
    pub(crate) fn reserved(self) -> u16 {
        self.0.as_imm().map_or(0, |imm| imm.bits() as u16 & Self::RESERVED)
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

#[cfg(feature = "text")]
impl fmt::Display for Aoffimmi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Describe for Aoffimmi {
    fn meaning(&self, _: Format) -> String {
        match (self.word(), self.u(), self.v(), self.r()) {
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
        match self.0.kind {
            VectorKind::Immediate(imm) if r.format().is_manual() && self.reserved() != 0 => {
                let kind = ErrorKind::ReservedBits { bits: self.reserved().into() };
                Err(r.error_back(if imm.ty().is_wide() { 8 } else { 4 }, kind))
            }
            _ => Ok(()),
        }
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        if w.format().is_manual() && self.reserved() != 0 {
            return Err(w.inexpressible("an aoffimmi with one of bits 12 to 15 set"));
        }
        if !Self::is_bare_word(w.format()) {
            return self.0.encode(w);
        }
        match self.bits() {
            Some(bits) => {
                w.u16(bits);
                Ok(())
            }
            None => Err(w.inexpressible("an aoffimmi that is not a UW immediate")),
        }
    }
}
