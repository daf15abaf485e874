//! 3D_SAMPLE, 0x6d (3D_SAMPLE.md; docs/format.md, 4.5).

use genvisa::isa::{Param, Params, Sample3d, SampleFlags, SampleOp};
use genvisa::operand::DataType as T;
use genvisa::operand::{Aoffimmi, Imm, Modifier, SamplerId, TypeByte, Vector};

use super::*;

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

#[test]
#[rustfmt::skip]
fn every_field() {
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
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, // 3D_SAMPLE
            0xa6, // op: bits 0..4 sample_l_c, 5 pixel null mask, 7 non-uniform sampler
            0xa4, // exec: 16 lanes, M3_NM
            0x03, 0x40, // pred: P3.all
            0x0f, // channels RGBA
            0x05, 0x02, 0x7f, 0x08, 0, 0, // aoffimmi: uw; bits 0..3 R -1, 4..7 V 7, 8..11 U -8
            0x1f, // sampler S31
            0x09, // surface T9
            0x28, 0, 0, 0, 0x20, 0x00, // dst: V40 from byte 32
            0x03, // NumParams
            0x20, 0, 0, 0, 0x00, 0x00, // ref: V32
            0x21, 0, 0, 0, 0x04, 0x00, // lod: V33 from byte 4
            0x22, 0, 0, 0, 0x00, 0x00, // u: V34
        ],
        sample,
    );
    // Before 3.4, aoffimmi is two bytes. 3.0 does not have M3_NM.
    assert_encoding_in(
        &igc(&[Version::V3_1, Version::V3_2, Version::V3_3]),
        &[
            0x6d, // 3D_SAMPLE
            0xa6, // op: bits 0..4 sample_l_c, 5 pixel null mask, 7 non-uniform sampler
            0xa4, // exec: 16 lanes, M3_NM
            0x03, 0x40, // pred: P3.all
            0x0f, // channels RGBA
            0x7f, 0x08, // aoffimmi: bits 0..3 R -1, 4..7 V 7, 8..11 U -8
            0x1f, // sampler S31
            0x09, // surface T9
            0x28, 0x00, 0x20, 0x00, // dst: V40 from byte 32
            0x03, // NumParams
            0x20, 0x00, 0x00, 0x00, // ref: V32
            0x21, 0x00, 0x04, 0x00, // lod: V33 from byte 4
            0x22, 0x00, 0x00, 0x00, // u: V34
        ],
        sample,
    );
    assert_encoding_in(
        &igc2022(MAJOR_4),
        &[
            0x6d, // 3D_SAMPLE
            0x06, 0x05, // op: bits 0..7 sample_l_c, 8 pixel null mask, 10 non-uniform sampler
            0xa4, // exec: 16 lanes, M3_NM
            0x03, 0x40, // pred: P3.all
            0x0f, // channels RGBA
            0x05, 0x02, 0x7f, 0x08, 0, 0, // aoffimmi: uw; bits 0..3 R -1, 4..7 V 7, 8..11 U -8
            0x1f, // sampler S31
            0x09, // surface T9
            0x28, 0, 0, 0, 0x20, 0x00, // dst: V40 from byte 32
            0x03, // NumParams
            0x20, 0, 0, 0, 0x00, 0x00, // ref: V32
            0x21, 0, 0, 0, 0x04, 0x00, // lod: V33 from byte 4
            0x22, 0, 0, 0, 0x00, 0x00, // u: V34
        ],
        sample,
    );
    let paired = Sample3d { paired_surface: Some(raw(41, 8)), ..sample };
    assert_encoding_in(
        &igc2026(&[Version::V3_8]),
        &[
            0x6d, // 3D_SAMPLE
            0xa6, // op: bits 0..4 sample_l_c, 5 pixel null mask, 7 non-uniform sampler
            0xa4, // exec: 16 lanes, M3_NM
            0x03, 0x40, // pred: P3.all
            0x0f, // channels RGBA
            0x05, 0x02, 0x7f, 0x08, 0, 0, // aoffimmi: uw; bits 0..3 R -1, 4..7 V 7, 8..11 U -8
            0x1f, // sampler S31
            0x09, // surface T9
            0x28, 0, 0, 0, 0x20, 0x00, // dst: V40 from byte 32
            0x29, 0, 0, 0, 0x08, 0x00, // paired surface: V41 from byte 8
            0x03, // NumParams
            0x20, 0, 0, 0, 0x00, 0x00, // ref: V32
            0x21, 0, 0, 0, 0x04, 0x00, // lod: V33 from byte 4
            0x22, 0, 0, 0, 0x00, 0x00, // u: V34
        ],
        paired,
    );
    assert_encoding_in(
        &igc2026(MAJOR_4),
        &[
            0x6d, // 3D_SAMPLE
            0x06, 0x05, // op: bits 0..7 sample_l_c, 8 pixel null mask, 10 non-uniform sampler
            0xa4, // exec: 16 lanes, M3_NM
            0x03, 0x40, // pred: P3.all
            0x0f, // channels RGBA
            0x05, 0x02, 0x7f, 0x08, 0, 0, // aoffimmi: uw; bits 0..3 R -1, 4..7 V 7, 8..11 U -8
            0x1f, // sampler S31
            0x09, // surface T9
            0x28, 0, 0, 0, 0x20, 0x00, // dst: V40 from byte 32
            0x29, 0, 0, 0, 0x08, 0x00, // paired surface: V41 from byte 8
            0x03, // NumParams
            0x20, 0, 0, 0, 0x00, 0x00, // ref: V32
            0x21, 0, 0, 0, 0x04, 0x00, // lod: V33 from byte 4
            0x22, 0, 0, 0, 0x00, 0x00, // u: V34
        ],
        paired,
    );
}

