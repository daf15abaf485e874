//! Vector operands (docs/format.md, 3), as the sample index of an RT_WRITE, which accepts all of
//! them; and predicates of an RT_WRITE.

use genvisa::Instructions;
use genvisa::isa::RtWrite;
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Imm, Modifier, Region, SamplerId, StateClass, Stride, TypeByte,
    Vector, VectorKind,
};

use super::*;

/// The bytes before the sample index, with ids of four bytes: the operand is at offset 13.
#[rustfmt::skip]
const HEAD: &[u8] = &[
    0x71, // RT_WRITE
    0x03, // exec: 8 lanes, M1
    0x00, 0x00, // no predicate
    0x00, 0x08, // mode: SI
    0x06, // surface T6
    0x00, 0, 0, 0, 0, 0, // header: null
];

/// The bytes after the sample index.
#[rustfmt::skip]
const TAIL: &[u8] = &[
    0x20, 0, 0, 0, 0, 0, // R: V32
    0x21, 0, 0, 0, 0, 0, // G: V33
    0x22, 0, 0, 0, 0, 0, // B: V34
    0x23, 0, 0, 0, 0, 0, // A: V35
];

/// The bytes before the sample index, with ids of two bytes: the operand is at offset 11.
#[rustfmt::skip]
const NARROW_HEAD: &[u8] = &[
    0x71, // RT_WRITE
    0x03, // exec: 8 lanes, M1
    0x00, 0x00, // no predicate
    0x00, 0x08, // mode: SI
    0x06, // surface T6
    0x00, 0, 0, 0, // header: null
];

#[rustfmt::skip]
const NARROW_TAIL: &[u8] = &[
    0x20, 0, 0, 0, // R: V32
    0x21, 0, 0, 0, // G: V33
    0x22, 0, 0, 0, // B: V34
    0x23, 0, 0, 0, // A: V35
];

fn rt_write(sample_index: Option<Vector>) -> RtWrite {
    RtWrite {
        exec: ExecSize::S8.into(),
        surface: SurfaceId(6).into(),
        header: Raw::NULL,
        sample_index,
        r: v(32),
        g: v(33),
        b: v(34),
        a: v(35),
        ..RtWrite::default()
    }
}

/// Asserts the encoding of an operand in formats with variable ids of four bytes.
#[track_caller]
fn wide_operand(bytes: &[u8], operand: Vector) {
    let instruction = rt_write(Some(operand));
    assert_encoding_in(&igc(WIDE), &[HEAD, bytes, TAIL].concat(), instruction);
    // NumParams, 4, is between the sample index and R.
    assert_encoding_in(&manual(), &[HEAD, bytes, &[0x04], TAIL].concat(), instruction);
}

/// Asserts the encoding of an operand in formats with variable ids of two bytes.
#[track_caller]
fn narrow_operand(bytes: &[u8], operand: Vector) {
    let bytes = [NARROW_HEAD, bytes, NARROW_TAIL].concat();
    assert_encoding_in(&igc(NARROW), &bytes, rt_write(Some(operand)));
}

/// Asserts the encoding of an operand in all formats.
#[track_caller]
fn operand(bytes: &[u8], operand: Vector) {
    wide_operand(bytes, operand);
    narrow_operand(bytes, operand);
}

fn of_kind(kind: VectorKind) -> Vector {
    Vector { modifier: Modifier::NONE, kind }
}

fn pred(id: u16) -> Pred {
    Pred::new(PredId(id)).unwrap()
}

