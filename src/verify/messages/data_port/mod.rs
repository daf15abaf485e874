//! Rules for messages that read and write surfaces through the data port.

pub(super) mod atomics;
mod gather4_typed;
mod media_block;
mod media_ld;
mod media_st;
mod scatter4_typed;

use crate::isa::{
    Gather, Gather4Scaled, Gather4Typed, GatherScaled, Instruction, MediaLd, MediaSt, OwordLd,
    OwordLdUnaligned, OwordSt, QwGather, QwScatter, Scatter, Scatter4Scaled, Scatter4Typed,
    ScatterScaled, TypedAtomic, UrbWrite,
};
use crate::operand::{
    BlockNum, ChannelMask, ElementSize, Exec, ExecMask, ExecSize, NumElts, NumEltsCount, OwordNum,
    Raw, SurfaceId, Vector,
};
use crate::verify::context::{Context, RuleContext};
use crate::verify::field::{Field, field};
use crate::verify::rule::{Rule, rules, subject};
use crate::verify::types::{SLM, Types, constant};

/// A block of owords.
pub(in crate::verify) struct Owords<'i> {
    size: OwordNum,
    surface: SurfaceId,
    offset: &'i Vector,
}

subject! { Owords<'i>: OwordLd dst, OwordLdUnaligned dst, OwordSt src => |i, _data| Owords {
    size: i.size,
    surface: i.surface,
    offset: &i.offset,
} }

/// A message that reads, with the flag that the surface is modified.
pub(in crate::verify) struct ModifiedRead {
    is_modified: u8,
}

rules! { modified for ModifiedRead;
    /// OWORD_LD and GATHER have no modifier `.mod`.
    fn modified "modified-read" (Changes, ANY, "IGC") |m, c| {
        if m.is_modified & 1 != 0 {
            c.fail_changed(field!(OwordLd.is_modified), "`.mod`", "no modifier", "no modifier");
        }
    }
}

rules! { oword for Owords<'_>;
    /// A block has 1, 2, 4, 8 or 16 owords.
    fn size "oword-size" (Refuses, ANY, "OWORD_LD.md, Size") |i, c| {
        if i.size > OwordNum::N16 {
            c.fail(field!(OwordLd.size), i.size, "1, 2, 4, 8 or 16 owords");
        }
    }

    /// Only blocks of T0, the shared local memory, can have 16 owords, and only since XeHP_SDV.
    fn sixteen "oword-size-16" (Crashes, ANY, "OWORD_LD.md, Size") |i, c| {
        if i.size == OwordNum::N16 && (i.surface != SLM || c.is_on(before(XeHpSdv))) {
            c.fail(field!(OwordLd.size), "16", "at most 8 owords");
        }
    }

    /// Before ICLLP, the surface of a block of owords is not T0, the shared local memory.
    fn surface "data-port-surface" (Accepts, before(Icllp), "OWORD_LD.md, Surface") |i, c| {
        if i.surface == SLM {
            c.report(field!(OwordLd.surface), "the surface cannot be T0, the shared local memory");
        }
    }

    /// The offset of a block of owords has type UD.
    fn offset_type "oword-offset-type" (Accepts, ANY, "OWORD_LD.md, Offset") |i, c| {
        c.require_scalar_type(field!(OwordLd.offset), i.offset, Types::UD);
    }
}

/// A gather or a scatter. `data` is the destination or the source.
pub(in crate::verify) struct Elements<'i> {
    size: ElementSize,
    num_elts: NumElts,
    surface: SurfaceId,
    global_offset: &'i Vector,
    element_offset: Raw,
    data: (Field, Raw),
}

subject! { Elements<'i>: Gather dst, Scatter src => |i, data| Elements {
    size: i.elt_size,
    num_elts: i.num_elts,
    surface: i.surface,
    global_offset: &i.global_offset,
    element_offset: i.element_offset,
    data,
} }

