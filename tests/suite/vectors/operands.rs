//! Vector operands (docs/format.md, 3), as the sample index of an RT_WRITE, which accepts all of
//! them; and predicates of an RT_WRITE.

use genvisa::Instructions;
use genvisa::isa::RtWrite;
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Imm, Modifier, Region, SamplerId, StateClass, Stride, TypeByte,
    Vector, VectorKind,
};

use super::rt_write::{self, RGBA, TARGET, without_options};
use super::*;

/// The bytes before the sample index. It is at offset 13, or 11 if ids have two bytes.
const HEAD: Listing = bytes! {
    {rt_write::HEAD},
    0x00, 0x08, // mode: SI
    {TARGET},
};

/// Asserts the encoding of an operand in the formats.
#[track_caller]
fn operand_in(formats: &[Format], listing: impl Fn(Format) -> Vec<u8>, operand: Vector) {
    let instruction = RtWrite { sample_index: Some(operand), ..without_options() };
    // NumParams, 4, is between the sample index and R.
    assert_encoding(formats, bytes! { {HEAD}, {listing}, manual[0x04], {RGBA} }, instruction);
}

/// Asserts the encoding of an operand in all formats.
#[track_caller]
fn operand(listing: impl Fn(Format) -> Vec<u8>, operand: Vector) {
    operand_in(&all(), listing, operand);
}

fn pred(id: u16) -> Pred {
    Pred::new(PredId(id)).unwrap()
}

/// A general operand without its region.
const V32: Listing = bytes! {
    0x00, // class 0
    0x20, 0x00, wide[0, 0], 0x00, 0x00, // V32(0,0)
};

#[test]
fn general() {
    let (s0, s1, s2, s4, s8) = (Stride::S0, Stride::S1, Stride::S2, Stride::S4, Stride::S8);
    let (s16, s32) = (Stride::S16, Stride::S32);
    let listing = bytes! {
        0x00, // class 0
        0x04, 0x03, wide[0x02, 0x01], // variable 0x01020304, or 0x0304
        0x05, // row
        0x06, // column
        0x55, 0x02, // <8;8,1>
    };
    let general = |var| Vector::general_at(VarId(var), 5, 6, Region::new(s8, s8, s1));
    operand_in(&wide(), listing, general(0x0102_0304));
    operand_in(&igc(NARROW), listing, general(0x0304));
    // docs/format.md, 3.4: a destination has a horizontal stride only: <1>.
    let general = |region| Vector::general(VarId(32), region);
    operand(bytes! { {V32}, 0x00, 0x02 }, general(Region::dst(s1)));
    // All encodings of a stride: 7 is 32, 6 is 16, 3 is 2; 4 is 4, 2 is 1, 1 is 0.
    operand(bytes! { {V32}, 0x67, 0x03 }, general(Region::new(s32, s16, s2)));
    operand(bytes! { {V32}, 0x24, 0x01 }, general(Region::new(s4, s1, s0)));
}

#[test]
fn address() {
    let listing = bytes! {
        0x01, // class 1
        0x02, 0x01, // A258
        0x03, // element 3
        0x04, // width: 16 elements
    };
    operand(listing, Vector::address(AddrId(258), 3, AddrWidth::W16));
}

#[test]
fn predicate() {
    // class 2, bits: 0..11 id, 13..14 control, 15 inverse
    operand(bytes! { 0x02, 0x01, 0x00 }, Vector::predicate(pred(1)));
    let inverted = pred(5).with_control(PredControl::ANY).inverted();
    operand(bytes! { 0x02, 0x05, 0xa0 }, Vector::predicate(inverted));
}

#[test]
fn indirect() {
    let (addr, region) = (AddrId(1), Region::new(Stride::S8, Stride::S8, Stride::S1));
    let indirect =
        |ty, region| VectorKind::Indirect { addr, addr_offset: 2, offset: -512, ty, region };
    let listing = bytes! {
        0x03, // class 3
        0x01, 0x00, // A1
        0x02, // element 2
        0x00, 0xfe, // plus -512
        0x07, // type f
        0x55, 0x02, // <8;8,1>
    };
    let kind = indirect(DataType::F.into(), region);
    operand(listing, Vector { modifier: Modifier::NONE, kind });
    // docs/format.md, 3.4: VxH has a null vertical stride. 3.3: only the low nibble is the type.
    let region = Region::new(Stride::NULL, Stride::S1, Stride::S0);
    let listing = bytes! {
        0x13, // class 3, negated
        0x01, 0x00, // A1
        0x02, // element 2
        0x00, 0xfe, // plus -512
        0x43, // type w; the high nibble is kept
        0x20, 0x01, // <1,0>
    };
    let kind = indirect(TypeByte::from_bits(0x43), region);
    operand(listing, Vector { modifier: Modifier::NEG, kind });
}

