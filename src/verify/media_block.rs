//! The rectangles that MEDIA_LD and MEDIA_ST move (MEDIA_LD.md and MEDIA_ST.md, Notes).

/// The greatest width and height.
pub(super) const MAX_SIDE: u8 = 64;

/// The bytes from one row to the next in registers: a power of two.
pub(super) fn pitch(width: u8) -> u32 {
    u32::from(width).next_power_of_two().max(4)
}

/// The greatest height of a block of a width from 1 to 64.
pub(super) fn max_height(width: u8) -> u8 {
    match width {
        ..=4 => 64,
        5..=8 => 32,
        9..=16 => 16,
        17..=32 => 8,
        33.. => 4,
    }
}

/// The bytes in registers, up to the last one that counts; a width and height from 1 on.
pub(super) fn bytes(width: u8, height: u8) -> i64 {
    i64::from(height.saturating_sub(1)) * i64::from(pitch(width)) + i64::from(width)
}
