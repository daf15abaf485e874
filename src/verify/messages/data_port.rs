//! Rules for messages that read and write surfaces through the data port.

use crate::isa::MediaSt;
use crate::isa::{
    Gather, Gather4Scaled, GatherScaled, OwordLd, OwordLdUnaligned, OwordSt, QwGather, QwScatter,
    Scatter, Scatter4Scaled, Scatter4Typed, ScatterScaled,
};
use crate::operand::{
    BlockNum, ChannelMask, ElementSize, Exec, ExecSize, MediaModifier, NumElts, OwordNum, Raw,
    SurfaceId, Vector,
};
use crate::verify::media_block;
use crate::verify::rule::rules;
use crate::verify::types::{IN_MEMORY, SLM, STATELESS, Types, constant};

/// A block of owords.
pub(in crate::verify) struct Owords<'i> {
    size: OwordNum,
    surface: SurfaceId,
    offset: &'i Vector,
}

macro_rules! owords {
    ($($name:ident),*) => {$(
        impl<'i> From<&'i $name> for Owords<'i> {
            #[inline(always)]
            fn from(i: &'i $name) -> Owords<'i> {
                Owords { size: i.size, surface: i.surface, offset: &i.offset }
            }
        }
    )*};
}

owords!(OwordLd, OwordLdUnaligned, OwordSt);

rules! { oword for Owords<'_>;
    /// A block has 1, 2, 4, 8 or 16 owords.
    fn size "oword-size" (Refuses, ANY, "OWORD_LD.md, Size") |i, c| {
        if i.size > OwordNum::N16 {
            c.fail("size", i.size, "1, 2, 4, 8 or 16 owords");
        }
    }

    /// Only blocks of T0, the shared local memory, can have 16 owords, and only since XeHP_SDV.
    fn sixteen "oword-size-16" (Crashes, ANY, "OWORD_LD.md, Size") |i, c| {
        if i.size == OwordNum::N16 && (i.surface != SLM || c.is_on(before(XeHpSdv))) {
            c.fail("size", "16", "at most 8 owords");
        }
    }

    /// Before ICLLP, the surface of a block of owords is not T0, the shared local memory.
    fn surface "data-port-surface" (Accepts, before(Icllp), "OWORD_LD.md, Surface") |i, c| {
        if i.surface == SLM {
            c.report("surface", "the surface cannot be T0, the shared local memory");
        }
    }

    /// The offset of a block of owords has type UD.
    fn offset_type "oword-offset-type" (Accepts, ANY, "OWORD_LD.md, Offset") |i, c| {
        c.require_scalar_type("offset", i.offset, Types::UD);
    }
}

