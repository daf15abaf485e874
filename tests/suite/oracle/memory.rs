//! The data port, shared virtual memory and raw messages.

use genvisa::Version;
use genvisa::isa::svm::{self, BlockLd, BlockSt, SvmAtomic};
use genvisa::isa::*;
use genvisa::operand::{
    Atomic, AtomicOp, BlockNum, BlockType, ChannelMask, ElementSize, ExecMask, ExecSize,
    MediaModifier, NumElts, NumEltsCount, OwordNum, Precision, SendFlags, SvmBlock,
};

use super::fixture::*;

pub fn rows(version: Version) -> Vec<Row> {
    let mut rows = blocks();
    rows.extend(scattered());
    rows.extend(svm());
    rows.extend(sends(version));
    rows
}

fn blocks() -> Vec<Row> {
    rows![
        OwordLd { size: OwordNum::N4, is_modified: 0, surface: T6, offset: scalar(33, 1, 2),
                  dst: raw(34, 5) }
            => "oword_ld (4) T6 V33(1,2)<0;1,0> V34.5",
        OwordLdUnaligned { size: OwordNum::N8, is_modified: 0, surface: T7,
                           offset: scalar(33, 1, 2), dst: raw(34, 5) }
            => "oword_ld_unaligned (8) T7 V33(1,2)<0;1,0> V34.5",
        OwordSt { size: OwordNum::N2, surface: T8, offset: scalar(33, 1, 2), src: raw(34, 5) }
            => "oword_st (2) T8 V33(1,2)<0;1,0> V34.5",
        MediaSt { modifiers: MediaModifier::TOP, surface: T7, plane: 1, block_width: 16,
                  block_height: 8, x_offset: scalar(33, 1, 2), y_offset: scalar(34, 2, 3),
                  src: raw(35, 6) }
            => "media_st.top (16,8) T7 1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35.6",
    ]
}