#[test]
#[rustfmt::skip]
fn general() {
    let region = Region::new(Stride::S8, Stride::S8, Stride::S1);
    let general = |var, row, col, region| {
        of_kind(VectorKind::General { var: VarId(var), row, col, region })
    };
    wide_operand(
        &[
            0x00, // class 0
            0x04, 0x03, 0x02, 0x01, // variable 0x01020304
            0x05, // row
            0x06, // column
            0x55, 0x02, // <8;8,1>
        ],
        general(0x0102_0304, 5, 6, region),
    );
    narrow_operand(
        &[
            0x00, // class 0
            0x04, 0x03, // variable 0x0304
            0x05, // row
            0x06, // column
            0x55, 0x02, // <8;8,1>
        ],
        general(0x0304, 5, 6, region),
    );
    // docs/format.md, 3.4: a destination has a horizontal stride only.
    wide_operand(
        &[
            0x00, // class 0
            0x20, 0, 0, 0, 0, 0, // V32(0,0)
            0x00, 0x02, // <1>
        ],
        Vector::general(VarId(32), Region::dst(Stride::S1)),
    );
    // All encodings of a stride: 7 is 32, 6 is 16, 3 is 2; 4 is 4, 2 is 1, 1 is 0.
    wide_operand(
        &[
            0x00, // class 0
            0x20, 0, 0, 0, 0, 0, // V32(0,0)
            0x67, 0x03, // <32;16,2>
        ],
        Vector::general(VarId(32), Region::new(Stride::S32, Stride::S16, Stride::S2)),
    );
    wide_operand(
        &[
            0x00, // class 0
            0x20, 0, 0, 0, 0, 0, // V32(0,0)
            0x24, 0x01, // <4;1,0>
        ],
        Vector::general(VarId(32), Region::new(Stride::S4, Stride::S1, Stride::S0)),
    );
}

#[test]
#[rustfmt::skip]
fn address() {
    operand(
        &[
            0x01, // class 1
            0x02, 0x01, // A258
            0x03, // element 3
            0x04, // width: 16 elements
        ],
        Vector::address(AddrId(258), 3, AddrWidth::W16),
    );
}

#[test]
#[rustfmt::skip]
fn predicate() {
    operand(
        &[
            0x02, // class 2
            0x01, 0x00, // P1
        ],
        Vector::predicate(pred(1)),
    );
    operand(
        &[
            0x02, // class 2
            0x05, 0xa0, // bits 0..11 P5, 13..14 any, 15 inverse
        ],
        Vector::predicate(pred(5).with_control(PredControl::ANY).inverted()),
    );
}

#[test]
#[rustfmt::skip]
fn indirect() {
    let indirect = |ty, region| VectorKind::Indirect {
        addr: AddrId(1),
        addr_offset: 2,
        offset: -512,
        ty,
        region,
    };
    operand(
        &[
            0x03, // class 3
            0x01, 0x00, // A1
            0x02, // element 2
            0x00, 0xfe, // plus -512
            0x07, // type f
            0x55, 0x02, // <8;8,1>
        ],
        of_kind(indirect(
            DataType::F.into(),
            Region::new(Stride::S8, Stride::S8, Stride::S1),
        )),
    );
    // docs/format.md, 3.4: VxH has a null vertical stride. 3.3: only the low nibble is the type.
    operand(
        &[
            0x13, // class 3, negated
            0x01, 0x00, // A1
            0x02, // element 2
            0x00, 0xfe, // plus -512
            0x43, // type w; the high nibble is kept
            0x20, 0x01, // <1,0>
        ],
        Vector {
            modifier: Modifier::NEG,
            kind: indirect(
                TypeByte::from_bits(0x43),
                Region::new(Stride::NULL, Stride::S1, Stride::S0),
            ),
        },
    );
}

#[test]
#[rustfmt::skip]
fn immediates_of_four_bytes() {
    // class 5, type, value
    operand(&[0x05, 0x00, 0xef, 0xbe, 0xad, 0xde], Imm::ud(0xdead_beef).into());
    operand(&[0x05, 0x01, 0xfe, 0xff, 0xff, 0xff], Imm::d(-2).into());
    operand(&[0x05, 0x02, 0xff, 0xff, 0x00, 0x00], Imm::uw(0xffff).into());
    operand(&[0x05, 0x03, 0xfe, 0xff, 0xff, 0xff], Imm::w(-2).into());
    operand(&[0x05, 0x04, 0xff, 0x00, 0x00, 0x00], Imm::ub(255).into());
    operand(&[0x05, 0x05, 0x80, 0xff, 0xff, 0xff], Imm::b(-128).into());
    operand(&[0x05, 0x07, 0x00, 0x00, 0x80, 0x3f], Imm::f(1.0).into());
    operand(&[0x05, 0x0a, 0x01, 0x00, 0x00, 0x00], Imm::bool(true).into());
    operand(&[0x05, 0x0e, 0x00, 0x3c, 0x00, 0x00], Imm::hf(0x3c00).into());
    operand(&[0x05, 0x0f, 0x80, 0x3f, 0x00, 0x00], Imm::bf(0x3f80).into());
    for (byte, ty) in [(0x08, DataType::V), (0x09, DataType::VF), (0x0c, DataType::UV)] {
        operand(
            &[0x05, byte, 0x78, 0x56, 0x34, 0x12],
            Imm::new(ty, 0x1234_5678).unwrap().into(),
        );
    }
}

