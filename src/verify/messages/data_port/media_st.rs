//! Rules for MEDIA_ST (MEDIA_ST.md).

use super::media_block;
use crate::isa::MediaSt;
use crate::operand::MediaModifier;
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::{IN_MEMORY, SLM, STATELESS, Types, constant};

rules! { rules for MediaSt;
    /// The modifier of MEDIA_ST is nomod, modified, top or bottom.
    fn modifier "media-st-modifier" (Refuses, ANY, "MEDIA_ST.md, Modifiers") |i, c| {
        if i.modifiers > MediaModifier::BOTTOM {
            c.fail(field!(MediaSt.modifiers), i.modifiers, "modifier nomod, top or bottom");
        }
    }

    /// MEDIA_ST does not have the modifier modified, which is reserved.
    fn modified "media-st-modified" (Changes, ANY, "MEDIA_ST.md, Modifiers; IGC") |i, c| {
        if i.modifiers == MediaModifier::MODIFIED {
            let expected = "modifier nomod, top or bottom";
            c.fail_changed(field!(MediaSt.modifiers), i.modifiers, expected, MediaModifier::NOMOD);
        }
    }

    /// MEDIA_ST does not write to T0, the shared local memory.
    fn surface "media-st-surface" (Refuses, ANY, "MEDIA_ST.md, Surface") |i, c| {
        if i.surface == SLM {
            c.fail(field!(MediaSt.surface), i.surface, IN_MEMORY);
        }
    }

    /// MEDIA_ST does not write to T5, stateless memory.
    fn stateless "media-st-stateless" (Accepts, ANY, "MEDIA_ST.md, Surface") |i, c| {
        if i.surface == STATELESS {
            c.fail(field!(MediaSt.surface), i.surface, IN_MEMORY);
        }
    }

    /// The plane of MEDIA_ST is 0 to 3.
    fn plane "media-st-plane" (Refuses, ANY, "MEDIA_ST.md, Plane") |i, c| {
        if i.plane > 3 {
            c.fail(field!(MediaSt.plane), i.plane, "0 to 3");
        }
    }

    /// A block of MEDIA_ST is 1 to 64 bytes wide.
    fn width "media-st-block-width" (Refuses, ANY, "MEDIA_ST.md, Block_width") |i, c| {
        if !is_side(i.block_width) {
            c.fail(field!(MediaSt.block_width), i.block_width, "1 to 64 bytes");
        }
    }

    /// A block of MEDIA_ST is 1 to 64 rows high.
    fn height "media-st-block-height" (Refuses, ANY, "MEDIA_ST.md, Block_height") |i, c| {
        if !is_side(i.block_height) {
            c.fail(field!(MediaSt.block_height), i.block_height, "1 to 64 rows");
        }
    }

    /// A block of MEDIA_ST has at most 64 rows of up to 4 bytes, 32 of up to 8, 16 of up to 16, 8
    /// of up to 32, or 4 of up to 64.
    fn size "media-st-block-size" (Refuses, ANY, "MEDIA_ST.md, Notes") |i, c| {
        let most = media_block::max_height(i.block_width);
        if i.block_height > most && is_side(i.block_width) && is_side(i.block_height) {
            let (width, found) = (i.block_width, i.block_height);
            c.fail(field!(MediaSt.block_height), found, format_args!("at most {most} rows of {width} bytes"));
        }
    }

    /// The offsets of MEDIA_ST have type UD.
    // Shipped compilers use offsets of type D.
    fn offset_type "media-st-offset-type" (Accepts, ANY, "MEDIA_ST.md, X_offset") |i, c| {
        c.require_scalar_type(field!(MediaSt.x_offset), &i.x_offset, Types::UD);
        c.require_scalar_type(field!(MediaSt.y_offset), &i.y_offset, Types::UD);
    }

    /// The X offset of MEDIA_ST is a multiple of 4.
    fn aligned "media-st-offset-alignment" (Accepts, ANY, "MEDIA_ST.md, X_offset") |i, c| {
        if let Some(x) = constant(&i.x_offset).filter(|x| x & 3 != 0) {
            c.fail(field!(MediaSt.x_offset), x, "a multiple of 4");
        }
    }

    /// The source of MEDIA_ST contains the block, with each row at a multiple of the pitch.
    fn src_size "media-st-src-size" (Miscompiles, ANY, "MEDIA_ST.md, Src") |i, c| {
        let needed = c.payload_bytes(i, field!(MediaSt.src), i.src);
        let legal = is_side(i.block_width)
            && is_side(i.block_height)
            && i.block_height <= media_block::max_height(i.block_width);
        if legal && c.bytes_left(i.src).is_some_and(|left| left < needed) {
            c.fail_size(field!(MediaSt.src), i.src, needed);
        }
    }
}

fn is_side(side: u8) -> bool {
    (1..=media_block::MAX_SIDE).contains(&side)
}
