//! Cases for the rules of the data port, atomics and shared virtual memory.

use genvisa::Instruction;
use genvisa::Platform::*;
use genvisa::isa::svm::Svm;
use genvisa::operand::{
    AddrId, AddrWidth, Atomic, AtomicOp, BlockNum, BlockType, ChannelMask, ElementSize,
    MediaModifier, NumEltsCount, OwordNum, Vector,
};

use super::{Case, case, case_4_2, edited, scalar};

pub fn cases() -> Vec<Case> {
    let mut cases = blocks();
    cases.extend(elements());
    cases.extend(atomics());
    cases.extend(shared());
    cases
}

fn blocks() -> Vec<Case> {
    const OWORDS: &str = concat!("oword_ld (1) T6 ", scalar!("ud"), " ud_64.0");
    const MEDIA: &str = "media_st.nomod (16,8) T7 1 0x0:ud 0x0:ud ud_64.0";
    vec![
        case(
            "scalar-operand",
            edited!(OWORDS, Instruction::OwordLd(i) =>
                i.offset = Vector::address(AddrId(0), 0, AddrWidth::W1)),
            OWORDS,
        ),
        case(
            "modified-read",
            "oword_ld.mod (2) T6 0x0:ud ud_64.0",
            "oword_ld (2) T6 0x0:ud ud_64.0",
        ),
        case(
            "modified-read",
            "oword_ld_unaligned.mod (2) T6 0x0:ud ud_64.0",
            "oword_ld_unaligned (2) T6 0x0:ud ud_64.0",
        ),
        case(
            "modified-read",
            "gather.1 (M1, 8).mod T6 0x0:ud ud_8.0 ud_8.0",
            "gather.1 (M1, 8) T6 0x0:ud ud_8.0 ud_8.0",
        ),
        case(
            "oword-size",
            edited!(OWORDS, Instruction::OwordLd(i) =>
                i.size = OwordNum::from_bits(5).expect("three bits")),
            "oword_ld (16) %slm 0x0:ud ud_64.0",
        )
        .on(XeHpSdv),
        case(
            "oword-size-16",
            "oword_st (16) T6 0x0:ud ud_64.0",
            "oword_st (16) %slm 0x0:ud ud_64.0",
        )
        .on(XeHpSdv),
        case(
            "oword-size-16",
            "oword_st (16) %slm 0x0:ud ud_64.0",
            "oword_st (8) %slm 0x0:ud ud_64.0",
        )
        .on(Tgllp),
        case(
            "data-port-surface",
            "oword_st (1) %slm 0x0:ud ud_64.0",
            "oword_st (1) T6 0x0:ud ud_64.0",
        )
        .on(Cnl),
        case(
            "oword-offset-type",
            "oword_ld_unaligned (1) T6 0x0:d ud_64.0",
            "oword_ld_unaligned (1) T6 0x0:ud ud_64.0",
        ),
        case(
            "media-st-modifier",
            edited!(MEDIA, Instruction::MediaSt(i) => i.modifiers = MediaModifier::TOP_MOD),
            "media_st.bottom (16,8) T7 1 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-modified",
            edited!(MEDIA, Instruction::MediaSt(i) => i.modifiers = MediaModifier::MODIFIED),
            "media_st.top (16,8) T7 1 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-surface",
            "media_st.nomod (16,8) %slm 1 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (16,8) T1 1 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-stateless",
            "media_st.nomod (16,8) %scratch 1 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (16,8) %bss 1 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-plane",
            "media_st.nomod (16,8) T7 4 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (16,8) T7 3 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-width",
            "media_st.nomod (65,1) T7 0 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (64,1) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-width",
            "media_st.nomod (0,1) T7 0 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (1,1) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-height",
            "media_st.nomod (4,65) T7 0 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (4,64) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-height",
            "media_st.nomod (4,0) T7 0 0x0:ud 0x0:ud ud_64.0",
            "media_st.nomod (4,1) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-size",
            "media_st.nomod (5,33) T7 0 0x0:ud 0x0:ud ud_128.0",
            "media_st.nomod (5,32) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-block-size",
            "media_st.nomod (33,5) T7 0 0x0:ud 0x0:ud ud_128.0",
            "media_st.nomod (33,4) T7 0 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-offset-type",
            "media_st.nomod (16,8) T7 1 0x0:d 0x0:ud ud_64.0",
            "media_st.nomod (16,8) T7 1 0x0:ud 0x0:ud ud_64.0",
        ),
        case(
            "media-st-offset-alignment",
            "media_st.nomod (16,8) T7 1 0x2:ud 0x2:ud ud_64.0",
            "media_st.nomod (16,8) T7 1 0x4:ud 0x2:ud ud_64.0",
        ),
        case(
            "media-st-src-size",
            "media_st.nomod (8,2) T7 1 0x0:ud 0x0:ud ub_15.0",
            "media_st.nomod (8,2) T7 1 0x0:ud 0x0:ud ub_16.0",
        ),
        case(
            "media-st-src-size",
            "media_st.nomod (5,2) T7 1 0x0:ud 0x0:ud ub_8.0",
            "media_st.nomod (7,2) T7 1 0x0:ud 0x0:ud ub_15.0",
        ),
    ]
}

