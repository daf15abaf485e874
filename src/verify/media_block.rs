//! Geometry of the blocks of MEDIA_LD and MEDIA_ST (MEDIA_LD.md and MEDIA_ST.md, Notes).

/// The maximum width in bytes and height in rows.
pub(super) const MAX_SIDE: u8 = 64;

/// Returns the number of bytes from one row to the next in registers: a power of two.
pub(super) fn pitch(width: u8) -> u32 {
    u32::from(width).next_power_of_two().max(4)
}

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

/// Returns the size of a block in registers, up to the last byte of the last row. Width and height
/// are at least 1.
pub(super) fn bytes(width: u8, height: u8) -> i64 {
    i64::from(height.saturating_sub(1)) * i64::from(pitch(width)) + i64::from(width)
}
