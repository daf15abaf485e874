//! Cases in 4.2: instructions of Xe3P, DPAS, raw messages, and states in memory.

use genvisa::Instruction;
use genvisa::Platform::*;
use genvisa::isa::{SampleOp, SamplerOp};
use genvisa::operand::{
    AddrId, DataType, DnsclConversion, DnsclRounding, Imm, LfsrOp, Modifier, Precision, Region,
    StateAddress, VarId, Vector,
};

use super::{Case, case_4_2, edited};

pub fn cases() -> Vec<Case> {
    let instructions = [addresses(), shfl_idx4(), lfsr(), dnscl(), dpas(), bdpas()];
    let messages =
        [required(), raw_messages(), switches(), states(), samplers(), barriers(), ends()];
    instructions.into_iter().chain(messages).flatten().collect()
}

/// Routines that end with an instruction after which the compiler expects another one.
fn ends() -> Vec<Case> {
    vec![
        case_4_2("routine-end", "(flag_16) ret (M1, 16)", "(flag_16) ret (M1, 16)\nret (M1, 1)"),
        case_4_2("routine-end", "here:\n(flag_1) jmp (M1, 1) here", "here:\njmp (M1, 1) here"),
    ]
}

/// Addresses and counts that only some platforms have.
fn addresses() -> Vec<Case> {
    const BLOCK: &str = "svm_block_ld (8) uq_1(0,0)<0;1,0> ud_64.0";
    let load =
        |surface: &str| format!("lsc_load.ugm (M1, 16) ud_16:d32 surf({surface})[ud_16]:a32");
    let gather_16 = |violating: &str, legal: &str| case_4_2("gather-count-16", violating, legal);
    vec![
        case_4_2("svm-block-address", "svm_block_ld (8) 0x0:uq ud_64.0", BLOCK).on(Dg2),
        case_4_2("lsc-surface", load("0x1").as_str(), load("ud_1").as_str()).on(PvcSdv),
        case_4_2("lsc-surface", load("0x1").as_str(), load("0x0").as_str()).on(Xe2),
        case_4_2(
            "svm-gather4-exec-size",
            "svm_gather4scaled.R (M1, 8) uq_1(0,0)<0;1,0> uq_16.0 ud_16.0",
            "svm_gather4scaled.R (M1, 16) uq_1(0,0)<0;1,0> uq_16.0 ud_16.0",
        )
        .on(Xe2),
        gather_16(
            "gather.4 (M1, 8) T6 0x10:ud ud_16.0 ud_16.0",
            "gather.4 (M1, 16) T6 0x10:ud ud_16.0 ud_16.0",
        )
        .on(Xe2),
        gather_16(
            "scatter.4 (M1, 8) %slm 0x10:ud ud_16.0 ud_16.0",
            "scatter.4 (M1, 8) T6 0x10:ud ud_16.0 ud_16.0",
        )
        .on(Xe2),
        gather_16(
            "scatter.4 (M1, 8) T6 0x0:ud ud_16.0 ud_16.0",
            "scatter.4 (M1, 16) T6 0x0:ud ud_16.0 ud_16.0",
        )
        .on(PvcSdv),
    ]
}

