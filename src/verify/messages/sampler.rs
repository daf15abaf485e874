//! Rules for messages to the sampler, except 3D_SAMPLE and INFO.

use super::data_port::require_channel;
use crate::format::Format;
use crate::isa::{Avs, Gather4, Load, Load3d, Sample, SampleUnorm};
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::{ChannelMask, DataType, ExecSize, SampleMode, SurfaceId};
use crate::verify::rule::rules;
use crate::verify::sample_3d::offset_types;
use crate::verify::types::{SLM, Types};

/// The field and the id of a surface that must be declared.
pub(in crate::verify) struct DeclaredSurface(pub(super) &'static str, pub(super) SurfaceId);

/// The field and the id of a surface that must not be the shared local memory.
pub(in crate::verify) struct MemorySurface(pub(super) &'static str, pub(super) SurfaceId);

rules! { declared for DeclaredSurface;
    /// The surfaces of SAMPLE, LOAD, SAMPLE_UNORM and video analytics are declared.
    fn surface "sampler-surface" (Refuses, ANY, "reference") |i, c| {
        if i.1 < SurfaceId::FIRST_DECLARED {
            c.fail(i.0, i.1, "a declared surface");
        }
    }
}

rules! { memory for MemorySurface;
    /// The surfaces of AVS, and of video analytics that search or write surfaces, are not T0, the
    /// shared local memory.
    fn surface "sampler-slm" (RefusedIn2022, ANY, "reference") |i, c| {
        if i.1 == SLM {
            c.report(i.0, "the surface cannot be T0, the shared local memory");
        }
    }
}

/// The channels of SAMPLE, LOAD, SAMPLE_UNORM and AVS.
pub(in crate::verify) struct ReturnedChannels(pub(super) ChannelMask);

rules! { channels for ReturnedChannels;
    /// SAMPLE, LOAD, SAMPLE_UNORM and AVS return at least one channel.
    fn channels "sample-channels" (Refuses, ANY, "SAMPLE_UNORM.md, Channel_mask") |i, c| {
        require_channel(i.0, c);
    }
}

/// The mode of SAMPLE and LOAD, which is their execution size.
pub(in crate::verify) struct SimdMode(SampleMode);

rules! { simd for SimdMode;
    /// The mode of SAMPLE and LOAD is 0, for 8 lanes, or 1, for 16 lanes.
    fn mode "sample-mode" (Accepts, ANY, "reference") |i, c| {
        if i.0 > SampleMode::MODE1 {
            c.fail("channels", i.0, "mode 0 (8 lanes) or 1 (16 lanes)");
        }
    }
}

pub(super) fn check_sample(i: &Sample, cx: &mut super::Context<'_>) {
    declared::check(&DeclaredSurface("surface", i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    simd::check(&SimdMode(i.channels.mode), cx);
}

pub(super) fn check_load(i: &Load, cx: &mut super::Context<'_>) {
    declared::check(&DeclaredSurface("surface", i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    simd::check(&SimdMode(i.channels.mode), cx);
}

pub(super) fn check_unorm(i: &SampleUnorm, cx: &mut super::Context<'_>) {
    declared::check(&DeclaredSurface("surface", i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    unorm::check(i, cx);
}

pub(super) fn check_avs(i: &Avs, cx: &mut super::Context<'_>) {
    memory::check(&MemorySurface("surface", i.surface), cx);
    channels::check(&ReturnedChannels(i.channels), cx);
    avs::check(i, cx);
}

rules! { unorm for SampleUnorm;
    /// The coordinates of SAMPLE_UNORM have type F.
    fn offset_type "sample-unorm-offset-type" (Accepts, ANY, "SAMPLE_UNORM.md, U_offset") |i, c| {
        c.require_scalar_type("u_offset", &i.u_offset, Types::F);
        c.require_scalar_type("v_offset", &i.v_offset, Types::F);
        c.require_scalar_type("delta_u", &i.delta_u, Types::F);
        c.require_scalar_type("delta_v", &i.delta_v, Types::F);
    }

    /// The destination of SAMPLE_UNORM has type UW.
    fn dst_type "sample-unorm-dst-type" (Accepts, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        c.require_type("dst", i.dst, Types::UW);
    }

    /// The destination of SAMPLE_UNORM has 32 words per channel.
    fn dst_size "sample-unorm-dst-size" (Miscompiles, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        let needed = c.payload_bytes(i, "dst", i.dst);
        if c.bytes_left(i.dst).is_some_and(|left| left < needed) {
            c.fail_size("dst", i.dst, needed);
        }
    }
}

rules! { avs for Avs;
    /// The output format of AVS is 0 to 3.
    fn format "avs-output-format" (RefusedIn2022, ANY, "AVS.md, Cntrl") |i, c| {
        // The reference checks four bits.
        if i.cntrl.bits() & 15 > OutputFormat::DOWN_SAMPLE_8.bits() {
            c.fail("cntrl", i.cntrl, "output format 0 to 3");
        }
    }

    /// The execution mode of AVS is 0 to 3.
    fn mode "avs-exec-mode" (RefusedIn2022, ANY, "AVS.md, ExecMode") |i, c| {
        if i.exec_mode.bits() & 15 > AvsExecMode::B4X4.bits() {
            c.fail("exec_mode", i.exec_mode, "mode 0 to 3");
        }
    }

    /// The scalars of AVS have type F, except the group id and the block number (UD) and the bypass
    /// (UB).
    fn scalar_type "avs-type" (Accepts, ANY, "AVS.md, U_offset") |i, c| {
        c.require_scalar_type("u_offset", &i.u_offset, Types::F);
        c.require_scalar_type("v_offset", &i.v_offset, Types::F);
        c.require_scalar_type("delta_u", &i.delta_u, Types::F);
        c.require_scalar_type("delta_v", &i.delta_v, Types::F);
        c.require_scalar_type("u2d", &i.u2d, Types::F);
        c.require_scalar_type("group_id", &i.group_id, Types::UD);
        c.require_scalar_type("vertical_block_number", &i.vertical_block_number, Types::UD);
        c.require_scalar_type("v2d", &i.v2d, Types::F);
        c.require_scalar_type("ief_bypass", &i.ief_bypass, Types::UB);
    }
}

/// The types of the texels of LOAD_3D and GATHER4_3D.
const TEXELS: Types =
    Types::of(&[DataType::HF, DataType::F, DataType::W, DataType::UW, DataType::D, DataType::UD]);

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

/// The common fields of LOAD_3D and GATHER4_3D.
pub(in crate::verify) struct Texels<'i> {
    exec: crate::operand::Exec,
    flags: crate::isa::SampleFlags,
    aoffimmi: &'i crate::operand::Aoffimmi,
    dst: crate::operand::Raw,
    params: usize,
}

texels!(Load3d, Gather4);

rules! { texels for Texels<'_>;
    /// The execution size of LOAD_3D and GATHER4_3D is 8, 16 or 32.
    fn exec_size "load-3d-exec-size" (Accepts, ANY, "3D_LOAD.md, Exec_size") |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail("exec", i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    /// The pixel null mask of LOAD_3D and GATHER4_3D exists since SKL.
    fn flags "load-3d-null-mask" (RefusedIn2022, before(Skl), "reference") |i, c| {
        if !i.flags.is_empty() {
            c.report("flags", "the pixel null mask is not available before SKL");
        }
    }

    /// The texel offsets of LOAD_3D and GATHER4_3D have type UW, in 4.2 also UD.
    fn aoffimmi_type "load-3d-aoffimmi-type" (Accepts, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        c.require_scalar_type("aoffimmi", &i.aoffimmi.0, offset_types(c.format()));
    }

    /// Bits 12 to 15 of the texel offsets of LOAD_3D and GATHER4_3D are zero.
    fn aoffimmi "load-3d-aoffimmi-reserved" (Accepts, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        let word = i.aoffimmi.0.as_imm().filter(|imm| imm.ty() == DataType::UW);
        if let Some(imm) = word.filter(|_| i.aoffimmi.reserved() != 0) {
            let expected = "zero in bits 12 to 15";
            c.fail("aoffimmi", format_args!("{:#x}", imm.bits()), expected);
        }
    }

    /// The destination of LOAD_3D and GATHER4_3D has type HF, F, W, UW, D or UD.
    fn dst_type "load-3d-dst-type" (Accepts, ANY, "3D_LOAD.md, Dst") |i, c| {
        c.require_type("dst", i.dst, TEXELS);
    }

    /// LOAD_3D and GATHER4_3D have at least one parameter.
    fn params "load-3d-params" (Refuses, ANY, "3D_LOAD.md, NumParams") |i, c| {
        if i.params == 0 {
            c.fail("params", "none", "at least one parameter");
        }
    }
}

rules! { load for Load3d;
    /// The operation of LOAD_3D is a load.
    fn op "load-3d-op" (Refuses, ANY, "3D_LOAD.md, Op") |i, c| {
        let is_legal = match c.format() {
            Format::V4_2 => i.op.is_load(),
            _ => matches!(i.op.bits(), 0x07 | 0x1a | 0x1c | 0x1d),
        };
        if !is_legal {
            c.report("op", format_args!("operation {} is not a load", i.op));
        }
    }

    /// LOAD_3D returns at least one channel.
    fn channels "load-3d-channels" (Refuses, ANY, "3D_LOAD.md, ReturnedChannels") |i, c| {
        require_channel(i.channels, c);
    }

    /// The parameters of LOAD_3D all have type UD or D (in 4.2 also F), or all have type UW.
    fn param_types "load-3d-param-types" (Accepts, ANY, "3D_LOAD.md, Notes") |i, c| {
        const INTEGERS: Types = Types::of(&[DataType::UD, DataType::D, DataType::UW]);
        const WITH_F: Types = Types::of(&[DataType::UD, DataType::D, DataType::UW, DataType::F]);
        let legal = if c.format() == Format::V4_2 { WITH_F } else { INTEGERS };
        let mut size = None;
        for param in i.params.iter() {
            let Some(ty) = c.raw_ty(*param) else { continue };
            if !legal.contains(ty) {
                c.fail("params", ty, legal);
            } else if *size.get_or_insert(ty.size()) != ty.size() {
                c.report("params", format_args!("{ty} has another size than the first parameter"));
            }
        }
    }

    /// The parameters of LOAD_3D have type UD or UW.
    // Shipped compilers use parameters of type D.
    fn param_sign "load-3d-param-sign" (Accepts, ANY, "3D_LOAD.md, Notes") |i, c| {
        for param in i.params.iter() {
            if c.raw_ty(*param) == Some(DataType::D) {
                c.fail("params", DataType::D, DataType::UD);
            }
        }
    }
}

rules! { gather4 for Gather4;
    /// The operation of GATHER4_3D is a gather.
    fn op "gather4-3d-op" (Refuses, ANY, "3D_SAMPLE4.md, Op") |i, c| {
        let known = matches!(
            i.op.bits(),
            0x08 | 0x0d..=0x12 | 0x15 | 0x2d..=0x2f | 0x35 | 0x37
        );
        // From Xe2 on, 0x28 and 0x30 are GATHER4_PO and GATHER4_PO_C.
        let is_in_text = c.format() == Format::V4_2
            && (i.op.name().is_some() && !i.op.is_load() || matches!(i.op.bits(), 0x28 | 0x30));
        if !known && !is_in_text {
            c.report("op", format_args!("operation {} is not a gather", i.op));
        }
    }

    /// The channel of GATHER4_3D is 0 to 3.
    fn channel "gather4-3d-channel" (Refuses, ANY, "3D_SAMPLE4.md, Src_channel") |i, c| {
        if i.channel > 3 {
            c.fail("channel", i.channel, "0 to 3");
        }
    }

    /// GATHER4_3D has at most 7 parameters.
    fn params "gather4-3d-params" (Accepts, ANY, "reference") |i, c| {
        if i.params.len() > 7 {
            c.fail("params", i.params.len(), "at most 7 parameters");
        }
    }

    /// The parameters of GATHER4_3D have type F or HF. With texel offsets, D is legal too.
    fn param_type "gather4-3d-param-type" (Accepts, ANY, "3D_SAMPLE4.md, Notes") |i, c| {
        const F_OR_HF: Types = Types::of(&[DataType::F, DataType::HF]);
        const WITH_OFFSETS: Types = Types::of(&[DataType::F, DataType::HF, DataType::D]);
        let has_offsets = matches!(i.op.bits(), 0x11 | 0x12 | 0x2d..);
        for param in i.params.iter() {
            c.require_type("params", *param, if has_offsets { WITH_OFFSETS } else { F_OR_HF });
        }
    }

    /// Before ICLLP, the parameters of GATHER4_3D do not have type HF.
    fn half "gather4-3d-param-half" (Accepts, before(Icllp), "3D_SAMPLE4.md, Notes") |i, c| {
        for param in i.params.iter() {
            if c.raw_ty(*param) == Some(DataType::HF) {
                c.fail("params", DataType::HF, DataType::F);
            }
        }
    }
}