#[test]
#[rustfmt::skip]
fn immediates_of_eight_bytes() {
    operand(
        &[
            0x05, // class 5
            0x06, // type df
            0, 0, 0, 0, 0, 0, 0xf8, 0x3f, // 1.5
        ],
        Imm::df(1.5).into(),
    );
    operand(
        &[
            0x05, // class 5
            0x0b, // type uq
            0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, // 0x0123456789abcdef
        ],
        Imm::uq(0x0123_4567_89ab_cdef).into(),
    );
    operand(
        &[
            0x05, // class 5
            0x0d, // type q
            0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // -2
        ],
        Imm::q(-2).into(),
    );
}

/// docs/format.md, 3.3: readers extend narrow constants when they load them. The codec preserves
/// all four bytes. Only the low nibble of the type byte is the type and determines the length.
#[test]
#[rustfmt::skip]
fn immediates_preserve_bits_without_a_meaning() {
    let imm = |ty, bits| Vector::imm(Imm::new(ty, bits).unwrap());
    operand(&[0x05, 0x03, 0xff, 0xff, 0x00, 0x00], imm(DataType::W, 0xffff));
    operand(&[0x05, 0x04, 0x07, 0x00, 0x00, 0xaa], imm(DataType::UB, 0xaa00_0007));
    operand(
        &[0x05, 0x17, 0x00, 0x00, 0x80, 0x3f],
        Imm::f(1.0).with_type_byte(TypeByte::from_bits(0x17)).unwrap().into(),
    );
    operand(
        &[0x05, 0x26, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f],
        Imm::df(1.5).with_type_byte(TypeByte::from_bits(0x26)).unwrap().into(),
    );
}

#[test]
#[rustfmt::skip]
fn state() {
    operand(
        &[
            0x06, // class 6
            0x00, // a surface
            0x06, 0x00, // T6
            0x02, // offset 2
        ],
        Vector::surface(SurfaceId(6), 2),
    );
    operand(
        &[
            0x06, // class 6
            0x01, // a sampler
            0x1f, 0x00, // S31
            0x00, // offset 0
        ],
        Vector::sampler(SamplerId(31), 0),
    );
    operand(
        &[
            0x06, // class 6
            0x00, // a surface
            0x02, 0x01, // index 258
            0xff, // offset 255
        ],
        of_kind(VectorKind::State { class: StateClass::SURFACE, index: 258, offset: 255 }),
    );
}

#[test]
#[rustfmt::skip]
fn modifiers() {
    for (tag, modifier) in [
        (0x00, Modifier::NONE),
        (0x08, Modifier::ABS),
        (0x10, Modifier::NEG),
        (0x18, Modifier::NEG_ABS),
        (0x20, Modifier::SAT),
        (0x28, Modifier::NOT),
    ] {
        wide_operand(
            &[
                tag, // class 0, modifier
                0x20, 0, 0, 0, 0, 0, // V32(0,0)
                0x21, 0x01, // <0;1,0>
            ],
            Vector::scalar(VarId(32)).with_modifier(modifier),
        );
    }
    // An immediate has the same bits.
    operand(
        &[
            0x15, // class 5, negated
            0x01, // type d
            0x03, 0, 0, 0, // 3
        ],
        Vector::imm(Imm::d(3)).with_modifier(Modifier::NEG),
    );
}

