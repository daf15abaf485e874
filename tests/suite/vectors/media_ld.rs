//! MEDIA_LD, 0x37 (MEDIA_LD.md; docs/format.md, 4.2). The layouts differ only in the width of ids.

use genvisa::isa::MediaLd;
use genvisa::operand::{AddrId, DataType, Imm, MediaModifier, Region, Vector, VectorKind};

use super::*;

#[test]
fn offsets_are_immediates() {
    let listing = bytes! {
        0x37, // MEDIA_LD
        0x00, // modifiers: none
        0x06, // surface T6
        0x03, // plane 3
        0x40, // block width: 64 bytes
        0x04, // block height: 4 rows
        0x05, 0x00, 0x10, 0, 0, 0, // x: immediate, ud, 16
        0x05, 0x00, 0x67, 0x45, 0x23, 0x01, // y: immediate, ud, 0x01234567
        0x20, 0x00, wide[0, 0], 0x40, 0x00, // dst: V32 from byte 64
    };
    let expected = MediaLd {
        modifiers: MediaModifier::NOMOD,
        surface: SurfaceId(6),
        plane: 3,
        block_width: 64,
        block_height: 4,
        x_offset: Imm::ud(16).into(),
        y_offset: Imm::ud(0x0123_4567).into(),
        dst: raw(32, 64),
    };
    assert_encoding(&all(), listing, expected);
}

#[test]
fn offsets_are_variables() {
    let listing = bytes! {
        0x37, // MEDIA_LD
        0x02, // modifiers: top field
        0xff, // surface T255
        0x00, // plane 0
        0x01, // block width: 1 byte
        0x40, // block height: 64 rows
        0x00, 0x21, 0x00, wide[0, 0], 0x01, 0x02, 0x21, 0x01, // x: V33(1,2)<0;1,0>
        0x00, 0x34, 0x12, wide[0, 0], 0x00, 0x00, 0x21, 0x01, // y: V4660(0,0)<0;1,0>
        0xdc, 0xfe, wide[0, 0], 0x00, 0x00, // dst: V65244
    };
    let expected = MediaLd {
        modifiers: MediaModifier::TOP,
        surface: SurfaceId(255),
        plane: 0,
        block_width: 1,
        block_height: 64,
        x_offset: Vector::general_at(VarId(33), 1, 2, Region::SCALAR),
        y_offset: Vector::scalar(VarId(0x1234)),
        dst: v(0xfedc),
    };
    assert_encoding(&all(), listing, expected);
}

/// Address ids have two bytes in every version (docs/format.md, 1.1), so only dst differs.
#[test]
fn offsets_are_indirect() {
    let region = Region::SCALAR;
    let indirect = |addr, addr_offset, offset, ty: DataType| {
        let (addr, ty) = (AddrId(addr), ty.into());
        Vector {
            kind: VectorKind::Indirect { addr, addr_offset, offset, ty, region },
            ..Vector::default()
        }
    };
    let listing = bytes! {
        0x37, // MEDIA_LD
        0x03, // modifiers: bottom field
        0x07, // surface T7
        0x01, // plane 1
        0x20, // block width: 32 bytes
        0x08, // block height: 8 rows
        0x03, 0x01, 0x02, 0x03, 0xfc, 0xff, 0x00, 0x21, 0x01, // x: r[A513(3),-4]<0;1,0>:ud
        0x03, 0x00, 0x00, 0x00, 0xff, 0x01, 0x01, 0x21, 0x01, // y: r[A0(0),511]<0;1,0>:d
        0x20, 0x00, wide[0, 0], 0x00, 0x00, // dst: V32
    };
    let expected = MediaLd {
        modifiers: MediaModifier::BOTTOM,
        surface: SurfaceId(7),
        plane: 1,
        block_width: 32,
        block_height: 8,
        x_offset: indirect(0x0201, 3, -4, DataType::UD),
        y_offset: indirect(0, 0, 511, DataType::D),
        dst: v(32),
    };
    assert_encoding(&all(), listing, expected);
}

/// MEDIA_LD.md lists 0, 2 and 3. Readers also support 1, 4 and 5, and accept 6 and 7.
#[test]
fn modifiers_are_three_bits() {
    for (byte, modifiers) in [
        (0x00, MediaModifier::NOMOD),
        (0x01, MediaModifier::MODIFIED),
        (0x02, MediaModifier::TOP),
        (0x03, MediaModifier::BOTTOM),
        (0x04, MediaModifier::TOP_MOD),
        (0x05, MediaModifier::BOTTOM_MOD),
        (0x06, MediaModifier::from_bits(6).unwrap()),
        (0x07, MediaModifier::from_bits(7).unwrap()),
    ] {
        let listing = bytes! {
            0x37, // MEDIA_LD
            byte, // modifiers
            0x06, 0x00, // surface T6, plane 0
            0x04, 0x04, // block: 4 bytes, 4 rows
            0x05, 0x00, 0, 0, 0, 0, // x: 0:ud
            0x05, 0x00, 0, 0, 0, 0, // y: 0:ud
            0x20, 0, 0, 0, 0, 0, // dst: V32
        };
        let expected = MediaLd {
            modifiers,
            surface: SurfaceId(6),
            plane: 0,
            block_width: 4,
            block_height: 4,
            x_offset: Imm::ud(0).into(),
            y_offset: Imm::ud(0).into(),
            dst: v(32),
        };
        assert_encoding(&wide(), listing, expected);
    }
}

#[test]
fn rejects_bits_3_to_7_of_the_modifiers() {
    let listing = bytes! {
        0x37, // MEDIA_LD
        0x0a, // modifiers: top field, but bit 3 is set
        0x06, 0x00, 0x04, 0x04, // surface, plane, block
        0x05, 0x00, 0, 0, 0, 0, // x
        0x05, 0x00, 0, 0, 0, 0, // y
        0x20, 0, 0, 0, 0, 0, // dst
    };
    assert_rejected(&wide(), listing, 1, kind!(ErrorKind::ReservedBits { bits: 0x08 }));
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let x_offset = Vector::scalar(VarId(70_000));
    assert_id_too_large(MediaLd { x_offset, ..MediaLd::default() }, "x_offset");
    assert_id_too_large(MediaLd { dst: v(70_000), ..MediaLd::default() }, "dst");
}
