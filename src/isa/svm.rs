//! SVM, 0x4e: shared virtual memory (format-facts 5.5).

use super::family::family;
use crate::operand::{Atomic, BlockNum, BlockType, ChannelMask, Exec, Pred, Raw, Scalar, SvmBlock};

family! {
    /// SVM, 0x4e: reads and writes shared virtual memory.
    Svm "svm operation" {
        /// Block read.
        0x01 BlockLd "block_ld" { block: SvmBlock, address: Scalar, dst: Raw }
        /// Block write.
        0x02 BlockSt "block_st" { block: SvmBlock, address: Scalar, src: Raw }
        /// Scattered read.
        0x03 Gather "gather" {
            exec: Exec, pred: Pred, block_size: BlockType, num_blocks: BlockNum, addresses: Raw,
            dst: Raw,
        }
        /// Scattered write.
        0x04 Scatter "scatter" {
            exec: Exec, pred: Pred, block_size: BlockType, num_blocks: BlockNum, addresses: Raw,
            src: Raw,
        }
        /// Atomic.
        0x05 SvmAtomic "atomic" {
            exec: Exec, pred: Pred, op: Atomic, addresses: Raw, src0: Raw, src1: Raw, dst: Raw,
        }
        /// Scattered read of up to four channels.
        0x06 Gather4Scaled "gather4scaled" {
            exec: Exec, pred: Pred, channels: ChannelMask, scale: u16, address: Scalar,
            offsets: Raw, dst: Raw,
        }
        /// Scattered write of up to four channels.
        0x07 Scatter4Scaled "scatter4scaled" {
            exec: Exec, pred: Pred, channels: ChannelMask, scale: u16, address: Scalar,
            offsets: Raw, src: Raw,
        }
    }
}
