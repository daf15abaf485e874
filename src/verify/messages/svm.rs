//! Rules for shared virtual memory (SVM_*.md). GenX_IR's verifier has none.

use super::data_port::atomics;
use super::data_port::require_channel;
use crate::isa::Instruction;
use crate::isa::svm::{
    BlockLd, BlockSt, Gather, Gather4Scaled, Scatter, Scatter4Scaled, Svm, SvmAtomic,
};
use crate::operand::{
    Atomic, AtomicOp, BlockNum, BlockType, ChannelMask, DataType, Exec, ExecSize, OwordNum, Raw,
    SvmBlock, Vector, VectorKind,
};
use crate::verify::context::Context;
use crate::verify::field::{Field, field};
use crate::verify::rule::{Rule, rules, subject};
use crate::verify::types::Types;

/// A block of owords.
pub(in crate::verify) struct Block<'i> {
    block: SvmBlock,
    address: &'i Vector,
}

subject! { Block<'i>: BlockLd dst, BlockSt src =>
    |i, _data| Block { block: i.block, address: &i.address }
}

rules! { block for Block<'_>;
    /// A block of shared virtual memory has 1, 2, 4 or 8 owords.
    fn size "svm-block-size" (Refuses, ANY, "SVM_BLOCK_LD.md, Properties") |i, c| {
        if i.block.size() > OwordNum::N8 {
            c.fail(field!(svm::BlockLd.block), i.block.size(), "1, 2, 4 or 8 owords");
        }
    }

    /// Before PVC, the address of a block of shared virtual memory is not a constant.
    fn address "svm-block-address" (Crashes, before(PvcSdv), "IGC") |i, c| {
        if matches!(i.address.kind, VectorKind::Immediate(_)) {
            c.fail(field!(svm::Gather4Scaled.address), "a constant", "a variable");
        }
    }

    /// The address of a block of shared virtual memory has type UQ.
    fn address_type "svm-block-address-type" (Accepts, ANY, "SVM_BLOCK_LD.md, Address") |i, c| {
        c.require_scalar_type(field!(svm::Gather4Scaled.address), i.address, Types::UQ);
    }
}

/// A gather or a scatter of blocks.
pub(in crate::verify) struct SvmBlocks {
    exec: Exec,
    size: BlockType,
    num: BlockNum,
    addresses: Raw,
    data: (Field, Raw),
}

subject! { SvmBlocks: Gather dst, Scatter src => |i, data| SvmBlocks {
    exec: i.exec,
    size: i.block_size,
    num: i.num_blocks,
    addresses: i.addresses,
    data,
} }