#[test]
fn immediates_of_four_bytes() {
    // class 5, type, value
    operand(bytes! { 0x05, 0x00, 0xef, 0xbe, 0xad, 0xde }, Imm::ud(0xdead_beef).into());
    operand(bytes! { 0x05, 0x01, 0xfe, 0xff, 0xff, 0xff }, Imm::d(-2).into());
    operand(bytes! { 0x05, 0x02, 0xff, 0xff, 0x00, 0x00 }, Imm::uw(0xffff).into());
    operand(bytes! { 0x05, 0x03, 0xfe, 0xff, 0xff, 0xff }, Imm::w(-2).into());
    operand(bytes! { 0x05, 0x04, 0xff, 0x00, 0x00, 0x00 }, Imm::ub(255).into());
    operand(bytes! { 0x05, 0x05, 0x80, 0xff, 0xff, 0xff }, Imm::b(-128).into());
    operand(bytes! { 0x05, 0x07, 0x00, 0x00, 0x80, 0x3f }, Imm::f(1.0).into());
    operand(bytes! { 0x05, 0x0a, 0x01, 0x00, 0x00, 0x00 }, Imm::bool(true).into());
    operand(bytes! { 0x05, 0x0e, 0x00, 0x3c, 0x00, 0x00 }, Imm::hf(0x3c00).into());
    operand(bytes! { 0x05, 0x0f, 0x80, 0x3f, 0x00, 0x00 }, Imm::bf(0x3f80).into());
    for (byte, ty) in [(0x08, DataType::V), (0x09, DataType::VF), (0x0c, DataType::UV)] {
        let imm = Imm::new(ty, 0x1234_5678).unwrap();
        operand(bytes! { 0x05, byte, 0x78, 0x56, 0x34, 0x12 }, imm.into());
    }
}

