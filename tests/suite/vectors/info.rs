//! INFO, 0x70 (INFO.md; docs/format.md, 4.1).

use genvisa::isa::Info;

use super::*;

#[test]
#[rustfmt::skip]
fn manual_has_a_wide_operation_and_no_channels() {
    assert_encoding_in(
        &manual(),
        &[
            0x70, // INFO
            0x0a, 0x00, // op, a uw: resinfo
            0x03, // exec: 8 lanes, M1
            0x06, // surface T6
            0x20, 0, 0, 0, 0x04, 0x00, // LOD: V32 from byte 4
            0x21, 0, 0, 0, 0x00, 0x00, // dst: V33
        ],
        Info {
            lod: Some(raw(32, 4)),
            exec: ExecSize::S8.into(),
            channels: ChannelMask::RGBA, // implied
            surface: SurfaceId(6).into(),
            dst: v(33),
        },
    );
    assert_encoding_in(
        &manual(),
        &[
            0x70, // INFO
            0x0b, 0x00, // op, a uw: sampleinfo
            0xa5, // exec: 32 lanes, M3_NM
            0x07, // surface T7
            0x78, 0x56, 0x34, 0x12, 0xfe, 0xff, // dst: a large id and a large offset
        ],
        Info {
            lod: None,
            exec: Exec::new(ExecSize::S32, ExecMask::M3_NM),
            channels: ChannelMask::RGBA,
            surface: SurfaceId(7).into(),
            dst: raw(0x1234_5678, 0xfffe),
        },
    );
}

#[test]
#[rustfmt::skip]
fn igc_dialects_have_a_narrow_operation_and_channels() {
    let resinfo = Info {
        lod: Some(raw(32, 4)),
        exec: ExecSize::S8.into(),
        channels: ChannelMask::RGBA,
        surface: SurfaceId(6).into(),
        dst: v(35),
    };
    let sampleinfo = Info { lod: None, exec: ExecSize::S16.into(), ..resinfo };
    assert_encoding_in(
        &igc(WIDE),
        &[
            0x70, // INFO
            0x0a, // op, a ub: resinfo
            0x03, // exec: 8 lanes, M1
            0x0f, // channels RGBA
            0x06, // surface T6
            0x20, 0, 0, 0, 0x04, 0x00, // LOD: V32 from byte 4
            0x23, 0, 0, 0, 0x00, 0x00, // dst: V35
        ],
        resinfo,
    );
    assert_encoding_in(
        &igc(NARROW),
        &[
            0x70, // INFO
            0x0a, // op, a ub: resinfo
            0x03, // exec: 8 lanes, M1
            0x0f, // channels RGBA
            0x06, // surface T6
            0x20, 0x00, 0x04, 0x00, // LOD: V32 from byte 4
            0x23, 0x00, 0x00, 0x00, // dst: V35
        ],
        resinfo,
    );
    assert_encoding_in(
        &igc(WIDE),
        &[
            0x70, // INFO
            0x0b, // op, a ub: sampleinfo
            0x04, // exec: 16 lanes, M1
            0x0f, // channels RGBA
            0x06, // surface T6; no LOD
            0x23, 0, 0, 0, 0x00, 0x00, // dst: V35
        ],
        sampleinfo,
    );
    assert_encoding_in(
        &igc(NARROW),
        &[
            0x70, // INFO
            0x0b, // op, a ub: sampleinfo
            0x04, // exec: 16 lanes, M1
            0x0f, // channels RGBA
            0x06, // surface T6; no LOD
            0x23, 0x00, 0x00, 0x00, // dst: V35
        ],
        sampleinfo,
    );
}

/// The layout of the page is misread by readers without an error (docs/format.md, 4.1). The same
/// bytes are valid in both, with different meanings.
#[test]
#[rustfmt::skip]
fn the_same_bytes_are_valid_in_both_layouts() {
    let bytes = [
        0x70, // INFO
        0x0a, // op: resinfo
        0x00, // Manual: upper byte of op. Igc: exec, 1 lane, M1
        0x03, // Manual: exec, 8 lanes, M1. Igc: channels RG
        0x06, // surface T6
        0x20, 0, 0, 0, 0, 0, // LOD: V32
        0x21, 0, 0, 0, 0, 0, // dst: V33
    ];
    let info = Info {
        lod: Some(v(32)),
        exec: ExecSize::S8.into(),
        channels: ChannelMask::RGBA,
        surface: SurfaceId(6).into(),
        dst: v(33),
    };
    assert_encoding_in(&manual(), &bytes, info);
    let misread = Info {
        exec: ExecSize::S1.into(),
        channels: ChannelMask::R | ChannelMask::G,
        ..info
    };
    assert_encoding_in(&igc(WIDE), &bytes, misread);
}