/// In 3.0, masks have other encodings; the rest is as in 3.1 to 3.3.
#[test]
#[rustfmt::skip]
fn every_field_in_3_0() {
    let mask = ExecMask::legacy(12).unwrap();
    assert_encoding_in(
        &igc(&[Version::V3_0]),
        &[
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
        ],
        Sample3d {
            flags: SampleFlags::CPS,
            exec: Exec::new(ExecSize::S8, mask),
            ..sample(SampleOp::LOD, &[v(32), v(33)])
        },
    );
}

/// 3D_SAMPLE.md: bits 0 to 4 the operation, 5 to 7 the flags. docs/format.md, 4.5 agrees for 3.x.
#[test]
#[rustfmt::skip]
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
        (0x41, SampleOp::SAMPLE_B, SampleFlags::CPS), // bit 6
        (0x83, SampleOp::SAMPLE_C, SampleFlags::NON_UNIFORM_SAMPLER), // bit 7
        (0xf9, SampleOp::SAMPLE_C_LZ, SampleFlags::all()),
    ] {
        assert_encoding_in(
            &byte_op(),
            &[
                0x6d, // 3D_SAMPLE
                byte, // op
                0x03, // exec: 8 lanes, M1
                0x00, 0x00, // no predicate
                0x03, // channels RG
                0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
                0x02, // sampler S2
                0x06, // surface T6
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // the first parameter: V32
            ],
            Sample3d { flags, ..sample(op, &[v(32)]) },
        );
    }
}

