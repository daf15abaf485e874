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

/// Versions with an operation of two bytes. 4.8 has the layouts of 4.0 (docs/format.md, 1.3).
const MAJOR_4: &[Version] = &[Version::V4_0, Version::V4_1, Version::V4_8];

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

/// Returns bytes in dialect `Manual`. The operation is at 1, NumParams at 20.
fn manual_bytes(op: u8, channels: u8, num_params: u8) -> Vec<u8> {
    let mut bytes = vec![0x6d, op, 0x03, 0x00, 0x00, channels, 0x05, 0x02, 0, 0, 0, 0, 0x02, 0x06];
    bytes.extend([0x28, 0, 0, 0, 0, 0, num_params]);
    bytes.extend([0x20, 0, 0, 0, 0, 0].repeat(num_params.into()));
    bytes
}