fn elements() -> Vec<Case> {
    const GATHER: &str = "gather.4 (M1, 8) T6 0x0:ud ud_8.0 ud_8.0";
    const TYPED: &str = "scatter4_typed.R (M1, 8) T6 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0";
    const GATHER4: &str = "gather4_scaled.R (M1, 8) T6 0x0:ud ud_8.0 ud_8.0";
    const SCATTER: &str = "scatter_scaled.4 (M1, 8) T6 0x0:ud ud_8.0 ud_8.0";
    const QWORDS: &str = "qw_scatter.4 (M1, 8) T6 ud_8.0 uq_64.0";
    vec![
        case(
            "gather-element-size",
            edited!(GATHER, Instruction::Gather(i) =>
                i.elt_size = ElementSize::from_bits(3).expect("a byte")),
            GATHER,
        ),
        case(
            "gather-count",
            edited!(GATHER, Instruction::Gather(i) =>
                i.num_elts.count = NumEltsCount::from_bits(3).expect("two bits")),
            "gather.4 (M1, 1) T6 0x0:ud ud_8.0 ud_8.0",
        ),
        case("gather-mask", "gather.4 (M2, 8) T6 0x0:ud ud_8.0 ud_8.0", GATHER),
        case(
            "gather-mask",
            "scatter.4 (M2, 1) T6 ud_1(0,0)<0;1,0> ud_8.0 ud_8.0",
            "scatter.4 (M1, 1) T6 ud_1(0,0)<0;1,0> ud_8.0 ud_8.0",
        )
        .on(PvcXt),
        case("gather-type", "scatter.1 (M1, 8) T6 0x0:ud ud_8.0 ub_32.0", GATHER),
        case("gather-type", "gather.2 (M1, 8) T6 0x0:ud ud_8.0 uw_16.0", GATHER),
        case("gather-offset-type", "gather.4 (M1, 8) T6 0x0:ud d_8.0 f_8.0", GATHER),
        case("gather-offset-type", "scatter.4 (M1, 8) T6 0x0:d ud_8.0 f_8.0", GATHER),
        case(
            "gather4-typed-exec-size",
            "scatter4_typed.R (M1, 32) T6 ud_32.0 %null.0 %null.0 %null.0 ud_32.0",
            TYPED,
        ),
        case(
            "scatter4-typed-channels",
            edited!(TYPED, Instruction::Scatter4Typed(i) => i.channels = ChannelMask::empty()),
            TYPED,
        ),
        case(
            "scatter4-typed-surface",
            "scatter4_typed.R (M1, 8) %slm ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            "scatter4_typed.R (M1, 8) T1 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
        ),
        case(
            "scatter4-typed-surface",
            "scatter4_typed.R (M1, 8) %scratch ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            "scatter4_typed.R (M1, 8) %bss ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
        ),
        case(
            "scatter4-typed-offset-type",
            "scatter4_typed.R (M1, 8) T6 ud_8.0 f_8.0 %null.0 %null.0 ud_8.0",
            TYPED,
        ),
        case(
            "scatter4-typed-offset-sign",
            "scatter4_typed.R (M1, 8) T6 d_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            TYPED,
        ),
        case(
            "scatter4-typed-src-type",
            "scatter4_typed.R (M1, 8) T6 ud_8.0 ud_8.0 %null.0 %null.0 hf_16.0",
            "scatter4_typed.R (M1, 8) T6 ud_8.0 ud_8.0 %null.0 %null.0 f_8.0",
        ),
        case(
            "gather4-scaled-exec-size-8",
            "gather4_scaled.R (M1, 4) T6 0x0:ud ud_8.0 ud_8.0",
            GATHER4,
        ),
        case(
            "gather4-scaled-exec-size",
            "scatter4_scaled.R (M1, 32) T6 0x0:ud ud_32.0 ud_32.0",
            "scatter4_scaled.R (M1, 16) T6 0x0:ud ud_16.0 ud_16.0",
        ),
        case(
            "gather4-scaled-channels",
            edited!(GATHER4, Instruction::Gather4Scaled(i) => i.channels = ChannelMask::empty()),
            GATHER4,
        ),
        case("scaled-mask", "gather4_scaled.R (M3_NM, 8) T6 0x0:ud ud_8.0 ud_8.0", GATHER4)
            .on(PvcSdv),
        case("scaled-mask", "scatter_scaled.4 (M2, 4) T6 0x0:ud ud_8.0 ud_8.0", SCATTER),
        case(
            "gather-scaled-exec-size",
            "scatter_scaled.4 (M1, 32) T6 0x0:ud ud_32.0 ud_32.0",
            SCATTER,
        ),
        case(
            "gather-scaled-blocks",
            edited!(SCATTER, Instruction::ScatterScaled(i) => i.num_blocks = BlockNum::N8),
            SCATTER,
        ),
        case(
            "gather-scaled-offset-type",
            "gather_scaled.1 (M1, 8) T6 0x0:uw ud_8.0 ud_8.0",
            SCATTER,
        ),
        case(
            "gather-scaled-offset-type",
            "gather4_scaled.R (M1, 8) T6 0x0:ud d_8.0 ud_8.0",
            GATHER4,
        ),
        case(
            "gather-scaled-type",
            "gather_scaled.1 (M1, 8) T6 0x0:ud ud_8.0 ub_32.0",
            "gather_scaled.1 (M1, 8) T6 0x0:ud ud_8.0 f_8.0",
        ),
        case(
            "qw-gather-exec-size",
            "qw_gather.1 (M1, 32) T6 ud_32.0 q_32.0",
            "qw_gather.1 (M1, 16) T6 ud_16.0 q_16.0",
        ),
        case(
            "qw-gather-blocks",
            edited!(QWORDS, Instruction::QwScatter(i) => i.num_blocks = BlockNum::N8),
            QWORDS,
        ),
        case("qw-gather-offset-type", "qw_gather.1 (M1, 8) T6 uq_8.0 uq_8.0", QWORDS),
        case(
            "qw-gather-type",
            "qw_gather.1 (M1, 8) T6 ud_8.0 ud_16.0",
            "qw_gather.1 (M1, 8) T6 ud_8.0 df_8.0",
        ),
    ]
}

