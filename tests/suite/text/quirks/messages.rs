//! Quirks of the sampler, video analytics and the load-store cache.

use genvisa::Version;
use genvisa::isa::lsc::{Access, TypedAccess};
use genvisa::isa::va::Convolve;
use genvisa::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical, LbpCreation};
use genvisa::isa::{
    Load3d, LscFence, Params, Sample, Sample3d, SampleFlags, SampleOp, SamplerOp, VmeIdm, VmeSic,
    svm,
};
use genvisa::object::Kernel;
use genvisa::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscDataElems, LscDataOrder, LscDataSize, LscFenceOp, LscOp,
    LscScope, LscSfid,
};
use genvisa::operand::va::{FilterExecMode, LbpMode};
use genvisa::operand::{
    ChannelMask, ChannelsMode, ExecSize, Imm, Pred, Raw, SampleMode, SurfaceId, Vector,
};
use genvisa::text::Quirk;

use super::{Case, line, sampler, surface, variable};

/// Returns the line of a message with a paired surface.
fn paired(text: &str) -> String {
    line(text, 0).replace('\n', " //@ paired\n")
}

/// The reason why messages without channels are not compared with the tool.
const COMPILES_WITHOUT_END: &str =
    "the tool prints the expected text, then compiles until it is killed";

pub fn cases() -> Vec<Case> {
    let mut cases = sampler_messages();
    cases.extend(video());
    cases.extend(lsc());
    cases
}

/// Creates a sample message with one parameter.
fn sample_3d(kernel: &mut Kernel<'static>) -> Sample3d {
    let x = Raw::from(variable(kernel, "x"));
    Sample3d {
        exec: ExecSize::S8.into(),
        sampler: sampler(kernel).into(),
        surface: surface(kernel).into(),
        dst: x,
        params: Params::new(&[x]).expect("few parameters"),
        ..Sample3d::default()
    }
}

/// Creates a sample message of the older kind.
fn sample(kernel: &mut Kernel<'static>, channels: ChannelMask, mode: SampleMode) -> Sample {
    let x = Raw::from(variable(kernel, "x"));
    let channels = ChannelsMode { channels, mode };
    let (sampler, surface) = (sampler(kernel), surface(kernel));
    Sample { channels, sampler, surface, u: x, v: x, r: x, dst: x }
}

fn sampler_messages() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::NoChannelNoText,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let (exec, pred, channels) =
                    (ExecSize::S8.into(), Pred::NONE, ChannelMask::empty());
                let (scale, address, offsets) = (0, Imm::ud(0).into(), x);
                let gather =
                    svm::Gather4Scaled { exec, pred, channels, scale, address, offsets, dst: x };
                let scatter =
                    svm::Scatter4Scaled { exec, pred, channels, scale, address, offsets, src: x };
                vec![gather.into(), scatter.into()]
            },
            line("svm_gather4scaled. (M1, 8) 0x0:ud x.0 x.0", 0)
                + &line("svm_scatter4scaled. (M1, 8) 0x0:ud x.0 x.0", 1),
            line("svm_gather4scaled.0000 (M1, 8) 0x0:ud x.0 x.0", 0)
                + &line("svm_scatter4scaled.0000 (M1, 8) 0x0:ud x.0 x.0", 1),
        )
        .without_reference(COMPILES_WITHOUT_END),
        Case::new(
            Quirk::SamplerFlagsForgotten,
            |kernel| {
                let flags = SampleFlags::PIXEL_NULL_MASK | SampleFlags::CPS;
                vec![Sample3d { flags, ..sample_3d(kernel) }.into()]
            },
            line("sample_3d.RGBA (M1, 8)  0x0:uw S0 T6 x.0 x.0", 0),
            paired("sample_3d.pixel_null_mask.cps.RGBA (M1, 8)  0x0:uw S0 T6 x.0 %null.0 x.0"),
        ),
        Case::new(
            Quirk::SamplerFlagsForgotten,
            |kernel| {
                let flags = SampleFlags::all();
                vec![Sample3d { flags, ..sample_3d(kernel) }.into()]
            },
            line("sample_3d.pixel_null_mask.cps.RGBA (M1, 8)  0x0:uw S0 T6 x.0 x.0", 0),
            paired("sample_3d.pixel_null_mask.cps.divS.RGBA (M1, 8)  0x0:uw S0 T6 x.0 %null.0 x.0"),
        )
        .since(Version::V4_0),
        Case::new(
            Quirk::PairedSurfaceOmitted,
            |kernel| vec![sample_3d(kernel).into()],
            line("sample_3d.RGBA (M1, 8)  0x0:uw S0 T6 x.0 x.0", 0),
            paired("sample_3d.RGBA (M1, 8)  0x0:uw S0 T6 x.0 %null.0 x.0"),
        ),
        Case::new(
            Quirk::UnknownSamplerOperation,
            |kernel| {
                let op = SampleOp::from_bits(0x1f).expect("any byte");
                vec![Sample3d { op, ..sample_3d(kernel) }.into()]
            },
            line("sampler_unknown.RGBA (M1, 8)  0x0:uw S0 T6 x.0 x.0", 0),
            line("sampler_op_0x1f.RGBA (M1, 8)  0x0:uw S0 T6 x.0 %null.0 x.0", 0).trim_end(),
        ),
        Case::new(
            Quirk::NoChannelNoText,
            |kernel| {
                let Sample3d { exec, surface, dst, params, .. } = sample_3d(kernel);
                let (op, channels) = (SamplerOp::LOAD, ChannelMask::empty());
                let load = Load3d { op, exec, channels, surface, dst, params, ..Load3d::default() };
                vec![load.into()]
            },
            line("load_3d. (M1, 8)  0x0:uw T6 x.0 x.0", 0),
            paired("load_3d.0000 (M1, 8)  0x0:uw T6 x.0 %null.0 x.0"),
        )
        .without_reference(COMPILES_WITHOUT_END),
        Case::new(
            Quirk::NoChannelNoText,
            |kernel| vec![sample(kernel, ChannelMask::empty(), SampleMode::MODE1).into()],
            line("sample. (16) S0 T6 x.0 x.0 x.0 x.0", 0),
            line("sample.0000 (16) S0 T6 x.0 x.0 x.0 x.0", 0),
        ),
    ]
}

