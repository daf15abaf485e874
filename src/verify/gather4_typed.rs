//! GATHER4_TYPED (GATHER4_TYPED.md).

use super::context::RuleContext;
use super::platform::{Platform, since};
use super::rule::rules;
use super::types::{IN_MEMORY, Types, is_slm_or_stateless};
use crate::isa::Gather4Typed;
use crate::operand::{ChannelMask, DataType, ExecSize, Raw};

const DWORDS: Types = Types::of(&[DataType::UD, DataType::D, DataType::F]);
const INTEGERS: Types = Types::of(&[DataType::UD, DataType::D]);

/// 8 lanes; 16 also where a register holds as many dwords.
#[inline(always)]
fn runs(size: ExecSize, c: &RuleContext<'_, '_>) -> bool {
    size == ExecSize::S8 || size == ExecSize::S16 && c.is_on(since(Platform::Pvc))
}

#[inline(always)]
fn offsets(g: &Gather4Typed) -> [(&'static str, Raw); 4] {
    [("u", g.u), ("v", g.v), ("r", g.r), ("lod", g.lod)]
}

rules! { gather4_typed for Gather4Typed;
    /// GATHER4_TYPED runs 8 lanes.
    fn exec_size "gather4-typed-exec-size" (Error, ANY, "GATHER4_TYPED.md, Exec_size") |g, c| {
        if !runs(g.exec.size, c) {
            c.fail("exec", g.exec.size.lanes(), "8 lanes");
        }
    }

    // The page was written for registers of 32 bytes; for those of 64 it may be out of date.
    /// GATHER4_TYPED runs 8 lanes, not 16, where registers have 64 bytes too.
    fn exec_size_16 "gather4-typed-exec-size-16"
    (Warning (Error in Manual), since(Pvc), "GATHER4_TYPED.md, Exec_size")
    |g, c| {
        if g.exec.size == ExecSize::S16 {
            c.fail("exec", 16, "8 lanes");
        }
    }

    /// GATHER4_TYPED reads at least one channel.
    fn channels_empty "gather4-typed-channels-empty" (Error, ANY, "GATHER4_TYPED.md, Channels")
    |g, c| {
        if g.channels.is_empty() {
            c.fail("channels", "none", "at least one");
        }
    }

    // Readers accept these two. The page lists the combinations with "is one of", and these are not
    // among them, so that its text form cannot express them.
    /// The channels of GATHER4_TYPED are neither RGA nor RBA.
    fn channels_unlisted "gather4-typed-channels-unlisted"
    (Warning (Error in Manual), ANY, "GATHER4_TYPED.md, Text")
    |g, c| {
        const A_WITHOUT_B: ChannelMask = ChannelMask::RGBA.difference(ChannelMask::B);
        const A_WITHOUT_G: ChannelMask = ChannelMask::RGBA.difference(ChannelMask::G);
        if g.channels == A_WITHOUT_B || g.channels == A_WITHOUT_G {
            c.fail("channels", g.channels, "one of R G B A RG RB RA RGB RGBA GB GA GBA BA");
        }
    }

    /// GATHER4_TYPED reads neither T0 (SLM) nor T5 (stateless).
    fn surface "gather4-typed-surface" (Error, ANY, "GATHER4_TYPED.md, Surface") |g, c| {
        if is_slm_or_stateless(g.surface) {
            c.fail("surface", g.surface, IN_MEMORY);
        }
    }

    /// The offsets and the LOD of GATHER4_TYPED are 32-bit integers.
    fn offset_type "gather4-typed-offset-type" (Error, ANY, "GATHER4_TYPED.md, U, V, R and LOD")
    |g, c| {
        for (field, raw) in offsets(g) {
            c.wants(field, raw, INTEGERS);
        }
    }

    // Shipped compilers declare those of SCATTER4_TYPED, its mirror image, as D.
    /// The offsets and the LOD of GATHER4_TYPED are unsigned, of type UD.
    fn offset_signed "gather4-typed-offset-signed"
    (Warning (Error in Manual), ANY, "GATHER4_TYPED.md, U, V, R and LOD")
    |g, c| {
        for (field, raw) in offsets(g) {
            if c.raw_ty(raw) == Some(DataType::D) {
                c.fail(field, DataType::D, DataType::UD);
            }
        }
    }

    // The page says "should", so this is a warning in dialect Manual too.
    /// Offsets that the surface has no use for are null, the last ones first; U is never.
    fn null_order "gather4-typed-null-order" (Warning, ANY, "GATHER4_TYPED.md, Notes") |g, c| {
        if g.u.is_null() {
            c.fail("u", "null", "a variable");
        }
        if g.v.is_null() && !g.r.is_null() {
            c.fail("v", "null", "a variable, as r is one");
        }
    }

    /// The offsets and the LOD of GATHER4_TYPED have a dword a lane.
    fn source_size "gather4-typed-source-size" (Error, ANY, "GATHER4_TYPED.md, U, V, R and LOD")
    |g, c| {
        if runs(g.exec.size, c) {
            for (field, raw) in offsets(g) {
                c.needs(field, raw, g.exec.size.lanes() as i64 * 4);
            }
        }
    }

    /// The destination of GATHER4_TYPED is of type UD, D or F.
    fn dst_type "gather4-typed-dst-type" (Error, ANY, "GATHER4_TYPED.md, Dst") |g, c| {
        c.wants("dst", g.dst, DWORDS);
    }

    /// The destination of GATHER4_TYPED has room for a dword a lane of each channel, each channel
    /// in registers of its own.
    fn dst_size "gather4-typed-dst-size" (Error, ANY, "GATHER4_TYPED.md, Semantics and Dst")
    |g, c| {
        let channels_before = i64::from(g.channels.bits().count_ones()) - 1;
        if channels_before >= 0 && runs(g.exec.size, c) {
            let channel = g.exec.size.lanes() as i64 * 4;
            c.needs("dst", g.dst, channels_before * channel.max(c.grf()) + channel);
        }
    }
}
