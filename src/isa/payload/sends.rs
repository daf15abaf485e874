//! Payloads of raw messages.

use super::{Payload, Sizes};

impl Sizes {
    /// Returns whole registers.
    pub(super) fn registers(self, count: u8) -> Payload {
        Payload::block(u32::from(count) * self.register)
    }

    /// Returns a number of bytes. It is limited so that footprints do not overflow; legal lengths are
    /// smaller by far.
    pub(super) fn bytes(self, count: u32) -> Payload {
        Payload::block(count.min(1 << 24))
    }
}