#[test]
fn immediates_of_eight_bytes() {
    // class 5, type, value
    operand(bytes! { 0x05, 0x06, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f }, Imm::df(1.5).into());
    let listing = bytes! { 0x05, 0x0b, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01 };
    operand(listing, Imm::uq(0x0123_4567_89ab_cdef).into());
    let listing = bytes! { 0x05, 0x0d, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
    operand(listing, Imm::q(-2).into());
}

/// docs/format.md, 3.3: readers extend narrow constants when they load them. The codec preserves
/// all four bytes. Only the low nibble of the type byte is the type and determines the length.
#[test]
fn immediates_preserve_bits_without_a_meaning() {
    let imm = |ty, bits| Vector::imm(Imm::new(ty, bits).unwrap());
    operand(bytes! { 0x05, 0x03, 0xff, 0xff, 0x00, 0x00 }, imm(DataType::W, 0xffff));
    operand(bytes! { 0x05, 0x04, 0x07, 0x00, 0x00, 0xaa }, imm(DataType::UB, 0xaa00_0007));
    let high = |imm: Imm, byte| imm.with_type_byte(TypeByte::from_bits(byte)).unwrap().into();
    operand(bytes! { 0x05, 0x17, 0x00, 0x00, 0x80, 0x3f }, high(Imm::f(1.0), 0x17));
    operand(bytes! { 0x05, 0x26, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f }, high(Imm::df(1.5), 0x26));
}

#[test]
fn state() {
    // class 6, table (0 surfaces, 1 samplers), index, offset
    operand(bytes! { 0x06, 0x00, 0x06, 0x00, 0x02 }, Vector::surface(SurfaceId(6), 2));
    operand(bytes! { 0x06, 0x01, 0x1f, 0x00, 0x00 }, Vector::sampler(SamplerId(31), 0));
    let kind = VectorKind::State { class: StateClass::SURFACE, index: 258, offset: 255 };
    operand(bytes! { 0x06, 0x00, 0x02, 0x01, 0xff }, Vector { modifier: Modifier::NONE, kind });
}

#[test]
fn modifiers() {
    for (tag, modifier) in [
        (0x00, Modifier::NONE),
        (0x08, Modifier::ABS),
        (0x10, Modifier::NEG),
        (0x18, Modifier::NEG_ABS),
        (0x20, Modifier::SAT),
        (0x28, Modifier::NOT),
    ] {
        let listing = bytes! {
            tag, // class 0, modifier
            0x20, 0x00, wide[0, 0], 0x00, 0x00, // V32(0,0)
            0x21, 0x01, // <0;1,0>
        };
        operand(listing, Vector::scalar(VarId(32)).with_modifier(modifier));
    }
    // An immediate has the same bits: class 5, negated, type d, 3.
    let three = Vector::imm(Imm::d(3));
    operand(bytes! { 0x15, 0x01, 0x03, 0, 0, 0 }, three.with_modifier(Modifier::NEG));
}

/// The predicate word of an RT_WRITE without options (docs/format.md, 3.5).
#[test]
fn predicate_words() {
    for (low, high, pred) in [
        (0x00, 0x00, Pred::NONE),
        (0x01, 0x00, pred(1)),
        (0x01, 0x80, pred(1).inverted()),
        (0x02, 0x20, pred(2).with_control(PredControl::ANY)),
        (0x03, 0x40, pred(3).with_control(PredControl::ALL)),
        (0x01, 0xa0, pred(1).with_control(PredControl::ANY).inverted()),
        (0xff, 0xcf, pred(4095).with_control(PredControl::ALL).inverted()),
    ] {
        let listing = bytes! {
            0x71, // RT_WRITE
            0x03, // exec: 8 lanes, M1
            low, high, // pred: bits 0..11 id, 13..14 control, 15 inverse
            0x00, 0x00, {TARGET}, // mode: nothing
            manual[0x04], // NumParams: R, G, B, A
            {RGBA},
        };
        assert_encoding(&all(), listing, RtWrite { pred, ..without_options() });
    }
    assert_eq!(Pred::new(PredId(4096)), None, "docs/format.md, 3.5: no binary form");
}

#[test]
fn rejects_bit_12_of_a_predicate() {
    let kind = kind!(ErrorKind::ReservedBits { bits: 0x1000 });
    let listing = bytes! {
        0x71, 0x03, // RT_WRITE, exec
        0x01, 0x10, // pred: P1, but bit 12 is set
        0x00, 0x00, 0x06, 0, 0, 0, 0, 0, 0, // mode, surface, header
    };
    assert_rejected(&all(), listing, 2, kind);
    // As an operand: the tag is at 13, and the word follows it.
    assert_rejected(&wide(), bytes! { {HEAD}, 0x02, 0x01, 0x90, {RGBA} }, 14, kind);
}

#[test]
fn rejects_bits_6_and_7_of_the_first_byte_of_an_operand() {
    let immediate = bytes! { {HEAD}, 0x45, 0, 0, 0, 0, 0, {RGBA} };
    assert_rejected(&wide(), immediate, 13, kind!(ErrorKind::ReservedBits { bits: 0x40 }));
    let general = bytes! { {HEAD}, 0xc8, 0x20, 0, 0, 0, 0, 0, 0x21, 0x01, {RGBA} };
    assert_rejected(&wide(), general, 13, kind!(ErrorKind::ReservedBits { bits: 0xc0 }));
}

#[test]
fn rejects_bits_12_to_15_of_a_region() {
    let general = bytes! { {HEAD}, 0x00, 0x20, 0, 0, 0, 0, 0, 0x21, 0x11, {RGBA} };
    assert_rejected(&wide(), general, 20, kind!(ErrorKind::ReservedBits { bits: 0x1000 }));
    let narrow = bytes! { {HEAD}, 0x00, 0x20, 0, 0, 0, 0x21, 0xf1, {RGBA} };
    assert_rejected(&igc(NARROW), narrow, 16, kind!(ErrorKind::ReservedBits { bits: 0xf000 }));
    let indirect = bytes! { {HEAD}, 0x03, 0, 0, 0, 0, 0, 0x00, 0x21, 0x81, {RGBA} };
    assert_rejected(&wide(), indirect, 20, kind!(ErrorKind::ReservedBits { bits: 0x8000 }));
}

/// docs/format.md, 3.3: no reader accepts class 4, and class 7 does not exist.
#[test]
fn rejects_classes_4_and_7() {
    let class_4 = bytes! { {HEAD}, 0x04, 0x20, 0, 0, 0, 0, 0, 0x21, 0x01, {RGBA} };
    assert_rejected(&wide(), class_4, 13, kind!(ErrorKind::AddressOfOperand));
    let class_7 = bytes! { {HEAD}, 0x07, 0x20, 0, 0, 0, 0, 0, 0x21, 0x01, {RGBA} };
    assert_rejected(&wide(), class_7, 13, kind!(ErrorKind::InvalidValue { value: 7, .. }));
    let class_4 = bytes! { {HEAD}, 0x0c, {RGBA} };
    assert_rejected(&igc(NARROW), class_4, 11, kind!(ErrorKind::AddressOfOperand));
}

/// Offsets count from the start of the file.
#[test]
fn offsets_of_errors_are_absolute() {
    let format = Format::igc2022(Version::V3_6);
    let listing = bytes! { {HEAD}, 0x00, 0x20, 0, 0, 0, 0, 0, 0x21, 0x31, {RGBA} };
    let bytes = listing(format);
    let error = Instructions::with_base(&bytes, 0x1c00, format).next().unwrap().unwrap_err();
    assert_eq!(error.offset(), 0x1c14);
    assert_eq!(
        error.to_string(),
        "instruction 0 rt_write_3d, sample_index, region: reserved bits 0x3000 are set \
         (offset 0x1c14)"
    );
}