/// docs/format.md, 4.5: bits 0 to 7 the operation, 8 to 10 the flags.
#[test]
#[rustfmt::skip]
fn operations_and_flags_in_4_x() {
    let none = SampleFlags::empty();
    let unnamed = |bits| SampleOp::from_bits(bits).unwrap();
    for (low, high, op, flags) in [
        (0x00, 0x00, SampleOp::SAMPLE, none),
        (0x14, 0x00, SampleOp::SAMPLE_D_C, none),
        (0x00, 0x01, SampleOp::SAMPLE, SampleFlags::PIXEL_NULL_MASK), // bit 8
        (0x01, 0x02, SampleOp::SAMPLE_B, SampleFlags::CPS), // bit 9
        (0x03, 0x04, SampleOp::SAMPLE_C, SampleFlags::NON_UNIFORM_SAMPLER), // bit 10
        (0x19, 0x07, SampleOp::SAMPLE_C_LZ, SampleFlags::all()),
        // Bits 5 to 7 belong to the operation here.
        (0x20, 0x00, unnamed(0x20), none),
        (0xff, 0x01, unnamed(0xff), SampleFlags::PIXEL_NULL_MASK),
    ] {
        assert_encoding_in(
            &igc2022(MAJOR_4),
            &[
                0x6d, // 3D_SAMPLE
                low, high, // op
                0x03, // exec: 8 lanes, M1
                0x00, 0x00, // no predicate
                0x03, // channels RG
                0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
                0x02, // sampler S2
                0x06, // surface T6
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // the first parameter: V32
            ],
            Sample3d { flags, ..sample(op, &[v(32)]) },
        );
    }
}

/// Readers have names for more operations than the page and accept all others, as the Igc dialects
/// do. Their parameters have no names.
#[test]
#[rustfmt::skip]
fn igc_dialects_accept_all_operations() {
    for (byte, bits) in [(0x27, 0x07), (0x2c, 0x0c), (0x3f, 0x1f)] {
        let expected = Sample3d {
            flags: SampleFlags::PIXEL_NULL_MASK,
            ..sample(SampleOp::from_bits(bits).unwrap(), &[v(32)])
        };
        assert_encoding_in(
            &igc(MIDDLE),
            &[
                0x6d, // 3D_SAMPLE
                byte, // op: bit 5 pixel null mask, bits 0..4 load_3d, sample+killpix, unknown
                0x03, 0x00, 0x00, 0x03, // exec, pred, channels
                0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
                0x02, 0x06, // sampler, surface
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // a parameter: V32
            ],
            expected,
        );
        assert_eq!(expected.param(Param::U), None);
    }
}

