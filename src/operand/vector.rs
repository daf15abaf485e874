//! Vector operands, of which scalars are a case (format-facts 3.3).

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::code::code;
use super::ids::{AddrId, SamplerId, SurfaceId, VarId};
use super::imm::Imm;
use super::predicate::Pred;
use super::region::Region;
use super::types::{DataType, TypeByte};
use crate::error::{ErrorKind, Place, Result};
use crate::format::Format;
use crate::wire::{Describe, Reader, Trace, Wire, Writer, u16_at, u32_at, u64_at};

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
/// Class 4, address-of, is documented but no reader accepts it: [`ErrorKind::AddressOfOperand`].
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
    const RESERVED: u8 = 0xc0;
    /// The most bytes that an operand takes: those of an eight-byte immediate.
    const LONGEST: usize = 10;

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

    /// Names the parts of the operand that was just read from `start` on.
    fn trace_parts<T: Trace>(&self, r: &mut Reader<'_, T>, start: usize) {
        let (end, tag) = (r.offset(), self.tag());
        let mut at = start;
        let mut part = |name, len, value: &dyn Describe| {
            r.part(name, at, at + len, value);
            at += len;
        };
        part("tag", 1, &Tag(tag));
        match self.kind {
            VectorKind::General { var, row, col, region } => {
                part("var", end - start - 5, &var);
                part("row", 1, &row);
                part("col", 1, &col);
                part("region", 2, &region);
            }
            VectorKind::Address { addr, offset, width } => {
                part("addr", 2, &addr);
                part("offset", 1, &offset);
                part("width", 1, &width);
            }
            VectorKind::Predicate(pred) => part("predicate", 2, &pred),
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                part("addr", 2, &addr);
                part("addr_offset", 1, &addr_offset);
                part("offset", 2, &offset);
                part("type", 1, &ty);
                part("region", 2, &region);
            }
            VectorKind::Immediate(imm) => {
                part("type", 1, &imm.type_byte());
                part("bits", end - start - 2, &ImmBits(imm));
            }
            VectorKind::State { class, index, offset } => {
                part("class", 1, &class);
                part("index", 2, &index);
                part("offset", 1, &offset);
            }
        }
    }

    const fn tag(&self) -> u8 {
        self.kind.class() | self.modifier.bits() << 3
    }

    /// The error for the operand that comes next.
    #[cold]
    fn bad_tag<T: Trace>(r: &Reader<'_, T>) -> crate::error::Error {
        let &[tag] = r.peek(&mut [0]);
        let kind = match tag & Self::CLASS {
            _ if tag & Self::RESERVED != 0 => {
                ErrorKind::ReservedBits { bits: (tag & Self::RESERVED).into() }
            }
            VectorKind::ADDRESS_OF => ErrorKind::AddressOfOperand,
            class => ErrorKind::InvalidValue {
                value: class.into(),
                expected: "an operand class (0 to 3, 5 or 6)",
            },
        };
        r.error(kind)
    }
}

impl From<Imm> for Vector {
    fn from(imm: Imm) -> Vector {
        Vector::imm(imm)
    }
}

impl Wire for Vector {
    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if T::ENABLED { self.decode_traced(r) } else { self.decode_here(r) }
    }

    #[inline]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        let tag = self.tag();
        match self.kind {
            VectorKind::General { var, row, col, region } => {
                let [x, y] = region.bits().to_le_bytes();
                if w.wide_ids() {
                    let [a, b, c, d] = var.0.to_le_bytes();
                    w.put(&[tag, a, b, c, d, row, col, x, y]);
                } else {
                    let Ok(var) = u16::try_from(var.0) else {
                        let error = w.out_of_range(var.0, u16::MAX);
                        return Err(error.within(Place::Field("var")));
                    };
                    let [a, b] = var.to_le_bytes();
                    w.put(&[tag, a, b, row, col, x, y]);
                }
            }
            VectorKind::Address { addr, offset, width } => {
                let [a, b] = addr.0.to_le_bytes();
                w.put(&[tag, a, b, offset, width.bits()]);
            }
            VectorKind::Predicate(pred) => {
                let [a, b] = pred.bits().to_le_bytes();
                w.put(&[tag, a, b]);
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                let ([a, b], [x, y]) = (addr.0.to_le_bytes(), offset.to_le_bytes());
                let [p, q] = region.bits().to_le_bytes();
                w.put(&[tag, a, b, addr_offset, x, y, ty.bits(), p, q]);
            }
            VectorKind::Immediate(imm) => {
                let [a, b, c, d, e, f, g, h] = imm.bits().to_le_bytes();
                let ty = imm.type_byte().bits();
                if imm.ty().is_wide() {
                    w.put(&[tag, ty, a, b, c, d, e, f, g, h]);
                } else {
                    w.put(&[tag, ty, a, b, c, d]);
                }
            }
            VectorKind::State { class, index, offset } => {
                let [a, b] = index.to_le_bytes();
                w.put(&[tag, class.bits(), a, b, offset]);
            }
        }
        Ok(())
    }

    #[inline]
    fn skip(r: &mut Reader<'_>) -> Result<()> {
        if r.is_empty() {
            return r.advance(1);
        }
        let &[tag, ty] = r.peek(&mut [0; 2]);
        match tag & Self::CLASS {
            0 => r.advance(if r.wide_ids() { 9 } else { 7 }),
            1 | 6 => r.advance(5),
            2 => r.advance(3),
            3 => r.advance(9),
            5 => r.advance(if TypeByte::from_bits(ty).ty().is_wide() { 10 } else { 6 }),
            _ => Err(Self::bad_tag(r)),
        }
    }
}

