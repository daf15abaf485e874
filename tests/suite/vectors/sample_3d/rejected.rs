//! Bytes and fields of 3D_SAMPLE that are rejected or misread.

use super::*;

#[test]
fn manual_rejects_other_than_eleven_operations() {
    for (op, value) in [(0x07, 0x07), (0x27, 0x07), (0x08, 0x08), (0x1f, 0x1f)] {
        let bytes = manual_bytes(op, 0x03, 1);
        let kind = kind!(ErrorKind::UnknownSubOpcode { value: found, .. } if *found == value);
        assert_rejected_in(&manual(), &bytes, 1, kind);
    }
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