/// docs/format.md, 4.1 and 3.6: a set bit enables a channel, and the mask may be empty.
#[test]
#[rustfmt::skip]
fn all_channel_masks_are_valid() {
    for (byte, channels) in [
        (0x00, ChannelMask::empty()),
        (0x01, ChannelMask::R),
        (0x02, ChannelMask::G),
        (0x03, ChannelMask::R | ChannelMask::G),
        (0x04, ChannelMask::B),
        (0x08, ChannelMask::A),
        (0x09, ChannelMask::R | ChannelMask::A),
        (0x0e, ChannelMask::G | ChannelMask::B | ChannelMask::A),
    ] {
        assert_encoding_in(
            &igc(WIDE),
            &[
                0x70, // INFO
                0x0b, // op: sampleinfo
                0x03, // exec: 8 lanes, M1
                byte, // channels
                0x06, // surface T6
                0x21, 0, 0, 0, 0, 0, // dst: V33
            ],
            Info {
                lod: None,
                exec: ExecSize::S8.into(),
                channels,
                surface: SurfaceId(6).into(),
                dst: v(33),
            },
        );
    }
}

/// Returns a sampleinfo of T6 with all channels into V33.
fn sampleinfo(exec: Exec) -> Info {
    Info { lod: None, exec, channels: ChannelMask::RGBA, surface: SurfaceId(6).into(), dst: v(33) }
}

#[test]
#[rustfmt::skip]
fn masks_since_3_1() {
    for (byte, mask) in [
        (0x03, ExecMask::M1),
        (0x13, ExecMask::M2),
        (0x23, ExecMask::M3),
        (0x33, ExecMask::M4),
        (0x43, ExecMask::M5),
        (0x53, ExecMask::M6),
        (0x63, ExecMask::M7),
        (0x73, ExecMask::M8),
        (0x83, ExecMask::M1_NM),
        (0x93, ExecMask::M2_NM),
        (0xa3, ExecMask::M3_NM),
        (0xb3, ExecMask::M4_NM),
        (0xc3, ExecMask::M5_NM),
        (0xd3, ExecMask::M6_NM),
        (0xe3, ExecMask::M7_NM),
        (0xf3, ExecMask::M8_NM),
    ] {
        let info = sampleinfo(Exec::new(ExecSize::S8, mask));
        // INFO.md has the same encoding.
        assert_encoding_in(&manual(), &[0x70, 0x0b, 0x00, byte, 0x06, 0x21, 0, 0, 0, 0, 0], info);
        assert_encoding_in(&igc(WIDE), &[0x70, 0x0b, byte, 0x0f, 0x06, 0x21, 0, 0, 0, 0, 0], info);
        let narrow = [Version::V3_1, Version::V3_2, Version::V3_3];
        assert_encoding_in(&igc(&narrow), &[0x70, 0x0b, byte, 0x0f, 0x06, 0x21, 0, 0, 0], info);
    }
}

/// docs/format.md, 1.1: in 3.0, 0 to 7 are M1 to M8, 8 is M1_NM, and 9 to 15 are M1.
#[test]
#[rustfmt::skip]
fn masks_in_3_0() {
    let legacy = |nibble| ExecMask::legacy(nibble).unwrap();
    for (byte, mask, means) in [
        (0x03, ExecMask::M1, ExecMask::M1),
        (0x23, ExecMask::M3, ExecMask::M3),
        (0x73, ExecMask::M8, ExecMask::M8),
        (0x83, ExecMask::M1_NM, ExecMask::M1_NM),
        (0x93, legacy(9), ExecMask::M1),
        (0xa3, legacy(10), ExecMask::M1),
        (0xc3, legacy(12), ExecMask::M1),
        (0xf3, legacy(15), ExecMask::M1),
    ] {
        assert_encoding_in(
            &igc(&[Version::V3_0]),
            &[
                0x70, // INFO
                0x0b, // op: sampleinfo
                byte, // exec: 8 lanes, a mask
                0x0f, // channels RGBA
                0x06, // surface T6
                0x21, 0, 0, 0, // dst: V33
            ],
            sampleinfo(Exec::new(ExecSize::S8, mask)),
        );
        assert_eq!(mask.canonical(), means, "meaning of {byte:#04x}");
    }
}

/// docs/format.md, 3.5: the low nibble is the logarithm, up to 32 lanes.
#[test]
fn sizes_are_logarithms() {
    for (byte, size) in [
        (0x10, ExecSize::S1),
        (0x11, ExecSize::S2),
        (0x12, ExecSize::S4),
        (0x13, ExecSize::S8),
        (0x14, ExecSize::S16),
        (0x15, ExecSize::S32),
    ] {
        let info = sampleinfo(Exec::new(size, ExecMask::M2));
        assert_encoding_in(&manual(), &[0x70, 0x0b, 0x00, byte, 0x06, 0x21, 0, 0, 0, 0, 0], info);
        assert_encoding_in(&igc(WIDE), &[0x70, 0x0b, byte, 0x0f, 0x06, 0x21, 0, 0, 0, 0, 0], info);
    }
}