fn atomics() -> Vec<Case> {
    const DWORD: &str = "dword_atomic.predec (M1, 8) T6 ud_8.0 %null.0 %null.0 ud_8.0";
    const TYPED: &str =
        "typed_atomic.predec (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0";
    vec![
        case(
            "dword-atomic-op",
            edited!(DWORD, Instruction::DwordAtomic(i) => i.op = Atomic::from_bits(14)),
            DWORD,
        ),
        case(
            "dword-atomic-width",
            "dword_atomic.xchg.16 (M1, 8) T6 ud_8.0 ud_8.0 %null.0 ud_8.0",
            "dword_atomic.xchg (M1, 8) T6 ud_8.0 ud_8.0 %null.0 ud_8.0",
        )
        .on(Icllp),
        case_4_2(
            "dword-atomic-width-64",
            edited!("dword_atomic.xchg (M1, 8) T6 ud_8.0 ud_16.0 %null.0 ud_16.0",
                Instruction::DwordAtomic(i) => i.op = Atomic::new(AtomicOp::XCHG, 64).expect("an operation")),
            "dword_atomic.xchg (M1, 8) T6 ud_8.0 ud_8.0 %null.0 ud_8.0",
        ),
        case_4_2(
            "typed-atomic-width-64",
            edited!("typed_atomic.xchg (M1, 8) T6 ud_8.0 %null.0 %null.0 %null.0 ud_16.0 %null.0 ud_16.0",
                Instruction::TypedAtomic(i) => i.op = Atomic::new(AtomicOp::XCHG, 64).expect("an operation")),
            "typed_atomic.xchg (M1, 8) T6 ud_8.0 %null.0 %null.0 %null.0 ud_8.0 %null.0 ud_8.0",
        ),
        case(
            "message-payload",
            "dword_atomic.add (M1, 16) T6 ud_16.0 ud_15.0 %null.0 ud_16.0",
            "dword_atomic.add (M1, 16) T6 ud_16.0 ud_16.0 %null.0 ud_16.0",
        ),
        case("message-payload", "oword_ld (4) T6 0x0:ud ud_15.0", "oword_ld (4) T6 0x0:ud ud_16.0"),
        case(
            "message-payload",
            "svm_block_ld (8) 0x0:uq ud_15.0",
            "svm_block_ld (4) 0x0:uq ud_16.0",
        ),
        // A single oword may come from fewer bytes.
        case("message-payload", "oword_st (2) T6 0x0:ud ud_7.0", "oword_st (1) T6 0x0:ud uq_1.0"),
        case(
            "message-payload",
            "svm_block_st (2) 0x0:uq ud_7.0",
            "svm_block_st.unaligned (1) 0x0:uq uq_1.0",
        ),
        case(
            "dword-atomic-exec-size",
            "dword_atomic.predec (M1, 32) T6 ud_32.0 %null.0 %null.0 ud_32.0",
            "dword_atomic.predec (M1, 16) T6 ud_16.0 %null.0 %null.0 ud_16.0",
        ),
        case(
            "dword-atomic-offset-type",
            "dword_atomic.predec (M1, 8) T6 d_8.0 %null.0 %null.0 ud_8.0",
            DWORD,
        ),
        case(
            "dword-atomic-type",
            "dword_atomic.minsint (M1, 8) T6 ud_8.0 ud_8.0 %null.0 d_8.0",
            "dword_atomic.minsint (M1, 8) T6 ud_8.0 d_8.0 %null.0 d_8.0",
        ),
        case(
            "dword-atomic-type",
            "dword_atomic.add (M1, 8) T6 ud_8.0 ud_8.0 %null.0 f_8.0",
            "dword_atomic.add (M1, 8) T6 ud_8.0 ud_8.0 %null.0 d_8.0",
        ),
        case(
            "dword-atomic-type",
            "dword_atomic.fcmpwr (M1, 8) T6 ud_8.0 f_8.0 ud_8.0 %null.0",
            "dword_atomic.fcmpwr (M1, 8) T6 ud_8.0 f_8.0 f_8.0 %null.0",
        ),
        case(
            "dword-atomic-type",
            "dword_atomic.minsint.16 (M1, 8) T6 ud_8.0 d_8.0 %null.0 %null.0",
            "dword_atomic.minsint.16 (M1, 8) T6 ud_8.0 ud_8.0 %null.0 %null.0",
        ),
        case(
            "dword-atomic-sources",
            "dword_atomic.inc (M1, 8) T6 ud_8.0 ud_8.0 %null.0 ud_8.0",
            "dword_atomic.inc (M1, 8) T6 ud_8.0 %null.0 %null.0 ud_8.0",
        ),
        case(
            "dword-atomic-sources",
            "dword_atomic.xchg (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
            "dword_atomic.cmpxchg (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
        ),
        case(
            "dword-atomic-sources",
            "dword_atomic.cmpxchg.16 (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
            "dword_atomic.cmpxchg.16 (M1, 8) T6 ud_8.0 ud_8.0 %null.0 ud_8.0",
        ),
        case(
            "typed-atomic-op",
            edited!(TYPED, Instruction::TypedAtomic(i) => i.op = Atomic::from_bits(31)),
            TYPED,
        ),
        case(
            "typed-atomic-float",
            "typed_atomic.fmax (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 f_8.0 %null.0 f_8.0",
            "typed_atomic.xor (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 ud_8.0",
        ),
        case(
            "typed-atomic-width",
            "typed_atomic.inc.16 (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            TYPED,
        )
        .on(Icllp),
        case(
            "typed-atomic-exec-size",
            "typed_atomic.inc (M1, 1) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            TYPED,
        ),
        case(
            "typed-atomic-exec-size-8",
            "typed_atomic.xor (M1, 16) T6 ud_16.0 ud_16.0 ud_16.0 ud_16.0 ud_16.0 %null.0 ud_16.0",
            "typed_atomic.xor (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 ud_8.0",
        )
        .on(Dg2),
        case(
            "typed-atomic-exec-size-16",
            "typed_atomic.xor (M1, 32) T6 ud_32.0 ud_32.0 ud_32.0 ud_32.0 ud_32.0 %null.0 ud_32.0",
            "typed_atomic.xor (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 ud_8.0",
        ),
        case(
            "typed-atomic-offset-type",
            "typed_atomic.inc (M1, 8) T6 ud_8.0 d_8.0 ud_8.0 ud_8.0 %null.0 %null.0 ud_8.0",
            TYPED,
        ),
        case(
            "typed-atomic-type",
            "typed_atomic.maxsint (M1, 8) T6 ud_8.0 %null.0 %null.0 %null.0 d_8.0 %null.0 ud_8.0",
            "typed_atomic.maxsint (M1, 8) T6 ud_8.0 %null.0 %null.0 %null.0 d_8.0 %null.0 d_8.0",
        ),
        case(
            "typed-atomic-sources",
            "typed_atomic.dec (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 ud_8.0",
            "typed_atomic.xor (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 %null.0 ud_8.0",
        ),
        case(
            "typed-atomic-sources",
            "typed_atomic.xor (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
            "typed_atomic.cmpxchg (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
        ),
    ]
}