rules! { media_st for MediaSt;
    /// The modifier of MEDIA_ST is nomod, modified, top or bottom.
    fn modifier "media-st-modifier" (Refuses, ANY, "MEDIA_ST.md, Modifiers") |i, c| {
        if i.modifiers > MediaModifier::BOTTOM {
            c.fail("modifiers", i.modifiers, "modifier nomod, top or bottom");
        }
    }

    /// MEDIA_ST does not have the modifier modified, which is reserved.
    // The reference accepts it, and MEDIA_LD of shipped kernels has it.
    fn modified "media-st-modified" (Accepts, ANY, "MEDIA_ST.md, Modifiers") |i, c| {
        if i.modifiers == MediaModifier::MODIFIED {
            c.fail("modifiers", i.modifiers, "modifier nomod, top or bottom");
        }
    }

    /// MEDIA_ST does not write to T0, the shared local memory.
    fn surface "media-st-surface" (Refuses, ANY, "MEDIA_ST.md, Surface") |i, c| {
        if i.surface == SLM {
            c.fail("surface", i.surface, IN_MEMORY);
        }
    }

    /// MEDIA_ST does not write to T5, stateless memory.
    fn stateless "media-st-stateless" (Accepts, ANY, "MEDIA_ST.md, Surface") |i, c| {
        if i.surface == STATELESS {
            c.fail("surface", i.surface, IN_MEMORY);
        }
    }

    /// The plane of MEDIA_ST is 0 to 3.
    fn plane "media-st-plane" (Refuses, ANY, "MEDIA_ST.md, Plane") |i, c| {
        if i.plane > 3 {
            c.fail("plane", i.plane, "0 to 3");
        }
    }

    /// A block of MEDIA_ST is 1 to 64 bytes wide.
    fn width "media-st-block-width" (Refuses, ANY, "MEDIA_ST.md, Block_width") |i, c| {
        if !is_side(i.block_width) {
            c.fail("block_width", i.block_width, "1 to 64 bytes");
        }
    }

    /// A block of MEDIA_ST is 1 to 64 rows high.
    fn height "media-st-block-height" (Refuses, ANY, "MEDIA_ST.md, Block_height") |i, c| {
        if !is_side(i.block_height) {
            c.fail("block_height", i.block_height, "1 to 64 rows");
        }
    }

    /// A block of MEDIA_ST has at most 64 rows of up to 4 bytes, 32 of up to 8, 16 of up to 16, 8
    /// of up to 32, or 4 of up to 64.
    fn size "media-st-block-size" (Refuses, ANY, "MEDIA_ST.md, Notes") |i, c| {
        let most = media_block::max_height(i.block_width);
        if i.block_height > most && is_side(i.block_width) && is_side(i.block_height) {
            let (width, found) = (i.block_width, i.block_height);
            c.fail("block_height", found, format_args!("at most {most} rows of {width} bytes"));
        }
    }

    /// The offsets of MEDIA_ST have type UD.
    // Shipped compilers use offsets of type D.
    fn offset_type "media-st-offset-type" (Accepts, ANY, "MEDIA_ST.md, X_offset") |i, c| {
        c.require_scalar_type("x_offset", &i.x_offset, Types::UD);
        c.require_scalar_type("y_offset", &i.y_offset, Types::UD);
    }

    /// The X offset of MEDIA_ST is a multiple of 4.
    fn aligned "media-st-offset-alignment" (Accepts, ANY, "MEDIA_ST.md, X_offset") |i, c| {
        if let Some(x) = constant(&i.x_offset).filter(|x| x & 3 != 0) {
            c.fail("x_offset", x, "a multiple of 4");
        }
    }

    /// The source of MEDIA_ST contains the block, with each row at a multiple of the pitch.
    fn src_size "media-st-src-size" (Miscompiles, ANY, "MEDIA_ST.md, Src") |i, c| {
        let needed = c.payload_bytes(i, "src", i.src);
        let legal = is_side(i.block_width)
            && is_side(i.block_height)
            && i.block_height <= media_block::max_height(i.block_width);
        if legal && c.bytes_left(i.src).is_some_and(|left| left < needed) {
            c.fail_size("src", i.src, needed);
        }
    }
}

fn is_side(side: u8) -> bool {
    (1..=media_block::MAX_SIDE).contains(&side)
}

/// A gather or a scatter. `data` is the destination or the source.
pub(in crate::verify) struct Elements<'i> {
    size: ElementSize,
    num_elts: NumElts,
    global_offset: &'i Vector,
    element_offset: Raw,
    data: (&'static str, Raw),
}

macro_rules! elements {
    ($($name:ident $data:ident),*) => {$(
        impl<'i> From<&'i $name> for Elements<'i> {
            #[inline(always)]
            fn from(i: &'i $name) -> Elements<'i> {
                Elements {
                    size: i.elt_size,
                    num_elts: i.num_elts,
                    global_offset: &i.global_offset,
                    element_offset: i.element_offset,
                    data: (stringify!($data), i.$data),
                }
            }
        }
    )*};
}

elements!(Gather dst, Scatter src);