#[test]
#[rustfmt::skip]
fn rejects_unknown_operations() {
    assert_rejected_in(
        &manual(),
        &[
            0x70, // INFO
            0x0c, 0x00, // op: neither resinfo nor sampleinfo
            0x03, 0x06, // exec, surface
            0x21, 0, 0, 0, 0, 0, // dst
        ],
        1,
        kind!(ErrorKind::UnknownSubOpcode { value: 0x0c, .. }),
    );
    assert_rejected_in(
        &igc(WIDE),
        &[
            0x70, // INFO
            0x0c, // op: neither resinfo nor sampleinfo
            0x03, 0x0f, 0x06, // exec, channels, surface
            0x21, 0, 0, 0, 0, 0, // dst
        ],
        1,
        kind!(ErrorKind::UnknownSubOpcode { value: 0x0c, .. }),
    );
}

/// INFO.md: the operation is bits 0 to 7 of a word. The others have no meaning.
#[test]
#[rustfmt::skip]
fn rejects_bits_8_to_15_of_the_operation() {
    assert_rejected_in(
        &manual(),
        &[
            0x70, // INFO
            0x0a, 0x01, // op: resinfo, but bit 8 is set
            0x03, 0x06, // exec, surface
            0x20, 0, 0, 0, 0, 0, // LOD
            0x21, 0, 0, 0, 0, 0, // dst
        ],
        1,
        kind!(ErrorKind::ReservedBits { bits: 0x0100 }),
    );
}

#[test]
#[rustfmt::skip]
fn rejects_bits_4_to_7_of_the_channels() {
    for formats in [igc(NARROW), igc(WIDE)] {
        assert_rejected_in(
            &formats,
            &[
                0x70, 0x0b, 0x03, // INFO, op, exec
                0x1f, // channels: bit 4 is set
                0x06, // surface
                0x21, 0, 0, 0, 0, 0, // dst, of either width
            ],
            3,
            kind!(ErrorKind::ReservedBits { bits: 0x10 }),
        );
    }
}

#[test]
fn rejects_sizes_above_32_lanes() {
    // The size nibble is 6. It follows a word in the page, and a byte in the Igc dialects.
    let bytes = [0x70, 0x0b, 0x00, 0x06, 0x06, 0x21, 0, 0, 0, 0, 0];
    assert_rejected_in(&manual(), &bytes, 3, kind!(ErrorKind::InvalidValue { value: 6, .. }));
    let bytes = [0x70, 0x0b, 0x16, 0x0f, 0x06, 0x21, 0, 0, 0, 0, 0];
    assert_rejected_in(
        &igc(Version::BINARY),
        &bytes,
        2,
        kind!(ErrorKind::InvalidValue { value: 6, .. }),
    );
}

#[test]
fn manual_cannot_express_a_channel_mask() {
    for channels in [ChannelMask::R | ChannelMask::G, ChannelMask::empty()] {
        let info = Info { channels, ..sampleinfo(ExecSize::S8.into()) };
        for format in manual() {
            assert_inexpressible(format, info, "channels", kind!(ErrorKind::Inexpressible { .. }));
        }
    }
}

#[test]
fn rejects_masks_that_the_version_does_not_have() {
    let m2_nm = sampleinfo(Exec::new(ExecSize::S8, ExecMask::M2_NM));
    for format in igc(&[Version::V3_0]) {
        assert_inexpressible(format, m2_nm, "exec", kind!(ErrorKind::Inexpressible { .. }));
    }
    let old = sampleinfo(Exec::new(ExecSize::S8, ExecMask::legacy(9).unwrap()));
    let newer = igc(&[Version::V3_1, Version::V3_6, Version::V4_1]);
    for format in [manual(), newer].concat() {
        assert_inexpressible(format, old, "exec", kind!(ErrorKind::Inexpressible { .. }));
    }
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let lod = Info { lod: Some(v(70_000)), ..Info::default() };
    let dst = Info { dst: v(70_000), ..Info::default() };
    for format in igc(NARROW) {
        assert_inexpressible(
            format,
            lod,
            "lod",
            kind!(ErrorKind::OutOfRange { value: 70_000, .. }),
        );
        assert_inexpressible(
            format,
            dst,
            "dst",
            kind!(ErrorKind::OutOfRange { value: 70_000, .. }),
        );
    }
}
