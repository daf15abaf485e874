//! INFO, 0x70 (INFO.md; docs/format.md, 4.1).

use genvisa::isa::Info;

use super::*;

/// Returns a sampleinfo of T6 with all channels into V33.
fn sampleinfo(exec: Exec) -> Info {
    Info { lod: None, exec, channels: ChannelMask::RGBA, surface: SurfaceId(6).into(), dst: v(33) }
}

#[test]
fn manual_has_a_wide_operation_and_no_channels() {
    let listing = bytes! {
        0x70, // INFO
        0x0a, 0x00, // op, a uw: resinfo
        0x03, // exec: 8 lanes, M1
        0x06, // surface T6
        0x20, 0, 0, 0, 0x04, 0x00, // LOD: V32 from byte 4
        0x21, 0, 0, 0, 0x00, 0x00, // dst: V33
    };
    // All channels are implied.
    let resinfo = Info { lod: Some(raw(32, 4)), ..sampleinfo(ExecSize::S8.into()) };
    assert_encoding(&manual(), listing, resinfo);
    let listing = bytes! {
        0x70, // INFO
        0x0b, 0x00, // op, a uw: sampleinfo
        0xa5, // exec: 32 lanes, M3_NM
        0x07, // surface T7
        0x78, 0x56, 0x34, 0x12, 0xfe, 0xff, // dst: a large id and a large offset
    };
    let (surface, dst) = (SurfaceId(7).into(), raw(0x1234_5678, 0xfffe));
    let exec = Exec::new(ExecSize::S32, ExecMask::M3_NM);
    assert_encoding(&manual(), listing, Info { surface, dst, ..sampleinfo(exec) });
}

#[test]
fn igc_dialects_have_a_narrow_operation_and_channels() {
    let listing = bytes! {
        0x70, // INFO
        0x0a, // op, a ub: resinfo
        0x03, // exec: 8 lanes, M1
        0x0f, // channels RGBA
        0x06, // surface T6
        0x20, 0x00, wide[0, 0], 0x04, 0x00, // LOD: V32 from byte 4
        0x23, 0x00, wide[0, 0], 0x00, 0x00, // dst: V35
    };
    let resinfo = Info { lod: Some(raw(32, 4)), ..sampleinfo(ExecSize::S8.into()) };
    assert_encoding(&igc(Version::BINARY), listing, Info { dst: v(35), ..resinfo });
    let listing = bytes! {
        0x70, // INFO
        0x0b, // op, a ub: sampleinfo
        0x04, // exec: 16 lanes, M1
        0x0f, // channels RGBA
        0x06, // surface T6; no LOD
        0x23, 0x00, wide[0, 0], 0x00, 0x00, // dst: V35
    };
    let sampleinfo = sampleinfo(ExecSize::S16.into());
    assert_encoding(&igc(Version::BINARY), listing, Info { dst: v(35), ..sampleinfo });
}

/// The layout of the page is misread by readers without an error (docs/format.md, 4.1). The same
/// bytes are valid in both, with different meanings.
#[test]
fn the_same_bytes_are_valid_in_both_layouts() {
    let listing = bytes! {
        0x70, // INFO
        0x0a, // op: resinfo
        0x00, // Manual: upper byte of op. Igc: exec, 1 lane, M1
        0x03, // Manual: exec, 8 lanes, M1. Igc: channels RG
        0x06, // surface T6
        0x20, 0, 0, 0, 0, 0, // LOD: V32
        0x21, 0, 0, 0, 0, 0, // dst: V33
    };
    let info = Info { lod: Some(v(32)), ..sampleinfo(ExecSize::S8.into()) };
    assert_encoding(&manual(), listing, info);
    let channels = ChannelMask::R | ChannelMask::G;
    assert_encoding(&igc(WIDE), listing, Info { exec: ExecSize::S1.into(), channels, ..info });
}

/// Asserts the encoding of a sampleinfo of T6 into V33.
#[track_caller]
fn assert_sampleinfo(formats: &[Format], exec: u8, channels: u8, info: Info) {
    let listing = bytes! {
        0x70, // INFO
        0x0b, manual[0x00], // op: sampleinfo
        exec,
        igc[channels],
        0x06, // surface T6
        0x21, 0x00, wide[0, 0], 0x00, 0x00, // dst: V33
    };
    assert_encoding(formats, listing, info);
}

