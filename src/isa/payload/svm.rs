//! Payloads of messages to shared virtual memory.

use super::{Payload, Sizes, lanes};
use crate::operand::{BlockNum, BlockType, Exec, SvmBlock};

impl Sizes {
    pub(super) fn svm_block(self, block: SvmBlock) -> Option<Payload> {
        self.owords(block.size())
    }

    /// Returns the data of a gather or scatter of blocks. Block 0 of all lanes precedes block
    /// 1 of all lanes, except single bytes, which fill one or two dwords per lane.
    pub(super) fn scattered(self, exec: Exec, size: BlockType, num: BlockNum) -> Option<Payload> {
        let num = num.count()?;
        match size {
            BlockType::BYTE => Some(Payload::of_exec(exec, num.max(4))),
            BlockType::DWORD => Some(Payload::blocks(num, lanes(exec), 4, self)),
            BlockType::QWORD => Some(Payload::blocks(num, lanes(exec), 8, self)),
            _ => None,
        }
    }
}
