//! Payloads of messages to render targets and to the unified return buffer.

use super::{Payload, Sizes, lanes};
use crate::operand::Exec;

impl Sizes {
    /// Returns a color per lane, which has 16 bits if the elements of the variable have.
    pub(super) fn colors(self, exec: Exec) -> Payload {
        Payload::of_exec(exec, if self.element == 2 { 2 } else { 4 })
    }

    /// Returns a stencil value per lane. The page packs the values of 8 lanes into a dword.
    pub(super) fn stencil(self, exec: Exec) -> Payload {
        Payload::block(lanes(exec) / 2)
    }

    /// Returns values of eight vertices, even if the execution size is 1, each in a register.
    pub(super) fn vertices(self, count: u8) -> Payload {
        Payload::rows(count.into(), 8 * 4, self.register)
    }
}
