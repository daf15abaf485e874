//! MEDIA_LD, 0x37 (MEDIA_LD.md; format-facts 4.2).

use super::record::record;
use crate::operand::{MediaModifier, RawDst, Scalar, SurfaceId};

record! {
    /// MEDIA_LD, 0x37: reads a rectangle of a 2D surface.
    ///
    /// | Field | Bytes | Legal values |
    /// |---|---|---|
    /// | [`modifiers`](Self::modifiers) | ub: bits 0..2 | 0 none, 2 top field, 3 bottom field; readers know 1, 4 and 5 too |
    /// | [`surface`](Self::surface) | ub | a 2D surface, not T0 (SLM) or T5 (stateless) |
    /// | [`plane`](Self::plane) | ub | 0 to 3 |
    /// | [`block_width`](Self::block_width) | ub | 1 to 64 bytes |
    /// | [`block_height`](Self::block_height) | ub | 1 to 64 rows, fewer for wide blocks |
    /// | [`x_offset`](Self::x_offset) | scalar | type UD |
    /// | [`y_offset`](Self::y_offset) | scalar | type UD |
    /// | [`dst`](Self::dst) | raw operand | room for `block_height` times the register pitch |
    ///
    /// The layout is the same in every dialect and version. There is neither exec size nor
    /// predicate. Width 1-4 allows 64 rows (pitch 4), 5-8 32 rows (8), 9-16 16 rows (16), 17-32
    /// 8 rows (32), 33-64 4 rows (64).
    ///
    /// Source: MEDIA_LD.md; format-facts 4.2 for the modifiers.
    MediaLd {
        /// Which lines are read; one byte, bits 3 to 7 zero.
        modifiers: MediaModifier,
        /// One byte.
        surface: SurfaceId,
        /// The plane of a planar format, one byte.
        plane: u8,
        /// In bytes, one byte.
        block_width: u8,
        /// In rows, one byte.
        block_height: u8,
        /// The left edge, in bytes. Type UD.
        x_offset: Scalar,
        /// The upper edge, in rows (MEDIA_LD.md says bytes). Type UD.
        y_offset: Scalar,
        /// Where the block goes, each row at a multiple of the pitch.
        dst: RawDst,
    }
}