/// The predicate word of an RT_WRITE without options (docs/format.md, 3.5).
#[test]
#[rustfmt::skip]
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
        let head = [
            0x71, // RT_WRITE
            0x03, // exec: 8 lanes, M1
            low, high, // pred: bits 0..11 id, 13..14 control, 15 inverse
            0x00, 0x00, // mode: nothing
            0x06, // surface T6
        ];
        let (header, narrow_header) = ([0; 6], [0; 4]);
        let instruction = RtWrite { pred, ..rt_write(None) };
        assert_encoding_in(&igc(WIDE), &[&head, &header[..], TAIL].concat(), instruction);
        assert_encoding_in(&igc(NARROW), &[&head, &narrow_header[..], NARROW_TAIL].concat(), instruction);
        assert_encoding_in(&manual(), &[&head, &header[..], &[0x04], TAIL].concat(), instruction);
    }
    assert_eq!(Pred::new(PredId(4096)), None, "docs/format.md, 3.5: no binary form");
}

#[test]
#[rustfmt::skip]
fn rejects_bit_12_of_a_predicate() {
    for formats in [manual(), igc(Version::BINARY)] {
        assert_rejected_in(
            &formats,
            &[
                0x71, 0x03, // RT_WRITE, exec
                0x01, 0x10, // pred: P1, but bit 12 is set
                0x00, 0x00, 0x06, 0, 0, 0, 0, 0, 0, // mode, surface, header
            ],
            2,
            kind!(ErrorKind::ReservedBits { bits: 0x1000 }),
        );
    }
    // As an operand: the tag is at 13, and the word follows it.
    let bytes = [HEAD, &[0x02, 0x01, 0x90], TAIL].concat();
    assert_rejected_in(&wide(), &bytes, 14, kind!(ErrorKind::ReservedBits { bits: 0x1000 }));
}

#[test]
#[rustfmt::skip]
fn rejects_bits_12_to_15_of_a_region() {
    let general = [HEAD, &[0x00, 0x20, 0, 0, 0, 0, 0, 0x21, 0x11], TAIL].concat();
    assert_rejected_in(&wide(), &general, 20, kind!(ErrorKind::ReservedBits { bits: 0x1000 }));
    let narrow = [NARROW_HEAD, &[0x00, 0x20, 0, 0, 0, 0x21, 0xf1], NARROW_TAIL].concat();
    assert_rejected_in(&igc(NARROW), &narrow, 16, kind!(ErrorKind::ReservedBits { bits: 0xf000 }));
    let indirect = [HEAD, &[0x03, 0, 0, 0, 0, 0, 0x00, 0x21, 0x81], TAIL].concat();
    assert_rejected_in(&wide(), &indirect, 20, kind!(ErrorKind::ReservedBits { bits: 0x8000 }));
}

/// docs/format.md, 3.3: no reader accepts class 4, and class 7 does not exist.
#[test]
fn rejects_classes_4_and_7() {
    let class_4 = [HEAD, &[0x04, 0x20, 0, 0, 0, 0, 0, 0x21, 0x01], TAIL].concat();
    assert_rejected_in(&wide(), &class_4, 13, kind!(ErrorKind::AddressOfOperand));
    let class_7 = [HEAD, &[0x07, 0x20, 0, 0, 0, 0, 0, 0x21, 0x01], TAIL].concat();
    assert_rejected_in(&wide(), &class_7, 13, kind!(ErrorKind::InvalidValue { value: 7, .. }));
    let class_4 = [NARROW_HEAD, &[0x0c], NARROW_TAIL].concat();
    assert_rejected_in(&igc(NARROW), &class_4, 11, kind!(ErrorKind::AddressOfOperand));
}

/// Offsets count from the start of the file.
#[test]
fn offsets_of_errors_are_absolute() {
    let bytes = [HEAD, &[0x00, 0x20, 0, 0, 0, 0, 0, 0x21, 0x31], TAIL].concat();
    let format = Format::igc2022(Version::V3_6);
    let error = Instructions::with_base(&bytes, 0x1c00, format).next().unwrap().unwrap_err();
    assert_eq!(error.offset(), 0x1c14);
    assert_eq!(
        error.to_string(),
        "instruction 0 rt_write_3d, sample_index, region: reserved bits 0x3000 are set \
         (offset 0x1c14)"
    );
}