rules! { gather for Elements<'_>;
    /// GATHER and SCATTER move elements of 1, 2 or 4 bytes.
    fn size "gather-element-size" (Refuses, ANY, "GATHER.md, Elt_size") |i, c| {
        // The reference checks the two bits that the size has in the manual.
        if i.size.bits() & 3 == 3 {
            c.fail("elt_size", i.size, "1, 2 or 4 bytes");
        }
    }

    /// GATHER and SCATTER move 1, 8 or 16 elements.
    fn count "gather-count" (Accepts, ANY, "GATHER.md, Num_elts") |i, c| {
        if i.num_elts.count.name().is_none() {
            c.fail("num_elts", i.num_elts.count, "1, 8 or 16 elements");
        }
    }

    /// The data of GATHER and SCATTER has type UD, D or F, for all sizes of elements.
    fn data_type "gather-type" (Refuses, ANY, "GATHER.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY32);
    }

    /// The offsets of GATHER and SCATTER have type UD.
    fn offset_type "gather-offset-type" (Accepts, ANY, "GATHER.md, Element_offset") |i, c| {
        c.require_scalar_type("global_offset", i.global_offset, Types::UD);
        c.require_type("element_offset", i.element_offset, Types::UD);
    }
}

rules! { scatter4_typed for Scatter4Typed;
    /// The execution size of SCATTER4_TYPED is 8.
    fn exec_size "scatter4-typed-exec-size" (Accepts, ANY, "SCATTER4_TYPED.md, Exec_size") |i, c| {
        if i.exec.size != ExecSize::S8 {
            c.fail("exec", i.exec.size.lanes(), "8 lanes");
        }
    }

    /// SCATTER4_TYPED writes at least one channel.
    fn channels "scatter4-typed-channels" (Refuses, ANY, "SCATTER4_TYPED.md, Channels") |i, c| {
        require_channel(i.channels, c);
    }

    /// SCATTER4_TYPED writes neither to T0, the shared local memory, nor to T5, stateless memory.
    fn surface "scatter4-typed-surface" (Refuses, ANY, "SCATTER4_TYPED.md, Surface") |i, c| {
        if i.surface == SLM || i.surface == STATELESS {
            c.fail("surface", i.surface, IN_MEMORY);
        }
    }

    /// The coordinates and the LOD of SCATTER4_TYPED have type UD or D.
    fn offset_type "scatter4-typed-offset-type" (Accepts, ANY, "SCATTER4_TYPED.md, U") |i, c| {
        for (field, raw) in [("u", i.u), ("v", i.v), ("r", i.r), ("lod", i.lod)] {
            c.require_type(field, raw, Types::INT32);
        }
    }

    /// The coordinates and the LOD of SCATTER4_TYPED have type UD.
    // Shipped compilers use coordinates of type D.
    fn offset_sign "scatter4-typed-offset-sign" (Accepts, ANY, "SCATTER4_TYPED.md, U") |i, c| {
        for (field, raw) in [("u", i.u), ("v", i.v), ("r", i.r), ("lod", i.lod)] {
            if let Some(ty) = c.raw_ty(raw).filter(|ty| Types::D.contains(*ty)) {
                c.fail(field, ty, Types::UD);
            }
        }
    }

    /// The data of SCATTER4_TYPED has type UD, D or F.
    fn src_type "scatter4-typed-src-type" (Accepts, ANY, "SCATTER4_TYPED.md, Src") |i, c| {
        c.require_type("src", i.src, Types::ANY32);
    }
}

/// Requires that a message has at least one channel.
#[inline]
pub(super) fn require_channel(channels: ChannelMask, c: &mut super::RuleContext<'_, '_>) {
    if channels.is_empty() {
        c.fail("channels", "none", "at least one channel");
    }
}

/// The lanes and channels of a scaled gather or scatter of channels.
pub(in crate::verify) struct Channels {
    exec: Exec,
    channels: ChannelMask,
}

/// The number of blocks per lane of a scaled gather or scatter of blocks.
pub(in crate::verify) struct Blocks(BlockNum);