/// Operands that the compiler requires.
fn required() -> Vec<Case> {
    let typed = |violating: &str, legal: &str| case_4_2("typed-coordinates", violating, legal);
    let data = |violating: &str, legal: &str| case_4_2("message-data-null", violating, legal);
    vec![
        typed(
            "scatter4_typed.R (M1, 8) T6 ud_16.0 %null.0 ud_16.0 %null.0 ud_16.0",
            "scatter4_typed.R (M1, 8) T6 ud_16.0 %null.0 %null.0 ud_16.0 ud_16.0",
        ),
        typed(
            "typed_atomic.add (M1, 8) T6 ud_16.0 %null.0 ud_16.0 %null.0 ud_16.0 %null.0 ud_16.0",
            "typed_atomic.add (M1, 8) T6 ud_16.0 ud_16.0 ud_16.0 %null.0 ud_16.0 %null.0 ud_16.0",
        ),
        case_4_2(
            "media-block-element",
            "media_ld.nomod (4,2) T6 0 0x0:ud 0x0:ud uq_16.0",
            "media_ld.nomod (5,2) T6 0 0x0:ud 0x0:ud uq_16.0",
        ),
        case_4_2(
            "media-block-element",
            "media_st.nomod (4,2) T6 0 0x0:ud 0x0:ud uq_16.0",
            "media_st.nomod (4,2) T6 0 0x0:ud 0x0:ud ud_16.0",
        ),
        data(
            "media_st.nomod (8,2) T6 0 0x0:ud 0x0:ud %null.0",
            "media_st.nomod (8,2) T6 0 0x0:ud 0x0:ud ud_16.0",
        ),
        data(
            "media_ld.nomod (8,2) T6 0 0x0:ud 0x0:ud %null.0",
            "media_ld.nomod (8,2) T6 0 0x0:ud 0x0:ud ud_16.0",
        ),
        data(
            "urb_write_3d (M1_NM, 8) 1 64 %null.0 %null.0 ud_16.0 %null.0",
            "urb_write_3d (M1_NM, 8) 1 64 %null.0 %null.0 %null.0 ud_16.0",
        ),
    ]
}

fn shfl_idx4() -> Vec<Case> {
    const WORDS: &str = "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> uw_64(0,1)<2;1,0>";
    const BYTES: &str = "shfl_idx4 (M1, 32) ud_32.0 ud_16(0,0)<0;16,1> ub_128(0,3)<4;1,0>";
    let case = |rule, violating, legal| case_4_2(rule, violating, legal).on(Xe3pCri);
    vec![
        case_4_2("opcode-platform", WORDS, "lifetime.start ud_16").on(Xe3),
        case(
            "shfl-idx4-exec-size",
            "shfl_idx4 (M1, 8) ud_16.0 ud_16(0,0)<1;1,0> uw_64(0,1)<2;1,0>",
            WORDS,
        ),
        case("shfl-idx4-class", "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> 0x1:uw", WORDS),
        case(
            "shfl-idx4-class",
            "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> (-)uw_64(0,1)<2;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-type",
            "shfl_idx4 (M1, 16) d_16.0 ud_16(0,0)<1;1,0> uw_64(0,1)<2;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-type",
            "shfl_idx4 (M1, 16) ud_16.0 d_16(0,0)<1;1,0> uw_64(0,1)<2;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-type",
            "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> w_64(0,1)<2;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-table",
            "shfl_idx4 (M1, 16) ud_16.0 ud_32(0,1)<1;1,0> uw_64(0,1)<2;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-table",
            "shfl_idx4 (M1, 32) ud_32.0 ud_32(0,0)<1;1,0> ub_128(0,3)<4;1,0>",
            BYTES,
        ),
        case(
            "shfl-idx4-indices",
            "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> ub_128(0,4)<4;1,0>",
            BYTES,
        ),
        case(
            "shfl-idx4-indices",
            "shfl_idx4 (M1, 16) ud_16.0 ud_16(0,0)<1;1,0> uw_64(0,1)<1;1,0>",
            WORDS,
        ),
        case(
            "shfl-idx4-dst-size",
            "shfl_idx4 (M1, 16) ud_15.0 ud_16(0,0)<1;1,0> uw_64(0,1)<2;1,0>",
            WORDS,
        ),
    ]
}