rules! { gather for Elements<'_>;
    /// GATHER and SCATTER move elements of 1, 2 or 4 bytes.
    fn size "gather-element-size" (Refuses, ANY, "GATHER.md, Elt_size") |i, c| {
        // IGC checks the two bits that the size has in the manual.
        if i.size.bits() & 3 == 3 {
            c.fail(field!(Gather.elt_size), i.size, "1, 2 or 4 bytes");
        }
    }

    /// GATHER and SCATTER move 1, 8 or 16 elements.
    fn count "gather-count" (Miscompiles, ANY, "GATHER.md, Num_elts") |i, c| {
        if i.num_elts.count.name().is_none() {
            let (count, becomes) = (i.num_elts.count, "16 elements");
            c.fail_changed(field!(Gather.num_elts), count, "1, 8 or 16 elements", becomes);
        }
    }

    /// The first lane that the mask of GATHER and SCATTER selects is a multiple of the number of elements; since PVC,
    /// also of 8, unless all lanes run.
    fn mask "gather-mask" (Changes, ANY, "3_execution_model, Execution Mask; IGC") |i, c| {
        let multiple = match i.num_elts.count {
            NumEltsCount::N1 if c.is_on(since(PvcSdv)) && !i.num_elts.mask.is_no_mask() => 8,
            NumEltsCount::N1 => 1,
            NumEltsCount::N8 => 8,
            _ => 16,
        };
        if i.num_elts.mask.first_lane() % multiple != 0 {
            let expected = alloc::format!("a mask whose first lane is a multiple of {multiple}");
            let becomes = NumElts { mask: ExecMask::M1, ..i.num_elts };
            c.fail_changed(field!(Gather.num_elts), i.num_elts, expected, becomes);
        }
    }

    /// From PVC on, GATHER moves 16 elements. So does SCATTER to T0, the shared local memory, and with
    /// the global offset 0.
    fn count_16 "gather-count-16" (Crashes, since(PvcSdv), "IGC") |i, c| {
        let is_gather = i.data.0 == field!(Gather.dst);
        let has_no_offset = constant(i.global_offset) == Some(0);
        let is_known = matches!(i.num_elts.count, NumEltsCount::N1 | NumEltsCount::N8);
        if is_known && (is_gather || i.surface == SLM || has_no_offset) {
            c.fail(field!(Gather.num_elts), i.num_elts.count, "16 elements");
        }
    }

    /// The data of GATHER and SCATTER has type UD, D or F, for all sizes of elements.
    fn data_type "gather-type" (Refuses, ANY, "GATHER.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY32);
    }

    /// The offsets of GATHER and SCATTER have type UD.
    fn offset_type "gather-offset-type" (Accepts, ANY, "GATHER.md, Element_offset") |i, c| {
        c.require_scalar_type(field!(Gather.global_offset), i.global_offset, Types::UD);
        c.require_type(field!(Gather.element_offset), i.element_offset, Types::UD);
    }
}

/// Requires that a message has at least one channel.
#[inline]
pub(super) fn require_channel(channels: ChannelMask, c: &mut RuleContext<'_, '_>) {
    if channels.is_empty() {
        c.fail(field!(Gather4Scaled.channels), "none", "at least one channel");
    }
}

/// The lanes and channels of a scaled gather or scatter of channels.
pub(in crate::verify) struct Channels {
    exec: Exec,
    channels: ChannelMask,
}

/// The lanes of a scaled gather or scatter of blocks, and the number of blocks per lane.
pub(in crate::verify) struct Blocks {
    exec: Exec,
    num_blocks: BlockNum,
}

/// The lanes of GATHER4_TYPED or SCATTER4_TYPED.
pub(in crate::verify) struct TypedLanes {
    exec: Exec,
}

/// The offsets and data of a scaled gather or scatter.
pub(in crate::verify) struct Scaled<'i> {
    offset: &'i Vector,
    element_offset: Raw,
    data: (Field, Raw),
}

subject! { Scaled<'i>: Gather4Scaled dst, Scatter4Scaled src, GatherScaled dst, ScatterScaled src =>
    |i, data| Scaled { offset: &i.offset, element_offset: i.element_offset, data }
}

