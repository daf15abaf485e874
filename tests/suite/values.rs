//! Values of operands, formats and instructions.

use genvisa::isa::SPEC;
use genvisa::operand::{
    Aoffimmi, DataType, ExecMask, Imm, Modifier, Pred, PredControl, PredId, Vector,
};
use genvisa::{Format, Instruction, Version};

#[test]
fn versions_are_sorted_and_no_others_exist() {
    assert!(Version::ALL.is_sorted());
    for (major, minor) in [(2, 9), (3, 9), (4, 3), (4, 7), (5, 0), (0, 0)] {
        assert_eq!(Version::new(major, minor), None);
    }
    for &v in Version::ALL {
        assert_eq!(Version::new(v.major(), v.minor()), Some(v));
    }
}

#[test]
fn the_table_is_sorted_by_unique_opcodes() {
    assert!(SPEC.windows(2).all(|rows| rows[0].opcode < rows[1].opcode));
}

#[test]
fn retired_opcodes_have_no_row() {
    for opcode in [0x3b, 0x3d, 0x3e] {
        assert!(SPEC.iter().all(|row| row.opcode != opcode));
        let error = Instruction::from_bytes(&[opcode], Format::default()).unwrap_err();
        assert!(error.to_string().contains("retired"), "{error}");
    }
}

#[test]
fn an_instruction_fits_in_three_cache_lines() {
    assert!(size_of::<Instruction>() <= 192, "{}", size_of::<Instruction>());
}

#[test]
fn codes_of_masks_are_their_bits_and_those_of_legacy_masks_follow() {
    for bits in 0..16 {
        assert_eq!(ExecMask::from_bits(bits).unwrap().code(), bits);
        assert_eq!(ExecMask::from_code(16 + bits), ExecMask::legacy(bits));
    }
    let codes: Vec<_> = (0..=255).filter_map(ExecMask::from_code).map(ExecMask::code).collect();
    assert!(codes.into_iter().eq((0..16).chain(25..32)));
}

#[test]
fn immediates_extend_narrow_integers_by_their_sign() {
    assert_eq!(Imm::w(-1).bits(), 0xffff_ffff);
    assert_eq!(Imm::uw(0xffff).bits(), 0xffff);
    assert_eq!(Imm::b(-2).bits(), 0xffff_fffe);
    assert_eq!(Imm::new(DataType::W, 0xffff).unwrap().as_integer(), Some(-1));
}

#[test]
fn immediates_pack_vectors_from_the_lowest_bits() {
    let v = Imm::v([0, 1, 2, 3, -1, -8, 7, -4]).unwrap();
    assert_eq!(v.bits(), 0xc78f_3210);
    assert_eq!(v.as_packed_integers(), Some([0, 1, 2, 3, -1, -8, 7, -4]));
    let uv = Imm::uv([0, 1, 2, 3, 4, 5, 6, 15]).unwrap();
    assert_eq!(uv.bits(), 0xf654_3210);
    assert_eq!(uv.as_packed_integers(), Some([0, 1, 2, 3, 4, 5, 6, 15]));
    assert_eq!(Imm::v([8, 0, 0, 0, 0, 0, 0, 0]), None);
    assert_eq!(Imm::uv([16, 0, 0, 0, 0, 0, 0, 0]), None);
    assert_eq!(Imm::vf([1, 2, 3, 4]).as_packed_floats(), Some([1, 2, 3, 4]));
}

#[test]
fn immediates_store_floats_as_bits() {
    assert_eq!(Imm::f(1.0).bits(), 0x3f80_0000);
    assert_eq!(Imm::df(-2.0).bits(), 0xc000_0000_0000_0000);
    assert_eq!(Imm::df(0.5).as_f64(), Some(0.5));
    assert_eq!(Imm::hf(0x3c00).as_half_bits(), Some(0x3c00));
    assert_eq!(Imm::f(1.0).as_f64(), None);
}

#[test]
fn only_types_of_eight_bytes_have_more_than_four_bytes() {
    assert_eq!(Imm::new(DataType::UD, 1 << 32), None);
    assert_eq!(Imm::new(DataType::UQ, 1 << 32), Some(Imm::uq(1 << 32)));
}

#[test]
fn texel_offsets_are_nibbles() {
    let offset = Aoffimmi::new(-8, 7, -1).unwrap();
    assert_eq!(offset.bits(), Some(0x087f));
    assert_eq!((offset.u(), offset.v(), offset.r()), (Some(-8), Some(7), Some(-1)));
    assert_eq!(Aoffimmi::new(8, 0, 0), None);
    assert_eq!(Aoffimmi::new(0, -9, 0), None);
}

#[test]
fn immediates_of_every_integer_type_have_texel_offsets() {
    let offsets = |vector: Vector| {
        let offset = Aoffimmi(vector);
        Some((offset.u()?, offset.v()?, offset.r()?))
    };
    let with_bits = |ty, bits| Imm::new(ty, bits).unwrap().into();
    for vector in [
        Imm::uw(0x871).into(),
        Imm::w(0x871).into(),
        Imm::ud(0x871).into(),
        Imm::d(0x871).into(),
        Imm::uq(0x871).into(),
        Imm::q(0x871).into(),
        with_bits(DataType::UW, 0x1_0871),
        Vector::imm(Imm::uw(0x871)).with_modifier(Modifier::NEG),
    ] {
        assert_eq!(offsets(vector), Some((-8, 7, 1)), "{vector:?}");
    }
    assert_eq!(offsets(Imm::ub(0xff).into()), Some((0, -1, -1)));
    assert_eq!(offsets(Imm::d(-1).into()), Some((-1, -1, -1)));
    assert_eq!(offsets(Imm::ud(0xffff).into()), Some((-1, -1, -1)));
    for vector in [
        Imm::ud(0x1_0000).into(),
        Imm::d(-0x8001).into(),
        Imm::uq(u64::MAX).into(),
        Imm::f(0.0).into(),
        Imm::hf(0).into(),
        Vector::default(),
    ] {
        assert_eq!(offsets(vector), None, "{vector:?}");
    }
}

#[test]
fn only_a_uw_without_modifier_is_a_bare_word() {
    let bits = |vector| Aoffimmi(vector).bits();
    assert_eq!(bits(Imm::uw(0x871).into()), Some(0x871));
    assert_eq!(bits(Imm::w(0x871).into()), None);
    assert_eq!(bits(Imm::new(DataType::UW, 0x1_0871).unwrap().into()), None);
    assert_eq!(bits(Vector::imm(Imm::uw(0x871)).with_modifier(Modifier::NEG)), None);
}

/// Without feature `text`, traces and messages show it.
#[test]
fn debug_output_shows_the_values_of_operands() {
    let pred = Pred::new(PredId(3)).expect("an id of twelve bits").with_control(PredControl::ANY);
    assert_eq!(format!("{:?}", pred.inverted()), "Pred(!P3.any)");
    assert_eq!(pred.inverted().inverted(), pred);
}
