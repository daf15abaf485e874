//! GATHER4_TYPED, 0x4b (GATHER4_TYPED.md; docs/format.md, 4.4).

use genvisa::isa::Gather4Typed;

use super::*;

/// Returns the versions with the layout of the page. Ids have two bytes in some of them.
fn since_3_2() -> Vec<Format> {
    [wide(), igc(&[Version::V3_2, Version::V3_3])].concat()
}

/// Returns the versions with the short layout.
fn before_3_2() -> Vec<Format> {
    igc(&[Version::V3_0, Version::V3_1])
}

#[test]
fn layout_since_3_2() {
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0xa3, // exec: 8 lanes, M3_NM
        0x02, 0x80, // pred: !P2
        0x03, // channels RG: set means enabled
        0x06, // surface T6
        0x20, 0x00, wide[0, 0], 0x02, 0x01, // U: V32 from byte 258
        0x21, 0x00, wide[0, 0], 0x00, 0x00, // V: V33
        0x00, 0x00, wide[0, 0], 0x00, 0x00, // R: null
        0x22, 0x00, wide[0, 0], 0x00, 0x00, // LOD: V34
        0x23, 0x00, wide[0, 0], 0x20, 0x00, // dst: V35 from byte 32
    };
    let expected = Gather4Typed {
        exec: Exec::new(ExecSize::S8, ExecMask::M3_NM),
        pred: Pred::new(PredId(2)).unwrap().inverted(),
        channels: ChannelMask::R | ChannelMask::G,
        surface: SurfaceId(6),
        u: raw(32, 0x0102),
        v: v(33),
        r: Raw::NULL,
        lod: v(34),
        dst: raw(35, 32),
    };
    assert_encoding(&since_3_2(), listing, expected);
}

#[test]
fn layout_since_3_2_accepts_all_channels_and_sizes() {
    for (byte, channels) in [
        (0x01, ChannelMask::R),
        (0x0c, ChannelMask::B | ChannelMask::A),
        (0x0f, ChannelMask::RGBA),
        (0x00, ChannelMask::empty()), // decodes; the verifier reports it
    ] {
        let listing = bytes! {
            0x4b, // GATHER4_TYPED
            0x14, // exec: 16 lanes, M2
            0x00, 0x00, // no predicate
            byte, // channels
            0x07, // surface T7
            0x20, 0, 0, 0, 0, 0, // U: V32
            0x00, 0, 0, 0, 0, 0, // V: null
            0x00, 0, 0, 0, 0, 0, // R: null
            0x00, 0, 0, 0, 0, 0, // LOD: null
            0x24, 0, 0, 0, 0, 0, // dst: V36
        };
        let expected = Gather4Typed {
            exec: Exec::new(ExecSize::S16, ExecMask::M2),
            pred: Pred::NONE,
            channels,
            surface: SurfaceId(7),
            u: v(32),
            v: Raw::NULL,
            r: Raw::NULL,
            lod: Raw::NULL,
            dst: v(36),
        };
        assert_encoding(&wide(), listing, expected);
    }
}

/// The operands of [`short`].
const SHORT: Listing = bytes! {
    0x06, // surface T6
    0x20, 0x00, 0x00, 0x00, // U: V32
    0x21, 0x00, 0x40, 0x00, // V: V33 from byte 64
    0x00, 0x00, 0x00, 0x00, // R: null
    0x23, 0x00, 0x00, 0x00, // dst: V35
};

/// Returns an instruction that the short layout can express: 8 lanes, no predicate, no LOD.
fn short(mask: ExecMask, channels: ChannelMask) -> Gather4Typed {
    Gather4Typed {
        exec: Exec::new(ExecSize::S8, mask),
        pred: Pred::NONE,
        channels,
        surface: SurfaceId(6),
        u: v(32),
        v: raw(33, 64),
        r: Raw::NULL,
        lod: Raw::NULL,
        dst: v(35),
    }
}

#[test]
fn layout_before_3_2() {
    for (byte, channels) in [
        (0x0c, ChannelMask::R | ChannelMask::G),
        (0x03, ChannelMask::B | ChannelMask::A),
        (0x0f, ChannelMask::empty()),
        (0x00, ChannelMask::RGBA),
        (0x0e, ChannelMask::R),
    ] {
        let listing = bytes! {
            0x4b, // GATHER4_TYPED
            byte, // channels: set means disabled
            0x20, // exec: M3; the size is coded as 0 and means 8
            {SHORT},
        };
        assert_encoding(&before_3_2(), listing, short(ExecMask::M3, channels));
    }
}

