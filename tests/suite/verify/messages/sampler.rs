//! Cases for the rules of the sampler, video analytics and motion estimation.

use genvisa::Platform::*;
use genvisa::isa::va_skl_plus::VaSklPlus;
use genvisa::isa::{Params, SampleFlags, SamplerOp};
use genvisa::operand::va::{
    AvsExecMode, FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable, OutputFormat,
};
use genvisa::operand::{Aoffimmi, ChannelMask, Imm, SampleMode, Vector};
use genvisa::{Format, Instruction, Version};

use super::{Case, case, edited, scalar};

/// Two scalar operands of type F.
macro_rules! uv {
    () => {
        concat!(scalar!("f"), " ", scalar!("f"))
    };
}

pub fn cases() -> Vec<Case> {
    let mut cases = older_messages();
    cases.extend(texels());
    cases.extend(analytics());
    cases.extend(motion());
    cases
}

fn older_messages() -> Vec<Case> {
    const SAMPLE: &str = "sample.R (16) S0 T6 f_16.0 f_16.0 f_16.0 f_16.0";
    const UNORM: &str = concat!("sample_unorm.R.16-full S0 T6 ", uv!(), " ", uv!(), " uw_32.0");
    const AVS: &str = concat!(
        "avs.R T6 S0 ",
        uv!(),
        " ",
        uv!(),
        " ",
        scalar!("f"),
        " 0x0:ud 0x0:ud AVS_16_FULL ",
        scalar!("f"),
        " AVS_16x4 0x0:ub uw_128.0"
    );
    vec![
        case(
            "sampler-surface",
            "load.R (8) %bss f_8.0 f_8.0 f_8.0 f_8.0",
            "load.R (8) T6 f_8.0 f_8.0 f_8.0 f_8.0",
        ),
        case(
            "sampler-surface",
            concat!("va.centroid T1 ", uv!(), " 0x0:ub uw_32.0"),
            concat!("va.centroid T6 ", uv!(), " 0x0:ub uw_32.0"),
        ),
        case(
            "sampler-slm",
            concat!("va_skl_plus.HDC_ERODE T6 S0 ", uv!(), " %slm 0x0:uw 0x0:uw"),
            concat!("va_skl_plus.HDC_ERODE T1 S0 ", uv!(), " T1 0x0:uw 0x0:uw"),
        ),
        case(
            "sample-channels",
            edited!(SAMPLE, Instruction::Sample(i) => i.channels.channels = ChannelMask::empty()),
            SAMPLE,
        ),
        case(
            "sample-channels",
            edited!(UNORM, Instruction::SampleUnorm(i) =>
                 i.channels.channels = ChannelMask::empty()),
            UNORM,
        ),
        case(
            "sample-channels",
            edited!(AVS, Instruction::Avs(i) => i.channels = ChannelMask::empty()),
            AVS,
        ),
        case(
            "sample-mode",
            edited!(SAMPLE, Instruction::Sample(i) => i.channels.mode = SampleMode::MODE2),
            SAMPLE,
        ),
        case(
            "sample-unorm-offset-type",
            concat!("sample_unorm.R.16-full S0 T6 ", uv!(), " 0x0:ud ", scalar!("f"), " uw_32.0"),
            UNORM,
        ),
        case(
            "sample-unorm-dst-type",
            concat!("sample_unorm.R.16-full S0 T6 ", uv!(), " ", uv!(), " w_32.0"),
            UNORM,
        ),
        case(
            "sample-unorm-format",
            concat!("sample_unorm.R.8-full S0 T6 ", uv!(), " ", uv!(), " uw_32.0"),
            UNORM,
        ),
        case(
            "sample-unorm-dst-size",
            concat!("sample_unorm.RG.16-full S0 T6 ", uv!(), " ", uv!(), " uw_32.0"),
            concat!("sample_unorm.RG.16-full S0 T6 ", uv!(), " ", uv!(), " uw_64.0"),
        ),
        case("avs-wide-mode", &*AVS.replace("AVS_16x4", "AVS_8x4"), AVS),
        case(
            "avs-output-format",
            edited!(AVS, Instruction::Avs(i) =>
                 i.cntrl = OutputFormat::from_bits(4).expect("a byte")),
            AVS,
        ),
        case(
            "avs-exec-mode",
            edited!(AVS, Instruction::Avs(i) =>
                 i.exec_mode = AvsExecMode::from_bits(4).expect("a byte")),
            AVS,
        ),
        case(
            "avs-type",
            edited!(AVS, Instruction::Avs(i) => i.group_id = Vector::imm(Imm::uw(0))),
            AVS,
        ),
        case(
            "avs-type",
            edited!(AVS, Instruction::Avs(i) => i.ief_bypass = Vector::imm(Imm::ud(0))),
            AVS,
        ),
    ]
}