/// The offsets and data of a scaled gather or scatter.
pub(in crate::verify) struct Scaled<'i> {
    offset: &'i Vector,
    element_offset: Raw,
    data: (&'static str, Raw),
}

macro_rules! scaled {
    ($($name:ident $data:ident $amount:ident($($field:ident),*)),*) => {$(
        impl<'i> From<&'i $name> for Scaled<'i> {
            #[inline(always)]
            fn from(i: &'i $name) -> Scaled<'i> {
                Scaled {
                    offset: &i.offset,
                    element_offset: i.element_offset,
                    data: (stringify!($data), i.$data),
                }
            }
        }

        impl From<&$name> for $amount {
            #[inline(always)]
            fn from(i: &$name) -> $amount {
                $amount::new($(i.$field),*)
            }
        }
    )*};
}

impl Channels {
    fn new(exec: Exec, channels: ChannelMask) -> Channels {
        Channels { exec, channels }
    }
}

impl Blocks {
    fn new(num_blocks: BlockNum) -> Blocks {
        Blocks(num_blocks)
    }
}

scaled!(
    Gather4Scaled dst Channels(exec, channels),
    Scatter4Scaled src Channels(exec, channels),
    GatherScaled dst Blocks(num_blocks),
    ScatterScaled src Blocks(num_blocks)
);

rules! { channels for Channels;
    /// The execution size of GATHER4_SCALED and SCATTER4_SCALED is at most 16.
    fn exec_size "gather4-scaled-exec-size" (Crashes, ANY, "GATHER4_SCALED.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail("exec", i.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    /// The execution size of GATHER4_SCALED and SCATTER4_SCALED is at least 8.
    fn exec_size_8 "gather4-scaled-exec-size-8" (Accepts, ANY, "GATHER4_SCALED.md, Exec_size")
    |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail("exec", i.exec.size.lanes(), "8 or 16 lanes");
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
        if i.0 > BlockNum::N4 {
            c.fail("num_blocks", i.0, "1, 2 or 4 blocks");
        }
    }
}

rules! { scaled for Scaled<'_>;
    /// The offsets of scaled gathers and scatters have type UD.
    fn offset_type "gather-scaled-offset-type" (Accepts, ANY, "GATHER_SCALED.md, Offset") |i, c| {
        c.require_scalar_type("offset", i.offset, Types::UD);
        c.require_type("element_offset", i.element_offset, Types::UD);
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
    data: (&'static str, Raw),
}

macro_rules! qwords {
    ($($name:ident $data:ident),*) => {$(
        impl From<&$name> for Qwords {
            #[inline(always)]
            fn from(i: &$name) -> Qwords {
                Qwords {
                    exec: i.exec,
                    num_blocks: i.num_blocks,
                    offset: i.offset,
                    data: (stringify!($data), i.$data),
                }
            }
        }
    )*};
}

qwords!(QwGather dst, QwScatter src);

rules! { qword for Qwords;
    /// The execution size of QW_GATHER and QW_SCATTER is at most 16.
    fn exec_size "qw-gather-exec-size" (Accepts, ANY, "QW_GATHER.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail("exec", i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// QW_GATHER and QW_SCATTER move 1, 2 or 4 qwords per lane.
    fn blocks "qw-gather-blocks" (Accepts, ANY, "QW_GATHER.md, Num_blocks") |i, c| {
        if i.num_blocks > BlockNum::N4 {
            c.fail("num_blocks", i.num_blocks, "1, 2 or 4 blocks");
        }
    }

    /// The offsets of QW_GATHER and QW_SCATTER have type UD.
    fn offset_type "qw-gather-offset-type" (Accepts, ANY, "QW_GATHER.md, Offset") |i, c| {
        c.require_type("offset", i.offset, Types::UD);
    }

    /// The data of QW_GATHER and QW_SCATTER has type UQ, Q or DF.
    fn data_type "qw-gather-type" (Accepts, ANY, "QW_GATHER.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY64);
    }
}