fn shared() -> Vec<Case> {
    const ATOMIC: &str = "svm_atomic.add (M1, 8) uq_8.0 ud_8.0 ud_8.0 %null.0";
    const GATHER: &str = "svm_gather.4.2 (M1, 8) uq_8.0 ud_16.0";
    const GATHER4: &str = "svm_gather4scaled.R (M1, 8) 0x0:uq uq_8.0 ud_8.0";
    vec![
        case(
            "svm-block-size",
            "svm_block_ld (16) 0x0:uq ud_64.0",
            "svm_block_ld (8) 0x0:uq ud_64.0",
        ),
        case(
            "svm-block-address-type",
            "svm_block_st (8) 0x0:ud ud_64.0",
            "svm_block_st (8) 0x0:uq ud_64.0",
        ),
        case(
            "svm-gather-exec-size",
            "svm_gather.4.1 (M1, 32) uq_32.0 ud_32.0",
            "svm_gather.4.1 (M1, 16) uq_16.0 ud_16.0",
        ),
        case("svm-gather-exec-size-8", "svm_gather.4.2 (M1, 4) uq_8.0 ud_16.0", GATHER),
        case(
            "svm-gather-blocks",
            edited!(GATHER, Instruction::Svm(Svm::Gather(i)) =>
                i.num_blocks = BlockNum::from_bits(4).expect("a byte")),
            "svm_gather.4.8 (M1, 8) uq_8.0 ud_64.0",
        ),
        case(
            "svm-gather-block-size",
            edited!(GATHER, Instruction::Svm(Svm::Gather(i)) =>
                i.block_size = BlockType::from_bits(3).expect("a byte")),
            "svm_gather.8.2 (M1, 8) uq_8.0 uq_16.0",
        ),
        case(
            "svm-gather-blocks-8",
            "svm_scatter.4.8 (M1, 16) uq_16.0 ud_128.0",
            "svm_scatter.4.8 (M1, 8) uq_8.0 ud_64.0",
        ),
        case(
            "svm-gather-blocks-8",
            "svm_scatter.8.8 (M1, 8) uq_8.0 uq_64.0",
            "svm_scatter.8.4 (M1, 8) uq_8.0 uq_32.0",
        ),
        case("svm-gather-address-type", "svm_gather.4.2 (M1, 8) ud_16.0 ud_16.0", GATHER),
        case("svm-gather-type", "svm_gather.4.2 (M1, 8) uq_8.0 uq_16.0", GATHER),
        case(
            "svm-gather-type",
            "svm_scatter.1.1 (M1, 8) uq_8.0 ud_16.0",
            "svm_scatter.1.1 (M1, 8) uq_8.0 b_64.0",
        ),
        case(
            "svm-atomic-op",
            edited!(ATOMIC, Instruction::Svm(Svm::SvmAtomic(i)) => {
                i.op = Atomic::from_bits(15);
            }),
            ATOMIC,
        ),
        case(
            "svm-atomic-exec-size",
            "svm_atomic.add (M1, 16) uq_16.0 ud_16.0 ud_16.0 %null.0",
            ATOMIC,
        ),
        case("svm-atomic-width", "svm_atomic.add.64 (M1, 8) uq_8.0 uq_8.0 uq_8.0 %null.0", ATOMIC)
            .on(Icllp),
        case(
            "svm-atomic-address-type",
            "svm_atomic.add (M1, 8) ud_16.0 ud_8.0 ud_8.0 %null.0",
            ATOMIC,
        ),
        case(
            "svm-atomic-type",
            "svm_atomic.xor.64 (M1, 8) uq_8.0 ud_16.0 uq_8.0 %null.0",
            "svm_atomic.xor.64 (M1, 8) uq_8.0 uq_8.0 uq_8.0 %null.0",
        ),
        case(
            "svm-atomic-type",
            "svm_atomic.max (M1, 8) uq_8.0 %null.0 d_8.0 %null.0",
            "svm_atomic.maxsint (M1, 8) uq_8.0 %null.0 d_8.0 %null.0",
        ),
        case(
            "svm-atomic-sources",
            "svm_atomic.inc (M1, 8) uq_8.0 ud_8.0 ud_8.0 %null.0",
            "svm_atomic.inc (M1, 8) uq_8.0 ud_8.0 %null.0 %null.0",
        ),
        case(
            "svm-atomic-sources",
            "svm_atomic.add (M1, 8) uq_8.0 ud_8.0 ud_8.0 ud_8.0",
            "svm_atomic.cmpxchg (M1, 8) uq_8.0 ud_8.0 ud_8.0 ud_8.0",
        ),
        case("svm-gather4-exec-size", "svm_gather4scaled.R (M1, 4) 0x0:uq uq_8.0 ud_8.0", GATHER4),
        case(
            "svm-gather4-channels",
            edited!(GATHER4, Instruction::Svm(Svm::Gather4Scaled(i)) =>
                i.channels = ChannelMask::empty()),
            GATHER4,
        ),
        case(
            "svm-gather4-address-type",
            "svm_gather4scaled.R (M1, 8) 0x0:ud uq_8.0 ud_8.0",
            GATHER4,
        ),
        case(
            "svm-gather4-address-type",
            "svm_scatter4scaled.R (M1, 8) 0x0:uq ud_16.0 ud_8.0",
            "svm_scatter4scaled.R (M1, 8) 0x0:uq uq_8.0 ud_8.0",
        ),
        case("svm-gather4-type", "svm_gather4scaled.R (M1, 8) 0x0:uq uq_8.0 uq_8.0", GATHER4),
    ]
}