fn texels() -> Vec<Case> {
    const LOAD: &str = "load_lz.R (M1, 8) 0xfff:uw T6 hf_8.0 ud_8.0 ud_8.0";
    const GATHER: &str = "sample4.A (M1, 8) 0xfff:uw S0 T6 f_32.0 f_8.0 f_8.0";
    vec![
        case("load-3d-exec-size", "load_lz.R (M1, 4) 0x0:uw T6 f_8.0 ud_8.0", LOAD),
        case(
            "load-3d-null-mask",
            edited!(LOAD, Instruction::Load3d(i) => i.flags = SampleFlags::PIXEL_NULL_MASK),
            LOAD,
        )
        .on(Chv),
        case(
            "load-3d-paired-surface",
            "load_lz.R (M1, 8) 0xfff:uw T6 hf_8.0 ud_8.0 ud_8.0",
            "load_lz.R (M1, 8) 0xfff:uw T6 hf_8.0 V0.0 ud_8.0",
        )
        .on(Dg2)
        .format(Format::igc2026(Version::V3_8)),
        case(
            "load-3d-aoffimmi-type",
            edited!(LOAD, Instruction::Load3d(i) =>
                 i.aoffimmi = Aoffimmi(Vector::imm(Imm::ud(0)))),
            LOAD,
        ),
        case("load-3d-aoffimmi-reserved", "load_lz.R (M1, 8) 0x1000:uw T6 f_8.0 ud_8.0", LOAD),
        case("load-3d-dst-type", "load_lz.R (M1, 8) 0x0:uw T6 ub_32.0 ud_8.0", LOAD),
        case(
            "load-3d-params",
            edited!(LOAD, Instruction::Load3d(i) => i.params = Params::EMPTY),
            "load_lz.R (M1, 8) 0x0:uw T6 f_8.0 uw_8.0",
        ),
        case(
            "load-3d-op",
            edited!(LOAD, Instruction::Load3d(i) => i.op = SamplerOp::GATHER4),
            LOAD,
        ),
        case(
            "load-3d-channels",
            edited!(LOAD, Instruction::Load3d(i) => i.channels = ChannelMask::empty()),
            LOAD,
        ),
        case("load-3d-param-types", "load_lz.R (M1, 8) 0x0:uw T6 f_8.0 f_8.0", LOAD),
        case(
            "load-3d-param-types",
            "load_lz.R (M1, 8) 0x0:uw T6 f_8.0 ud_8.0 uw_8.0",
            "load_lz.R (M1, 8) 0x0:uw T6 f_8.0 uw_8.0 uw_8.0",
        ),
        case("load-3d-param-sign", "load_lz.R (M1, 8) 0x0:uw T6 f_8.0 ud_8.0 d_8.0", LOAD),
        case(
            "gather4-3d-op",
            edited!(GATHER, Instruction::Gather4(i) => i.op = SamplerOp::LOAD),
            GATHER,
        ),
        case(
            "gather4-3d-channel",
            edited!(GATHER, Instruction::Gather4(i) => i.channel = 4),
            GATHER,
        ),
        case(
            "gather4-3d-params",
            "sample4.R (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 \
              f_8.0",
            "sample4.R (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0 f_8.0",
        ),
        case(
            "gather4-3d-param-type",
            "sample4.R (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0 d_8.0",
            "sample4_po.R (M1, 8) 0x0:uw S0 T6 f_32.0 f_8.0 f_8.0 d_8.0 d_8.0",
        ),
        case("gather4-3d-param-half", "sample4.R (M1, 8) 0x0:uw S0 T6 f_32.0 hf_8.0", GATHER)
            .on(Cnl),
    ]
}

