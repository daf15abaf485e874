//! Cases for the rules of 3D_SAMPLE.

use genvisa::Platform::*;
use genvisa::isa::{Instruction, SampleOp};
use genvisa::operand::ChannelMask;
use genvisa::{Format, Module, Version};

use super::{Case, case, change, with};

pub fn cases() -> Vec<Case> {
    let mut cases = head();
    cases.extend(operands());
    cases
}

/// Changes the operation.
fn operation<const OP: u8>(module: &mut Module<'static>) {
    change(module, |instruction| {
        if let Instruction::Sample3d(sample) = instruction {
            sample.op = SampleOp::from_bits(OP).expect("a byte");
        }
    });
}

fn head() -> Vec<Case> {
    const SAMPLE: &str = "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0";
    const PAIRED: &str = "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 V0.0 f_8.0";
    vec![
        case("sample-3d-operation", with(SAMPLE, operation::<0x07>), SAMPLE),
        case(
            "sample-3d-operation",
            with(SAMPLE, operation::<0x1f>),
            with(SAMPLE, operation::<0x19>),
        ),
        case(
            "sample-3d-operation",
            with(PAIRED, operation::<0x25>),
            with(PAIRED, operation::<0x18>),
        )
        .format(Format::igc2026(Version::V4_0)),
        case("sample-3d-operation-newer", with(PAIRED, operation::<0x24>), PAIRED)
            .format(Format::igc2026(Version::V4_0)),
        case(
            "sample-3d-exec-size",
            "sample_lz.R (M1, 4) 0x0:uw S0 T6 f_8.0 f_8.0",
            "sample_lz.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
        ),
        case(
            "sample-3d-exec-size",
            "sample_lz.R (M1, 32) 0x0:uw S0 T6 f_32.0 f_32.0",
            "sample_lz.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        )
        .on(Tgllp),
        case(
            "sample-3d-exec-size",
            "sample_lz.R (M1, 4) 0x0:uw S0 T6 f_32.0 f_32.0",
            "sample_lz.R (M1, 32) 0x0:uw S0 T6 f_32.0 f_32.0",
        )
        .on(Xe2),
        case(
            "sample-3d-exec-size",
            "sample_lz.R (M1, 32) 0x0:uw S0 T6 f_32.0 f_32.0",
            "sample_lz.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        )
        .in_manual(),
        case(
            "sample-3d-exec-size-32",
            "sample_lz.R (M1, 32) 0x0:uw S0 T6 f_32.0 f_32.0",
            "sample_lz.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        ),
        case(
            "sample-3d-cps-platform",
            "lod.cps.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
            "lod.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
        )
        .on(Skl),
        case(
            "sample-3d-cps-operation",
            "sample_l.cps.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0 f_8.0",
            "sample_b_c.cps.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0 f_8.0 f_8.0",
        )
        .on(Icllp),
        case(
            "sample-3d-cps-operation",
            "sample_lz.cps.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
            "lod.cps.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        ),
        case(
            "sample-3d-cps-exec-size",
            "lod.cps.R (M1, 32) 0x0:uw S0 T6 f_32.0 f_32.0",
            "lod.cps.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        )
        .on(Xe2),
        case(
            "sample-3d-null-mask-platform",
            "sample_lz.pixel_null_mask.R (M1, 8) 0x0:uw S0 T6 f_16.0 f_8.0",
            "sample_lz.R (M1, 8) 0x0:uw S0 T6 f_16.0 f_8.0",
        )
        .on(Bdw),
        case(
            "sample-3d-paired-surface",
            "sample_lz.R (M1, 8) 0x0:uw S0 T6 f_8.0 ud_8.0 f_8.0",
            "sample_lz.R (M1, 8) 0x0:uw S0 T6 f_8.0 V0.0 f_8.0",
        )
        .on(Dg2)
        .format(Format::igc2026(Version::V3_8)),
        case(
            "sample-3d-channels-empty",
            with(SAMPLE, |module| {
                change(module, |instruction| {
                    if let Instruction::Sample3d(sample) = instruction {
                        sample.channels = ChannelMask::empty();
                    }
                });
            }),
            "sample_3d.A (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
        ),
        case(
            "sample-3d-lod-channels",
            "lod.RGB (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0",
            "lod.RG (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0",
        ),
        case(
            "sample-3d-lod-channels",
            "lod.A (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0",
            "sample_lz.A (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0",
        ),
    ]
}

fn operands() -> Vec<Case> {
    let cases = [
        ("sample-3d-aoffimmi-type", "0x0:ud S0 T6 f_8.0 f_8.0", "0x0:uw S0 T6 f_8.0 f_8.0"),
        (
            "sample-3d-aoffimmi-type",
            "w_8(0,0)<0;1,0> S0 T6 f_8.0 f_8.0",
            "uw_8(0,0)<0;1,0> S0 T6 f_8.0 f_8.0",
        ),
        (
            "sample-3d-aoffimmi-reserved",
            "0x1000:uw S0 T6 f_8.0 f_8.0",
            "0xfff:uw S0 T6 f_8.0 f_8.0",
        ),
        ("sample-3d-dst-type", "0x0:uw S0 T6 ub_32.0 f_8.0", "0x0:uw S0 T6 w_8.0 f_8.0"),
        ("sample-3d-dst-type", "0x0:uw S0 T6 df_16.0 f_8.0", "0x0:uw S0 T6 ud_8.0 f_8.0"),
        ("sample-3d-dst-size", "0x0:uw S0 T6 hf_7.0 f_8.0", "0x0:uw S0 T6 hf_8.0 f_8.0"),
        ("sample-3d-dst-size", "0x0:uw S0 T6 f_15.32 f_8.0", "0x0:uw S0 T6 f_16.32 f_8.0"),
        ("sample-3d-num-params", "0x0:uw S0 T6 f_8.0", "0x0:uw S0 T6 f_8.0 f_8.0"),
        (
            "sample-3d-param-count",
            "0x0:uw S0 T6 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0",
            "0x0:uw S0 T6 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0",
        ),
        (
            "sample-3d-param-null",
            "0x0:uw S0 T6 f_8.0 f_8.0 V0.0 f_8.0",
            "0x0:uw S0 T6 f_8.0 f_8.0 f_8.0",
        ),
        (
            "sample-3d-param-types",
            "0x0:uw S0 T6 f_8.0 hf_8.0 f_8.0",
            "0x0:uw S0 T6 f_8.0 hf_8.0 hf_8.0",
        ),
        ("sample-3d-param-types", "0x0:uw S0 T6 f_8.0 ud_8.0", "0x0:uw S0 T6 f_8.0 f_8.0"),
        (
            "sample-3d-param-size",
            "0x0:uw S0 T6 f_8.0 f_8.0 f_7.0",
            "0x0:uw S0 T6 f_8.0 f_8.0 f_8.0",
        ),
        ("sample-3d-param-size", "0x0:uw S0 T6 f_8.0 hf_7.0", "0x0:uw S0 T6 f_8.0 hf_8.0"),
    ];
    let sample = |text| format!("sample_3d.R (M1, 8) {text}");
    let cases =
        cases.map(|(rule, violating, legal)| case(rule, &*sample(violating), &*sample(legal)));
    let eleven = "f_8.0 ".repeat(11);
    let more = [
        case(
            "sample-3d-param-count",
            &*format!("sample_d_c.R (M1, 8) 0x0:uw S0 T6 f_8.0 {eleven} f_8.0"),
            &*format!("sample_d_c.R (M1, 8) 0x0:uw S0 T6 f_8.0 {eleven}"),
        ),
        case(
            "sample-3d-param-type-f",
            "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 hf_8.0",
            "sample_3d.R (M1, 8) 0x0:uw S0 T6 hf_8.0 f_8.0",
        )
        .on(Skl),
        case(
            "sample-3d-param-types",
            "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 w_16.0",
            "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 hf_8.0",
        )
        .on(Icllp),
        case(
            "sample-3d-param-size",
            "sample_3d.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_15.0",
            "sample_3d.R (M1, 16) 0x0:uw S0 T6 f_16.0 f_16.0",
        ),
        // The second channel occupies half of the second register.
        case(
            "sample-3d-dst-size",
            "sample_3d.RGB (M1, 8) 0x0:uw S0 T6 hf_32.0 f_8.0",
            "sample_3d.RG (M1, 8) 0x0:uw S0 T6 hf_32.0 f_8.0",
        ),
        case(
            "sample-3d-dst-size",
            "sample_3d.RG (M1, 8) 0x0:uw S0 T6 hf_32.0 f_8.0",
            "sample_3d.R (M1, 8) 0x0:uw S0 T6 hf_32.0 f_8.0",
        )
        .on(Xe2),
        // The null mask is a dword in the register after the samples.
        case(
            "sample-3d-dst-size",
            "sample_3d.pixel_null_mask.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0",
            "sample_3d.pixel_null_mask.R (M1, 8) 0x0:uw S0 T6 f_15.0 f_8.0",
        ),
        case(
            "sample-3d-dst-size",
            "sample_3d.pixel_null_mask.RGBA (M1, 16) 0x0:uw S0 T6 f_64.0 f_16.0",
            "sample_3d.pixel_null_mask.RGBA (M1, 16) 0x0:uw S0 T6 V0.0 f_16.0",
        ),
    ];
    cases.into_iter().chain(more).collect()
}