/// 3.0 has the same masks in all instructions (docs/format.md, 1.1).
#[test]
fn masks_before_3_2() {
    let legacy = |nibble| ExecMask::legacy(nibble).unwrap();
    for (byte, in_3_0, in_3_1) in [
        (0x70, ExecMask::M8, ExecMask::M8),
        (0x80, ExecMask::M1_NM, ExecMask::M1_NM),
        (0x90, legacy(9), ExecMask::M2_NM),
        (0xa0, legacy(10), ExecMask::M3_NM),
        (0xc0, legacy(12), ExecMask::M5_NM),
    ] {
        let listing = bytes! {
            0x4b, // GATHER4_TYPED
            0x00, // channels RGBA
            byte, // exec: a mask
            {SHORT},
        };
        assert_encoding(&igc(&[Version::V3_0]), listing, short(in_3_0, ChannelMask::RGBA));
        assert_encoding(&igc(&[Version::V3_1]), listing, short(in_3_1, ChannelMask::RGBA));
    }
}

#[test]
fn rejects_reserved_bits() {
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0x03, 0x00, 0x00, // exec, pred
        0x8f, // channels: bit 7 is set
        0x06, {LONG}, // surface, operands
    };
    assert_rejected(&wide(), listing, 4, kind!(ErrorKind::ReservedBits { bits: 0x80 }));
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0x03, // exec
        0x00, 0x10, // pred: bit 12 is set
        0x0f, 0x06, {LONG}, // channels, surface, operands
    };
    assert_rejected(&wide(), listing, 2, kind!(ErrorKind::ReservedBits { bits: 0x1000 }));
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0x4c, // channels: bit 6 is set
        0x00, 0x06, // exec, surface
        0x20, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, // U, V, R, dst
    };
    assert_rejected(&before_3_2(), listing, 1, kind!(ErrorKind::ReservedBits { bits: 0x40 }));
}

/// Operands of the layout since 3.2.
const LONG: Listing = bytes! {
    0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // U, V, R
    0x22, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, 0, 0, // LOD, dst
};

#[test]
fn rejects_invalid_sizes() {
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0x06, // exec: size nibble 6
        0x00, 0x00, 0x0f, 0x06, {LONG}, // pred, channels, surface, operands
    };
    assert_rejected(&wide(), listing, 1, kind!(ErrorKind::InvalidValue { value: 6, .. }));
    // docs/format.md, 4.4: before 3.2 the low nibble must be 0, although 8 lanes are 3 elsewhere.
    let listing = bytes! {
        0x4b, // GATHER4_TYPED
        0x0c, // channels RG
        0x03, // exec: size nibble 3
        0x06, // surface
        0x20, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, // U, V, R, dst
    };
    assert_rejected(&before_3_2(), listing, 2, kind!(ErrorKind::InvalidValue { value: 3, .. }));
}

#[test]
fn rejects_values_that_the_layout_before_3_2_cannot_express() {
    let base = short(ExecMask::M1, ChannelMask::RGBA);
    let m2_nm = short(ExecMask::M2_NM, ChannelMask::RGBA);
    for (formats, instruction, field) in [
        (before_3_2(), Gather4Typed { pred: Pred::new(PredId(1)).unwrap(), ..base }, "pred"),
        (before_3_2(), Gather4Typed { lod: v(34), ..base }, "lod"),
        (before_3_2(), Gather4Typed { exec: ExecSize::S16.into(), ..base }, "exec"),
        (before_3_2(), Gather4Typed { exec: ExecSize::S1.into(), ..base }, "exec"),
        (igc(&[Version::V3_0]), m2_nm, "exec"),
    ] {
        let kind = kind!(ErrorKind::Inexpressible { .. });
        assert_inexpressible(&formats, instruction, field, kind);
    }
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let base = short(ExecMask::M1, ChannelMask::RGBA);
    assert_id_too_large(Gather4Typed { u: v(70_000), ..base }, "u");
}
