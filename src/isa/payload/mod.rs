//! The bytes that messages transfer from and to their raw operands.

use super::Instruction;
use crate::operand::Slot;

/// The part of a variable that a message transfers, from the start of an operand on: chunks of the
/// same size at a constant distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Payload {
    /// The number of bytes of a chunk.
    pub(crate) chunk: u32,
    /// The distance of the chunks in bytes.
    pub(crate) pitch: u32,
    /// The number of chunks.
    pub(crate) chunks: u32,
    /// The number of bytes of a lane, if a chunk contains the elements of consecutive lanes; 0
    /// otherwise.
    pub(crate) lane: u8,
    /// Whether the message transfers all of these bytes. Otherwise it transfers some of them, or
    /// none.
    pub(crate) is_exact: bool,
}

impl Instruction {
    /// Returns the part of a variable that a raw operand, or the vector operand of a systolic
    /// instruction, transfers; `None` if its length is unknown. `element` is the size of the
    /// elements of the operand's variable, and `register` that of a register, in bytes.
    pub(crate) fn payload(&self, slot: Slot, element: u32, register: u32) -> Option<Payload> {
        let _ = (slot, element, register);
        None
    }
}