/// Each offset has four bits.
#[test]
#[rustfmt::skip]
fn texel_offsets() {
    for (low, high, u, v_offset, r) in [
        (0x00, 0x01, 1, 0, 0),
        (0x00, 0x0f, -1, 0, 0),
        (0x20, 0x00, 0, 2, 0),
        (0x80, 0x00, 0, -8, 0),
        (0x07, 0x00, 0, 0, 7),
        (0x0d, 0x00, 0, 0, -3),
        (0x9c, 0x05, 5, -7, -4),
    ] {
        let aoffimmi = Aoffimmi::new(u, v_offset, r).unwrap();
        let expected = Sample3d { aoffimmi, ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding_in(
            &byte_op(),
            &[
                0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
                0x05, 0x02, low, high, 0, 0, // aoffimmi: an immediate uw
                0x02, 0x06, // sampler, surface
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // u: V32
            ],
            expected,
        );
        assert_encoding_in(
            &igc(NARROW),
            &[
                0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
                low, high, // aoffimmi: a bare word
                0x02, 0x06, // sampler, surface
                0x28, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, // u: V32
            ],
            expected,
        );
        assert_eq!(
            (aoffimmi.u(), aoffimmi.v(), aoffimmi.r()),
            (Some(u), Some(v_offset), Some(r)),
        );
    }
}

/// 3D_SAMPLE.md: bits 12 to 15 must be zero, in immediates of any type. Readers accept all
/// operands.
#[test]
#[rustfmt::skip]
fn reserved_bits_of_texel_offsets() {
    let narrow: &[(&[u8], u32, Vector)] = &[
        (&[0x05, 0x02, 0x00, 0xf0, 0, 0], 0xf000, Imm::uw(0xf000).into()),
        (&[0x05, 0x02, 0x23, 0x11, 0, 0], 0x1000, Imm::uw(0x1123).into()),
        // A uw whose upper half is not zero.
        (&[0x05, 0x02, 0x00, 0xf0, 0x01, 0x00], 0xf000, imm(TypeByte::from(T::UW), 0x1_f000)),
        // A type byte with a high nibble.
        (&[0x05, 0x12, 0x00, 0x80, 0, 0], 0x8000, imm(TypeByte::from_bits(0x12), 0x8000)),
        // The modifier neg.
        (&[0x15, 0x02, 0x00, 0x40, 0, 0], 0x4000,
         Vector::imm(Imm::uw(0x4000)).with_modifier(Modifier::NEG)),
        // Other types: ud, w, ub, f, hf.
        (&[0x05, 0x00, 0x88, 0x28, 0, 0], 0x2000, Imm::ud(0x2888).into()),
        (&[0x05, 0x03, 0xff, 0xff, 0xff, 0xff], 0xf000, Imm::w(-1).into()),
        (&[0x05, 0x04, 0x00, 0x10, 0, 0], 0x1000, imm(TypeByte::from(T::UB), 0x1000)),
        (&[0x05, 0x07, 0x00, 0x30, 0x80, 0x3f], 0x3000, imm(TypeByte::from(T::F), 0x3f80_3000)),
        (&[0x05, 0x0e, 0x00, 0x3c, 0, 0], 0x3000, Imm::hf(0x3c00).into()),
        // Eight bytes: uq.
        (&[0x05, 0x0b, 0x01, 0x70, 0, 0, 0, 0, 0, 0], 0x7000, Imm::uq(0x7001).into()),
    ];
    for &(operand, reserved, vector) in narrow {
        let bytes = [
            &[0x6d, 0x00, 0x03, 0x00, 0x00, 0x03], // 3D_SAMPLE, op, exec, pred, channels
            operand,
            &[
                0x02, 0x06, // sampler, surface
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // u: V32
            ],
        ]
        .concat();
        let kind = kind!(ErrorKind::ReservedBits { bits } if *bits == reserved);
        // The bits follow the tag and the type.
        assert_rejected_in(&manual(), &bytes, 8, kind);
        let expected = Sample3d { aoffimmi: Aoffimmi(vector), ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding_in(&igc(MIDDLE), &bytes, expected);
        for format in manual() {
            assert_inexpressible(format, expected, "aoffimmi", kind!(ErrorKind::Inexpressible { .. }));
        }
    }
}

/// The other bits of such immediates have no meaning, and are preserved.
#[test]
#[rustfmt::skip]
fn texel_offsets_of_other_immediates() {
    for (operand, vector) in [
        ([0x05, 0x02, 0x71, 0x08, 0x01, 0x00], imm(TypeByte::from(T::UW), 0x1_0871)),
        ([0x05, 0x12, 0x71, 0x08, 0, 0], imm(TypeByte::from_bits(0x12), 0x0871)),
        ([0x15, 0x02, 0x71, 0x08, 0, 0],
         Vector::imm(Imm::uw(0x0871)).with_modifier(Modifier::NEG)),
        ([0x05, 0x00, 0x71, 0x08, 0, 0], Imm::ud(0x0871).into()),
        ([0x05, 0x03, 0x71, 0x08, 0, 0], Imm::w(0x0871).into()),
    ] {
        let bytes = [
            &[0x6d, 0x00, 0x03, 0x00, 0x00, 0x03], // 3D_SAMPLE, op, exec, pred, channels
            &operand[..],
            &[
                0x02, 0x06, // sampler, surface
                0x28, 0, 0, 0, 0, 0, // dst: V40
                0x01, // NumParams
                0x20, 0, 0, 0, 0, 0, // u: V32
            ],
        ]
        .concat();
        let aoffimmi = Aoffimmi(vector);
        let expected = Sample3d { aoffimmi, ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding_in(&byte_op(), &bytes, expected);
        assert_eq!((aoffimmi.u(), aoffimmi.v(), aoffimmi.r()), (Some(-8), Some(7), Some(1)));
        assert_eq!(aoffimmi.bits(), None);
    }
}

/// Returns an immediate of four bytes.
fn imm(ty: TypeByte, bits: u64) -> Vector {
    let imm = Imm::new(ty.ty(), bits).and_then(|imm| imm.with_type_byte(ty));
    imm.expect("four bytes").into()
}

/// docs/format.md, 4.5: a vector operand since 3.4.
#[test]
#[rustfmt::skip]
fn aoffimmi_can_be_a_variable() {
    let expected = Sample3d {
        aoffimmi: Aoffimmi(Vector::scalar(VarId(50))),
        ..sample(SampleOp::SAMPLE_LZ, &[v(32)])
    };
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, 0x18, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x00, 0x32, 0, 0, 0, 0x00, 0x00, 0x21, 0x01, // aoffimmi: V50(0,0)<0;1,0>
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x01, // NumParams
            0x20, 0, 0, 0, 0, 0, // u: V32
        ],
        expected,
    );
    assert_eq!(expected.aoffimmi.u(), None);
}

/// docs/format.md, 4.5: Igc readers accept every count below 16 for all operations.
#[test]
#[rustfmt::skip]
fn igc_dialects_accept_0_to_15_parameters() {
    assert_encoding_in(
        &igc(MIDDLE),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x00, // NumParams
        ],
        sample(SampleOp::SAMPLE, &[]),
    );
    assert_encoding_in(
        &igc(NARROW),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x00, 0x00, // aoffimmi
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, // dst: V40
            0x00, // NumParams
        ],
        sample(SampleOp::SAMPLE, &[]),
    );
    // NumParams may be more than the operation has.
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x0f, // NumParams: 15, the most there can be
            0x01, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0x03, 0, 0, 0, 0, 0, // V1 to V3
            0x04, 0, 0, 0, 0, 0, 0x05, 0, 0, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, // V4 to V6
            0x07, 0, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0x09, 0, 0, 0, 0, 0, // V7 to V9
            0x0a, 0, 0, 0, 0, 0, 0x0b, 0, 0, 0, 0, 0, 0x0c, 0, 0, 0, 0, 0, // V10 to V12
            0x0d, 0, 0, 0, 0, 0, 0x0e, 0, 0, 0, 0, 0, 0x0f, 0, 0, 0, 0, 0, // V13 to V15
        ],
        sample(
            SampleOp::SAMPLE,
            &[
                v(1), v(2), v(3), v(4), v(5), v(6), v(7), v(8),
                v(9), v(10), v(11), v(12), v(13), v(14), v(15),
            ],
        ),
    );
}

