//! 3D_SAMPLE, 0x6d (3D_SAMPLE.md; docs/format.md, 4.5).

use genvisa::isa::{Param, Params, Sample3d, SampleFlags, SampleOp};
use genvisa::operand::DataType as T;
use genvisa::operand::{Aoffimmi, Imm, Modifier, SamplerId, TypeByte, Vector};

use super::*;

mod operation;
mod params;
mod rejected;
mod texel_offsets;

/// Versions with an operation of one byte and aoffimmi as an operand, without a paired surface.
const MIDDLE: &[Version] = &[Version::V3_4, Version::V3_5, Version::V3_6, Version::V3_7];

fn igc2022(versions: &[Version]) -> Vec<Format> {
    versions.iter().map(|&version| Format::igc2022(version)).collect()
}

fn igc2026(versions: &[Version]) -> Vec<Format> {
    versions.iter().map(|&version| Format::igc2026(version)).collect()
}

/// Returns the formats with an operation of one byte, aoffimmi as an operand and no paired surface.
fn byte_op() -> Vec<Format> {
    [manual(), igc(MIDDLE), igc2022(&[Version::V3_8])].concat()
}

/// The bytes between the operation and the texel offsets.
const LANES: Listing = bytes! {
    0x03, // exec: 8 lanes, M1
    0x00, 0x00, // no predicate
    0x03, // channels RG
};

/// Texel offsets of 0, with an operation of one byte.
const NO_OFFSETS: Listing = bytes! {
    wide[0x05, 0x02], 0x00, 0x00, wide[0, 0], // aoffimmi: 0:uw
};

/// The bytes between the texel offsets and the parameters, without a paired surface.
const STATE_AND_DST: Listing = bytes! {
    0x02, // sampler S2
    0x06, // surface T6
    0x28, 0x00, wide[0, 0], 0x00, 0x00, // dst: V40
};

/// One parameter.
const ONE_PARAM: Listing = bytes! {
    0x01, // NumParams
    0x20, 0x00, wide[0, 0], 0x00, 0x00, // V32
};

/// Returns a sample of 8 lanes, channels R and G, from T6 with sampler S2 into V40, without texel
/// offsets.
fn sample(op: SampleOp, params: &[Raw]) -> Sample3d {
    Sample3d {
        op,
        flags: SampleFlags::empty(),
        exec: ExecSize::S8.into(),
        pred: Pred::NONE,
        channels: ChannelMask::R | ChannelMask::G,
        aoffimmi: Aoffimmi::ZERO,
        sampler: SamplerId(2).into(),
        surface: SurfaceId(6).into(),
        dst: v(40),
        paired_surface: None,
        params: Params::new(params).unwrap(),
    }
}