fn video() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::VmeSurfaceNumbered,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let surface = SurfaceId(4);
                vec![VmeSic { uni_input: x, sic_input: x, surface, output: x }.into()]
            },
            line("vme_sic T4  x.0 x.0 x.0", 0),
            line("vme_sic %bss  x.0 x.0 x.0", 0),
        ),
        Case::new(
            Quirk::IdmAsSic,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let surface = surface(kernel);
                vec![VmeIdm { uni_input: x, idm_input: x, surface, output: x }.into()]
            },
            line("vme_sic T6  x.0 x.0 x.0", 0),
            line("vme_idm T6  x.0 x.0 x.0", 0),
        ),
        Case::new(
            Quirk::ConvolveDirectionSwapped,
            |kernel| {
                let (dst, mode) = (variable(kernel, "x").into(), FilterExecMode::B16X4);
                let (sampler, surface) = (sampler(kernel), surface(kernel));
                let (u_offset, v_offset) = (Imm::f(0.0).into(), Imm::f(1.0).into());
                vec![
                    Convolve1dVertical { sampler, surface, u_offset, v_offset, mode, dst }.into(),
                    Convolve1dHorizontal { sampler, surface, u_offset, v_offset, mode, dst }.into(),
                ]
            },
            line("va_skl_plus.CONV_1D_HORIZONTAL T6 S0 0x0:f 0x3f800000:f 4x16 x.0", 0)
                + &line("va_skl_plus.CONV_1D_VERTICAL T6 S0 0x0:f 0x3f800000:f 4x16 x.0", 1),
            line("va_skl_plus.CONV_1D_VERTICAL T6 S0 0x0:f 0x3f800000:f 4x16 x.0", 0)
                + &line("va_skl_plus.CONV_1D_HORIZONTAL T6 S0 0x0:f 0x3f800000:f 4x16 x.0", 1),
        ),
        Case::new(
            Quirk::ConvolveAlwaysSmall,
            |kernel| {
                let dst = variable(kernel, "x").into();
                let (sampler, surface) = (sampler(kernel), surface(kernel));
                let (u_offset, v_offset) = (Imm::f(0.0).into(), Imm::f(1.0).into());
                let properties = 0x10;
                vec![Convolve { sampler, surface, u_offset, v_offset, properties, dst }.into()]
            },
            line("va.convolve T6 S0 0x0:f 0x3f800000:f VA_CONV_16x4 15x15 x.0", 0),
            line("va.convolve T6 S0 0x0:f 0x3f800000:f VA_CONV_16x4 31x31 x.0", 0),
        ),
        Case::new(
            Quirk::LbpModesReversed,
            |kernel| {
                let (surface, dst) = (surface(kernel), variable(kernel, "x").into());
                let (u_offset, v_offset) = (Imm::f(0.0).into(), Imm::f(1.0).into());
                let lbp = |mode| LbpCreation { surface, u_offset, v_offset, mode, dst }.into();
                vec![lbp(LbpMode::BOTH), lbp(LbpMode::B5X5)]
            },
            line("va_skl_plus.LBP_CREATION T6 0x0:f 0x3f800000:f VA_5x5_mode x.0", 0)
                + &line("va_skl_plus.LBP_CREATION T6 0x0:f 0x3f800000:f VA_BOTH_mode x.0", 1),
            line("va_skl_plus.LBP_CREATION T6 0x0:f 0x3f800000:f VA_BOTH_mode x.0", 0)
                + &line("va_skl_plus.LBP_CREATION T6 0x0:f 0x3f800000:f VA_5x5_mode x.0", 1),
        ),
    ]
}