subject! { Channels: Gather4Scaled dst, Scatter4Scaled src =>
    |i, _data| Channels { exec: i.exec, channels: i.channels }
}

/// The lanes of a scaled message that IGC compiles for a whole number of lanes.
pub(in crate::verify) struct ScaledLanes {
    exec: Exec,
}

subject! { ScaledLanes: Gather4Scaled dst, Scatter4Scaled src, ScatterScaled src =>
    |i, _data| ScaledLanes { exec: i.exec }
}

rules! { scaled_lanes for ScaledLanes;
    /// The first lane of GATHER4_SCALED, SCATTER4_SCALED and SCATTER_SCALED is a multiple of 8; since PVC, of 16.
    fn mask "scaled-mask" (Changes, ANY, "IGC") |i, c| {
        let Exec { size, mask } = i.exec;
        let (first, is_newer) = (mask.first_lane(), c.is_on(since(PvcSdv)));
        let multiple = if is_newer { 16 } else { 8 };
        // These break `exec-mask-aligned` and `exec-mask-octet`.
        let is_octet = is_newer && !mask.is_no_mask() && size < ExecSize::S8 && first % 8 != 0;
        if first % multiple != 0 && first % size.lanes() == 0 && !is_octet {
            let expected = alloc::format!("a mask whose first lane is a multiple of {multiple}");
            c.fail_changed(field!(GatherScaled.exec), i.exec, expected, Exec { mask: ExecMask::M1, size });
        }
    }
}

subject! { Blocks: GatherScaled dst, ScatterScaled src =>
    |i, _data| Blocks { exec: i.exec, num_blocks: i.num_blocks }
}

subject! { TypedLanes: Gather4Typed dst, Scatter4Typed src => |i, _data| TypedLanes { exec: i.exec } }

rules! { typed_lanes for TypedLanes;
    /// The execution size of GATHER4_TYPED and SCATTER4_TYPED is 8. IGC also has messages of 16 lanes.
    fn exec_size "gather4-typed-exec-size" (Changes, ANY, "GATHER4_TYPED.md, SCATTER4_TYPED.md, Exec_size; IGC")
    |i, c| {
        if !matches!(i.exec.size, ExecSize::S8 | ExecSize::S16) {
            c.fail_changed(field!(Gather4Typed.exec), i.exec.size.lanes(), "8 lanes", "8 lanes");
        }
    }

    /// Before XeHP, the execution size of GATHER4_TYPED and SCATTER4_TYPED is 8.
    fn exec_size_8 "gather4-typed-exec-size-8" (Crashes, before(XeHpSdv), "IGC") |i, c| {
        if i.exec.size == ExecSize::S16 {
            c.fail(field!(Gather4Typed.exec), 16, "8 lanes");
        }
    }

    /// The execution size of GATHER4_TYPED and SCATTER4_TYPED is 8, also where IGC has messages of 16 lanes.
    fn exec_size_16 "gather4-typed-exec-size-16"
    (Accepts, ANY, "GATHER4_TYPED.md, SCATTER4_TYPED.md, Exec_size")
    |i, c| {
        if i.exec.size == ExecSize::S16 && !c.is_on(before(XeHpSdv)) {
            c.fail(field!(Gather4Typed.exec), 16, "8 lanes");
        }
    }
}

