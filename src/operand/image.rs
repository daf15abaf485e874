//! Modes of messages that access images (docs/format.md, 5.1).

use core::fmt;

use super::channels::ChannelMask;
use super::code::code;
use crate::error::Result;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

code! {
    /// The modifiers of MEDIA_LD and MEDIA_ST. Bits 0 to 2 of a byte; the others must be zero.
    ///
    /// MEDIA_LD.md lists `nomod`, `top` and `bottom`. Readers also support the other three, and
    /// kernels often use `modified` (docs/format.md, 4.2).
    pub struct MediaModifier(max 7) {
        /// No modifier.
        NOMOD = 0 "nomod",
        /// The surface was modified.
        MODIFIED = 1 "modified",
        /// The top field of an interleaved surface.
        TOP = 2 "top",
        /// The bottom field of an interleaved surface.
        BOTTOM = 3 "bottom",
        /// The top field, modified.
        TOP_MOD = 4 "top_mod",
        /// The bottom field, modified.
        BOTTOM_MOD = 5 "bottom_mod",
    }
}

/// The channels and the mode of SAMPLE, LOAD and SAMPLE_UNORM. One byte; bits 6 and 7 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ChannelsMode {
    /// The channels. Bits 0 to 3.
    pub channels: ChannelMask,
    /// The mode. Bits 4 and 5.
    pub mode: SampleMode,
}

code! {
    /// The mode of SAMPLE and LOAD (0 is SIMD8, others are SIMD16), and the output format of
    /// SAMPLE_UNORM.
    pub struct SampleMode(max 3) {
        /// SIMD8; 16 bits full.
        MODE0 = 0 "0",
        /// SIMD16; 16 bits, chrominance downsampled.
        MODE1 = 1 "1",
        /// SIMD16; 8 bits full.
        MODE2 = 2 "2",
        /// SIMD16; 8 bits, chrominance downsampled.
        MODE3 = 3 "3",
    }
}

impl fmt::Display for ChannelsMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, mode {}", self.channels, self.mode)
    }
}

impl Describe for ChannelsMode {}

impl Wire for ChannelsMode {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0xc0)?;
        self.channels = ChannelMask::from_bits_truncate(byte);
        self.mode = SampleMode::from_low_bits(byte >> 4);
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.channels.bits() | self.mode.bits() << 4);
        Ok(())
    }
}
