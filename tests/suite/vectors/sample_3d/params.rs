//! The parameters of 3D_SAMPLE: their number and their names.

use super::*;

/// docs/format.md, 4.5: Igc readers accept every count below 16 for all operations.
#[test]
#[rustfmt::skip]
fn igc_dialects_accept_0_to_15_parameters() {
    assert_encoding_in(
        &igc(MIDDLE),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x00, // NumParams
        ],
        sample(SampleOp::SAMPLE, &[]),
    );
    assert_encoding_in(
        &igc(NARROW),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x00, 0x00, // aoffimmi
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, // dst: V40
            0x00, // NumParams
        ],
        sample(SampleOp::SAMPLE, &[]),
    );
    // NumParams may be more than the operation has.
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, 0x00, 0x03, 0x00, 0x00, 0x03, // 3D_SAMPLE, op, exec, pred, channels
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, 0x06, // sampler, surface
            0x28, 0, 0, 0, 0, 0, // dst: V40
            0x0f, // NumParams: 15, the most there can be
            0x01, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0x03, 0, 0, 0, 0, 0, // V1 to V3
            0x04, 0, 0, 0, 0, 0, 0x05, 0, 0, 0, 0, 0, 0x06, 0, 0, 0, 0, 0, // V4 to V6
            0x07, 0, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0x09, 0, 0, 0, 0, 0, // V7 to V9
            0x0a, 0, 0, 0, 0, 0, 0x0b, 0, 0, 0, 0, 0, 0x0c, 0, 0, 0, 0, 0, // V10 to V12
            0x0d, 0, 0, 0, 0, 0, 0x0e, 0, 0, 0, 0, 0, 0x0f, 0, 0, 0, 0, 0, // V13 to V15
        ],
        sample(
            SampleOp::SAMPLE,
            &[
                v(1), v(2), v(3), v(4), v(5), v(6), v(7), v(8),
                v(9), v(10), v(11), v(12), v(13), v(14), v(15),
            ],
        ),
    );
}

/// The longest row of the table of the page.
#[test]
#[rustfmt::skip]
fn sample_d_c_with_all_parameters() {
    let expected = sample(
        SampleOp::SAMPLE_D_C,
        &[v(50), v(51), v(52), v(53), v(54), v(55), v(56), v(57), v(58), v(59), v(60)],
    );
    assert_encoding_in(
        &byte_op(),
        &[
            0x6d, // 3D_SAMPLE
            0x14, // op: sample_d_c
            0x03, // exec: 8 lanes, M1
            0x00, 0x00, // no predicate
            0x03, // channels RG
            0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
            0x02, // sampler S2
            0x06, // surface T6
            0x28, 0, 0, 0, 0, 0, // dst: V40
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
        ],
        expected,
    );
    for (name, var) in [
        (Param::Ref, 50),
        (Param::U, 51),
        (Param::Dudx, 52),
        (Param::Dudy, 53),
        (Param::V, 54),
        (Param::Dvdx, 55),
        (Param::Dvdy, 56),
        (Param::R, 57),
        (Param::Drdx, 58),
        (Param::Drdy, 59),
        (Param::Ai, 60),
    ] {
        assert_eq!(expected.param(name), Some(v(var)), "{}", name.name());
    }
    assert_eq!(expected.param(Param::Bias), None);
    assert_eq!(expected.param(Param::Lod), None);
}

/// All rows of the table of the page.
#[test]
#[rustfmt::skip]
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
        let params = [
            v(50), v(51), v(52), v(53), v(54), v(55), v(56), v(57), v(58), v(59), v(60),
        ];
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
#[rustfmt::skip]
fn missing_trailing_parameters_are_none() {
    let bytes = [
        0x6d, // 3D_SAMPLE
        0x05, // op: sample_b_c
        0x03, 0x00, 0x00, 0x0f, // exec, pred, channels
        0x05, 0x02, 0, 0, 0, 0, // aoffimmi: 0:uw
        0x02, 0x06, // sampler, surface
        0x28, 0, 0, 0, 0, 0, // dst: V40
        0x04, // NumParams
        0x32, 0, 0, 0, 0, 0, // ref: V50
        0x33, 0, 0, 0, 0, 0, // bias: V51
        0x34, 0, 0, 0, 0, 0, // u: V52
        0x35, 0, 0, 0, 0, 0, // v: V53
    ];
    for format in byte_op() {
        let Ok(Instruction::Sample3d(sample)) = Instruction::from_bytes(&bytes, format) else {
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
    let (none, sixteen) = (manual_bytes(0x00, 0x03, 0), manual_bytes(0x00, 0x03, 16));
    assert_rejected_in(&manual(), &none, 20, kind!(ErrorKind::BadCount { found: 0, .. }));
    assert_rejected_in(&manual(), &sixteen, 20, kind!(ErrorKind::BadCount { found: 16, .. }));
}

/// Errors of decoding and encoding contain the name of the parameter, which the operation
/// determines.
#[test]
fn errors_contain_the_parameter_name() {
    // sample_b: bias, u, v
    let sample = sample(SampleOp::SAMPLE_B, &[v(32), v(33), v(70_000)]);
    for format in igc(NARROW) {
        assert_inexpressible(
            format,
            sample,
            "v",
            kind!(ErrorKind::OutOfRange { value: 70_000, .. }),
        );
    }
}
