//! SVM, 0x4e: shared virtual memory (docs/format.md, 5.5).

use super::family::family;
use crate::operand::{
    Atomic, BlockNum, BlockType, ChannelMask, Exec, Pred, Raw, RawDst, Scalar, SvmBlock,
};

/// Passes the family to a macro, as `instruction_table` does.
#[rustfmt::skip]
macro_rules! svm_table { ($callback:ident) => { $crate::isa::normalize_family! { $callback svm
    /// SVM, 0x4e: reads and writes shared virtual memory.
    Svm "svm operation" {
        /// Block read.
        [0x01] BlockLd svm_block_ld "block_ld" { block: SvmBlock, address: Scalar, dst: RawDst }
            moves [_: svm_block(block)]
            as [@ {SvmSize block} address dst]
        /// Block write.
        [0x02] BlockSt svm_block_st "block_st" { block: SvmBlock, address: Scalar, src: Raw }
            moves [_: svm_block(block)]
            as [@ {SvmSize block} address src]
        /// Scattered read.
        [0x03] Gather svm_gather "gather" {
            exec: Exec, pred: Pred, block_size: BlockType, num_blocks: BlockNum, addresses: Raw,
            dst: RawDst,
        }
            moves [addresses: qwords(exec), _: scattered(exec, block_size, num_blocks)]
            as [pred @ .block_size .num_blocks exec addresses dst]
        /// Scattered write.
        [0x04] Scatter svm_scatter "scatter" {
            exec: Exec, pred: Pred, block_size: BlockType, num_blocks: BlockNum, addresses: Raw,
            src: Raw,
        }
            moves [addresses: qwords(exec), _: scattered(exec, block_size, num_blocks)]
            as [pred @ .block_size .num_blocks exec addresses src]
        /// Atomic.
        [0x05] SvmAtomic svm_atomic "atomic" {
            exec: Exec, pred: Pred, op: Atomic, addresses: Raw, src0: Raw, src1: Raw, dst: RawDst,
        }
            moves [addresses: qwords(exec), _: atomic(exec, op)]
            as [pred @ .op exec addresses dst src0 src1]
        /// Scattered read of up to four channels.
        [0x06] Gather4Scaled svm_gather4scaled "gather4scaled" {
            exec: Exec, pred: Pred, channels: ChannelMask, scale: u16, address: Scalar,
            offsets: Raw, dst: RawDst,
        }
            moves [offsets: qwords(exec), _: channels(exec, channels)]
            as [pred @ {Letters channels} exec address offsets dst {Zero scale}]
        /// Scattered write of up to four channels.
        [0x07] Scatter4Scaled svm_scatter4scaled "scatter4scaled" {
            exec: Exec, pred: Pred, channels: ChannelMask, scale: u16, address: Scalar,
            offsets: Raw, src: Raw,
        }
            moves [offsets: qwords(exec), _: channels(exec, channels)]
            as [pred @ {Letters channels} exec address offsets src {Zero scale}]
    }
} } }

#[cfg(any(feature = "analysis", feature = "build", feature = "text", feature = "verify"))]
pub(crate) use svm_table;

svm_table!(family);
