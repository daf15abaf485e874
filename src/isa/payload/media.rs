//! Payloads of blocks of pixels (MEDIA_LD.md and MEDIA_ST.md, Notes).

use super::Payload;

/// Returns the rows of a block in registers. Each begins at a multiple of a power of two.
pub(super) fn block(width: u32, height: u32) -> Payload {
    Payload::rows(height, width, width.next_power_of_two().max(4))
}