fn analytics() -> Vec<Case> {
    const LINES: &str = concat!("va_skl_plus.CONV_1D_HORIZONTAL T6 S0 ", uv!(), " 1x16 uw_32.0");
    const CREATION: &str = concat!("va_skl_plus.LBP_CREATION T6 ", uv!(), " VA_5x5_mode uw_32.0");
    const HDC_CREATION: &str =
        concat!("va_skl_plus.HDC_LBP_CREATION T6 ", uv!(), " VA_5x5_mode T7 0x0:uw 0x0:uw");
    const FILTER: &str = concat!(
        "va_skl_plus.HDC_MIN_MAX_FILTER T6 S0 ",
        uv!(),
        " VA_Y8_FORMAT VA_MIN_ENABLE T7 0x0:uw 0x0:uw"
    );
    vec![
        case(
            "va-mode",
            edited!(LINES, Instruction::VaSklPlus(VaSklPlus::Convolve1dHorizontal(i)) =>
                 i.mode = FilterExecMode::from_bits(1).expect("a byte")),
            LINES,
        ),
        case(
            "va-lbp-mode",
            edited!(CREATION, Instruction::VaSklPlus(VaSklPlus::LbpCreation(i)) =>
                 i.mode = LbpMode::from_bits(3).expect("a byte")),
            CREATION,
        ),
        case(
            "va-lbp-mode",
            edited!(HDC_CREATION, Instruction::VaSklPlus(VaSklPlus::HdcLbpCreation(i)) =>
                 i.mode = LbpMode::from_bits(4).expect("a byte")),
            HDC_CREATION,
        ),
        case(
            "va-min-max-mode",
            edited!(FILTER, Instruction::VaSklPlus(VaSklPlus::HdcMinMaxFilter(i)) =>
                 i.mode = MinMaxEnable::from_bits(3).expect("a byte")),
            FILTER,
        ),
        case(
            "va-pixel-size",
            edited!(FILTER, Instruction::VaSklPlus(VaSklPlus::HdcMinMaxFilter(i)) =>
                 i.pixel_size = HdcPixelSize::from_bits(2).expect("a byte")),
            FILTER,
        ),
    ]
}

fn motion() -> Vec<Case> {
    const IME: &str = ".decl out v_type=G type=ub num_elts=512 align=GRF\n\
         vme_ime(3,3) T6 ub_128.0 ub_128.0 uw_4.0 uw_4.0 uw_16.0 out.0";
    const FBR: &str = ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
         vme_fbr ( 0x3:ud, 0x0:ud, 0x0:ud) T6 ub_128.0 ub_128.0 out.0";
    vec![
        case("vme-stream-mode", edited!(IME, Instruction::VmeIme(i) => i.stream_mode = 4), IME),
        case("vme-search-control", edited!(IME, Instruction::VmeIme(i) => i.search_ctrl = 4), IME),
        case(
            "vme-type",
            ".decl out v_type=G type=ub num_elts=512 align=GRF\n\
              vme_ime(3,3) T6 ub_128.0 ub_128.0 ud_4.0 uw_4.0 uw_16.0 out.0",
            IME,
        ),
        case(
            "vme-type",
            ".decl out v_type=G type=b num_elts=224 align=GRF\n\
              vme_sic T6 ub_128.0 ub_128.0 out.0",
            ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
              vme_sic T6 ub_128.0 ub_128.0 out.0",
        ),
        case(
            "vme-size",
            ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
              vme_ime(1,0) T6 ub_128.0 ub_128.0 uw_4.0 uw_4.0 uw_16.0 out.0",
            ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
              vme_ime(0,0) T6 ub_128.0 ub_64.0 uw_4.0 uw_4.0 uw_16.0 out.0",
        ),
        case(
            "vme-size",
            ".decl out v_type=G type=ub num_elts=512 align=GRF\n\
              vme_idm T6 ub_128.0 ub_16.0 out.0",
            ".decl out v_type=G type=ub num_elts=512 align=GRF\n\
              vme_idm T6 ub_128.0 ub_32.0 out.0",
        ),
        case(
            "vme-mode-type",
            ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
              vme_fbr ( 0x3:ub, 0x0:ud, 0x0:ud) T6 ub_128.0 ub_128.0 out.0",
            FBR,
        ),
        case(
            "vme-mode",
            ".decl out v_type=G type=ub num_elts=224 align=GRF\n\
              vme_fbr ( 0x4:ud, 0x0:ud, 0x0:ud) T6 ub_128.0 ub_128.0 out.0",
            FBR,
        ),
    ]
}
