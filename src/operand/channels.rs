//! Channel masks (docs/format.md, 3.6).

use core::fmt;

use crate::error::Result;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

bitflags::bitflags! {
    /// The channels that a message reads or writes.
    ///
    /// One byte: bit 0 R, 1 G, 2 B, 3 A; a set bit enables the channel. Bits 4 to 7 must be zero.
    /// (GATHER4_TYPED and SCATTER4_TYPED before 3.2 have inverted bits, which are converted.)
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct ChannelMask: u8 {
        /// Red, bit 0.
        const R = 1;
        /// Green, bit 1.
        const G = 2;
        /// Blue, bit 2.
        const B = 4;
        /// Alpha, bit 3.
        const A = 8;
        /// All four.
        const RGBA = 15;
    }
}

impl Default for ChannelMask {
    fn default() -> Self {
        ChannelMask::RGBA
    }
}

impl ChannelMask {
    /// Returns the letters of the channels in the order RGBA; `0000` for none, as readers print it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "0000", "R", "G", "RG", "B", "RB", "GB", "RGB", "A", "RA", "GA", "RGA", "BA", "RBA",
            "GBA", "RGBA",
        ];
        NAMES[(self.bits() & 15) as usize]
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_code!(
    // A name cannot represent bits 4 to 7.
    ChannelMask: |mask| ChannelMask::from_bits(mask.bits()).map(ChannelMask::name),
    "a number up to 15"
);

impl fmt::Display for ChannelMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad((*self).name())
    }
}

impl Describe for ChannelMask {}

impl Wire for ChannelMask {
    const LENGTH: Length = Length::Fixed(1);

    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        *self = ChannelMask::from_bits_truncate(r.byte_without(0xf0)?);
        Ok(())
    }

    #[inline(always)]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.bits());
        Ok(())
    }
}
