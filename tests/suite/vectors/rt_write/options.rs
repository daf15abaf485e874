//! The optional operands of RT_WRITE, alone and together.

use super::*;

#[test]
fn no_optional_operands() {
    let listing = bytes! {
        {HEAD}, 0x00, 0x00, {TARGET}, // mode: nothing
        manual[0x04], // NumParams: R, G, B, A
        {RGBA},
    };
    assert_encoding(&all(), listing, without_options());
}

/// Every bit of the mode, and so every operand, in the order of docs/format.md, 4.3.
#[test]
fn all_optional_operands() {
    let listing = bytes! {
        0x71, // RT_WRITE
        0x14, // exec: 16 lanes, M2
        0x01, 0xa0, // pred: bits 0..11 P1, 13..14 any, 15 inverse
        0xfc, 0x1f, // mode: bits 2 to 12
        0x07, // surface T7
        0x1f, 0x00, wide[0, 0], 0x40, 0x00, // header: V31 from byte 64
        0x10, 0x28, 0x00, wide[0, 0], 0x01, 0x02, 0x21, 0x01, // SI: (-)V40(1,2)<0;1,0>
        0x01, 0x03, 0x00, 0x02, 0x03, // CPS: A3(2)<8>
        0x05, 0x04, 0x07, 0, 0, 0, // RTI: 7:ub
        manual[0x08], // NumParams: all of those below
        0x1e, 0x00, wide[0, 0], 0x00, 0x00, // s0a: V30
        0x1d, 0x00, wide[0, 0], 0x02, 0x00, // oMask: V29 from byte 2
        0x20, 0x00, wide[0, 0], 0x00, 0x00, // R: V32
        0x21, 0x00, wide[0, 0], 0x00, 0x00, // G: V33
        0x22, 0x00, wide[0, 0], 0x00, 0x00, // B: V34
        0x23, 0x00, wide[0, 0], 0x00, 0x01, // A: V35 from byte 256
        0x24, 0x00, wide[0, 0], 0x00, 0x00, // depth: V36
        0x25, 0x00, wide[0, 0], 0x00, 0x00, // stencil: V37
    };
    let expected = RtWrite {
        exec: Exec::new(ExecSize::S16, ExecMask::M2),
        pred: Pred::new(PredId(1)).unwrap().with_control(PredControl::ANY).inverted(),
        flags: RtWriteFlags::LRTW | RtWriteFlags::PS | RtWriteFlags::CM | RtWriteFlags::NULL_RT,
        surface: SurfaceId(7).into(),
        header: raw(31, 64),
        sample_index: Some(Vector {
            modifier: Modifier::NEG,
            kind: VectorKind::General { var: VarId(40), row: 1, col: 2, region: Region::SCALAR },
        }),
        cps_counter: Some(Vector::address(AddrId(3), 2, AddrWidth::W8)),
        rt_index: Some(Imm::ub(7).into()),
        s0a: Some(v(30)),
        omask: Some(raw(29, 2)),
        r: v(32),
        g: v(33),
        b: v(34),
        a: raw(35, 256),
        depth: Some(v(36)),
        stencil: Some(v(37)),
    };
    assert_encoding(&all(), listing, expected);
}

#[test]
fn flags_add_no_operand() {
    for (low, high, flags) in [
        (0x80, 0x00, RtWriteFlags::LRTW),    // bit 7
        (0x00, 0x02, RtWriteFlags::PS),      // bit 9
        (0x00, 0x04, RtWriteFlags::CM),      // bit 10
        (0x00, 0x10, RtWriteFlags::NULL_RT), // bit 12
    ] {
        let listing = bytes! {
            {HEAD}, low, high, {TARGET}, // mode: one flag
            manual[0x04], // NumParams: R, G, B, A
            {RGBA},
        };
        assert_encoding(&all(), listing, RtWrite { flags, ..without_options() });
    }
}

/// The sample index is a state operand. It is not a raw operand, so NumParams is 4.
#[test]
fn only_sample_index() {
    let sample_index = Some(Vector::surface(SurfaceId(8), 1));
    let listing = bytes! {
        {HEAD}, 0x00, 0x08, {TARGET}, // mode: bit 11, SI
        0x06, 0x00, 0x08, 0x00, 0x01, // SI: state, a surface, T8(1)
        manual[0x04], // NumParams: R, G, B, A
        {RGBA},
    };
    assert_encoding(&all(), listing, RtWrite { sample_index, ..without_options() });
}

/// The CPS counter is an immediate of eight bytes.
#[test]
fn only_cps_counter() {
    let listing = bytes! {
        {HEAD}, 0x00, 0x01, {TARGET}, // mode: bit 8, CPS
        0x05, 0x06, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, // CPS: 1.0 as df
        manual[0x04], // NumParams: R, G, B, A
        {RGBA},
    };
    let expected = RtWrite { cps_counter: Some(Imm::df(1.0).into()), ..without_options() };
    assert_encoding(&all(), listing, expected);
}

/// The index of the render target is a general scalar.
#[test]
fn only_rt_index() {
    let listing = bytes! {
        {HEAD}, 0x04, 0x00, {TARGET}, // mode: bit 2, RTI
        0x00, 0x29, 0x00, wide[0, 0], 0x00, 0x00, 0x21, 0x01, // RTI: V41(0,0)<0;1,0>
        manual[0x04], // NumParams: R, G, B, A
        {RGBA},
    };
    let expected = RtWrite { rt_index: Some(Vector::scalar(VarId(41))), ..without_options() };
    assert_encoding(&all(), listing, expected);
}

#[test]
fn only_s0a() {
    let listing = bytes! {
        {HEAD}, 0x08, 0x00, {TARGET}, // mode: bit 3, s0a
        manual[0x05], // NumParams: s0a, R, G, B, A
        0x2a, 0x00, wide[0, 0], 0x00, 0x00, // s0a: V42
        {RGBA},
    };
    assert_encoding(&all(), listing, RtWrite { s0a: Some(v(42)), ..without_options() });
}

#[test]
fn only_omask() {
    let listing = bytes! {
        {HEAD}, 0x10, 0x00, {TARGET}, // mode: bit 4, oM
        manual[0x05], // NumParams: oMask, R, G, B, A
        0x2a, 0x00, wide[0, 0], 0x00, 0x00, // oMask: V42
        {RGBA},
    };
    assert_encoding(&all(), listing, RtWrite { omask: Some(v(42)), ..without_options() });
}

#[test]
fn only_depth() {
    let listing = bytes! {
        {HEAD}, 0x20, 0x00, {TARGET}, // mode: bit 5, z
        manual[0x05], // NumParams: R, G, B, A, depth
        {RGBA},
        0x2a, 0x00, wide[0, 0], 0x00, 0x00, // depth: V42
    };
    assert_encoding(&all(), listing, RtWrite { depth: Some(v(42)), ..without_options() });
}

#[test]
fn only_stencil() {
    let listing = bytes! {
        {HEAD}, 0x40, 0x00, {TARGET}, // mode: bit 6, s
        manual[0x05], // NumParams: R, G, B, A, stencil
        {RGBA},
        0x2a, 0x00, wide[0, 0], 0x00, 0x00, // stencil: V42
    };
    assert_encoding(&all(), listing, RtWrite { stencil: Some(v(42)), ..without_options() });
}
