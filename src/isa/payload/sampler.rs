//! Payloads of messages to the sampler.

use super::{Payload, Sizes, count, lanes};
use crate::isa::SampleFlags;
use crate::isa::sampler::operations::Operation;
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::{ChannelMask, ChannelsMode, Exec, SampleMode};

/// The size of the pixel null mask, which is in a register of its own.
#[cfg(feature = "verify")]
pub(crate) const NULL_MASK: i64 = 4;

/// Returns the number of lanes of SAMPLE and LOAD.
pub(super) fn lanes_of(channels: ChannelsMode) -> u32 {
    if channels.mode == SampleMode::MODE0 { 8 } else { 16 }
}

impl Sizes {
    /// Returns the texels of a message. Each channel begins at a register. Texels of variables with
    /// 16-bit elements have 16 bits.
    pub(crate) fn texels(self, exec: Exec, channels: u32) -> Payload {
        let element = if self.element == 2 { 2 } else { 4 };
        Payload::channels(channels, lanes(exec), element, self)
    }

    /// Returns the texels and the pixel null mask, if the message returns one.
    pub(super) fn texels_and_mask(
        self,
        exec: Exec,
        channels: ChannelMask,
        flags: SampleFlags,
    ) -> Payload {
        let channels = count(channels);
        let texels = self.texels(exec, channels);
        match flags.contains(SampleFlags::PIXEL_NULL_MASK) {
            true => texels.repeated(channels + 1).at_most(),
            false => texels,
        }
    }

    /// Returns one channel of four texels.
    pub(super) fn four_texels_and_mask(self, exec: Exec, flags: SampleFlags) -> Payload {
        self.texels_and_mask(exec, ChannelMask::RGBA, flags)
    }

    /// Returns a parameter.
    pub(super) fn coordinates(self, exec: Exec, op: impl Operation) -> Payload {
        let coordinates = self.texels(exec, 1);
        match op.row() {
            Some(row) if row.has_implicit_lod => Payload { lane: 0, ..coordinates },
            _ => coordinates,
        }
    }

    /// Returns the texels of SAMPLE and LOAD.
    pub(super) fn older_texels(self, channels: ChannelsMode) -> Payload {
        let (lanes, channels) = (lanes_of(channels), channels.channels);
        // The finalizer receives four channels with 8 lanes.
        if lanes == 8 && channels != ChannelMask::RGBA {
            return Payload::channels(4, lanes, 4, self).at_most();
        }
        Payload::channels(count(channels), lanes, 4, self)
    }

    /// Returns a parameter of SAMPLE and LOAD.
    pub(super) fn older_coordinates(self, channels: ChannelsMode) -> Payload {
        Payload::lanes(lanes_of(channels), 4)
    }

    /// Returns 32 words per channel, in every format.
    pub(super) fn unorm_texels(self, channels: ChannelsMode) -> Payload {
        Payload::block(64 * count(channels.channels))
    }

    /// Returns the pixels of AVS; `None` for an unknown mode or format.
    pub(super) fn scaled_pixels(
        self,
        mode: AvsExecMode,
        format: OutputFormat,
        channels: ChannelMask,
    ) -> Option<Payload> {
        let pixels = match mode {
            AvsExecMode::B16X4 => 64,
            AvsExecMode::B8X4 => 32,
            // The finalizer receives twice the pixels.
            AvsExecMode::B16X8 => 256,
            AvsExecMode::B4X4 => 16,
            _ => return None,
        };
        let (size, is_full) = match format {
            OutputFormat::FULL_16 => (2, true),
            OutputFormat::DOWN_SAMPLE_16 => (2, false),
            OutputFormat::FULL_8 => (1, true),
            OutputFormat::DOWN_SAMPLE_8 => (1, false),
            _ => return None,
        };
        let payload = Payload::block(pixels * count(channels) * size);
        let is_exact = is_full && mode != AvsExecMode::B16X8;
        Some(if is_exact { payload } else { payload.at_most() })
    }
}