fn lfsr() -> Vec<Case> {
    const SEEDS: &str = "lfsr.b32 (M1, 16) ud_16(0,0)<1> ud_16(0,0)<1;1,0> ud_1(0,0)<0;1,0>";
    const SEED: &str = "lfsr.b8v4 (M1_NM, 1) ud_1(0,0)<1> ud_1(0,0)<0;1,0> 0x1:ud";
    let case = |rule, violating, legal| case_4_2(rule, violating, legal).on(Xe3pCri);
    vec![
        case_4_2("opcode-platform", SEEDS, "lifetime.start ud_16").on(Xe2),
        case_4_2(
            "lfsr-op",
            edited!(SEEDS, Instruction::Lfsr(i) =>
                 i.op = LfsrOp::from_bits(3).expect("a byte")),
            SEEDS,
        ),
        case("lfsr-class", "lfsr.b32 (M1, 16) ud_16(0,0)<1> 0x1:ud ud_1(0,0)<0;1,0>", SEEDS),
        case(
            "lfsr-class",
            "lfsr.b32 (M1, 16) r[addr_1(0),4]<1>:ud ud_16(0,0)<1;1,0> ud_1(0,0)<0;1,0>",
            SEEDS,
        ),
        case(
            "lfsr-class",
            "lfsr.b32 (M1, 16) ud_16(0,0)<1> ud_16(0,0)<1;1,0> (-)ud_1(0,0)<0;1,0>",
            SEED,
        ),
        case(
            "lfsr-type",
            "lfsr.b32 (M1, 16) d_16(0,0)<1> ud_16(0,0)<1;1,0> ud_1(0,0)<0;1,0>",
            SEEDS,
        ),
        case("lfsr-type", "lfsr.b8v4 (M1_NM, 1) ud_1(0,0)<1> ud_1(0,0)<0;1,0> 0x1:uw", SEED),
        case(
            "lfsr-region",
            "lfsr.b32 (M1, 16) ud_32(0,0)<2> ud_16(0,0)<1;1,0> ud_1(0,0)<0;1,0>",
            SEEDS,
        ),
        case(
            "lfsr-polynomial-region",
            "lfsr.b32 (M1, 16) ud_16(0,0)<1> ud_16(0,0)<1;1,0> ud_32(0,0)<2;1,0>",
            SEEDS,
        ),
    ]
}

fn dnscl() -> Vec<Case> {
    const NEAREST: &str = "dnscl.hftoint4.mode0.rne (M1, 16) ud_16.0 ud_16.0 ud_16.0 %null.0";
    const RANDOM: &str = "dnscl.bftoe2m1.mode3.srnd (M1, 16) ud_16.0 ud_16.0 ud_16.0 ud_16.0";
    vec![
        case_4_2("opcode-platform", NEAREST, "lifetime.start ud_16").on(Xe3),
        case_4_2(
            "dnscl-codes",
            edited!(NEAREST, Instruction::Dnscl(i) =>
                 i.conversion = DnsclConversion::from_bits(3).expect("a byte")),
            NEAREST,
        ),
        case_4_2(
            "dnscl-codes",
            edited!(RANDOM, Instruction::Dnscl(i) =>
                 i.rounding = DnsclRounding::from_bits(2).expect("a byte")),
            RANDOM,
        ),
        case_4_2(
            "dnscl-type",
            "dnscl.hftoint4.mode0.rne (M1, 16) ud_16.0 hf_32.0 ud_16.0 %null.0",
            NEAREST,
        ),
        case_4_2(
            "dnscl-bias",
            "dnscl.hftoint4.mode0.srnd (M1, 16) ud_16.0 ud_16.0 ud_16.0 %null.0",
            NEAREST,
        ),
        case_4_2(
            "dnscl-bias",
            "dnscl.hftoint4.mode0.rne (M1, 16) ud_16.0 ud_16.0 ud_16.0 ud_16.0",
            RANDOM,
        ),
    ]
}