/// The longest row of the table of the page.
#[test]
#[rustfmt::skip]
fn sample_d_c_with_all_parameters() {
    let expected = sample(
        SampleOp::SAMPLE_D_C,
        &[v(50), v(51), v(52), v(53), v(54), v(55), v(56), v(57), v(58), v(59), v(60)],
    );
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, // 3D_SAMPLE
            0x14, // op: sample_d_c
            0x03, // exec: 8 lanes, M1
            0x00, 0x00, // no predicate
            0x03, // channels RG
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, // sampler S2
            0x06, // surface T6
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x0b, // NumParams: 11
            0x32, 0, 0, 0, 0, 0, // ref: V50
            0x33, 0, 0, 0, 0, 0, // u: V51
            0x34, 0, 0, 0, 0, 0, // dudx: V52
            0x35, 0, 0, 0, 0, 0, // dudy: V53
            0x36, 0, 0, 0, 0, 0, // v: V54
            0x37, 0, 0, 0, 0, 0, // dvdx: V55
            0x38, 0, 0, 0, 0, 0, // dvdy: V56
            0x39, 0, 0, 0, 0, 0, // r: V57
            0x3a, 0, 0, 0, 0, 0, // drdx: V58
            0x3b, 0, 0, 0, 0, 0, // drdy: V59
            0x3c, 0, 0, 0, 0, 0, // ai: V60
        ],
        expected,
    );
    for (name, var) in [
        (Param::Ref, 50),
        (Param::U, 51),
        (Param::Dudx, 52),
        (Param::Dudy, 53),
        (Param::V, 54),
        (Param::Dvdx, 55),
        (Param::Dvdy, 56),
        (Param::R, 57),
        (Param::Drdx, 58),
        (Param::Drdy, 59),
        (Param::Ai, 60),
    ] {
        assert_eq!(expected.param(name), Some(v(var)), "{}", name.name());
    }
    assert_eq!(expected.param(Param::Bias), None);
    assert_eq!(expected.param(Param::Lod), None);
}

