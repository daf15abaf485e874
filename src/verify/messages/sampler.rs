//! Messages to the sampler other than 3D_SAMPLE and INFO.

use super::data_port::{SLM, at_least_one};
use crate::isa::{Avs, Gather4, Load, Load3d, Sample, SampleUnorm};
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::{ChannelMask, DataType, ExecSize, SampleMode, SurfaceId};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// A surface that only may be one that the routine declares.
pub(in crate::verify) struct Declared(pub(super) &'static str, pub(super) SurfaceId);

/// A surface that only may not be the shared local memory.
pub(in crate::verify) struct Memory(pub(super) &'static str, pub(super) SurfaceId);

rules! { declared for Declared;
    /// SAMPLE, LOAD, SAMPLE_UNORM and video analytics read surfaces that the routine declares.
    fn surface "sampler-surface" (Error, ANY, "reference") |i, c| {
        if i.1 < SurfaceId::FIRST_DECLARED {
            c.fail(i.0, i.1, "a declared surface");
        }
    }
}

rules! { memory for Memory;
    /// AVS and what of video analytics searches or writes work on other surfaces than T0, the
    /// shared local memory.
    fn surface "sampler-slm" (Error, ANY, "reference") |i, c| {
        if i.1 == SLM {
            c.fail(i.0, i.1, "another surface");
        }
    }
}

/// The channels of a message of old.
pub(in crate::verify) struct Channels(pub(super) ChannelMask);

rules! { channels for Channels;
    /// SAMPLE, LOAD, SAMPLE_UNORM and AVS return at least one channel.
    fn channels "sample-channels" (Error, ANY, "SAMPLE_UNORM.md, Channel_mask") |i, c| {
        at_least_one(i.0, c);
    }
}

/// The mode of SAMPLE and LOAD.
pub(in crate::verify) struct Simd(SampleMode);

rules! { simd for Simd;
    /// SAMPLE and LOAD run 8 or 16 lanes.
    fn mode "sample-mode" (Error, ANY, "reference") |i, c| {
        if i.0 > SampleMode::MODE1 {
            c.fail("channels", format_args!("mode {}", i.0), "0 for 8 lanes or 1 for 16");
        }
    }
}

pub(super) fn check_sample(i: &Sample, cx: &mut super::Context<'_>) {
    declared::check(&Declared("surface", i.surface), cx);
    channels::check(&Channels(i.channels.channels), cx);
    simd::check(&Simd(i.channels.mode), cx);
}

pub(super) fn check_load(i: &Load, cx: &mut super::Context<'_>) {
    declared::check(&Declared("surface", i.surface), cx);
    channels::check(&Channels(i.channels.channels), cx);
    simd::check(&Simd(i.channels.mode), cx);
}

pub(super) fn check_unorm(i: &SampleUnorm, cx: &mut super::Context<'_>) {
    declared::check(&Declared("surface", i.surface), cx);
    channels::check(&Channels(i.channels.channels), cx);
    unorm::check(i, cx);
}

pub(super) fn check_avs(i: &Avs, cx: &mut super::Context<'_>) {
    memory::check(&Memory("surface", i.surface), cx);
    channels::check(&Channels(i.channels), cx);
    avs::check(i, cx);
}

rules! { unorm for SampleUnorm;
    /// The coordinates of SAMPLE_UNORM are of type F.
    fn offset_type "sample-unorm-offset-type" (Error, ANY, "SAMPLE_UNORM.md, U_offset") |i, c| {
        c.wants_scalar("u_offset", &i.u_offset, Types::F);
        c.wants_scalar("v_offset", &i.v_offset, Types::F);
        c.wants_scalar("delta_u", &i.delta_u, Types::F);
        c.wants_scalar("delta_v", &i.delta_v, Types::F);
    }

    /// What SAMPLE_UNORM returns is of type UW.
    fn dst_type "sample-unorm-dst-type" (Error, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        c.wants("dst", i.dst, Types::UW);
    }

    /// The destination of SAMPLE_UNORM holds 32 words a channel.
    fn dst_size "sample-unorm-dst-size" (Error, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        let needed = 64 * i64::from(i.channels.channels.bits().count_ones());
        if let Some(room) = c.room(i.dst).filter(|room| *room < needed) {
            c.fail("dst", format_args!("{room} bytes"), format_args!("at least {needed}"));
        }
    }
}

rules! { avs for Avs;
    /// The output format of AVS is 0 to 3.
    fn format "avs-output-format" (Error, ANY, "AVS.md, Cntrl") |i, c| {
        // The reference looks at four bits.
        if i.cntrl.bits() & 15 > OutputFormat::DOWN_SAMPLE_8.bits() {
            c.fail("cntrl", i.cntrl, "0 to 3");
        }
    }

    /// The execution mode of AVS is 0 to 3.
    fn mode "avs-exec-mode" (Error, ANY, "AVS.md, ExecMode") |i, c| {
        if i.exec_mode.bits() & 15 > AvsExecMode::B4X4.bits() {
            c.fail("exec_mode", i.exec_mode, "0 to 3");
        }
    }

    /// The scalars of AVS are of type F, its group and block number UD, the bypass UB.
    fn scalar_type "avs-type" (Error, ANY, "AVS.md, U_offset") |i, c| {
        c.wants_scalar("u_offset", &i.u_offset, Types::F);
        c.wants_scalar("v_offset", &i.v_offset, Types::F);
        c.wants_scalar("delta_u", &i.delta_u, Types::F);
        c.wants_scalar("delta_v", &i.delta_v, Types::F);
        c.wants_scalar("u2d", &i.u2d, Types::F);
        c.wants_scalar("group_id", &i.group_id, Types::UD);
        c.wants_scalar("vertical_block_number", &i.vertical_block_number, Types::UD);
        c.wants_scalar("v2d", &i.v2d, Types::F);
        c.wants_scalar("ief_bypass", &i.ief_bypass, Types::UB);
    }
}

/// What a texel of LOAD_3D and GATHER4_3D may be.
const TEXELS: Types =
    Types::of(&[DataType::HF, DataType::F, DataType::W, DataType::UW, DataType::D, DataType::UD]);

/// The kin of 3D_SAMPLE: what LOAD_3D and GATHER4_3D have in common.
macro_rules! texels {
    ($($name:ident),*) => {$(
        impl<'i> From<&'i $name> for Texels<'i> {
            #[inline(always)]
            fn from(i: &'i $name) -> Texels<'i> {
                Texels {
                    exec: i.exec,
                    flags: i.flags,
                    aoffimmi: &i.aoffimmi,
                    dst: i.dst,
                    params: i.params.len(),
                }
            }
        }
    )*};
}

/// What LOAD_3D and GATHER4_3D have in common.
pub(in crate::verify) struct Texels<'i> {
    exec: crate::operand::Exec,
    flags: crate::isa::SampleFlags,
    aoffimmi: &'i crate::operand::Aoffimmi,
    dst: crate::operand::Raw,
    params: usize,
}

texels!(Load3d, Gather4);

rules! { texels for Texels<'_>;
    /// LOAD_3D and GATHER4_3D run 8, 16 or 32 lanes.
    fn exec_size "load-3d-exec-size" (Error, ANY, "3D_LOAD.md, Exec_size") |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail("exec", i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    /// Before SKL, LOAD_3D and GATHER4_3D return no pixel null mask.
    fn flags "load-3d-null-mask" (Error, before(Skl), "reference") |i, c| {
        if !i.flags.is_empty() {
            c.fail("flags", format_args!("{:#x}", i.flags.bits()), "none");
        }
    }

    /// The texel offsets of LOAD_3D and GATHER4_3D are of type UW.
    fn aoffimmi_type "load-3d-aoffimmi-type" (Error, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        c.wants_scalar("aoffimmi", &i.aoffimmi.0, Types::UW);
    }

    /// The four upper bits of the texel offsets of LOAD_3D and GATHER4_3D are zero.
    fn aoffimmi "load-3d-aoffimmi-reserved" (Error, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        let word = i.aoffimmi.0.as_imm().filter(|imm| imm.ty() == DataType::UW);
        if let Some(imm) = word.filter(|_| i.aoffimmi.reserved() != 0) {
            c.fail("aoffimmi", imm, "a word with bits 12 to 15 zero");
        }
    }

    /// The texels of LOAD_3D and GATHER4_3D are of type HF, F, W, UW, D or UD.
    fn dst_type "load-3d-dst-type" (Error, ANY, "3D_LOAD.md, Dst") |i, c| {
        c.wants("dst", i.dst, TEXELS);
    }

    /// LOAD_3D and GATHER4_3D have at least one parameter.
    fn params "load-3d-params" (Error, ANY, "3D_LOAD.md, NumParams") |i, c| {
        if i.params == 0 {
            c.fail("params", "none", "at least one");
        }
    }
}

rules! { load for Load3d;
    /// The operation of LOAD_3D is one that loads.
    fn op "load-3d-op" (Error, ANY, "3D_LOAD.md, Op") |i, c| {
        if !matches!(i.op.bits(), 0x07 | 0x1a | 0x1c | 0x1d) {
            c.fail("op", i.op, "a load");
        }
    }

    /// LOAD_3D returns at least one channel.
    fn channels "load-3d-channels" (Error, ANY, "3D_LOAD.md, Channels") |i, c| {
        at_least_one(i.channels, c);
    }

    /// The parameters of LOAD_3D are all of type UD or D, or all of type UW.
    fn param_types "load-3d-param-types" (Error, ANY, "3D_LOAD.md, Notes") |i, c| {
        const LEGAL: Types = Types::of(&[DataType::UD, DataType::D, DataType::UW]);
        let mut size = None;
        for param in i.params.iter() {
            let Some(ty) = c.raw_ty(*param) else { continue };
            if !LEGAL.contains(ty) {
                c.fail("params", ty, LEGAL);
            } else if *size.get_or_insert(ty.size()) != ty.size() {
                c.fail("params", ty, "the type of the others");
            }
        }
    }

    /// The parameters of LOAD_3D are unsigned.
    fn param_sign "load-3d-param-sign" (Warning, ANY, "3D_LOAD.md, Notes") |i, c| {
        // Compilers that ship pass the D that they computed.
        for param in i.params.iter() {
            if c.raw_ty(*param) == Some(DataType::D) {
                c.fail("params", DataType::D, DataType::UD);
            }
        }
    }
}

rules! { gather4 for Gather4;
    /// The operation of GATHER4_3D is one that gathers.
    fn op "gather4-3d-op" (Error, ANY, "3D_SAMPLE4.md, Op") |i, c| {
        let known = matches!(
            i.op.bits(),
            0x08 | 0x0d..=0x12 | 0x15 | 0x2d..=0x2f | 0x35 | 0x37
        );
        if !known {
            c.fail("op", i.op, "a gather");
        }
    }

    /// GATHER4_3D gathers channel 0, 1, 2 or 3.
    fn channel "gather4-3d-channel" (Error, ANY, "3D_SAMPLE4.md, Src_channel") |i, c| {
        if i.channel > 3 {
            c.fail("channel", i.channel, "0 to 3");
        }
    }

    /// GATHER4_3D has at most 7 parameters.
    fn params "gather4-3d-params" (Error, ANY, "reference") |i, c| {
        if i.params.len() > 7 {
            c.fail("params", i.params.len(), "at most 7");
        }
    }

    /// The parameters of GATHER4_3D are of type F or HF; offsets of texels may be of type D.
    fn param_type "gather4-3d-param-type" (Error, ANY, "3D_SAMPLE4.md, Notes") |i, c| {
        const FLOATS: Types = Types::of(&[DataType::F, DataType::HF]);
        const WITH_OFFSETS: Types = Types::of(&[DataType::F, DataType::HF, DataType::D]);
        let has_offsets = matches!(i.op.bits(), 0x11 | 0x12 | 0x2d..);
        for param in i.params.iter() {
            c.wants("params", *param, if has_offsets { WITH_OFFSETS } else { FLOATS });
        }
    }

    /// Before ICLLP, the parameters of GATHER4_3D are not of type HF.
    fn half "gather4-3d-param-half" (Error, before(Icllp), "3D_SAMPLE4.md, Notes") |i, c| {
        for param in i.params.iter() {
            if c.raw_ty(*param) == Some(DataType::HF) {
                c.fail("params", DataType::HF, DataType::F);
            }
        }
    }
}
