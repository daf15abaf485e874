//! Payloads of blocks of pixels (MEDIA_LD.md and MEDIA_ST.md, Notes).

use super::{Payload, Sizes};

impl Sizes {
    /// Returns the rows of a block in registers. Each begins at a multiple of a power of two.
    pub(super) fn rows(self, width: impl Into<u32>, height: impl Into<u32>) -> Payload {
        let width = width.into();
        Payload::rows(height.into(), width, width.next_power_of_two().max(4))
    }
}