/// All rows of the table of the page.
#[test]
#[rustfmt::skip]
fn parameters_by_name() {
    use Param::{Ai, Bias, Drdx, Drdy, Dudx, Dudy, Dvdx, Dvdy, Lod, R, Ref, U, V};
    for (op, row) in [
        (SampleOp::SAMPLE, &[U, V, R, Ai][..]),
        (SampleOp::SAMPLE_B, &[Bias, U, V, R, Ai]),
        (SampleOp::SAMPLE_L, &[Lod, U, V, R, Ai]),
        (SampleOp::SAMPLE_C, &[Ref, U, V, R, Ai]),
        (SampleOp::SAMPLE_D, &[U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai]),
        (SampleOp::SAMPLE_B_C, &[Ref, Bias, U, V, R, Ai]),
        (SampleOp::SAMPLE_L_C, &[Ref, Lod, U, V, R, Ai]),
        (SampleOp::LOD, &[U, V, R, Ai]),
        (SampleOp::SAMPLE_D_C, &[Ref, U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai]),
        (SampleOp::SAMPLE_LZ, &[U, V, R, Ai]),
        (SampleOp::SAMPLE_C_LZ, &[Ref, U, V, R, Ai]),
    ] {
        let params = [
            v(50), v(51), v(52), v(53), v(54), v(55), v(56), v(57), v(58), v(59), v(60),
        ];
        let full = sample(op, &params[..row.len()]);
        // "It is permitted to skip the trailing parameters."
        let short = sample(op, &params[..2]);
        for name in Param::ALL {
            let position = row.iter().position(|param| *param == name);
            let expected = position.map(|position| params[position]);
            assert_eq!(full.param(name), expected, "{op}, {}", name.name());
            let expected = expected.filter(|_| position < Some(2));
            assert_eq!(short.param(name), expected, "{op}, {}, two parameters", name.name());
        }
    }
}

/// sample_b_c without its last two parameters.
#[test]
#[rustfmt::skip]
fn missing_trailing_parameters_are_none() {
    let bytes = [
        0x6d, // 3D_SAMPLE
        0x05, // op: sample_b_c
        0x03, 0x00, 0x00, 0x0f, // exec, pred, channels
        0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
        0x02, 0x06, // sampler, surface
        0x28, 0, 0, 0, 0, 0, // dst: V40
        0x04, // NumParams
        0x32, 0, 0, 0, 0, 0, // ref: V50
        0x33, 0, 0, 0, 0, 0, // bias: V51
        0x34, 0, 0, 0, 0, 0, // u: V52
        0x35, 0, 0, 0, 0, 0, // v: V53
    ];
    for format in byte_op() {
        let Ok(Instruction::Sample3d(sample)) = Instruction::from_bytes(&bytes, format) else {
            panic!("not a 3D_SAMPLE in {format}");
        };
        assert_eq!(sample.param(Param::Ref), Some(v(50)), "{format}");
        assert_eq!(sample.param(Param::Bias), Some(v(51)), "{format}");
        assert_eq!(sample.param(Param::U), Some(v(52)), "{format}");
        assert_eq!(sample.param(Param::V), Some(v(53)), "{format}");
        assert_eq!(sample.param(Param::R), None, "{format}");
        assert_eq!(sample.param(Param::Ai), None, "{format}");
        assert_eq!(sample.param(Param::Lod), None, "{format}");
        assert_eq!(sample.param(Param::Dudx), None, "{format}");
    }
}

