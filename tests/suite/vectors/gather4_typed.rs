//! GATHER4_TYPED, 0x4b (GATHER4_TYPED.md; docs/format.md, 4.4).

use genvisa::isa::Gather4Typed;

use super::*;

#[test]
#[rustfmt::skip]
fn layout_since_3_2() {
    let gather = Gather4Typed {
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
    assert_encoding_in(
        &wide(),
        &[
            0x4b, // GATHER4_TYPED
            0xa3, // exec: 8 lanes, M3_NM
            0x02, 0x80, // pred: !P2
            0x03, // channels RG: set means enabled
            0x06, // surface T6
            0x20, 0, 0, 0, 0x02, 0x01, // U: V32 from byte 258
            0x21, 0, 0, 0, 0x00, 0x00, // V: V33
            0x00, 0, 0, 0, 0x00, 0x00, // R: null
            0x22, 0, 0, 0, 0x00, 0x00, // LOD: V34
            0x23, 0, 0, 0, 0x20, 0x00, // dst: V35 from byte 32
        ],
        gather,
    );
    assert_encoding_in(
        &igc(&[Version::V3_2, Version::V3_3]),
        &[
            0x4b, // GATHER4_TYPED
            0xa3, // exec: 8 lanes, M3_NM
            0x02, 0x80, // pred: !P2
            0x03, // channels RG: set means enabled
            0x06, // surface T6
            0x20, 0x00, 0x02, 0x01, // U: V32 from byte 258
            0x21, 0x00, 0x00, 0x00, // V: V33
            0x00, 0x00, 0x00, 0x00, // R: null
            0x22, 0x00, 0x00, 0x00, // LOD: V34
            0x23, 0x00, 0x20, 0x00, // dst: V35 from byte 32
        ],
        gather,
    );
}

#[test]
#[rustfmt::skip]
fn layout_since_3_2_accepts_all_channels_and_sizes() {
    for (byte, channels) in [
        (0x01, ChannelMask::R),
        (0x0c, ChannelMask::B | ChannelMask::A),
        (0x0f, ChannelMask::RGBA),
        (0x00, ChannelMask::empty()), // decodes; the verifier reports it
    ] {
        assert_encoding_in(
            &wide(),
            &[
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
            ],
            Gather4Typed {
                exec: Exec::new(ExecSize::S16, ExecMask::M2),
                pred: Pred::NONE,
                channels,
                surface: SurfaceId(7),
                u: v(32),
                v: Raw::NULL,
                r: Raw::NULL,
                lod: Raw::NULL,
                dst: v(36),
            },
        );
    }
}

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
#[rustfmt::skip]
fn layout_before_3_2() {
    for (byte, channels) in [
        (0x0c, ChannelMask::R | ChannelMask::G),
        (0x03, ChannelMask::B | ChannelMask::A),
        (0x0f, ChannelMask::empty()),
        (0x00, ChannelMask::RGBA),
        (0x0e, ChannelMask::R),
    ] {
        assert_encoding_in(
            &igc(&[Version::V3_0, Version::V3_1]),
            &[
                0x4b, // GATHER4_TYPED
                byte, // channels: set means disabled
                0x20, // exec: M3; the size is coded as 0 and means 8
                0x06, // surface T6
                0x20, 0x00, 0x00, 0x00, // U: V32
                0x21, 0x00, 0x40, 0x00, // V: V33 from byte 64
                0x00, 0x00, 0x00, 0x00, // R: null
                0x23, 0x00, 0x00, 0x00, // dst: V35
            ],
            short(ExecMask::M3, channels),
        );
    }
}

/// The masks of 3.0 are those of its other instructions (docs/format.md, 1.1).
#[test]
#[rustfmt::skip]
fn masks_before_3_2() {
    let legacy = |nibble| ExecMask::legacy(nibble).unwrap();
    for (byte, in_3_0, in_3_1) in [
        (0x70, ExecMask::M8, ExecMask::M8),
        (0x80, ExecMask::M1_NM, ExecMask::M1_NM),
        (0x90, legacy(9), ExecMask::M2_NM),
        (0xa0, legacy(10), ExecMask::M3_NM),
        (0xc0, legacy(12), ExecMask::M5_NM),
    ] {
        let bytes = [
            0x4b, // GATHER4_TYPED
            0x00, // channels RGBA
            byte, // exec: a mask
            0x06, // surface T6
            0x20, 0x00, 0x00, 0x00, // U: V32
            0x21, 0x00, 0x40, 0x00, // V: V33 from byte 64
            0x00, 0x00, 0x00, 0x00, // R: null
            0x23, 0x00, 0x00, 0x00, // dst: V35
        ];
        assert_encoding_in(&igc(&[Version::V3_0]), &bytes, short(in_3_0, ChannelMask::RGBA));
        assert_encoding_in(&igc(&[Version::V3_1]), &bytes, short(in_3_1, ChannelMask::RGBA));
    }
}

#[test]
#[rustfmt::skip]
fn rejects_reserved_bits() {
    let bytes = [
        0x4b, // GATHER4_TYPED
        0x03, 0x00, 0x00, // exec, pred
        0x8f, // channels: bit 7 is set
        0x06, // surface
        0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // U, V, R
        0x22, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, 0, 0, // LOD, dst
    ];
    assert_rejected_in(&wide(), &bytes, 4, kind!(ErrorKind::ReservedBits { bits: 0x80 }));
    let bytes = [
        0x4b, // GATHER4_TYPED
        0x03, // exec
        0x00, 0x10, // pred: bit 12 is set
        0x0f, 0x06, // channels, surface
        0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // U, V, R
        0x22, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, 0, 0, // LOD, dst
    ];
    assert_rejected_in(&wide(), &bytes, 2, kind!(ErrorKind::ReservedBits { bits: 0x1000 }));
    let bytes = [
        0x4b, // GATHER4_TYPED
        0x4c, // channels: bit 6 is set
        0x00, 0x06, // exec, surface
        0x20, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, // U, V, R, dst
    ];
    let before_3_2 = igc(&[Version::V3_0, Version::V3_1]);
    assert_rejected_in(&before_3_2, &bytes, 1, kind!(ErrorKind::ReservedBits { bits: 0x40 }));
}

#[test]
#[rustfmt::skip]
fn rejects_invalid_sizes() {
    let bytes = [
        0x4b, // GATHER4_TYPED
        0x06, // exec: size nibble 6
        0x00, 0x00, 0x0f, 0x06, // pred, channels, surface
        0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // U, V, R
        0x22, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, 0, 0, // LOD, dst
    ];
    assert_rejected_in(&wide(), &bytes, 1, kind!(ErrorKind::InvalidValue { value: 6, .. }));
    // docs/format.md, 4.4: before 3.2 the low nibble must be 0, although 8 lanes are 3 elsewhere.
    let bytes = [
        0x4b, // GATHER4_TYPED
        0x0c, // channels RG
        0x03, // exec: size nibble 3
        0x06, // surface
        0x20, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, // U, V, R, dst
    ];
    let before_3_2 = igc(&[Version::V3_0, Version::V3_1]);
    assert_rejected_in(&before_3_2, &bytes, 2, kind!(ErrorKind::InvalidValue { value: 3, .. }));
}

#[test]
fn rejects_values_that_the_layout_before_3_2_cannot_express() {
    let base = short(ExecMask::M1, ChannelMask::RGBA);
    let pred = Gather4Typed { pred: Pred::new(PredId(1)).unwrap(), ..base };
    let lod = Gather4Typed { lod: v(34), ..base };
    let sixteen = Gather4Typed { exec: ExecSize::S16.into(), ..base };
    let single = Gather4Typed { exec: ExecSize::S1.into(), ..base };
    for format in igc(&[Version::V3_0, Version::V3_1]) {
        assert_inexpressible(format, pred, "pred", kind!(ErrorKind::Inexpressible { .. }));
        assert_inexpressible(format, lod, "lod", kind!(ErrorKind::Inexpressible { .. }));
        assert_inexpressible(format, sixteen, "exec", kind!(ErrorKind::Inexpressible { .. }));
        assert_inexpressible(format, single, "exec", kind!(ErrorKind::Inexpressible { .. }));
    }
    let m2_nm = short(ExecMask::M2_NM, ChannelMask::RGBA);
    for format in igc(&[Version::V3_0]) {
        assert_inexpressible(format, m2_nm, "exec", kind!(ErrorKind::Inexpressible { .. }));
    }
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let u = Gather4Typed { u: v(70_000), ..short(ExecMask::M1, ChannelMask::RGBA) };
    for format in igc(NARROW) {
        assert_inexpressible(format, u, "u", kind!(ErrorKind::OutOfRange { value: 70_000, .. }));
    }
}
