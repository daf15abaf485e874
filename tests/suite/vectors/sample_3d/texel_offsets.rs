//! The texel offsets of 3D_SAMPLE: immediates and variables.

use super::*;

/// Each offset has four bits.
#[test]
fn every_offset_has_four_bits() {
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
        let listing = bytes! {
            0x6d, 0x00, {LANES}, // 3D_SAMPLE, op
            wide[0x05, 0x02], low, high, wide[0, 0], // aoffimmi: an immediate uw, or a bare word
            {STATE_AND_DST}, {ONE_PARAM},
        };
        let expected = Sample3d { aoffimmi, ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding(&[byte_op(), igc(NARROW)].concat(), listing, expected);
        assert_eq!((aoffimmi.u(), aoffimmi.v(), aoffimmi.r()), (Some(u), Some(v_offset), Some(r)));
    }
}

/// Returns the bytes of a sample with these texel offsets.
fn with_offsets(aoffimmi: &[u8]) -> impl Fn(Format) -> Vec<u8> + Copy {
    bytes! {
        0x6d, 0x00, {LANES}, // 3D_SAMPLE, op
        {|_| aoffimmi.to_vec()},
        {STATE_AND_DST}, {ONE_PARAM},
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
        let listing = with_offsets(operand);
        let kind = kind!(ErrorKind::ReservedBits { bits } if *bits == reserved);
        // The bits follow the tag and the type.
        assert_rejected(&manual(), listing, 8, kind);
        let expected = Sample3d { aoffimmi: Aoffimmi(vector), ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding(&igc(MIDDLE), listing, expected);
        let kind = kind!(ErrorKind::Inexpressible { .. });
        assert_inexpressible(&manual(), expected, "aoffimmi", kind);
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
        let aoffimmi = Aoffimmi(vector);
        let expected = Sample3d { aoffimmi, ..sample(SampleOp::SAMPLE, &[v(32)]) };
        assert_encoding(&byte_op(), with_offsets(&operand), expected);
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
fn aoffimmi_can_be_a_variable() {
    let listing = bytes! {
        0x6d, 0x18, {LANES}, // 3D_SAMPLE, op
        0x00, 0x32, 0, 0, 0, 0x00, 0x00, 0x21, 0x01, // aoffimmi: V50(0,0)<0;1,0>
        {STATE_AND_DST}, {ONE_PARAM},
    };
    let aoffimmi = Aoffimmi(Vector::scalar(VarId(50)));
    let expected = Sample3d { aoffimmi, ..sample(SampleOp::SAMPLE_LZ, &[v(32)]) };
    assert_encoding(&byte_op(), listing, expected);
    assert_eq!(expected.aoffimmi.u(), None);
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
        let kind = kind!(ErrorKind::Inexpressible { .. });
        assert_inexpressible(&igc(NARROW), instruction, "aoffimmi", kind);
    }
}
