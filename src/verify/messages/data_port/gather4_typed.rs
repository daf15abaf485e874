//! Rules for GATHER4_TYPED (GATHER4_TYPED.md).

use crate::isa::Gather4Typed;
use crate::operand::{ChannelMask, DataType, Raw};
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;
use crate::verify::types::{IN_MEMORY, SLM, STATELESS, Types};

const DWORDS: Types = Types::of(&[DataType::UD, DataType::D, DataType::F]);
const INTEGERS: Types = Types::of(&[DataType::UD, DataType::D]);

#[inline(always)]
fn offsets(g: &Gather4Typed) -> [(Field, Raw); 4] {
    [
        (field!(Gather4Typed.u), g.u),
        (field!(Gather4Typed.v), g.v),
        (field!(Gather4Typed.r), g.r),
        (field!(Gather4Typed.lod), g.lod),
    ]
}

rules! { rules for Gather4Typed;
    /// GATHER4_TYPED reads at least one channel.
    fn channels_empty "gather4-typed-channels-empty" (Refuses, ANY, "GATHER4_TYPED.md, Channels")
    |g, c| {
        if g.channels.is_empty() {
            c.fail(field!(Gather4Typed.channels), "none", "at least one channel");
        }
    }

    // Readers accept these two masks. The page lists the legal masks, and its text form cannot
    // express any other.
    /// The channels of GATHER4_TYPED are neither RGA nor RBA.
    fn channels_unlisted "gather4-typed-channels-unlisted"
    (Accepts, ANY, "GATHER4_TYPED.md, Text")
    |g, c| {
        const A_WITHOUT_B: ChannelMask = ChannelMask::RGBA.difference(ChannelMask::B);
        const A_WITHOUT_G: ChannelMask = ChannelMask::RGBA.difference(ChannelMask::G);
        if g.channels == A_WITHOUT_B || g.channels == A_WITHOUT_G {
            c.fail(field!(Gather4Typed.channels), g.channels, "one of R G B A RG RB RA RGB RGBA GB GA GBA BA");
        }
    }

    /// GATHER4_TYPED reads neither T0 (SLM) nor T5 (stateless).
    fn surface "gather4-typed-surface" (Refuses, ANY, "GATHER4_TYPED.md, Surface") |g, c| {
        if matches!(g.surface, SLM | STATELESS) {
            c.fail(field!(Gather4Typed.surface), g.surface, IN_MEMORY);
        }
    }

    /// The offsets and the LOD of GATHER4_TYPED are 32-bit integers.
    fn offset_type "gather4-typed-offset-type" (Accepts, ANY, "GATHER4_TYPED.md, U, V, R and LOD")
    |g, c| {
        for (field, raw) in offsets(g) {
            c.require_type(field, raw, INTEGERS);
        }
    }

    // Shipped compilers declare the offsets of SCATTER4_TYPED, the counterpart, as D.
    /// The offsets and the LOD of GATHER4_TYPED have type UD.
    fn offset_signed "gather4-typed-offset-signed"
    (Accepts, ANY, "GATHER4_TYPED.md, U, V, R and LOD")
    |g, c| {
        for (field, raw) in offsets(g) {
            if c.raw_ty(raw) == Some(DataType::D) {
                c.fail(field, DataType::D, DataType::UD);
            }
        }
    }

    // The page only recommends this, so it is a warning in dialect Manual.
    /// The offset U of GATHER4_TYPED is not null.
    fn null_u "gather4-typed-null-u" (Accepts (Warning in Manual), ANY, "GATHER4_TYPED.md, Notes")
    |g, c| {
        if g.u.is_null() {
            c.fail(field!(Gather4Typed.u), "null", "a variable");
        }
    }

    /// If the offset V of GATHER4_TYPED is null, so is R.
    fn null_order "gather4-typed-null-order"
    (Crashes (Warning in Manual), ANY, "GATHER4_TYPED.md, Notes") |g, c| {
        if g.v.is_null() && !g.r.is_null() {
            c.report(field!(Gather4Typed.v), "null, although r is a variable");
        }
    }

    /// The offsets and the LOD of GATHER4_TYPED have one dword per lane.
    fn source_size "gather4-typed-source-size"
    (Miscompiles, ANY, "GATHER4_TYPED.md, U, V, R and LOD") |g, c| {
        for (field, raw) in offsets(g) {
            c.require_payload(g, field, raw);
        }
    }

    /// The destination of GATHER4_TYPED has type UD, D or F.
    fn dst_type "gather4-typed-dst-type" (Accepts, ANY, "GATHER4_TYPED.md, Dst") |g, c| {
        c.require_type(field!(Gather4Typed.dst), g.dst, DWORDS);
    }

    /// The destination of GATHER4_TYPED has one dword per lane for each channel, each channel in
    /// its own registers.
    fn dst_size "gather4-typed-dst-size" (Miscompiles, ANY, "GATHER4_TYPED.md, Semantics and Dst")
    |g, c| {
        c.require_payload(g, field!(Gather4Typed.dst), g.dst);
    }
}