/// Returns bytes in dialect `Manual`. The operation is at 1, NumParams at 20.
fn manual_bytes(op: u8, channels: u8, num_params: u8) -> Vec<u8> {
    let mut bytes = vec![0x6d, op, 0x03, 0x00, 0x00, channels, 0x05, 0x02, 0, 0, 0, 0, 0x02, 0x06];
    bytes.extend([0x28, 0, 0, 0, 0, 0, num_params]);
    bytes.extend([0x20, 0, 0, 0, 0, 0].repeat(num_params.into()));
    bytes
}

#[test]
fn manual_rejects_other_than_eleven_operations() {
    for (op, value) in [(0x07, 0x07), (0x27, 0x07), (0x08, 0x08), (0x1f, 0x1f)] {
        let bytes = manual_bytes(op, 0x03, 1);
        let kind = kind!(ErrorKind::UnknownSubOpcode { value: found, .. } if *found == value);
        assert_rejected_in(&manual(), &bytes, 1, kind);
    }
}

/// 3D_SAMPLE.md: "Valid values are [1-15]".
#[test]
fn manual_rejects_other_than_1_to_15_parameters() {
    let (none, sixteen) = (manual_bytes(0x00, 0x03, 0), manual_bytes(0x00, 0x03, 16));
    assert_rejected_in(&manual(), &none, 20, kind!(ErrorKind::BadCount { found: 0, .. }));
    assert_rejected_in(&manual(), &sixteen, 20, kind!(ErrorKind::BadCount { found: 16, .. }));
}

#[test]
#[rustfmt::skip]
fn rejects_reserved_bits() {
    let bytes = manual_bytes(0x00, 0x2f, 1);
    assert_rejected_in(&byte_op(), &bytes, 5, kind!(ErrorKind::ReservedBits { bits: 0x20 }));
    for (high, reserved) in [(0x08, 0x0800), (0x10, 0x1000), (0x80, 0x8000), (0xff, 0xf800)] {
        let bytes = [
            0x6d, // 3D_SAMPLE
            0x00, high, // op: bits above 10 have no meaning
            0x03, 0x00, 0x00, 0x03, // exec, pred, channels
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst
            0x00, 0, 0, 0, 0, 0, // paired surface, or NumParams
            0x00, // NumParams
        ];
        let kind = kind!(ErrorKind::ReservedBits { bits } if *bits == reserved);
        assert_rejected_in(&igc(MAJOR_4), &bytes, 1, kind);
    }
}

#[test]
#[rustfmt::skip]
fn rejects_sizes_above_32_lanes() {
    let bytes = [
        0x6d, 0x00, // 3D_SAMPLE, op
        0x06, // exec: size nibble 6
        0x00, 0x00, 0x03, 0x00, 0x00, 0x02, 0x06, // pred and on
    ];
    let formats = [byte_op(), igc(NARROW)].concat();
    assert_rejected_in(&formats, &bytes, 2, kind!(ErrorKind::InvalidValue { value: 6, .. }));
}

/// docs/format.md, 4.5: readers without a paired surface decode the low byte of its id as
/// NumParams.
#[test]
#[rustfmt::skip]
fn igc2022_misreads_a_paired_surface() {
    let bytes = [
        0x6d, // 3D_SAMPLE
        0x00, 0x00, // op: sample
        0x03, 0x00, 0x00, 0x03, // exec, pred, channels
        0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
        0x02, 0x06, // sampler, surface
        0x28, 0, 0, 0, 0, 0, // dst: V40
        0x00, 0, 0, 0, 0, 0, // paired surface: null
        0x01, // NumParams
        0x20, 0, 0, 0, 0, 0, // u: V32
    ];
    let paired_surface = Some(Raw::NULL);
    let expected = Sample3d { paired_surface, ..sample(SampleOp::SAMPLE, &[v(32)]) };
    assert_encoding_in(&igc2026(MAJOR_4), &bytes, expected);
    assert_rejected_in(&igc2022(MAJOR_4), &bytes, 22, kind!(ErrorKind::TrailingBytes { count: 12 }));
}