rules! { channels for Channels;
    /// The execution size of GATHER4_SCALED and SCATTER4_SCALED is at most 16.
    fn exec_size "gather4-scaled-exec-size" (Crashes, ANY, "GATHER4_SCALED.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(GatherScaled.exec), i.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    /// The execution size of GATHER4_SCALED and SCATTER4_SCALED is at least 8.
    fn exec_size_8 "gather4-scaled-exec-size-8" (Accepts, ANY, "GATHER4_SCALED.md, Exec_size")
    |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail(field!(GatherScaled.exec), i.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    /// GATHER4_SCALED and SCATTER4_SCALED move at least one channel.
    fn channels "gather4-scaled-channels" (Refuses, ANY, "GATHER4_SCALED.md, Channels") |i, c| {
        require_channel(i.channels, c);
    }
}

rules! { blocks for Blocks;
    /// GATHER_SCALED and SCATTER_SCALED move 1, 2 or 4 blocks per lane.
    fn blocks "gather-scaled-blocks" (Crashes, ANY, "GATHER_SCALED.md, Num_blocks") |i, c| {
        if i.num_blocks > BlockNum::N4 {
            c.fail(field!(GatherScaled.num_blocks), i.num_blocks, "1, 2 or 4 blocks");
        }
    }

    /// The execution size of GATHER_SCALED and SCATTER_SCALED is at most 16.
    fn exec_size "gather-scaled-exec-size" (Crashes, ANY, "IGC") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(GatherScaled.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }
}

rules! { scaled for Scaled<'_>;
    /// The offsets of scaled gathers and scatters have type UD.
    fn offset_type "gather-scaled-offset-type" (Accepts, ANY, "GATHER_SCALED.md, Offset") |i, c| {
        c.require_scalar_type(field!(OwordLd.offset), i.offset, Types::UD);
        c.require_type(field!(Gather.element_offset), i.element_offset, Types::UD);
    }

    /// The data of scaled gathers and scatters has type UD, D or F.
    fn data_type "gather-scaled-type" (Accepts, ANY, "GATHER_SCALED.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY32);
    }
}

/// A gather or a scatter of qwords.
pub(in crate::verify) struct Qwords {
    exec: Exec,
    num_blocks: BlockNum,
    offset: Raw,
    data: (Field, Raw),
}

subject! { Qwords: QwGather dst, QwScatter src => |i, data| Qwords {
    exec: i.exec,
    num_blocks: i.num_blocks,
    offset: i.offset,
    data,
} }

rules! { qword for Qwords;
    /// The execution size of QW_GATHER and QW_SCATTER is at most 16.
    fn exec_size "qw-gather-exec-size" (Accepts, ANY, "QW_GATHER.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(GatherScaled.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// QW_GATHER and QW_SCATTER move 1, 2 or 4 qwords per lane.
    fn blocks "qw-gather-blocks" (Miscompiles, ANY, "QW_GATHER.md, Num_blocks") |i, c| {
        if i.num_blocks > BlockNum::N4 {
            c.fail(field!(GatherScaled.num_blocks), i.num_blocks, "1, 2 or 4 blocks");
        }
    }

    /// The offsets of QW_GATHER and QW_SCATTER have type UD.
    fn offset_type "qw-gather-offset-type" (Accepts, ANY, "QW_GATHER.md, Offset") |i, c| {
        c.require_type(field!(OwordLd.offset), i.offset, Types::UD);
    }

    /// The data of QW_GATHER and QW_SCATTER has type UQ, Q or DF.
    fn data_type "qw-gather-type" (Accepts, ANY, "QW_GATHER.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY64);
    }
}

/// The coordinates of a message to a typed surface.
pub(in crate::verify) struct Coordinates {
    v: Raw,
    r: Raw,
}

subject! { Coordinates: Scatter4Typed src, TypedAtomic dst =>
    |i, _data| Coordinates { v: i.v, r: i.r }
}

rules! { coordinates for Coordinates;
    /// SCATTER4_TYPED and TYPED_ATOMIC with an R coordinate have a V coordinate.
    // `gather4-typed-null-order` is about GATHER4_TYPED.
    fn order "typed-coordinates" (Crashes, ANY, "IGC") |i, c| {
        if i.v.is_null() && !i.r.is_null() {
            c.fail(field!(Gather4Typed.v), "null", "a variable, as for r");
        }
    }
}

/// The data of a message that requires it.
pub(in crate::verify) struct Data((Field, Raw));

subject! { Data: MediaLd dst, MediaSt src, UrbWrite vertex_data => |_i, data| Data(data) }

rules! { data for Data;
    /// The data of MEDIA_LD, MEDIA_ST and URB_WRITE is not null.
    fn null "message-data-null" (Crashes, ANY, "IGC") |i, c| {
        let (field, raw) = i.0;
        if raw.is_null() {
            c.fail(field, "null", "a variable");
        }
    }
}

/// The width and the data of a block of MEDIA_LD or MEDIA_ST.
pub(in crate::verify) struct MediaBlock {
    width: u8,
    data: (Field, Raw),
}

subject! { MediaBlock: MediaLd dst, MediaSt src =>
    |i, data| MediaBlock { width: i.block_width, data }
}

rules! { media for MediaBlock;
    /// The data of MEDIA_LD and MEDIA_ST has elements of at most 4 bytes if the block is up to 4 bytes
    /// wide.
    fn elements "media-block-element" (Crashes, ANY, "IGC") |i, c| {
        let (field, raw) = i.data;
        if let Some(ty) = c.raw_ty(raw).filter(|ty| ty.size() > 4 && i.width <= 4) {
            c.fail(field, ty, "a type of at most 4 bytes");
        }
    }
}

/// The rules of this module.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    media_ld::rules::RULES,
    media_st::rules::RULES,
    typed_lanes::RULES,
    gather4_typed::rules::RULES,
    scatter4_typed::rules::RULES,
    modified::RULES,
    oword::RULES,
    gather::RULES,
    scaled_lanes::RULES,
    channels::RULES,
    blocks::RULES,
    scaled::RULES,
    qword::RULES,
    coordinates::RULES,
    data::RULES,
    media::RULES,
    atomics::dword::RULES,
    atomics::typed::RULES,
];

/// Applies the rules to an instruction.
#[inline]
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::MediaLd(i) => {
            media_ld::rules::check(i, cx);
            data::check(&i.into(), cx);
            media::check(&i.into(), cx);
        }
        Instruction::MediaSt(i) => {
            media_st::rules::check(i, cx);
            data::check(&i.into(), cx);
            media::check(&i.into(), cx);
        }
        Instruction::Gather4Typed(i) => {
            typed_lanes::check(&i.into(), cx);
            gather4_typed::rules::check(i, cx);
        }
        Instruction::Scatter4Typed(i) => {
            typed_lanes::check(&i.into(), cx);
            scatter4_typed::rules::check(i, cx);
            coordinates::check(&i.into(), cx);
        }
        Instruction::OwordLd(i) => {
            oword::check(&i.into(), cx);
            modified::check(&ModifiedRead { is_modified: i.is_modified }, cx);
        }
        Instruction::OwordLdUnaligned(i) => {
            oword::check(&i.into(), cx);
            modified::check(&ModifiedRead { is_modified: i.is_modified }, cx);
        }
        Instruction::OwordSt(i) => oword::check(&i.into(), cx),
        Instruction::Gather(i) => {
            gather::check(&i.into(), cx);
            modified::check(&ModifiedRead { is_modified: i.is_modified }, cx);
        }
        Instruction::Scatter(i) => gather::check(&i.into(), cx),
        Instruction::Gather4Scaled(i) => {
            scaled_lanes::check(&i.into(), cx);
            channels::check(&i.into(), cx);
            scaled::check(&i.into(), cx);
        }
        Instruction::Scatter4Scaled(i) => {
            scaled_lanes::check(&i.into(), cx);
            channels::check(&i.into(), cx);
            scaled::check(&i.into(), cx);
        }
        Instruction::GatherScaled(i) => {
            blocks::check(&i.into(), cx);
            scaled::check(&i.into(), cx);
        }
        Instruction::ScatterScaled(i) => {
            scaled_lanes::check(&i.into(), cx);
            blocks::check(&i.into(), cx);
            scaled::check(&i.into(), cx);
        }
        Instruction::QwGather(i) => qword::check(&i.into(), cx),
        Instruction::QwScatter(i) => qword::check(&i.into(), cx),
        Instruction::DwordAtomic(i) => atomics::dword::check(i, cx),
        Instruction::TypedAtomic(i) => {
            atomics::typed::check(i, cx);
            coordinates::check(&i.into(), cx);
        }
        _ => {}
    }
}
