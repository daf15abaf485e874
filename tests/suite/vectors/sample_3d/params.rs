//! The parameters of 3D_SAMPLE: their number and their names.

use super::*;

/// docs/format.md, 4.5: Igc readers accept every count below 16 for all operations.
#[test]
fn igc_dialects_accept_0_to_15_parameters() {
    let listing = bytes! {
        0x6d, 0x00, {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, // 3D_SAMPLE, op
        0x00, // NumParams
    };
    let formats = [igc(NARROW), igc(MIDDLE)].concat();
    assert_encoding(&formats, listing, sample(SampleOp::SAMPLE, &[]));
    // NumParams may be more than the operation has.
    let listing = bytes! {
        0x6d, 0x00, {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, // 3D_SAMPLE, op
        0x0f, // NumParams: 15, the most there can be
        0x01, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0x03, 0, 0, 0, 0, 0, // V1 to V3
        0x04, 0, 0, 0, 0, 0, 0x05, 0, 0, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, // V4 to V6
        0x07, 0, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0x09, 0, 0, 0, 0, 0, // V7 to V9
        0x0a, 0, 0, 0, 0, 0, 0x0b, 0, 0, 0, 0, 0, 0x0c, 0, 0, 0, 0, 0, // V10 to V12
        0x0d, 0, 0, 0, 0, 0, 0x0e, 0, 0, 0, 0, 0, 0x0f, 0, 0, 0, 0, 0, // V13 to V15
    };
    let params = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(v);
    assert_encoding(&byte_op(), listing, sample(SampleOp::SAMPLE, &params));
}

/// The longest row of the table of the page.
#[test]
fn sample_d_c_with_all_parameters() {
    let listing = bytes! {
        0x6d, // 3D_SAMPLE
        0x14, // op: sample_d_c
        {LANES}, {NO_OFFSETS}, {STATE_AND_DST},
        0x0b, // NumParams: 11
        0x32, 0, 0, 0, 0, 0, // ref: V50
        0x33, 0, 0, 0, 0, 0, // u: V51
        0x34, 0, 0, 0, 0, 0, // dudx: V52
        0x35, 0, 0, 0, 0, 0, // dudy: V53
        0x36, 0, 0, 0, 0, 0, // v: V54
        0x37, 0, 0, 0, 0, 0, // dvdx: V55
        0x38, 0, 0, 0, 0, 0, // dvdy: V56
        0x39, 0, 0, 0, 0, 0, // r: V57
        0x3a, 0, 0, 0, 0, 0, // drdx: V58
        0x3b, 0, 0, 0, 0, 0, // drdy: V59
        0x3c, 0, 0, 0, 0, 0, // ai: V60
    };
    let params = [50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60].map(v);
    assert_encoding(&byte_op(), listing, sample(SampleOp::SAMPLE_D_C, &params));
}

/// All rows of the table of the page.
#[test]
fn parameters_by_name() {
    use Param::{Ai, Bias, Drdx, Drdy, Dudx, Dudy, Dvdx, Dvdy, Lod, R, Ref, U, V};
    for (op, row) in [
        (SampleOp::SAMPLE, &[U, V, R, Ai][..]),
        (SampleOp::SAMPLE_B, &[Bias, U, V, R, Ai]),
        (SampleOp::SAMPLE_L, &[Lod, U, V, R, Ai]),
        (SampleOp::SAMPLE_C, &[Ref, U, V, R, Ai]),
        (SampleOp::SAMPLE_D, &[U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai]),
        (SampleOp::SAMPLE_B_C, &[Ref, Bias, U, V, R, Ai]),
        (SampleOp::SAMPLE_L_C, &[Ref, Lod, U, V, R, Ai]),
        (SampleOp::LOD, &[U, V, R, Ai]),
        (SampleOp::SAMPLE_D_C, &[Ref, U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai]),
        (SampleOp::SAMPLE_LZ, &[U, V, R, Ai]),
        (SampleOp::SAMPLE_C_LZ, &[Ref, U, V, R, Ai]),
    ] {
        let params = [50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60].map(v);
        let full = sample(op, &params[..row.len()]);
        // "It is permitted to skip the trailing parameters."
        let short = sample(op, &params[..2]);
        for name in Param::ALL {
            let position = row.iter().position(|param| *param == name);
            let expected = position.map(|position| params[position]);
            assert_eq!(full.param(name), expected, "{op}, {}", name.name());
            let expected = expected.filter(|_| position < Some(2));
            assert_eq!(short.param(name), expected, "{op}, {}, two parameters", name.name());
        }
    }
}

/// sample_b_c without its last two parameters.
#[test]
fn missing_trailing_parameters_are_none() {
    let listing = bytes! {
        0x6d, // 3D_SAMPLE
        0x05, // op: sample_b_c
        0x03, 0x00, 0x00, 0x0f, // exec, pred, channels
        {NO_OFFSETS}, {STATE_AND_DST},
        0x04, // NumParams
        0x32, 0, 0, 0, 0, 0, // ref: V50
        0x33, 0, 0, 0, 0, 0, // bias: V51
        0x34, 0, 0, 0, 0, 0, // u: V52
        0x35, 0, 0, 0, 0, 0, // v: V53
    };
    for format in byte_op() {
        let decoded = Instruction::from_bytes(&listing(format), format);
        let Ok(Instruction::Sample3d(sample)) = decoded else {
            panic!("not a 3D_SAMPLE in {format}");
        };
        assert_eq!(sample.param(Param::Ref), Some(v(50)), "{format}");
        assert_eq!(sample.param(Param::Bias), Some(v(51)), "{format}");
        assert_eq!(sample.param(Param::U), Some(v(52)), "{format}");
        assert_eq!(sample.param(Param::V), Some(v(53)), "{format}");
        assert_eq!(sample.param(Param::R), None, "{format}");
        assert_eq!(sample.param(Param::Ai), None, "{format}");
        assert_eq!(sample.param(Param::Lod), None, "{format}");
        assert_eq!(sample.param(Param::Dudx), None, "{format}");
    }
}

/// 3D_SAMPLE.md: "Valid values are [1-15]".
#[test]
fn manual_rejects_other_than_1_to_15_parameters() {
    let none = bytes! {
        0x6d, 0x00, {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, // 3D_SAMPLE, op
        0x00, // NumParams, at 20
    };
    assert_rejected(&manual(), none, 20, kind!(ErrorKind::BadCount { found: 0, .. }));
    let sixteen = bytes! {
        0x6d, 0x00, {LANES}, {NO_OFFSETS}, {STATE_AND_DST}, // 3D_SAMPLE, op
        0x10, // NumParams, at 20
        {FOUR}, {FOUR}, {FOUR}, {FOUR},
    };
    assert_rejected(&manual(), sixteen, 20, kind!(ErrorKind::BadCount { found: 16, .. }));
}

/// Four parameters.
const FOUR: Listing = bytes! {
    0x20, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, // V32
};

/// Errors of decoding and encoding contain the name of the parameter, which the operation
/// determines.
#[test]
fn errors_contain_the_parameter_name() {
    // sample_b: bias, u, v
    assert_id_too_large(sample(SampleOp::SAMPLE_B, &[v(32), v(33), v(70_000)]), "v");
}
