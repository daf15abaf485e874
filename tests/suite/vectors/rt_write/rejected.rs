//! NumParams of RT_WRITE, and fields that are rejected.

use super::*;

/// Other tests have a NumParams of 4, 5 and 8; this one has 6 and 7.
#[test]
fn num_params_counts_the_raw_operands() {
    let listing = bytes! {
        {HEAD}, 0x28, 0x00, {TARGET}, // mode: bits 3 and 5, s0a and z
        0x06, // NumParams: s0a, R, G, B, A, depth
        0x2a, 0, 0, 0, 0, 0, // s0a: V42
        {RGBA},
        0x2b, 0, 0, 0, 0, 0, // depth: V43
    };
    let expected = RtWrite { s0a: Some(v(42)), depth: Some(v(43)), ..without_options() };
    assert_encoding(&manual(), listing, expected);
    let listing = bytes! {
        {HEAD}, 0x74, 0x00, {TARGET}, // mode: bits 2, 4, 5 and 6, RTI, oM, z and s
        0x02, 0x05, 0x00, // RTI: P5
        0x07, // NumParams: oMask, R, G, B, A, depth, stencil
        0x2a, 0, 0, 0, 0, 0, // oMask: V42
        {RGBA},
        0x2b, 0, 0, 0, 0, 0, // depth: V43
        0x2c, 0, 0, 0, 0, 0, // stencil: V44
    };
    let expected = RtWrite {
        rt_index: Some(Vector::predicate(Pred::new(PredId(5)).unwrap())),
        omask: Some(v(42)),
        depth: Some(v(43)),
        stencil: Some(v(44)),
        ..without_options()
    };
    assert_encoding(&manual(), listing, expected);
}

#[test]
fn rejects_wrong_num_params() {
    for (num_params, found) in [(0x00, 0), (0x03, 3), (0x05, 5), (0xff, 255)] {
        let listing = bytes! {
            {HEAD}, 0x00, 0x00, {TARGET}, // mode: nothing
            num_params, // where 4 belongs
            {RGBA},
        };
        let kind = kind!(ErrorKind::BadCount { found: n, .. } if *n == found);
        assert_rejected(&manual(), listing, 13, kind);
    }
}

/// docs/format.md, 4.3: readers do not support NumParams, and misread the operands after it.
#[test]
fn igc_dialects_misread_num_params() {
    let listing = bytes! {
        0x71, 0x03, 0x00, 0x00, 0x00, 0x00, 0x06, // RT_WRITE, exec, pred, mode, surface
        0x00, 0, 0, 0, 0, 0, // header: null
        0x04, 0x20, 0, 0, 0, 0, // NumParams and most of R, read as R
        0x00, 0x21, 0, 0, 0, 0, // read as G
        0x00, 0x22, 0, 0, 0, 0, // read as B
        0x00, 0x23, 0, 0, 0, 0, // read as A
        0x00, // left over, at 37
    };
    assert_rejected(&igc(WIDE), listing, 37, kind!(ErrorKind::TrailingBytes { count: 1 }));
}

/// RT_WRITE.md: bits 0 and 1 "MBZ", and none above 12.
#[test]
fn rejects_reserved_bits_of_the_mode() {
    for (low, high, reserved) in [
        (0x01, 0x00, 0x0001),
        (0x02, 0x00, 0x0002),
        (0x00, 0x20, 0x2000),
        (0x00, 0x40, 0x4000),
        (0x00, 0x80, 0x8000),
        (0xff, 0xff, 0xe003), // the others are legal
    ] {
        let listing = bytes! {
            {HEAD},
            low, high, // mode
            0x06, 0x00, 0, 0, 0, 0, 0, // surface, header
            0x20, 0, 0, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, // R, G
            0x22, 0, 0, 0, 0, 0, 0x23, 0, 0, 0, 0, 0, // B, A
        };
        let kind = kind!(ErrorKind::ReservedBits { bits } if *bits == reserved);
        assert_rejected(&all(), listing, 4, kind);
    }
}

#[test]
fn rejects_sizes_above_32_lanes() {
    let listing = bytes! { 0x71, 0xa6, 0, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, 0 };
    assert_rejected(&all(), listing, 1, kind!(ErrorKind::InvalidValue { value: 6, .. }));
}

#[test]
fn rejects_ids_above_65535_before_3_4() {
    let far = v(70_000);
    let sample_index = Some(Vector::scalar(far.var));
    assert_id_too_large(RtWrite { header: far, ..without_options() }, "header");
    assert_id_too_large(RtWrite { a: far, ..without_options() }, "a");
    assert_id_too_large(RtWrite { omask: Some(far), ..without_options() }, "omask");
    assert_id_too_large(RtWrite { stencil: Some(far), ..without_options() }, "stencil");
    assert_id_too_large(RtWrite { sample_index, ..without_options() }, "sample_index");
}
