//! The operation, the flags and all fields of 3D_SAMPLE.

use super::*;

#[test]
fn every_field() {
    let listing = bytes! {
        0x6d, // 3D_SAMPLE
        byte_op[0xa6], // op: bits 0..4 sample_l_c, 5 pixel null mask, 7 non-uniform sampler
        word_op[0x06, 0x05], // op: bits 0..7 sample_l_c, 8 pixel null mask, 10 non-uniform sampler
        0xa4, // exec: 16 lanes, M3_NM
        0x03, 0x40, // pred: P3.all
        0x0f, // channels RGBA
        wide[0x05, 0x02], // aoffimmi: an immediate uw
        0x7f, 0x08, wide[0, 0], // aoffimmi: bits 0..3 R -1, 4..7 V 7, 8..11 U -8
        0x1f, // sampler S31
        0x09, // surface T9
        0x28, 0x00, wide[0, 0], 0x20, 0x00, // dst: V40 from byte 32
        paired[0x29, 0, 0, 0, 0x08, 0x00], // paired surface: V41 from byte 8
        0x03, // NumParams
        0x20, 0x00, wide[0, 0], 0x00, 0x00, // ref: V32
        0x21, 0x00, wide[0, 0], 0x04, 0x00, // lod: V33 from byte 4
        0x22, 0x00, wide[0, 0], 0x00, 0x00, // u: V34
    };
    let sample = Sample3d {
        op: SampleOp::SAMPLE_L_C,
        flags: SampleFlags::PIXEL_NULL_MASK | SampleFlags::NON_UNIFORM_SAMPLER,
        exec: Exec::new(ExecSize::S16, ExecMask::M3_NM),
        pred: Pred::new(PredId(3)).unwrap().with_control(PredControl::ALL),
        channels: ChannelMask::RGBA,
        aoffimmi: Aoffimmi::new(-8, 7, -1).unwrap(),
        sampler: SamplerId::BINDLESS.into(),
        surface: SurfaceId(9).into(),
        dst: raw(40, 32),
        paired_surface: None,
        params: Params::new(&[v(32), raw(33, 4), v(34)]).unwrap(),
    };
    // 3.0 does not have M3_NM.
    let narrow = igc(&[Version::V3_1, Version::V3_2, Version::V3_3]);
    let unpaired = [byte_op(), narrow, igc2022(MAJOR_4)].concat();
    assert_encoding(&unpaired, listing, sample);
    let paired = [igc2026(&[Version::V3_8]), igc2026(MAJOR_4)].concat();
    assert_encoding(&paired, listing, Sample3d { paired_surface: Some(raw(41, 8)), ..sample });
}

/// In 3.0, masks have other encodings; the rest is as in 3.1 to 3.3.
#[test]
fn every_field_in_3_0() {
    let listing = bytes! {
        0x6d, // 3D_SAMPLE
        0x49, // op: bits 0..4 LOD, 6 CPS
        0xc3, // exec: 8 lanes, an old code for M1
        0x00, 0x00, // no predicate
        0x03, // channels RG
        0x00, 0x00, // aoffimmi: none
        0x02, // sampler S2
        0x06, // surface T6
        0x28, 0x00, 0x00, 0x00, // dst: V40
        0x02, // NumParams
        0x20, 0x00, 0x00, 0x00, // u: V32
        0x21, 0x00, 0x00, 0x00, // v: V33
    };
    let expected = Sample3d {
        flags: SampleFlags::CPS,
        exec: Exec::new(ExecSize::S8, ExecMask::legacy(12).unwrap()),
        ..sample(SampleOp::LOD, &[v(32), v(33)])
    };
    assert_encoding(&igc(&[Version::V3_0]), listing, expected);
}

/// 3D_SAMPLE.md: bits 0 to 4 the operation, 5 to 7 the flags. docs/format.md, 4.5 agrees for 3.x.
#[test]
fn operations_and_flags_in_3_x() {
    let none = SampleFlags::empty();
    for (byte, op, flags) in [
        (0x00, SampleOp::SAMPLE, none),
        (0x01, SampleOp::SAMPLE_B, none),
        (0x02, SampleOp::SAMPLE_L, none),
        (0x03, SampleOp::SAMPLE_C, none),
        (0x04, SampleOp::SAMPLE_D, none),
        (0x05, SampleOp::SAMPLE_B_C, none),
        (0x06, SampleOp::SAMPLE_L_C, none),
        (0x09, SampleOp::LOD, none),
        (0x14, SampleOp::SAMPLE_D_C, none),
        (0x18, SampleOp::SAMPLE_LZ, none),
        (0x19, SampleOp::SAMPLE_C_LZ, none),
        (0x20, SampleOp::SAMPLE, SampleFlags::PIXEL_NULL_MASK), // bit 5
        (0x41, SampleOp::SAMPLE_B, SampleFlags::CPS),           // bit 6
        (0x83, SampleOp::SAMPLE_C, SampleFlags::NON_UNIFORM_SAMPLER), // bit 7
        (0xf9, SampleOp::SAMPLE_C_LZ, SampleFlags::all()),
    ] {
        let listing = bytes! {
            0x6d, // 3D_SAMPLE
            byte, // op
            {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, {ONE_PARAM},
        };
        assert_encoding(&byte_op(), listing, Sample3d { flags, ..sample(op, &[v(32)]) });
    }
}

/// docs/format.md, 4.5: bits 0 to 7 the operation, 8 to 10 the flags.
#[test]
fn operations_and_flags_in_4_x() {
    let none = SampleFlags::empty();
    let unnamed = |bits| SampleOp::from_bits(bits).unwrap();
    for (low, high, op, flags) in [
        (0x00, 0x00, SampleOp::SAMPLE, none),
        (0x14, 0x00, SampleOp::SAMPLE_D_C, none),
        (0x00, 0x01, SampleOp::SAMPLE, SampleFlags::PIXEL_NULL_MASK), // bit 8
        (0x01, 0x02, SampleOp::SAMPLE_B, SampleFlags::CPS),           // bit 9
        (0x03, 0x04, SampleOp::SAMPLE_C, SampleFlags::NON_UNIFORM_SAMPLER), // bit 10
        (0x19, 0x07, SampleOp::SAMPLE_C_LZ, SampleFlags::all()),
        // Bits 5 to 7 belong to the operation here.
        (0x20, 0x00, unnamed(0x20), none),
        (0xff, 0x01, unnamed(0xff), SampleFlags::PIXEL_NULL_MASK),
    ] {
        let listing = bytes! {
            0x6d, // 3D_SAMPLE
            low, high, // op
            {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, {ONE_PARAM},
        };
        assert_encoding(&igc2022(MAJOR_4), listing, Sample3d { flags, ..sample(op, &[v(32)]) });
    }
}

/// Readers have names for more operations than the page and accept all others, as the Igc dialects
/// do. Their parameters have no names.
#[test]
fn igc_dialects_accept_all_operations() {
    for (byte, bits) in [(0x27, 0x07), (0x2c, 0x0c), (0x3f, 0x1f)] {
        let expected = Sample3d {
            flags: SampleFlags::PIXEL_NULL_MASK,
            ..sample(SampleOp::from_bits(bits).unwrap(), &[v(32)])
        };
        let listing = bytes! {
            0x6d, // 3D_SAMPLE
            byte, // op: bit 5 pixel null mask, bits 0..4 load_3d, sample+killpix, unknown
            {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, {ONE_PARAM},
        };
        assert_encoding(&igc(MIDDLE), listing, expected);
        assert_eq!(expected.param(Param::U), None);
    }
}
