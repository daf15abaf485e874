//! Payloads of messages to the sampler.

use super::{Payload, Payloads, Sizes, count, lanes};
use crate::isa::{
    Avs, Gather4, Info, Load, Load3d, Sample, Sample3d, SampleFlags, SampleOp, SampleUnorm,
    SamplerOp,
};
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::{ChannelMask, ChannelsMode, Exec, SampleMode};

/// The size of the pixel null mask, which is in a register of its own.
#[cfg(feature = "verify")]
pub(crate) const NULL_MASK: i64 = 4;

/// Returns the texels of a message. Each channel begins at a register. Texels of variables with
/// 16-bit elements have 16 bits.
pub(crate) fn texels(exec: Exec, channels: u32, sizes: Sizes) -> Payload {
    let element = if sizes.element == 2 { 2 } else { 4 };
    Payload::channels(channels, lanes(exec), element, sizes)
}

/// Returns the texels and the pixel null mask, if the message returns one.
fn texels_and_mask(exec: Exec, channels: u32, flags: SampleFlags, sizes: Sizes) -> Payload {
    let texels = texels(exec, channels, sizes);
    match flags.contains(SampleFlags::PIXEL_NULL_MASK) {
        true => texels.repeated(channels + 1).at_most(),
        false => texels,
    }
}

/// Returns whether the message computes the LOD from the coordinates of neighbouring lanes, also of
/// inactive ones.
fn has_implicit_lod(op: SampleOp) -> bool {
    use SampleOp as S;
    matches!(
        op,
        S::SAMPLE
            | S::SAMPLE_B
            | S::SAMPLE_C
            | S::SAMPLE_B_C
            | S::SAMPLE_MLOD
            | S::SAMPLE_C_MLOD
            | S::SAMPLE_PO
            | S::SAMPLE_PO_B
            | S::SAMPLE_PO_C
            | S::SAMPLE_PO_B_C
            | S::LOD
    )
}

/// Returns the same for a gather.
fn is_gather_with_implicit_lod(op: SamplerOp) -> bool {
    use SamplerOp as S;
    matches!(
        op,
        S::GATHER4_B
            | S::GATHER4_I
            | S::GATHER4_I_C
            | S::GATHER4_PO_B
            | S::GATHER4_PO_I
            | S::GATHER4_PO_I_C
    )
}

macro_rules! texels {
    ($($name:ident: |$i:ident| $channels:expr, $is_shared:expr;)*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                let $i = self;
                Some(match field {
                    "dst" => texels_and_mask($i.exec, $channels, $i.flags, sizes),
                    // The index of the surface.
                    "paired_surface" => Payload::block(4),
                    _ if $is_shared => Payload { lane: 0, ..texels($i.exec, 1, sizes) },
                    _ => texels($i.exec, 1, sizes),
                })
            }
        }
    )*};
}

texels!(
    Sample3d: |i| count(i.channels), has_implicit_lod(i.op);
    Load3d: |i| count(i.channels), false;
    Gather4: |i| count(ChannelMask::RGBA), is_gather_with_implicit_lod(i.op);
);

impl Payloads for Info {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        Some(match field {
            "dst" => Payload::channels(count(self.channels), lanes(self.exec), 4, sizes),
            _ => Payload::of_exec(self.exec, 4),
        })
    }
}

/// Returns the number of lanes of SAMPLE and LOAD.
pub(super) fn lanes_of(channels: ChannelsMode) -> u32 {
    if channels.mode == SampleMode::MODE0 { 8 } else { 16 }
}

macro_rules! older {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                let (lanes, channels) = (lanes_of(self.channels), self.channels.channels);
                Some(match field {
                    // The finalizer receives four channels with 8 lanes.
                    "dst" if lanes == 8 && channels != ChannelMask::RGBA => {
                        Payload::channels(4, lanes, 4, sizes).at_most()
                    }
                    "dst" => Payload::channels(count(channels), lanes, 4, sizes),
                    _ => Payload::lanes(lanes, 4),
                })
            }
        }
    )*};
}

older!(Sample, Load);

impl Payloads for SampleUnorm {
    fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
        // 32 words per channel, in every format.
        Some(Payload::block(64 * count(self.channels.channels)))
    }
}

impl Payloads for Avs {
    fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
        let pixels = match self.exec_mode {
            AvsExecMode::B16X4 => 64,
            AvsExecMode::B8X4 => 32,
            // The finalizer receives twice the pixels.
            AvsExecMode::B16X8 => 256,
            AvsExecMode::B4X4 => 16,
            _ => return None,
        };
        let (size, is_full) = match self.cntrl {
            OutputFormat::FULL_16 => (2, true),
            OutputFormat::DOWN_SAMPLE_16 => (2, false),
            OutputFormat::FULL_8 => (1, true),
            OutputFormat::DOWN_SAMPLE_8 => (1, false),
            _ => return None,
        };
        let payload = Payload::block(pixels * count(self.channels) * size);
        let is_exact = is_full && self.exec_mode != AvsExecMode::B16X8;
        Some(if is_exact { payload } else { payload.at_most() })
    }
}
