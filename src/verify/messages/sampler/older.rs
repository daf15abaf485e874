//! Rules for the older messages to the sampler, and for AVS.

use crate::isa::{Avs, Load, Sample, SampleUnorm};
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::{ChannelMask, SampleMode, SurfaceId};
use crate::verify::context::Context;
use crate::verify::field::{Field, field};
use crate::verify::messages::data_port::require_channel;
use crate::verify::rule::rules;
use crate::verify::types::{SLM, Types};

/// The field and the id of a surface that must be declared.
pub(in crate::verify) struct DeclaredSurface(
    pub(in crate::verify::messages) Field,
    pub(in crate::verify::messages) SurfaceId,
);

/// The field and the id of a surface that must not be the shared local memory.
pub(in crate::verify) struct MemorySurface(
    pub(in crate::verify::messages) Field,
    pub(in crate::verify::messages) SurfaceId,
);

rules! { declared for DeclaredSurface;
    /// The surfaces of SAMPLE, LOAD, SAMPLE_UNORM and video analytics are declared.
    fn surface "sampler-surface" (Refuses, ANY, "IGC") |i, c| {
        if i.1 < SurfaceId::FIRST_DECLARED {
            c.fail(i.0, i.1, "a declared surface");
        }
    }
}

rules! { memory for MemorySurface;
    /// The surfaces of AVS, and of video analytics that search or write surfaces, are not T0, the
    /// shared local memory.
    fn surface "sampler-slm" (RefusedIn2022, ANY, "IGC") |i, c| {
        if i.1 == SLM {
            c.report(i.0, "the surface cannot be T0, the shared local memory");
        }
    }
}

/// The channels of SAMPLE, LOAD, SAMPLE_UNORM and AVS.
pub(in crate::verify) struct ReturnedChannels(ChannelMask);

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
    fn mode "sample-mode" (Accepts, ANY, "IGC") |i, c| {
        if i.0 > SampleMode::MODE1 {
            c.fail(field!(Sample3d.channels), i.0, "mode 0 (8 lanes) or 1 (16 lanes)");
        }
    }
}

pub(super) fn check_sample(i: &Sample, cx: &mut Context<'_>) {
    declared::check(&DeclaredSurface(field!(Sample3d.surface), i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    simd::check(&SimdMode(i.channels.mode), cx);
}

pub(super) fn check_load(i: &Load, cx: &mut Context<'_>) {
    declared::check(&DeclaredSurface(field!(Sample3d.surface), i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    simd::check(&SimdMode(i.channels.mode), cx);
}

pub(super) fn check_unorm(i: &SampleUnorm, cx: &mut Context<'_>) {
    declared::check(&DeclaredSurface(field!(Sample3d.surface), i.surface), cx);
    channels::check(&ReturnedChannels(i.channels.channels), cx);
    unorm::check(i, cx);
}

pub(super) fn check_avs(i: &Avs, cx: &mut Context<'_>) {
    memory::check(&MemorySurface(field!(Sample3d.surface), i.surface), cx);
    channels::check(&ReturnedChannels(i.channels), cx);
    avs::check(i, cx);
}

rules! { unorm for SampleUnorm;
    /// The coordinates of SAMPLE_UNORM have type F.
    fn offset_type "sample-unorm-offset-type" (Accepts, ANY, "SAMPLE_UNORM.md, U_offset") |i, c| {
        c.require_scalar_type(field!(SampleUnorm.u_offset), &i.u_offset, Types::F);
        c.require_scalar_type(field!(SampleUnorm.v_offset), &i.v_offset, Types::F);
        c.require_scalar_type(field!(SampleUnorm.delta_u), &i.delta_u, Types::F);
        c.require_scalar_type(field!(SampleUnorm.delta_v), &i.delta_v, Types::F);
    }

    /// The destination of SAMPLE_UNORM has type UW.
    fn dst_type "sample-unorm-dst-type" (Accepts, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        c.require_type(field!(SampleUnorm.dst), i.dst, Types::UW);
    }

    /// The output format of SAMPLE_UNORM is 16-full.
    fn format "sample-unorm-format" (Changes, ANY, "IGC") |i, c| {
        if i.channels.mode != SampleMode::MODE0 {
            let found = alloc::format!("mode {}", i.channels.mode);
            c.fail_changed(field!(SampleUnorm.channels), found, "16-full", "16-full");
        }
    }

    /// The destination of SAMPLE_UNORM has 32 words per channel.
    fn dst_size "sample-unorm-dst-size" (Miscompiles, ANY, "SAMPLE_UNORM.md, Dst") |i, c| {
        let needed = c.payload_bytes(i, field!(SampleUnorm.dst), i.dst);
        if c.bytes_left(i.dst).is_some_and(|left| left < needed) {
            c.fail_size(field!(SampleUnorm.dst), i.dst, needed);
        }
    }
}

rules! { avs for Avs;
    /// The output format of AVS is 0 to 3.
    fn format "avs-output-format" (RefusedIn2022, ANY, "AVS.md, Cntrl") |i, c| {
        // IGC checks four bits.
        if i.cntrl.bits() & 15 > OutputFormat::DOWN_SAMPLE_8.bits() {
            c.fail(field!(Avs.cntrl), i.cntrl, "output format 0 to 3");
        }
    }

    /// The execution mode of AVS is 0 to 3.
    fn mode "avs-exec-mode" (RefusedIn2022, ANY, "AVS.md, ExecMode") |i, c| {
        if i.exec_mode.bits() & 15 > AvsExecMode::B4X4.bits() {
            c.fail(field!(Avs.exec_mode), i.exec_mode, "mode 0 to 3");
        }
    }

    // IGC prints "Invalid AVS Exec Mode" and ends.
    /// The execution mode of AVS is 16x4 or 16x8.
    fn wide_mode "avs-wide-mode" (Refuses, ANY, "IGC") |i, c| {
        if matches!(i.exec_mode, AvsExecMode::B8X4 | AvsExecMode::B4X4) {
            c.fail(field!(Avs.exec_mode), i.exec_mode, "mode 16x4 or 16x8");
        }
    }

    /// The scalars of AVS have type F, except the group id and the block number (UD) and the bypass
    /// (UB).
    fn scalar_type "avs-type" (Accepts, ANY, "AVS.md, U_offset") |i, c| {
        c.require_scalar_type(field!(Avs.u_offset), &i.u_offset, Types::F);
        c.require_scalar_type(field!(Avs.v_offset), &i.v_offset, Types::F);
        c.require_scalar_type(field!(Avs.delta_u), &i.delta_u, Types::F);
        c.require_scalar_type(field!(Avs.delta_v), &i.delta_v, Types::F);
        c.require_scalar_type(field!(Avs.u2d), &i.u2d, Types::F);
        c.require_scalar_type(field!(Avs.group_id), &i.group_id, Types::UD);
        c.require_scalar_type(field!(Avs.vertical_block_number), &i.vertical_block_number, Types::UD);
        c.require_scalar_type(field!(Avs.v2d), &i.v2d, Types::F);
        c.require_scalar_type(field!(Avs.ief_bypass), &i.ief_bypass, Types::UB);
    }
}