fn scattered() -> Vec<Row> {
    let pred = when(P2);
    let exec = exec(ExecMask::M2, ExecSize::S8);
    let elements = |count, mask| NumElts { count, mask };
    let atomic = |op, width| Atomic::new(op, width).expect("a width that exists");
    rows![
        Gather { elt_size: ElementSize::WORD, is_modified: 0,
                 num_elts: elements(NumEltsCount::N16, ExecMask::M3), surface: T6,
                 global_offset: scalar(33, 1, 2), element_offset: raw(34, 5), dst: raw(35, 6) }
            => "gather.2 (M3, 16) T6 V33(1,2)<0;1,0> V34.5 V35.6",
        Scatter { elt_size: ElementSize::DWORD,
                  num_elts: elements(NumEltsCount::N8, ExecMask::M2), surface: T7,
                  global_offset: scalar(33, 1, 2), element_offset: raw(34, 5), src: raw(35, 6) }
            => "scatter.4 (M2, 8) T7 V33(1,2)<0;1,0> V34.5 V35.6",
        Gather4Scaled { exec, pred, channels: ChannelMask::R | ChannelMask::B, scale: 0,
                        surface: T6, offset: scalar(33, 1, 2), element_offset: raw(34, 5),
                        dst: raw(35, 6) }
            => "(P2) gather4_scaled.RB (M2, 8) T6 V33(1,2)<0;1,0> V34.5 V35.6",
        Scatter4Scaled { exec, pred, channels: ChannelMask::G | ChannelMask::A, scale: 0,
                         surface: T7, offset: scalar(33, 1, 2), element_offset: raw(34, 5),
                         src: raw(35, 6) }
            => "(P2) scatter4_scaled.GA (M2, 8) T7 V33(1,2)<0;1,0> V34.5 V35.6",
        GatherScaled { exec, pred, block_size: 0, num_blocks: BlockNum::N2, scale: 0, surface: T6,
                       offset: scalar(33, 1, 2), element_offset: raw(34, 5), dst: raw(35, 6) }
            => "(P2) gather_scaled.2 (M2, 8) T6 V33(1,2)<0;1,0> V34.5 V35.6",
        ScatterScaled { exec, pred, block_size: 0, num_blocks: BlockNum::N4, scale: 0,
                        surface: T7, offset: scalar(33, 1, 2), element_offset: raw(34, 5),
                        src: raw(35, 6) }
            => "(P2) scatter_scaled.4 (M2, 8) T7 V33(1,2)<0;1,0> V34.5 V35.6",
        QwGather { exec, pred, num_blocks: BlockNum::N2, surface: T6, offset: raw(34, 5),
                   dst: raw(35, 6) }
            => "(P2) qw_gather.2 (M2, 8) T6 V34.5 V35.6",
        QwScatter { exec, pred, num_blocks: BlockNum::N4, surface: T7, offset: raw(34, 5),
                    src: raw(35, 6) }
            => "(P2) qw_scatter.4 (M2, 8) T7 V34.5 V35.6",
        DwordAtomic { op: atomic(AtomicOp::CMPXCHG, 32), exec, pred, surface: T6,
                      element_offset: raw(33, 4), src0: raw(34, 5), src1: raw(35, 6),
                      dst: raw(36, 7) }
            => "(P2) dword_atomic.cmpxchg (M2, 8) T6 V33.4 V34.5 V35.6 V36.7",
        DwordAtomic { op: atomic(AtomicOp::FCMPWR, 16), exec, pred, surface: T6,
                      element_offset: raw(33, 4), src0: raw(34, 5), src1: raw(35, 6),
                      dst: raw(36, 7) }
            => "(P2) dword_atomic.fcmpwr.16 (M2, 8) T6 V33.4 V34.5 V35.6 V36.7",
        TypedAtomic { op: atomic(AtomicOp::IMAX, 32), exec, pred, surface: T8, u: raw(33, 4),
                      v: raw(34, 5), r: raw(35, 6), lod: raw(36, 7), src0: raw(37, 8),
                      src1: raw(38, 9), dst: raw(39, 10) }
            => "(P2) typed_atomic.maxsint (M2, 8) T8 V33.4 V34.5 V35.6 V36.7 V37.8 V38.9 V39.10",
        UrbWrite { exec, pred, num_out: 3, channel_mask: raw(33, 4), global_offset: 0x123,
                   urb_handle: raw(34, 5), per_slot_offset: raw(35, 6), vertex_data: raw(36, 7) }
            => "(P2) urb_write_3d (M2, 8) 3 291 V33.4 V34.5 V35.6 V36.7",
    ]
}

fn svm() -> Vec<Row> {
    let exec = exec(ExecMask::M2, ExecSize::S8);
    let pred = when(P2);
    rows![
        BlockLd { block: SvmBlock::new(OwordNum::N4, false), address: scalar(33, 1, 2),
                  dst: raw(34, 5) }
            => "svm_block_ld (4) V33(1,2)<0;1,0> V34.5",
        BlockSt { block: SvmBlock::new(OwordNum::N8, false), address: scalar(33, 1, 2),
                  src: raw(34, 5) }
            => "svm_block_st (8) V33(1,2)<0;1,0> V34.5",
        svm::Gather { exec, pred, block_size: BlockType::DWORD, num_blocks: BlockNum::N2,
                      addresses: raw(33, 4), dst: raw(34, 5) }
            => "(P2) svm_gather.4.2 (M2, 8) V33.4 V34.5",
        svm::Scatter { exec, pred, block_size: BlockType::QWORD, num_blocks: BlockNum::N4,
                       addresses: raw(33, 4), src: raw(34, 5) }
            => "(P2) svm_scatter.8.4 (M2, 8) V33.4 V34.5",
        SvmAtomic { exec, pred, op: Atomic::new(AtomicOp::XCHG, 64).expect("a width that exists"),
                    addresses: raw(33, 4), src0: raw(34, 5), src1: raw(35, 6), dst: raw(36, 7) }
            => "(P2) svm_atomic.xchg.64 (M2, 8) V33.4 V36.7 V34.5 V35.6",
        svm::Gather4Scaled { exec, pred, channels: ChannelMask::R | ChannelMask::G, scale: 0,
                             address: scalar(33, 1, 2), offsets: raw(34, 5), dst: raw(35, 6) }
            => "(P2) svm_gather4scaled.RG (M2, 8) V33(1,2)<0;1,0> V34.5 V35.6",
        svm::Scatter4Scaled { exec, pred, channels: ChannelMask::B | ChannelMask::A, scale: 0,
                              address: scalar(33, 1, 2), offsets: raw(34, 5), src: raw(35, 6) }
            => "(P2) svm_scatter4scaled.BA (M2, 8) V33(1,2)<0;1,0> V34.5 V35.6",
    ]
}

