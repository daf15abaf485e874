//! Decoding and encoding of vector operands.

use super::{AddrWidth, Modifier, StateClass, Vector, VectorKind};
use crate::error::{ErrorKind, PathSegment, Result};
use crate::operand::{AddrId, Imm, Pred, Region, TypeByte, VarId};
use crate::wire::{Length, Reader, Trace, Wire, Writer, u16_at, u32_at, u64_at};

impl Wire for Vector {
    const LENGTH: Length = Length::VectorOperand;

    // Not inlined: a copy for each operand of each layout would be most of the code of the library.
    #[inline(never)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if T::ENABLED { self.decode_traced(r) } else { self.decode_untraced(r) }
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
                        return Err(error.within(PathSegment::Field("var")));
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
}

impl Vector {
    /// The length of the longest operand, an immediate of eight bytes.
    const LONGEST: usize = 10;
    const RESERVED: u8 = 0xc0;

    pub(super) const fn tag(&self) -> u8 {
        self.kind.class() | self.modifier.bits() << 3
    }

    /// Returns the error for the first byte of the next operand.
    #[cold]
    fn tag_error<T: Trace>(r: &Reader<'_, T>) -> crate::error::Error {
        let &[tag] = r.peek(&mut [0]);
        let kind = match tag & Self::CLASS {
            _ if tag & Self::RESERVED != 0 => {
                ErrorKind::ReservedBits { bits: (tag & Self::RESERVED).into() }
            }
            VectorKind::ADDRESS_OF => ErrorKind::AddressOfOperand,
            class => ErrorKind::InvalidValue {
                value: class.into(),
                expected: "an operand class from 0 to 3, 5 or 6",
            },
        };
        r.error(kind)
    }

    /// Decodes the operand, without a trace. It is inlined where a call would take longer than decoding.
    #[inline(always)]
    pub(crate) fn decode_untraced<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        match r.rest().first_chunk() {
            Some(bytes) => self.decode_from(bytes, r),
            None => self.decode_at_end(r),
        }
    }

    /// Decodes the operand if fewer than [`LONGEST`](Self::LONGEST) bytes remain. The missing bytes
    /// are zeros, and advancing past the end is an error before they are used.
    #[cold]
    #[inline(never)]
    fn decode_at_end<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if r.is_empty() {
            return r.advance(1);
        }
        self.decode_from(r.peek(&mut [0; Self::LONGEST]), r)
    }

    /// Decodes the operand from the next bytes.
    #[inline(always)]
    fn decode_from<T: Trace>(
        &mut self,
        bytes: &[u8; Self::LONGEST],
        r: &mut Reader<'_, T>,
    ) -> Result<()> {
        let tag = bytes[0];
        self.modifier = Modifier::from_low_bits(tag >> 3);
        // Fast path: most operands are of this class. Each arm stores the operand, because a store
        // after the match would copy it once more.
        if tag & (Self::RESERVED | Self::CLASS) == 0 {
            // The variable, the row, the column and the region are adjacent in memory, too, so that
            // they are stored at once.
            let bits = if r.wide_ids() {
                r.advance(9)?;
                u64_at(bytes, 1)
            } else {
                r.advance(7)?;
                u64::from(u16_at(bytes, 1)) | u64::from(u32_at(bytes, 3)) << 32
            };
            let [a, b, c, d, row, col, x, y] = bits.to_le_bytes();
            let region = Region::from_word(u16::from_le_bytes([x, y]), r)?;
            let var = VarId(u32::from_le_bytes([a, b, c, d]));
            self.kind = VectorKind::General { var, row, col, region };
            return Ok(());
        }
        if tag & (Self::RESERVED | Self::CLASS) == 5 {
            let ty = TypeByte::from_bits(bytes[1]);
            let bits = if ty.ty().is_wide() {
                r.advance(10)?;
                u64_at(bytes, 2)
            } else {
                r.advance(6)?;
                u32_at(bytes, 2).into()
            };
            self.kind = VectorKind::Immediate(Imm::from_parts(ty, bits));
            return Ok(());
        }
        if tag & Self::RESERVED != 0 {
            return Err(Self::tag_error(r));
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
            6 => {
                r.advance(5)?;
                let (index, offset) = (u16_at(bytes, 2), bytes[4]);
                let class = StateClass::from_low_bits(bytes[1]);
                self.kind = VectorKind::State { class, index, offset };
            }
            _ => return Err(Self::tag_error(r)),
        }
        Ok(())
    }

    #[inline(never)]
    fn decode_traced<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let start = r.offset();
        self.decode_untraced(r)?;
        self.trace_parts(r, start);
        Ok(())
    }
}
