//! Payloads of messages that access surfaces through the data port.

use super::{Payload, Sizes, lanes};
use crate::operand::{Atomic, BlockNum, Exec, NumElts, NumEltsCount};

/// Returns the number of elements of GATHER and SCATTER. Readers interpret 3 as 8 elements.
pub(super) fn elements(count: NumElts) -> u32 {
    match count.count {
        NumEltsCount::N1 => 1,
        NumEltsCount::N16 => 16,
        _ => 8,
    }
}

impl Sizes {
    /// Returns a dword per element. Smaller elements are in its low bits.
    pub(super) fn dword_elements(self, count: NumElts) -> Payload {
        Payload::lanes(elements(count), 4)
    }

    pub(super) fn qword_blocks(self, exec: Exec, count: BlockNum) -> Option<Payload> {
        Some(Payload::blocks(count.count()?, lanes(exec), 8, self))
    }

    /// Returns an operand of an atomic for each lane. Words are in the low half of a dword.
    pub(super) fn atomic(self, exec: Exec, op: Atomic) -> Payload {
        Payload::of_exec(exec, if op.width() == 64 { 8 } else { 4 })
    }
}
