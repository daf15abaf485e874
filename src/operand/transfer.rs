//! Amounts of data that messages transfer (docs/format.md, 5.1).

use core::fmt;

use super::code::code;
use super::exec::ExecMask;
use super::packed_byte::packed_byte;
use crate::error::Result;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

code! {
    /// The number of owords that a block message transfers. Bits 0 to 2 of a byte; the others must
    /// be zero.
    pub struct OwordNum(max 7) {
        /// 16 bytes.
        N1 = 0 "1",
        /// 32 bytes.
        N2 = 1 "2",
        /// 64 bytes.
        N4 = 2 "4",
        /// 128 bytes.
        N8 = 3 "8",
        /// 256 bytes.
        N16 = 4 "16",
    }
}

code! {
    /// The size of an element of GATHER and SCATTER.
    pub struct ElementSize(max 255) {
        /// 1 byte.
        BYTE = 0 "byte",
        /// 2 bytes.
        WORD = 1 "word",
        /// 4 bytes.
        DWORD = 2 "dword",
    }
}

code! {
    /// The number of blocks per lane of scaled, qword and SVM gathers and scatters.
    pub struct BlockNum(max 255) {
        /// One.
        N1 = 0 "1",
        /// Two.
        N2 = 1 "2",
        /// Four.
        N4 = 2 "4",
        /// Eight.
        N8 = 3 "8",
    }
}

impl BlockNum {
    /// Returns the number of blocks; `None` for an unknown code.
    pub fn count(self) -> Option<u32> {
        (self <= BlockNum::N8).then(|| 1 << self.bits())
    }
}

code! {
    /// The size of the blocks of SVM gathers and scatters.
    pub struct BlockType(max 255) {
        /// 1 byte.
        BYTE = 0 "byte",
        /// 4 bytes.
        DWORD = 1 "dword",
        /// 8 bytes.
        QWORD = 2 "qword",
    }
}

packed_byte! {
    /// The size and alignment of SVM_BLOCK_LD and SVM_BLOCK_ST. One byte: bits 0 to 2 the
    /// [size](OwordNum), bit 3 unaligned. The builder of GenX_IR sets bit 7 instead of bit 3
    /// (docs/format.md, 5.5).
    pub struct SvmBlock;
}

impl SvmBlock {
    /// Returns a block of a size, at an aligned or unaligned address.
    pub const fn new(size: OwordNum, unaligned: bool) -> SvmBlock {
        SvmBlock(size.bits() | (unaligned as u8) << 3)
    }

    /// Returns the size.
    pub const fn size(self) -> OwordNum {
        OwordNum::from_low_bits(self.0)
    }

    /// Returns whether readers treat the address as unaligned.
    pub const fn is_unaligned(self) -> bool {
        self.0 & 8 != 0
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_bits!(SvmBlock: u8, "a byte");

impl fmt::Display for SvmBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unaligned = if self.is_unaligned() { " unaligned" } else { "" };
        write!(f, "{} owords{unaligned}", self.size())
    }
}

impl Describe for SvmBlock {}

/// The number of elements and the mask of GATHER and SCATTER. One byte; bits 2 and 3 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NumElts {
    /// The number of elements. Bits 0 and 1.
    pub count: NumEltsCount,
    /// The mask, as in the exec byte. Bits 4 to 7.
    pub mask: ExecMask,
}

code! {
    /// The number of elements of GATHER and SCATTER. 3 has no meaning.
    pub struct NumEltsCount(max 3) {
        /// Eight.
        N8 = 0 "8",
        /// Sixteen.
        N16 = 1 "16",
        /// One.
        N1 = 2 "1",
    }
}

impl fmt::Display for NumElts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mask, self.count)
    }
}

impl Describe for NumElts {}

impl Wire for NumElts {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0x0c)?;
        self.count = NumEltsCount::from_low_bits(byte);
        self.mask = ExecMask::from_nibble(byte >> 4, r.format());
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        let mask = self.mask.nibble(w)?;
        w.u8(self.count.bits() | mask << 4);
        Ok(())
    }
}