impl Vector {
    /// Decoding itself. A copy for each operand of each layout, since a call costs more than the rest.
    #[inline(always)]
    fn decode_here<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        match r.rest().first_chunk() {
            Some(bytes) => self.decode_from(bytes, r),
            None => self.decode_at_end(r),
        }
    }

    /// The same where there are fewer bytes than any operand takes. Zeros stand for them, and advancing
    /// says so before anything is believed.
    #[cold]
    #[inline(never)]
    fn decode_at_end<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if r.is_empty() {
            return r.advance(1);
        }
        self.decode_from(r.peek(&mut [0; Self::LONGEST]), r)
    }

    /// The same from the bytes that come next, as many as any operand takes.
    #[inline(always)]
    fn decode_from<T: Trace>(
        &mut self,
        bytes: &[u8; Self::LONGEST],
        r: &mut Reader<'_, T>,
    ) -> Result<()> {
        let tag = bytes[0];
        if tag & Self::RESERVED != 0 {
            return Err(Self::bad_tag(r));
        }
        self.modifier = Modifier::from_low_bits(tag >> 3);
        // Most operands are of this class. Each arm stores its operand itself: a store after the match
        // would copy it once more.
        if tag & Self::CLASS == 0 {
            let (var, [row, col, x, y]) = if r.wide_ids() {
                r.advance(9)?;
                (VarId(u32_at(bytes, 1)), [bytes[5], bytes[6], bytes[7], bytes[8]])
            } else {
                r.advance(7)?;
                (VarId(u16_at(bytes, 1).into()), [bytes[3], bytes[4], bytes[5], bytes[6]])
            };
            let region = Region::from_word(u16::from_le_bytes([x, y]), r)?;
            self.kind = VectorKind::General { var, row, col, region };
            return Ok(());
        }
        match tag & Self::CLASS {
            1 => {
                r.advance(5)?;
                let (addr, offset) = (AddrId(u16_at(bytes, 1)), bytes[3]);
                let width = AddrWidth::from_low_bits(bytes[4]);
                self.kind = VectorKind::Address { addr, offset, width };
            }
            2 => {
                r.advance(3)?;
                self.kind = VectorKind::Predicate(Pred::from_word(u16_at(bytes, 1), r)?);
            }
            3 => {
                r.advance(9)?;
                self.kind = VectorKind::Indirect {
                    addr: AddrId(u16_at(bytes, 1)),
                    addr_offset: bytes[3],
                    offset: u16_at(bytes, 4) as i16,
                    ty: TypeByte::from_bits(bytes[6]),
                    region: Region::from_word(u16_at(bytes, 7), r)?,
                };
            }
            5 => {
                let ty = TypeByte::from_bits(bytes[1]);
                let bits = if ty.ty().is_wide() {
                    r.advance(10)?;
                    u64_at(bytes, 2)
                } else {
                    r.advance(6)?;
                    u32_at(bytes, 2).into()
                };
                self.kind = VectorKind::Immediate(Imm::from_parts(ty, bits));
            }
            6 => {
                r.advance(5)?;
                let (index, offset) = (u16_at(bytes, 2), bytes[4]);
                let class = StateClass::from_low_bits(bytes[1]);
                self.kind = VectorKind::State { class, index, offset };
            }
            _ => return Err(Self::bad_tag(r)),
        }
        Ok(())
    }

    #[inline(never)]
    fn decode_traced<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let start = r.offset();
        self.decode_here(r)?;
        self.trace_parts(r, start);
        Ok(())
    }
}

impl Describe for Vector {
    fn meaning(&self, format: Format) -> String {
        let what = match self.kind {
            VectorKind::Immediate(imm) => imm.meaning(),
            VectorKind::Predicate(pred) => pred.meaning(format),
            VectorKind::General { region: Region::SCALAR, .. } => "one element".to_string(),
            _ => String::new(),
        };
        // Text has a prefix for the other modifiers, before the operands that readers heed them on.
        let heeded = matches!(self.kind, VectorKind::General { .. } | VectorKind::Indirect { .. });
        let modifier = match (self.modifier, self.modifier.name()) {
            (Modifier::SAT, _) => "saturated",
            (_, None) => "unknown modifier",
            (Modifier::NONE, _) => return what,
            (_, Some(_)) if heeded => return what,
            (Modifier::ABS, _) => "ignored modifier abs",
            (Modifier::NEG, _) => "ignored modifier neg",
            (Modifier::NEG_ABS, _) => "ignored modifier neg_abs",
            _ => "ignored modifier not",
        };
        if what.is_empty() { modifier.into() } else { format!("{what}, {modifier}") }
    }
}

/// The first byte of a vector operand, for tracing.
struct Tag(u8);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 & Vector::CLASS {
            0 => "general",
            1 => "address",
            2 => "predicate",
            3 => "indirect",
            5 => "immediate",
            _ => "state",
        })
    }
}

impl Describe for Tag {
    fn meaning(&self, _: Format) -> String {
        match Modifier::from_low_bits(self.0 >> 3) {
            Modifier::NONE => String::new(),
            modifier => format!("modifier {modifier}"),
        }
    }
}

/// The bits of an immediate, for tracing.
struct ImmBits(Imm);

impl fmt::Display for ImmBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0.bits())
    }
}

impl Describe for ImmBits {
    fn meaning(&self, _: Format) -> String {
        self.0.meaning()
    }
}

const _: () = assert!(size_of::<Vector>() == 16, "operands are meant to stay small");
