//! Rules for MEDIA_LD (MEDIA_LD.md).

use super::media_block;
use crate::isa::MediaLd;
use crate::operand::MediaModifier;
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::{IN_MEMORY, SLM, STATELESS, Types};

/// Returns whether a width in bytes or a height in rows is legal.
fn is_legal_side(extent: u8) -> bool {
    (1..=media_block::MAX_SIDE).contains(&extent)
}

fn is_legal_block(m: &MediaLd) -> bool {
    is_legal_side(m.block_width)
        && is_legal_side(m.block_height)
        && m.block_height <= media_block::max_height(m.block_width)
}

rules! { rules for MediaLd;
    // Readers also accept the modifiers for modified surfaces, and shipped kernels use one of them.
    /// The modifier of MEDIA_LD is nomod, top or bottom; in the Igc dialects also modified,
    /// top_mod or bottom_mod.
    fn modifier "media-ld-modifier" (Refuses, ANY, "MEDIA_LD.md, Modifiers") |m, c| {
        let manual = c.format().is_manual();
        let legal = match m.modifiers {
            MediaModifier::NOMOD | MediaModifier::TOP | MediaModifier::BOTTOM => true,
            other => !manual && other.name().is_some(),
        };
        if !legal {
            let expected = if manual { "modifier 0, 2 or 3" } else { "modifier 0 to 5" };
            c.fail(field!(MediaLd.modifiers), m.modifiers, expected);
        }
    }

    /// MEDIA_LD does not read T0, the shared local memory.
    fn surface "media-ld-surface" (Refuses, ANY, "MEDIA_LD.md, Surface") |m, c| {
        if m.surface == SLM {
            c.fail(field!(MediaLd.surface), m.surface, IN_MEMORY);
        }
    }

    /// MEDIA_LD does not read T5, stateless memory.
    fn stateless "media-ld-stateless" (Accepts, ANY, "MEDIA_LD.md, Surface") |m, c| {
        if m.surface == STATELESS {
            c.fail(field!(MediaLd.surface), m.surface, IN_MEMORY);
        }
    }

    /// The plane of MEDIA_LD is 0 to 3.
    fn plane "media-ld-plane" (Refuses, ANY, "MEDIA_LD.md, Plane") |m, c| {
        if m.plane > 3 {
            c.fail(field!(MediaLd.plane), m.plane, "0 to 3");
        }
    }

    /// The block of MEDIA_LD is 1 to 64 bytes wide.
    fn block_width "media-ld-block-width" (Refuses, ANY, "MEDIA_LD.md, Block_width") |m, c| {
        if !is_legal_side(m.block_width) {
            c.fail(field!(MediaLd.block_width), m.block_width, "1 to 64 bytes");
        }
    }

    /// The block of MEDIA_LD is 1 to 64 rows high.
    fn block_height "media-ld-block-height" (Refuses, ANY, "MEDIA_LD.md, Block_height") |m, c| {
        if !is_legal_side(m.block_height) {
            c.fail(field!(MediaLd.block_height), m.block_height, "1 to 64 rows");
        }
    }

    /// A block of MEDIA_LD has at most 64 rows of up to 4 bytes, 32 of up to 8, 16 of up to 16, 8
    /// of up to 32, or 4 of up to 64.
    fn block_size "media-ld-block-size" (Refuses, ANY, "MEDIA_LD.md, Notes") |m, c| {
        if is_legal_side(m.block_width) && is_legal_side(m.block_height) && !is_legal_block(m) {
            let (width, most) = (m.block_width, media_block::max_height(m.block_width));
            let found = m.block_height;
            c.fail(field!(MediaLd.block_height), found, format_args!("at most {most} rows of {width} bytes"));
        }
    }

    /// The offsets of MEDIA_LD have type UD.
    fn offset_type "media-ld-offset-type" (Accepts, ANY, "MEDIA_LD.md, X_offset and Y_offset")
    |m, c| {
        c.require_scalar_type(field!(MediaLd.x_offset), &m.x_offset, Types::UD);
        c.require_scalar_type(field!(MediaLd.y_offset), &m.y_offset, Types::UD);
    }

    // Bytes after the last row are not written, even if the row is shorter than the pitch.
    /// The destination of MEDIA_LD contains the block, with each row at a multiple of the pitch.
    fn dst_size "media-ld-dst-size" (Miscompiles, ANY, "MEDIA_LD.md, Semantics") |m, c| {
        if is_legal_block(m) {
            c.require_payload(m, field!(MediaLd.dst), m.dst);
        }
    }
}