fn sends(version: Version) -> Vec<Row> {
    let exec = exec(ExecMask::M2, ExecSize::S8);
    let pred = when(P2);
    // Before 3.6, there is no SFID, and GenX_IR prints 0.
    let sfid = (version >= Version::V3_6).then_some(9);
    let printed_sfid = sfid.unwrap_or(0);
    rows![
        RawSend { modifiers: SendFlags::empty(), exec, pred, ex_msg_desc: 0x1234abcd, num_src: 2,
                  num_dst: 3, desc: scalar(33, 1, 2), src: raw(34, 5), dst: raw(35, 6) }
            => "(P2) raw_send (M2, 8) 0x1234abcd 2 3 V33(1,2)<0;1,0> V34.5 V35.6",
        RawSend { modifiers: SendFlags::SENDC, exec, pred, ex_msg_desc: 0xa, num_src: 4,
                  num_dst: 5, desc: scalar(33, 1, 2), src: raw(34, 5), dst: raw(35, 6) }
            => "(P2) raw_sendc (M2, 8) 0xa 4 5 V33(1,2)<0;1,0> V34.5 V35.6",
        RawSends { modifiers: SendFlags::empty(), exec, pred, num_src0: 2, num_src1: 3, num_dst: 4,
                   sfid, ex_msg_desc: scalar(33, 1, 2), desc: scalar(34, 2, 3), src0: raw(35, 6),
                   src1: raw(36, 7), dst: raw(37, 8) }
            => format!("(P2) raw_sends.{printed_sfid}.2.3.4 (M2, 8) V33(1,2)<0;1,0> \
                        V34(2,3)<0;1,0> V35.6 V36.7 V37.8"),
        RawSends { modifiers: SendFlags::all(), exec, pred, num_src0: 2, num_src1: 3, num_dst: 4,
                   sfid, ex_msg_desc: scalar(33, 1, 2), desc: scalar(34, 2, 3), src0: raw(35, 6),
                   src1: raw(36, 7), dst: raw(37, 8) }
            => format!("(P2) raw_sendsc.{printed_sfid}.eot.2.3.4 (M2, 8) V33(1,2)<0;1,0> \
                        V34(2,3)<0;1,0> V35.6 V36.7 V37.8"),
        Dpas { exec, pred: None, dst: raw(33, 4), src0: raw(34, 5), src1: raw(35, 6),
               src2: scalar(36, 1, 2), a: Precision::S8, w: Precision::U4, systolic_depth: 8,
               repeat_count: 2 }
            => "dpas.u4.s8.8.2 (M2, 8) V33.4 V34.5 V35.6 V36(1,2)",
        Dpasw { exec, pred: None, dst: raw(33, 4), src0: raw(34, 5), src1: raw(35, 6),
                src2: scalar(36, 1, 2), a: Precision::S2, w: Precision::U8, systolic_depth: 8,
                repeat_count: 7 }
            => "dpasw.u8.s2.8.7 (M2, 8) V33.4 V34.5 V35.6 V36(1,2)",
    ]
}