rules! { gather for SvmBlocks;
    /// The execution size of SVM_GATHER and SVM_SCATTER is at most 16.
    fn exec_size "svm-gather-exec-size" (Crashes, ANY, "SVM_GATHER.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(svm::Gather.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// The execution size of SVM_GATHER and SVM_SCATTER is at least 8 with more than one block per
    /// lane.
    fn exec_size_8 "svm-gather-exec-size-8" (Accepts, ANY, "SVM_GATHER.md, Exec_size") |i, c| {
        if i.num != BlockNum::N1 && i.exec.size < ExecSize::S8 {
            c.fail(field!(svm::Gather.exec), i.exec.size.lanes(), "8 or 16 lanes for more than one block per lane");
        }
    }

    /// SVM_GATHER and SVM_SCATTER move 1, 2, 4 or 8 blocks per lane.
    fn blocks "svm-gather-blocks" (Miscompiles, ANY, "SVM_GATHER.md, Num_blocks") |i, c| {
        if i.num.name().is_none() {
            c.fail(field!(svm::Gather.num_blocks), i.num, "1, 2, 4 or 8 blocks");
        }
    }

    /// A block of SVM_GATHER and SVM_SCATTER has 1, 4 or 8 bytes.
    fn block_size "svm-gather-block-size" (Miscompiles, ANY, "SVM_GATHER.md, Block_size") |i, c| {
        if i.size.name().is_none() {
            c.fail(field!(svm::Gather.block_size), i.size, "1, 4 or 8 bytes");
        }
    }

    /// SVM_GATHER and SVM_SCATTER with 8 blocks per lane have at most 8 lanes, and no blocks of 8
    /// bytes.
    fn eight "svm-gather-blocks-8" (Accepts, ANY, "SVM_GATHER.md, Num_blocks") |i, c| {
        // The page allows blocks of 4 bytes, and shows blocks of 1 byte in a figure.
        if i.num == BlockNum::N8 && i.size == BlockType::QWORD {
            c.fail(field!(svm::Gather.num_blocks), "8", "at most 4 blocks of 8 bytes");
        } else if i.num == BlockNum::N8 && i.exec.size == ExecSize::S16 {
            c.fail(field!(svm::Gather.exec), "16", "at most 8 lanes for 8 blocks per lane");
        }
    }

    /// The addresses of SVM_GATHER and SVM_SCATTER have type UQ.
    fn address_type "svm-gather-address-type" (Accepts, ANY, "SVM_GATHER.md, Addresses") |i, c| {
        c.require_type(field!(svm::Gather.addresses), i.addresses, Types::UQ);
    }

    /// The data of SVM_GATHER and SVM_SCATTER has a type of the size of a block.
    fn data_type "svm-gather-type" (Accepts, ANY, "SVM_GATHER.md, Notes") |i, c| {
        let size = match i.size {
            BlockType::BYTE => 1,
            BlockType::DWORD => 4,
            BlockType::QWORD => 8,
            _ => return,
        };
        if let Some(ty) = c.raw_ty(i.data.1).filter(|ty| ty.size() != size) {
            c.fail(i.data.0, ty, format_args!("a type of size {size}"));
        }
    }
}

/// Returns the types of the data of an atomic.
fn types(op: Atomic) -> Types {
    match (op.op(), op.width()) {
        (AtomicOp::IMIN | AtomicOp::IMAX, 64) => Types::of(&[DataType::Q]),
        (AtomicOp::ADD | AtomicOp::SUB, 64) => Types::of(&[DataType::UQ, DataType::Q]),
        (AtomicOp::FMAX | AtomicOp::FMIN | AtomicOp::FCMPWR, 64) => Types::ANY64,
        (AtomicOp::FADD | AtomicOp::FSUB, 64) => Types::ANY64,
        (_, 64) => Types::UQ,
        (op, _) => atomics::types(op),
    }
}

rules! { atomic for SvmAtomic;
    /// SVM_ATOMIC has a known operation.
    fn op "svm-atomic-op" (Refuses, ANY, "SVM_ATOMIC.md, Op") |i, c| {
        if i.op.op().name().is_none() {
            c.report(field!(svm::SvmAtomic.op), format_args!("unknown operation {}", i.op.op()));
        }
    }

    /// The execution size of SVM_ATOMIC is at most 8.
    fn exec_size "svm-atomic-exec-size" (Accepts, ANY, "SVM_ATOMIC.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S8 {
            c.fail(field!(svm::SvmAtomic.exec), i.exec.size.lanes(), "at most 8 lanes");
        }
    }

    /// SVM_ATOMIC has operations on 16 and 64 bits since TGLLP.
    fn width "svm-atomic-width" (Accepts, before(Tgllp), "SVM_ATOMIC.md, Op") |i, c| {
        if i.op.width() != 32 {
            c.fail(field!(svm::SvmAtomic.op), i.op.width(), "an operation on 32 bits");
        }
    }

    /// The addresses of SVM_ATOMIC have type UQ.
    fn address_type "svm-atomic-address-type" (Accepts, ANY, "SVM_ATOMIC.md, Addresses") |i, c| {
        c.require_type(field!(svm::SvmAtomic.addresses), i.addresses, Types::UQ);
    }

    /// The data of SVM_ATOMIC has type D for signed minimum and maximum, D or UD for add and sub, F
    /// for operations on floats, and otherwise UD; for operations on 64 bits, the type of that
    /// size.
    // Shipped compilers use D instead of UD.
    fn data_type "svm-atomic-type" (Accepts, ANY, "SVM_ATOMIC.md, Notes") |i, c| {
        let types = types(i.op);
        c.require_type(field!(svm::SvmAtomic.dst), i.dst, types);
        if !atomics::has_no_data(i.op.op()) {
            c.require_type(field!(svm::SvmAtomic.src0), i.src0, types);
        }
        if atomics::compares(i.op.op()) {
            c.require_type(field!(svm::SvmAtomic.src1), i.src1, types);
        }
    }

    /// Source 0 of SVM_ATOMIC is null for increment and decrement. Source 1 is null except for
    /// operations that compare.
    fn sources "svm-atomic-sources" (Accepts, ANY, "SVM_ATOMIC.md, Src0") |i, c| {
        if atomics::has_no_data(i.op.op()) && !i.src0.is_null() {
            let name = c.name(i.src0.var);
            c.fail(field!(svm::SvmAtomic.src0), name, "null");
        }
        if !atomics::compares(i.op.op()) && !i.src1.is_null() {
            let name = c.name(i.src1.var);
            c.fail(field!(svm::SvmAtomic.src1), name, "null");
        }
    }
}

