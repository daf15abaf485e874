//! Payloads of messages to shared virtual memory.

use super::{Payload, Payloads, Sizes, blocks, data_port, lanes, owords};
use crate::isa::svm::{
    BlockLd, BlockSt, Gather, Gather4Scaled, Scatter, Scatter4Scaled, Svm, SvmAtomic,
};
use crate::operand::{BlockNum, BlockType, Exec};

/// The size of an address.
const ADDRESS: u32 = 8;

impl Payloads for Svm {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        match self {
            Svm::BlockLd(BlockLd { block, .. }) | Svm::BlockSt(BlockSt { block, .. }) => {
                owords(block.size())
            }
            Svm::Gather(Gather { exec, block_size, num_blocks, .. })
            | Svm::Scatter(Scatter { exec, block_size, num_blocks, .. }) => match field {
                "addresses" => Some(Payload::of_exec(*exec, ADDRESS)),
                _ => scattered(*exec, *block_size, *num_blocks, sizes),
            },
            Svm::SvmAtomic(SvmAtomic { exec, op, .. }) => Some(match field {
                "addresses" => Payload::of_exec(*exec, ADDRESS),
                _ => Payload::of_exec(*exec, data_port::atomic_size(*op)),
            }),
            Svm::Gather4Scaled(Gather4Scaled { exec, channels, .. })
            | Svm::Scatter4Scaled(Scatter4Scaled { exec, channels, .. }) => Some(match field {
                "offsets" => Payload::of_exec(*exec, ADDRESS),
                _ => data_port::channels(*exec, *channels, sizes),
            }),
        }
    }
}

/// Returns the data of a gather or scatter of blocks. The blocks of a lane follow those of all lanes
/// with the same number, except single bytes, which fill one or two dwords per lane.
fn scattered(exec: Exec, size: BlockType, num: BlockNum, sizes: Sizes) -> Option<Payload> {
    let num = blocks(num)?;
    match size {
        BlockType::BYTE => Some(Payload::of_exec(exec, num.max(4))),
        BlockType::DWORD => Some(Payload::blocks(num, lanes(exec), 4, sizes)),
        BlockType::QWORD => Some(Payload::blocks(num, lanes(exec), 8, sizes)),
        _ => None,
    }
}