/// Creates a load from the surface in the register `x`.
fn load(kernel: &mut Kernel<'static>) -> Access {
    let x = Raw::from(variable(kernel, "x"));
    Access {
        op: LscOp::LOAD,
        exec: ExecSize::S16.into(),
        addr_type: LscAddrType::BTI,
        addr_scale: 1,
        addr_offset: 0x2b,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_elems: LscDataElems::X1,
        data_order: LscDataOrder::NONTRANSPOSE,
        channels: ChannelMask::empty(),
        surface: Vector::scalar(x.var),
        dst: x,
        addrs: x,
        ..Access::default()
    }
}

/// Creates a load by channels from surface 0x1a, with all coordinates in registers.
fn load_quad(kernel: &mut Kernel<'static>) -> TypedAccess {
    let x = Raw::from(variable(kernel, "x"));
    TypedAccess {
        op: LscOp::LOAD_QUAD,
        exec: ExecSize::S16.into(),
        addr_type: LscAddrType::BTI,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_elems: LscDataElems::X1,
        data_order: LscDataOrder::NONTRANSPOSE,
        channels: ChannelMask::R,
        surface: Imm::ud(0x1a).into(),
        dst: x,
        u: x,
        v: x,
        r: x,
        lod: x,
        ..TypedAccess::default()
    }
}

fn lsc() -> Vec<Case> {
    let cases = vec![
        Case::new(
            Quirk::LscOffsetsOmitted,
            |kernel| {
                let load = load_quad(kernel);
                let at = |offset| Raw { offset, ..load.u };
                vec![TypedAccess { u: at(64), v: at(128), ..load }.into()]
            },
            line("lsc_load_quad.tgm (M1, 16)  x:d32.x  bti(0x1A)[x, x, x, x]:a32", 0),
            line("lsc_load_quad.tgm (M1, 16)  x:d32.x  bti(0x1A)[x.64, x.128, x, x]:a32", 0),
        ),
        Case::new(
            Quirk::NullCoordinatesPrinted,
            |kernel| {
                let null = Raw::NULL;
                vec![TypedAccess { r: null, lod: null, ..load_quad(kernel) }.into()]
            },
            line("lsc_load_quad.tgm (M1, 16)  x:d32.x  bti(0x1A)[x, x, %null, %null]:a32", 0),
            line("lsc_load_quad.tgm (M1, 16)  x:d32.x  bti(0x1A)[x, x]:a32", 0),
        ),
        Case::new(
            Quirk::StateInfoAddressOmitted,
            |kernel| {
                let (op, exec, null) = (LscOp::READ_STATE_INFO, ExecSize::S1.into(), Raw::NULL);
                let channels = ChannelMask::empty();
                let load = load_quad(kernel);
                let (v, r, lod) = (null, null, null);
                vec![TypedAccess { op, exec, channels, v, r, lod, ..load }.into()]
            },
            line("lsc_read_state_info.tgm  x  bti(0x1A)", 0),
            line("lsc_read_state_info.tgm  x  bti(0x1A)[x]", 0),
        ),
        Case::new(
            Quirk::LscUpperCaseSticks,
            |kernel| vec![Access { surface: Imm::ud(0x1a).into(), ..load(kernel) }.into()],
            line("lsc_load.ugm (M1, 16)  x:d32  bti(0x1A)[x+0x2B]:a32", 0),
            line("lsc_load.ugm (M1, 16)  x:d32  bti(0x1A)[x+0x2b]:a32", 0),
        ),
        Case::new(
            Quirk::LscUpperCaseSticks,
            |kernel| {
                let data_size = LscDataSize::from_bits(0x1e).expect("any byte");
                vec![Access { data_size, ..load(kernel) }.into()]
            },
            line("lsc_load.ugm (M1, 16)  x:<<1E?>>  bti(x)[x+0x2B]:a32", 0),
            // The bytes follow.
            line("lsc_load.ugm (M1, 16)  x:<<1E?>>  bti(x)[x+0x2b]:a32", 0).trim_end(),
        ),
        Case::new(
            Quirk::LscUpperCaseSticks,
            |kernel| {
                let sfid = LscSfid::from_bits(0xe).expect("any byte");
                let l1 = LscCache::from_bits(0xf).expect("any byte");
                vec![Access { sfid, l1, ..load(kernel) }.into()]
            },
            line("lsc_load.<<E?>><<F?>>.df (M1, 16)  x:d32  bti(x)[x+0x2B]:a32", 0),
            line("lsc_load.<<E?>><<F?>>.df (M1, 16)  x:d32  bti(x)[x+0x2b]:a32", 0).trim_end(),
        ),
        Case::new(
            Quirk::UnknownFenceCodes,
            |_| {
                let (exec, pred, sfid) = (ExecSize::S1.into(), Pred::NONE, LscSfid::UGM);
                let op = LscFenceOp::from_bits(9).expect("any byte");
                let scope = LscScope::from_bits(10).expect("any byte");
                vec![LscFence { exec, pred, sfid, op, scope }.into()]
            },
            line("lsc_fence.ugm.???.???", 0),
            line("lsc_fence.ugm.0x9.0xa", 0).trim_end(),
        ),
    ];
    cases.into_iter().map(|case| case.on("PVC")).collect()
}
