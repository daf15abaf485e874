//! Geometry of the blocks of MEDIA_LD and MEDIA_ST (MEDIA_LD.md and MEDIA_ST.md, Notes).

/// The maximum width in bytes and height in rows.
pub(super) const MAX_SIDE: u8 = 64;

/// Returns the maximum height of a block with a width of 1 to 64.
pub(super) fn max_height(width: u8) -> u8 {
    match width {
        ..=4 => 64,
        5..=8 => 32,
        9..=16 => 16,
        17..=32 => 8,
        33.. => 4,
    }
}