/// A gather or a scatter of channels.
pub(in crate::verify) struct SvmChannels<'i> {
    exec: Exec,
    channels: ChannelMask,
    address: &'i Vector,
    offsets: Raw,
    data: (Field, Raw),
}

subject! { SvmChannels<'i>: Gather4Scaled dst, Scatter4Scaled src => |i, data| SvmChannels {
    exec: i.exec,
    channels: i.channels,
    address: &i.address,
    offsets: i.offsets,
    data,
} }

rules! { scaled for SvmChannels<'_>;
    /// The execution size of SVM_GATHER4_SCALED and SVM_SCATTER4_SCALED is 8 or 16; that of
    /// SVM_GATHER4_SCALED is 16 from PVC on.
    fn exec_size "svm-gather4-exec-size" (Crashes, ANY, "SVM_GATHER4_SCALED.md, Exec_size") |i, c| {
        let is_gather = i.data.0 == field!(svm::Gather.dst);
        match i.exec.size {
            ExecSize::S8 if is_gather && c.is_on(since(PvcSdv)) => c.fail(field!(svm::Gather.exec), 8, "16 lanes"),
            ExecSize::S8 | ExecSize::S16 => {}
            size => c.fail(field!(svm::Gather.exec), size.lanes(), "8 or 16 lanes"),
        }
    }

    /// SVM_GATHER4_SCALED and SVM_SCATTER4_SCALED move at least one channel.
    fn channels "svm-gather4-channels" (Refuses, ANY, "SVM_GATHER4_SCALED.md, SvmChannels") |i, c| {
        require_channel(i.channels, c);
    }

    /// The address and the offsets of SVM_GATHER4_SCALED and SVM_SCATTER4_SCALED have type UQ.
    fn address_type "svm-gather4-address-type" (Accepts, ANY, "SVM_GATHER4_SCALED.md, Address")
    |i, c| {
        c.require_scalar_type(field!(svm::Gather4Scaled.address), i.address, Types::UQ);
        c.require_type(field!(svm::Gather4Scaled.offsets), i.offsets, Types::UQ);
    }

    /// The data of SVM_GATHER4_SCALED and SVM_SCATTER4_SCALED has type UD, D or F.
    fn data_type "svm-gather4-type" (Accepts, ANY, "SVM_GATHER4_SCALED.md, Dst") |i, c| {
        c.require_type(i.data.0, i.data.1, Types::ANY32);
    }
}

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] =
    &[block::RULES, gather::RULES, atomic::RULES, scaled::RULES];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    let Instruction::Svm(svm) = instruction else { return };
    match svm {
        Svm::BlockLd(i) => block::check(&i.into(), cx),
        Svm::BlockSt(i) => block::check(&i.into(), cx),
        Svm::Gather(i) => gather::check(&i.into(), cx),
        Svm::Scatter(i) => gather::check(&i.into(), cx),
        Svm::SvmAtomic(i) => atomic::check(i, cx),
        Svm::Gather4Scaled(i) => scaled::check(&i.into(), cx),
        Svm::Scatter4Scaled(i) => scaled::check(&i.into(), cx),
    }
}