fn dpas() -> Vec<Case> {
    const SIXTEEN: &str = "dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_32(0,8)";
    const FP8: &str = "dpas.bf8.hf8.8.1 (M1, 16) f_16.0 %null.0 d_128.0 d_32(0,0)";
    vec![
        case_4_2("dpas-null", "dpas.hf.hf.8.1 (M1, 16) %null.0 f_16.0 d_128.0 d_32(0,8)", SIXTEEN)
            .on(PvcSdv),
        case_4_2("dpas-null", "dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 %null(0,0)", FP8)
            .on(PvcSdv),
        case_4_2(
            "dpas-src2-aligned",
            "dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_32(0,4)",
            SIXTEEN,
        )
        .on(Xe3pCri),
        case_4_2(
            "dpas-src2-aligned",
            "dpas.e2m1.e2m1.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_32(0,4)",
            "dpas.s2.s2.8.1 (M1, 16) d_16.0 d_16.0 d_128.0 d_32(0,4)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-input-aligned",
            ".input d_8 offset=208 size=32
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_8(0,0)",
            ".input d_8 offset=160 size=32
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_8(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-input-declared",
            ".decl x v_type=G type=d num_elts=8 align=oword
            .input x offset=160 size=32
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 x(0,0)",
            ".decl x v_type=G type=d num_elts=8 align=GRF
            .input x offset=160 size=32
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 x(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-base-aligned",
            ".decl x v_type=G type=d num_elts=32 align=oword
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 x(0,0)",
            ".decl x v_type=G type=d num_elts=32 align=oword
            dpas.s2.s2.8.1 (M1, 16) d_16.0 d_16.0 d_128.0 x(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-base-aligned",
            ".decl x v_type=G type=d num_elts=128 align=dword
            .decl y v_type=G type=d num_elts=128 align=GRF alias=<x,0>
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 y.0 d_32(0,0)",
            ".decl x v_type=G type=d num_elts=128 align=dword
            .decl y v_type=G type=d num_elts=128 align=GRF alias=<x,0>
            dpas.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 x.0 y(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-precision",
            edited!(FP8, Instruction::Dpas(i) => i.a = Precision::TF32),
            "dpas.bf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe3),
        case_4_2(
            "dpas-precision",
            "dpas.s8.u1.8.1 (M1, 16) d_16.0 d_16.0 d_128.0 d_32(0,0)",
            "dpas.s8.u2.8.1 (M1, 16) d_16.0 d_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe2),
        case_4_2("dpas-depth", edited!(FP8, Instruction::Dpas(i) => i.systolic_depth = 16), FP8)
            .on(PvcSdv),
        case_4_2(
            "dpas-depth-8",
            "dpas.hf.hf.4.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_32(0,4)",
            SIXTEEN,
        )
        .on(PvcSdv),
        case_4_2(
            "dpas-accumulator",
            "dpas.hf.hf.8.1 (M1, 16) d_16.0 f_16.0 d_128.0 d_32(0,0)",
            "dpas.hf.hf.8.1 (M1, 16) hf_16.0 f_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-accumulator",
            "dpas.s8.u2.8.1 (M1, 16) d_16.0 f_16.0 d_128.0 d_32(0,0)",
            "dpas.s8.u2.8.1 (M1, 16) d_16.0 ud_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-accumulator",
            "dpas.tf32.tf32.8.1 (M1, 16) f_16.0 d_16.0 d_128.0 d_32(0,0)",
            "dpas.tf32.tf32.8.1 (M1, 16) bf_16.0 hf_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-accumulator",
            "dpas.bf.hf.8.1 (M1, 16) uw_16.0 f_16.0 d_128.0 d_32(0,0)",
            "dpas.bf.hf.8.1 (M1, 16) bf_16.0 f_16.0 d_128.0 d_32(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-bounds",
            "dpas.hf.hf.8.8 (M1, 16) f_64.0 f_128.0 d_128.0 d_64(0,0)",
            "dpas.hf.hf.8.8 (M1, 16) f_128.0 f_128.0 d_128.0 d_64(0,0)",
        )
        .on(Xe2),
        case_4_2(
            "dpas-repeat-count",
            edited!(FP8, Instruction::Dpas(i) => i.repeat_count = 9),
            FP8,
        )
        .on(PvcSdv),
        case_4_2(
            "dpasw-precision",
            edited!("dpasw.hf.hf.8.1 (M1, 8) f_8.0 f_8.0 d_64.0 d_8(0,0)",
            Instruction::Dpasw(i) => {
                i.w = Precision::TF32;
                i.a = Precision::TF32;
            }),
            "dpasw.hf.hf.8.1 (M1, 8) f_8.0 f_8.0 d_64.0 d_8(0,0)",
        )
        .on(Dg2),
    ]
}

fn bdpas() -> Vec<Case> {
    const FP16: &str = "bdpas.hf.hf.8.8 (M1, 16) hf_128.0 hf_128.0 hf_128.0 hf_128.0 \
                        ub_128(0,16) ub_128(0,8)";
    const FP4: &str = "bdpas.e2m1.e2m1.8.8 (M1, 16) f_128.0 %null.0 ud_128.0 ud_128.0 \
                       ub_128(1,16) ub_128(1,24)";
    macro_rules! with {
        ($operands:literal) => {
            concat!("bdpas.hf.hf.8.8 (M1, 16) ", $operands)
        };
    }
    let case = |rule, violating: &'static str| case_4_2(rule, violating, FP16).on(Xe3pCri);
    vec![
        case_4_2("opcode-platform", FP16, "lifetime.start ud_16").on(Xe3),
        case(
            "bdpas-predicate",
            "(flag_16) bdpas.hf.hf.8.8 (M1, 16) f_128.0 f_128.0 hf_128.0 hf_128.0 %null(0,0) \
             %null(0,0)",
        ),
        case(
            "bdpas-exec-size",
            "bdpas.hf.hf.8.8 (M1, 32) f_128.0 f_128.0 hf_128.0 hf_128.0 %null(0,0) %null(0,0)",
        ),
        case_4_2(
            "bdpas-precision",
            edited!(FP16, Instruction::Bdpas(i) => i.a = Precision::BF16),
            "bdpas.bf8.hf8.8.8 (M1, 16) f_128.0 f_128.0 ud_128.0 ud_128.0 %null(0,0) %null(0,0)",
        )
        .on(Xe3pCri),
        case_4_2("bdpas-counts", edited!(FP16, Instruction::Bdpas(i) => i.repeat_count = 4), FP16)
            .on(Xe3pCri),
        case("bdpas-type", with!("d_128.0 f_128.0 hf_128.0 hf_128.0 %null(0,0) %null(0,0)")),
        case("bdpas-type", with!("f_128.0 f_128.0 d_128.0 hf_128.0 %null(0,0) %null(0,0)")),
        case("bdpas-type", with!("f_128.0 f_128.0 hf_128.0 hf_128.0 b_128(0,0) %null(0,0)")),
        case_4_2(
            "bdpas-scales",
            edited!(FP16, Instruction::Bdpas(i) => i.src3 = Vector::imm(Imm::ub(0))),
            FP16,
        )
        .on(Xe3pCri),
        case_4_2(
            "bdpas-scales",
            edited!(FP16, Instruction::Bdpas(i) => i.src4.modifier = Modifier::ABS),
            FP16,
        )
        .on(Xe3pCri),
        case("bdpas-null", with!("f_128.0 f_128.0 hf_128.0 %null.0 %null(0,0) %null(0,0)")),
        case(
            "bdpas-scales-aligned",
            with!("f_128.0 f_128.0 hf_128.0 hf_128.0 ub_128(0,8) ub_128(0,8)"),
        ),
        case(
            "bdpas-scales-aligned",
            with!("f_128.0 f_128.0 hf_128.0 hf_128.0 ub_128(0,16) ub_128(0,4)"),
        ),
        case_4_2(
            "bdpas-scales-aligned",
            "bdpas.e2m1.e2m1.8.8 (M1, 16) f_128.0 %null.0 ud_128.0 ud_128.0 ub_128(1,16) \
             ub_128(1,32)",
            FP4,
        )
        .on(Xe3pCri),
        case_4_2(
            "bdpas-base-aligned",
            ".decl x v_type=G type=ub num_elts=128 align=qword
            bdpas.hf.hf.8.8 (M1, 16) f_128.0 f_128.0 hf_128.0 hf_128.0 x(0,0) ub_128(0,0)",
            ".decl x v_type=G type=ub num_elts=128 align=qword
            bdpas.hf.hf.8.8 (M1, 16) f_128.0 f_128.0 hf_128.0 hf_128.0 ub_128(0,0) x(0,0)",
        )
        .on(Xe3pCri),
    ]
}

fn raw_messages() -> Vec<Case> {
    const SENDG: &str = "raw_sendg.ugm (M1, 16) ud_16.0/64 ud_16.0/64 %null.0/0 \
                         %null(0,0)<0;1,0> %null(0,0)<0;1,0> 0x1";
    const SENDS: &str = "raw_sends.15.1.0.1 (M1, 16) 0x0:ud 0x4200580:ud ud_16.0 %null.0 ud_16.0";
    const SEND: &str = "raw_send (M1, 16) 0xa 1 1 0x2100000:ud ud_16.0 ud_16.0";
    vec![
        case_4_2("sendg-mode", SENDG, SENDS).on(Xe3),
        case_4_2("sendg-mode", SENDG, format!("{SENDG}\n{EFFICIENT}").as_str()),
        case_4_2("send-mode", SEND, SENDG).on(Xe3pCri),
        case_4_2("send-mode", format!("{SENDS}\n{EFFICIENT}").as_str(), SENDS),
        case_4_2(
            "sendg-lengths",
            edited!(SENDG, Instruction::RawSendg(i) => i.src0_len = 0),
            SENDG,
        )
        .on(Xe3p),
        case_4_2(
            "sendg-indirect",
            edited!(SENDG, Instruction::RawSendg(i) =>
                 i.ind0 = Vector::indirect(AddrId(0), 0, 0, DataType::UQ, Region::SCALAR)),
            SENDG,
        )
        .on(Xe3p),
        case_4_2(
            "send-null",
            "raw_send (M1, 16) 0xa 1 1 0x0:ud ud_16.0 ud_16.0",
            "raw_send (M1, 16) 0xa 1 1 0x2100000:ud ud_16.0 ud_16.0",
        )
        .on(Tgllp),
        case_4_2(
            "send-null",
            "raw_send (M1, 16) 0xc 1 0 0x2000000:ud ud_16.0 ud_16.0",
            "raw_send (M1, 16) 0xc 1 0 0x2000000:ud ud_16.0 %null.0",
        )
        .on(Xe2),
        case_4_2(
            "send-null",
            "raw_send (M1, 16) 0xa 1 0 ud_1(0,0)<0;1,0> ud_16.0 ud_16.0",
            "raw_send (M1, 16) 0xa 1 0 ud_1(0,0)<0;1,0> ud_16.0 %null.0",
        )
        .on(Dg2),
        case_4_2(
            "send-null",
            "raw_sends.10.1.0.1 (M1, 16) 0x0:ud 0x2100000:ud ud_16.0 ud_16.0 ud_16.0",
            "raw_sends.10.1.0.1 (M1, 16) 0x0:ud 0x2100000:ud ud_16.0 %null.0 ud_16.0",
        )
        .on(Xe2),
        case_4_2(
            "send-null",
            "raw_sendg.ugm (M1, 16) ud_16.0/64 ud_16.0/64 ud_16.0/0 %null(0,0)<0;1,0> \
             %null(0,0)<0;1,0> 0x1",
            SENDG,
        )
        .on(Xe3pCri),
        case_4_2(
            "send-null",
            "raw_sendg.ugm (M1, 16) ud_16.0/0 ud_16.0/64 %null.0/0 %null(0,0)<0;1,0> \
             %null(0,0)<0;1,0> 0x1",
            "raw_sendg.ugm (M1, 16) ud_16.0/1 ud_16.0/64 %null.0/0 %null(0,0)<0;1,0> \
             %null(0,0)<0;1,0> 0x1",
        )
        .on(Xe3pCri),
        case_4_2(
            "send-null",
            "raw_sends.3.1.0.0 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 f_16.0 %null.0",
            "raw_sends.3.1.1.0 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 f_16.0 %null.0",
        )
        .on(Dg2),
        case_4_2(
            "send-eot-source",
            "raw_send (M1, 16) 0x2a 1 0 0x2000000:ud %null.0 %null.0",
            "raw_send (M1, 16) 0xa 1 0 0x2000000:ud %null.0 %null.0",
        )
        .on(Xe2),
        case_4_2(
            "send-eot-source",
            "raw_sends_eot.3.1.1.0 (M1, 16) 0x40:ud 0x2000000:ud %null.0 f_16.0 %null.0",
            "raw_sends_eot.3.1.1.0 (M1, 16) 0x40:ud 0x2000000:ud ud_16.0 f_16.0 %null.0",
        )
        .on(Tgllp),
        case_4_2(
            "lsc-append-counter-lanes",
            "lsc_apndctr_atomic_sub.ugm (M1, 32) ud_32.0:d32 bti(0x1) ud_32.0:d32",
            "lsc_apndctr_atomic_sub.ugm (M1, 16) ud_32.0:d32 bti(0x1) ud_32.0:d32",
        )
        .on(Dg2),
        case_4_2(
            "lsc-typed-status",
            "lsc_load_status.tgm (M1, 16) %null:d32 bti(0x1)[ud_16,ud_16]:a32",
            "lsc_load_quad.tgm (M1, 16) %null:d32.x bti(0x1)[ud_16,ud_16]:a32",
        )
        .on(Xe2),
        case_4_2(
            "sends-descriptor-fields",
            "raw_sends.10.16.0.1 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 %null.0 ud_16.0",
            "raw_sends.10.15.0.1 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 %null.0 ud_16.0",
        )
        .on(Xe2),
        case_4_2(
            "sends-descriptor-fields",
            "raw_sends.10.1.0.32 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 %null.0 ud_16.0",
            "raw_sends.10.1.0.31 (M1, 16) 0x0:ud ud_1(0,0)<0;1,0> ud_16.0 %null.0 ud_16.0",
        )
        .on(Dg2),
        case_4_2("sendg-sfid", edited!(SENDG, Instruction::RawSendg(i) => i.sfid = 16), SENDG)
            .on(Xe3p),
    ]
}

fn switches() -> Vec<Case> {
    vec![
        case_4_2(
            "switchjmp-index-type",
            "switchjmp (M1, 1) 0x0:f (there, there)\nthere:",
            "switchjmp (M1, 1) 0x0:d (there, there)\nthere:",
        )
        .on(Xe3p),
    ]
}

/// The comment for efficient 64-bit addressing.
const EFFICIENT: &str = "//Build option: \"-enableEfficient64b\"";

fn states() -> Vec<Case> {
    const SAMPLE: &str = "sample_lz.R (M1, 16) 0x0:uw uq_1 (uq_4, 1) f_16.0 %null.0 f_16.0 f_16.0";
    const SAMPLE_OF_IDS: &str = "sample_lz.R (M1, 16) 0x0:uw S0 T6 f_16.0 %null.0 f_16.0 f_16.0";
    const LOAD: &str = "load_l.R (M1, 16) 0x0:uw uq_1 f_16.0 %null.0 ud_16.0 ud_16.0";
    const WRITE: &str = "rt_write_3d (M1, 32) uq_1 %null.0 f_32.0 f_32.0 f_32.0 %null.0";
    let case = |rule, violating: &'static str, legal: &'static str| {
        case_4_2(rule, violating, legal).on(Xe3pCri)
    };
    vec![
        case_4_2("state-address-needed", "sampleinfo.R (M1, 16) T6 ud_16.0", SAMPLE).on(Xe3p),
        case(
            "state-address-needed",
            "sample_lz.R (M1, 16) 0x0:uw S31 uq_4 f_16.0 %null.0 f_16.0 f_16.0",
            "sample_lz.R (M1, 16) 0x0:uw %null uq_4 f_16.0 %null.0 f_16.0 f_16.0",
        ),
        case_4_2(
            "state-address-needed",
            format!("{SAMPLE_OF_IDS}\n{EFFICIENT}").as_str(),
            format!("{SAMPLE}\n{EFFICIENT}").as_str(),
        ),
        case(
            "state-address-needed",
            "load_l.R (M1, 16) 0x0:uw %bss f_16.0 %null.0 ud_16.0 ud_16.0",
            LOAD,
        ),
        case(
            "state-address-needed",
            "rt_write_3d (M1, 16) T6 %null.0 f_16.0 f_16.0 f_16.0 f_16.0",
            WRITE,
        ),
        case_4_2("state-address-mode", SAMPLE, SAMPLE_OF_IDS).on(Xe3),
        case_4_2("state-address-mode", LOAD, SAMPLE_OF_IDS),
        case_4_2(
            "state-address-exists",
            edited!(LOAD, Instruction::Load3d(i) =>
                 i.surface = StateAddress { var: VarId(9999), index: 0 }.into()),
            LOAD,
        )
        .on(Xe3p),
        case("state-address-size", "sampleinfo.R (M1, 16) ud_1 ud_16.0", LOAD),
        case(
            "state-address-type",
            "sampleinfo.R (M1, 16) ud_4 ud_16.0",
            "sampleinfo.R (M1, 16) q_1 ud_16.0",
        ),
    ]
}

/// The operations and types that only 4.2 accepts.
fn samplers() -> Vec<Case> {
    const LOAD: &str = "load_l.R (M1, 16) 0x0:uw T6 f_16.0 %null.0 f_16.0 ud_16.0";
    const GATHER: &str = "sample4_l_c.R (M1, 16) 0x0:uw S0 T6 f_128.0 %null.0 f_16.0";
    vec![
        case_4_2(
            "sample-3d-operation",
            "sample_mlod.R (M1, 16) 0x0:uw S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
            "sample_c_mlod.R (M1, 16) 0x0:uw S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
        )
        .on(Mtl),
        case_4_2(
            "sample-3d-operation",
            edited!("sample_lz.R (M1, 16) 0x0:uw S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
                 Instruction::Sample3d(i) => i.op = SampleOp::from_bits(0x3f).expect("a byte")),
            "sample_mlod.R (M1, 16) 0x0:uw S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
        )
        .on(Xe2),
        case_4_2(
            "sample-3d-aoffimmi-type",
            "sample_po.R (M1, 16) d_1(0,0)<0;1,0> S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
            "sample_po.R (M1, 16) ud_1(0,0)<0;1,0> S0 T6 f_16.0 %null.0 f_16.0 f_16.0",
        ),
        case_4_2(
            "load-3d-op",
            edited!(LOAD, Instruction::Load3d(i) => i.op = SamplerOp::GATHER4_L),
            "load_l.R (M1, 16) ud_1(0,0)<0;1,0> T6 f_16.0 %null.0 ud_16.0 ud_16.0",
        )
        .on(Xe2),
        case_4_2(
            "load-3d-param-types",
            "load_l.R (M1, 16) 0x0:uw T6 f_16.0 %null.0 hf_16.0",
            "load_l.R (M1, 16) 0x0:uw T6 f_16.0 %null.0 f_16.0 ud_16.0",
        ),
        case_4_2(
            "gather4-3d-op",
            edited!(GATHER, Instruction::Gather4(i) => i.op = SamplerOp::LOAD_L),
            GATHER,
        ),
        case_4_2(
            "info-dst-type",
            "sampleinfo.R (M1, 16) T6 uw_32.0",
            "sampleinfo.R (M1, 16) T6 f_16.0",
        ),
        case_4_2(
            "rt-write-exec-size",
            "rt_write_3d (M1, 32) T6 %null.0 f_32.0 f_32.0 f_32.0 f_32.0",
            "rt_write_3d (M1, 16) T6 %null.0 f_16.0 f_16.0 f_16.0 f_16.0",
        )
        .on(Mtl),
    ]
}

fn barriers() -> Vec<Case> {
    const SIGNAL: &str = "nbarrier.signal 0x1:ud 0x2:ub 0x4:ub 0x4:uw";
    vec![
        case_4_2("nbarrier-id-type", "nbarrier.wait 0x1:d", "nbarrier.wait 0x1:ud"),
        case_4_2("nbarrier-role", "nbarrier.signal 0x1:ub 0x3:ub 0x4:ub 0x4:ub", SIGNAL),
        case_4_2("nbarrier-id", "nbarrier.signal 0x20:ub 0x4:ub", "nbarrier.signal 0x1:ub 0x4:ub"),
        case_4_2("nbarrier-count", "nbarrier.signal 0x1:ub 0x0:uw 0x4:d 0x4:ub", SIGNAL),
    ]
}

/// PLANE also violates `opcode-gone` on newer platforms.
#[test]
fn plane_is_not_available_on_xe3p() {
    let plane = "plane (M1, 16) f_16(0,0)<1> f_4(0,0)<0;4,1> f_32(0,0)<16;16,1>";
    for (platform, count) in [(Xe3, 0), (Xe3pCri, 1), (Xe3p, 1)] {
        let case = case_4_2("opcode-platform", plane, plane).on(platform);
        let findings =
            super::super::verifier(&case).check_module(&super::super::module(&case, &case.legal));
        let found = findings.iter().filter(|finding| finding.rule.name == case.rule);
        assert_eq!(found.count(), count, "{platform}");
    }
}