/// docs/format.md, 4.1 and 3.6: a set bit enables a channel, and the mask may be empty.
#[test]
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
        let info = Info { channels, ..sampleinfo(ExecSize::S8.into()) };
        assert_sampleinfo(&igc(WIDE), 0x03, byte, info);
    }
}

/// INFO.md has the same encoding as the Igc dialects.
#[test]
fn masks_since_3_1() {
    let narrow = igc(&[Version::V3_1, Version::V3_2, Version::V3_3]);
    let formats = [wide(), narrow].concat();
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
        assert_sampleinfo(&formats, byte, 0x0f, sampleinfo(Exec::new(ExecSize::S8, mask)));
    }
}

/// docs/format.md, 1.1: in 3.0, 0 to 7 are M1 to M8, 8 is M1_NM, and 9 to 15 are M1.
#[test]
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
        assert_sampleinfo(
            &igc(&[Version::V3_0]),
            byte,
            0x0f,
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
        assert_sampleinfo(&wide(), byte, 0x0f, sampleinfo(Exec::new(size, ExecMask::M2)));
    }
}

#[test]
fn rejects_unknown_operations() {
    let listing = bytes! {
        0x70, // INFO
        0x0c, manual[0x00], // op: neither resinfo nor sampleinfo
        0x03, igc[0x0f], 0x06, // exec, channels, surface
        0x21, 0, 0, 0, 0, 0, // dst
    };
    assert_rejected(&wide(), listing, 1, kind!(ErrorKind::UnknownSubOpcode { value: 0x0c, .. }));
}

/// INFO.md: the operation is bits 0 to 7 of a word. The others have no meaning.
#[test]
fn rejects_bits_8_to_15_of_the_operation() {
    let listing = bytes! {
        0x70, // INFO
        0x0a, 0x01, // op: resinfo, but bit 8 is set
        0x03, 0x06, // exec, surface
        0x20, 0, 0, 0, 0, 0, // LOD
        0x21, 0, 0, 0, 0, 0, // dst
    };
    assert_rejected(&manual(), listing, 1, kind!(ErrorKind::ReservedBits { bits: 0x0100 }));
}

#[test]
fn rejects_bits_4_to_7_of_the_channels() {
    let listing = bytes! {
        0x70, 0x0b, 0x03, // INFO, op, exec
        0x1f, // channels: bit 4 is set
        0x06, // surface
        0x21, 0, 0, 0, 0, 0, // dst, of either width
    };
    let kind = kind!(ErrorKind::ReservedBits { bits: 0x10 });
    assert_rejected(&igc(Version::BINARY), listing, 3, kind);
}

#[test]
fn rejects_sizes_above_32_lanes() {
    // The size nibble is 6. It follows a word in the page, and a byte in the Igc dialects.
    let kind = kind!(ErrorKind::InvalidValue { value: 6, .. });
    let in_page = bytes! { 0x70, 0x0b, 0x00, 0x06, 0x06, 0x21, 0, 0, 0, 0, 0 };
    assert_rejected(&manual(), in_page, 3, kind);
    let in_igc = bytes! { 0x70, 0x0b, 0x16, 0x0f, 0x06, 0x21, 0, 0, 0, 0, 0 };
    assert_rejected(&igc(Version::BINARY), in_igc, 2, kind);
}

#[test]
fn manual_cannot_express_a_channel_mask() {
    for channels in [ChannelMask::R | ChannelMask::G, ChannelMask::empty()] {
        let info = Info { channels, ..sampleinfo(ExecSize::S8.into()) };
        let kind = kind!(ErrorKind::Inexpressible { .. });
        assert_inexpressible(&manual(), info, "channels", kind);
    }
}

#[test]
fn rejects_masks_that_the_version_does_not_have() {
    let kind = kind!(ErrorKind::Inexpressible { .. });
    let m2_nm = sampleinfo(Exec::new(ExecSize::S8, ExecMask::M2_NM));
    assert_inexpressible(&igc(&[Version::V3_0]), m2_nm, "exec", kind);
    let old = sampleinfo(Exec::new(ExecSize::S8, ExecMask::legacy(9).unwrap()));
    let newer = igc(&[Version::V3_1, Version::V3_6, Version::V4_1]);
    assert_inexpressible(&[manual(), newer].concat(), old, "exec", kind);
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    assert_id_too_large(Info { lod: Some(v(70_000)), ..Info::default() }, "lod");
    assert_id_too_large(Info { dst: v(70_000), ..Info::default() }, "dst");
}