#[test]
fn rejects_a_paired_surface_in_other_formats() {
    let without = sample(SampleOp::SAMPLE, &[v(32)]);
    let with = Sample3d { paired_surface: Some(Raw::NULL), ..without };
    let paired = igc2026(&[Version::V3_8, Version::V4_0, Version::V4_1, Version::V4_8]);
    for format in paired {
        assert_inexpressible(
            format,
            without,
            "paired_surface",
            kind!(ErrorKind::MissingField { .. }),
        );
    }
    let unpaired = [manual(), igc2022(Version::BINARY), igc2026(NARROW), igc2026(MIDDLE)].concat();
    for format in unpaired {
        assert_inexpressible(
            format,
            with,
            "paired_surface",
            kind!(ErrorKind::Inexpressible { .. }),
        );
    }
}

#[test]
fn rejects_aoffimmi_operands_before_3_4() {
    let base = sample(SampleOp::SAMPLE, &[v(32)]);
    for operand in [
        Vector::scalar(VarId(50)),
        Imm::ud(0).into(),
        Imm::w(0).into(),
        Vector::imm(Imm::uw(0)).with_modifier(Modifier::NEG),
    ] {
        let instruction = Sample3d { aoffimmi: Aoffimmi(operand), ..base };
        for format in igc(NARROW) {
            assert_inexpressible(
                format,
                instruction,
                "aoffimmi",
                kind!(ErrorKind::Inexpressible { .. }),
            );
        }
    }
}

#[test]
fn rejects_values_that_the_format_cannot_express() {
    let no_params = sample(SampleOp::SAMPLE, &[]);
    for format in manual() {
        let result = Instruction::from(no_params).to_bytes(format);
        let error = result.expect_err("3D_SAMPLE.md requires a parameter");
        assert!(matches!(error.kind(), ErrorKind::BadCount { found: 0, .. }), "{error}");
        let result = Instruction::from(sample(SampleOp::from_bits(7).unwrap(), &[v(32)]));
        let error = result.to_bytes(format).expect_err("3D_SAMPLE.md has no operation 7");
        assert!(matches!(error.kind(), ErrorKind::UnknownSubOpcode { value: 7, .. }), "{error}");
    }
    assert_eq!(Params::new(&[Raw::NULL; 16]), None);
    // The operation has five bits in 3.x.
    let wide_op = sample(SampleOp::from_bits(0x20).unwrap(), &[v(32)]);
    for format in igc(&[Version::V3_0, Version::V3_6, Version::V3_8]) {
        assert_inexpressible(
            format,
            wide_op,
            "op",
            kind!(ErrorKind::OutOfRange { value: 0x20, .. }),
        );
    }
    let m2_nm = Sample3d { exec: Exec::new(ExecSize::S8, ExecMask::M2_NM), ..no_params };
    for format in igc(&[Version::V3_0]) {
        assert_inexpressible(format, m2_nm, "exec", kind!(ErrorKind::Inexpressible { .. }));
    }
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let dst = Sample3d { dst: v(70_000), ..sample(SampleOp::SAMPLE, &[v(32)]) };
    for format in igc(NARROW) {
        assert_inexpressible(
            format,
            dst,
            "dst",
            kind!(ErrorKind::OutOfRange { value: 70_000, .. }),
        );
    }
}

/// Errors of decoding and encoding contain the name of the parameter, which the operation
/// determines.
#[test]
fn errors_contain_the_parameter_name() {
    // sample_b: bias, u, v
    let sample = sample(SampleOp::SAMPLE_B, &[v(32), v(33), v(70_000)]);
    for format in igc(NARROW) {
        assert_inexpressible(
            format,
            sample,
            "v",
            kind!(ErrorKind::OutOfRange { value: 70_000, .. }),
        );
    }
}
