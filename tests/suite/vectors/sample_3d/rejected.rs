//! Bytes and fields of 3D_SAMPLE that are rejected or misread.

use super::*;

#[test]
fn manual_rejects_other_than_eleven_operations() {
    for (op, value) in [(0x07, 0x07), (0x27, 0x07), (0x08, 0x08), (0x1f, 0x1f)] {
        let listing = bytes! { 0x6d, op, {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, {ONE_PARAM} };
        let kind = kind!(ErrorKind::UnknownSubOpcode { value: found, .. } if *found == value);
        assert_rejected(&manual(), listing, 1, kind);
    }
}

#[test]
fn rejects_reserved_bits() {
    let listing = bytes! {
        0x6d, 0x00, // 3D_SAMPLE, op
        0x03, 0x00, 0x00, // exec, pred
        0x2f, // channels: bit 5 is set
        {NO_OFFSETS}, {STATE_AND_DST}, {ONE_PARAM},
    };
    assert_rejected(&byte_op(), listing, 5, kind!(ErrorKind::ReservedBits { bits: 0x20 }));
    for (high, reserved) in [(0x08, 0x0800), (0x10, 0x1000), (0x80, 0x8000), (0xff, 0xf800)] {
        let listing = bytes! {
            0x6d, // 3D_SAMPLE
            0x00, high, // op: bits above 10 have no meaning
            {LANES}, {NO_OFFSETS}, {STATE_AND_DST},
            0x00, 0, 0, 0, 0, 0, // paired surface, or NumParams
            0x00, // NumParams
        };
        let kind = kind!(ErrorKind::ReservedBits { bits } if *bits == reserved);
        assert_rejected(&igc(MAJOR_4), listing, 1, kind);
    }
}

#[test]
fn rejects_sizes_above_32_lanes() {
    let listing = bytes! {
        0x6d, 0x00, // 3D_SAMPLE, op
        0x06, // exec: size nibble 6
        0x00, 0x00, 0x03, 0x00, 0x00, 0x02, 0x06, // pred and on
    };
    let formats = [byte_op(), igc(NARROW)].concat();
    assert_rejected(&formats, listing, 2, kind!(ErrorKind::InvalidValue { value: 6, .. }));
}

/// docs/format.md, 4.5: readers without a paired surface decode the low byte of its id as
/// NumParams.
#[test]
fn igc2022_misreads_a_paired_surface() {
    let listing = bytes! {
        0x6d, // 3D_SAMPLE
        0x00, 0x00, // op: sample
        {LANES}, {NO_OFFSETS}, {STATE_AND_DST},
        0x00, 0, 0, 0, 0, 0, // paired surface: null
        {ONE_PARAM},
    };
    let paired_surface = Some(Raw::NULL);
    let expected = Sample3d { paired_surface, ..sample(SampleOp::SAMPLE, &[v(32)]) };
    assert_encoding(&igc2026(MAJOR_4), listing, expected);
    let kind = kind!(ErrorKind::TrailingBytes { count: 12 });
    assert_rejected(&igc2022(MAJOR_4), listing, 22, kind);
}

#[test]
fn rejects_a_paired_surface_in_other_formats() {
    let without = sample(SampleOp::SAMPLE, &[v(32)]);
    let with = Sample3d { paired_surface: Some(Raw::NULL), ..without };
    let paired = igc2026(&[Version::V3_8, Version::V4_0, Version::V4_1, Version::V4_8]);
    let kind = kind!(ErrorKind::MissingField { .. });
    assert_inexpressible(&paired, without, "paired_surface", kind);
    let unpaired = [manual(), igc2022(Version::BINARY), igc2026(NARROW), igc2026(MIDDLE)].concat();
    let kind = kind!(ErrorKind::Inexpressible { .. });
    assert_inexpressible(&unpaired, with, "paired_surface", kind);
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
    let kind = kind!(ErrorKind::OutOfRange { value: 0x20, .. });
    let formats = igc(&[Version::V3_0, Version::V3_6, Version::V3_8]);
    assert_inexpressible(&formats, wide_op, "op", kind);
    let m2_nm = Sample3d { exec: Exec::new(ExecSize::S8, ExecMask::M2_NM), ..no_params };
    let kind = kind!(ErrorKind::Inexpressible { .. });
    assert_inexpressible(&igc(&[Version::V3_0]), m2_nm, "exec", kind);
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let sample = sample(SampleOp::SAMPLE, &[v(32)]);
    assert_id_too_large(Sample3d { dst: v(70_000), ..sample }, "dst");
}
