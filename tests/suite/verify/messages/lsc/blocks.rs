//! Cases of messages that access blocks.

use genvisa::Platform::*;
use genvisa::isa::lsc::LscUntyped;
use genvisa::operand::lsc::*;
use genvisa::operand::{VarId, Vector};
use genvisa::{Format, Instruction};

use super::{Case, LOAD, case, edited};

const BLOCK: &str = "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x16x4nn \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)]";
/// [`BLOCK`] with a destination of 8192 bytes.
const LARGE_BLOCK: &str = ".decl large v_type=G type=ud num_elts=2048 align=GRF
     lsc_load_block2d.ugm (M1_NM, 1) large:d32.2x16x4nn \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)]";
const STORE_BLOCK: &str = "lsc_store_block2d.ugm (M1_NM, 1) \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)] ud_128:d32.16x4nn";

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "lsc-block2d-shape",
            edited!(BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.blocks = 0),
            BLOCK,
        ),
        case(
            "lsc-block2d-shape",
            edited!(STORE_BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.blocks = 2),
            STORE_BLOCK,
        ),
        case(
            "lsc-block2d-shape",
            edited!(STORE_BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.vnni = 1),
            STORE_BLOCK,
        ),
        case(
            "lsc-block2d-size",
            edited!(LARGE_BLOCK,
                 Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.block_width = 17),
            BLOCK,
        ),
        case(
            "lsc-block2d-size",
            edited!(LARGE_BLOCK,
                 Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.block_height = 33),
            edited!(LARGE_BLOCK,
                 Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.block_height = 32),
        ),
        case(
            "lsc-block2d-count",
            edited!(LARGE_BLOCK,
                 Instruction::LscUntyped(LscUntyped::Block2d(i)) => i.blocks = 4),
            BLOCK,
        ),
        case(
            "lsc-block2d-count",
            edited!(BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) =>
                 i.data_order = LscDataOrder::TRANSPOSE),
            edited!(BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) => {
                i.data_order = LscDataOrder::TRANSPOSE;
                i.blocks = 1;
            }),
        ),
        case(
            "lsc-block2d-count",
            edited!(BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) =>
                 i.data_size = LscDataSize::D8C32),
            BLOCK,
        ),
        case(
            "lsc-block2d-scalars",
            edited!(BLOCK, Instruction::LscUntyped(LscUntyped::Block2d(i)) =>
                 i.y = Vector::scalar(VarId::NULL)),
            BLOCK,
        ),
    ]
}

pub fn bounds() -> Vec<Case> {
    const PAYLOAD: &str = "lsc_load_block2d.ugm (M1, 1) ud_128:d16.16x8nn flat[ud_8 + (0,0)]";
    let case = |rule, violating: &str, legal: &str| {
        case(rule, violating, legal).format(Format::V4_2).on(Xe2)
    };
    macro_rules! load {
        ($shape:literal) => {
            concat!("lsc_load_block2d.ugm (M1, 1) ud_128:", $shape, " flat[ud_8 + (0,0)]")
        };
    }
    vec![
        case("lsc-dst-bounds", "lsc_load.ugm (M1, 16) ud_15:d32 flat[uq_16]:a64", LOAD),
        case(
            "lsc-dst-bounds",
            ".decl a v_type=G type=d num_elts=1 alias=<ud_15, 0>
            lsc_load.ugm (M1, 16) a:d32 flat[uq_16]:a64",
            ".decl a v_type=G type=d num_elts=1 alias=<ud_16, 0>
            lsc_load.ugm (M1, 16) a:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-dst-bounds",
            "lsc_load.ugm (M1, 8) ud_64:d32x8 flat[uq_8]:a64",
            "lsc_load.ugm (M1, 8) ud_128:d32x8 flat[uq_8]:a64",
        ),
        case(
            "lsc-dst-bounds",
            "lsc_load_quad.ugm (M1, 16) ud_32:d32.xyz flat[uq_16]:a64",
            "lsc_load_quad.ugm (M1, 16) ud_64:d32.xyz flat[uq_16]:a64",
        ),
        case(
            "lsc-dst-bounds",
            "lsc_load.ugm (M1, 1) ud_15:d32x16t flat[uq_1]:a64",
            "lsc_load.ugm (M1, 1) ud_16:d32x16t flat[uq_1]:a64",
        ),
        case(
            "lsc-src-bounds",
            "lsc_store.ugm (M1, 16) flat[uq_16]:a64 ud_15:d32",
            "lsc_store.ugm (M1, 16) flat[uq_16]:a64 ud_16:d32",
        ),
        case(
            "lsc-src-bounds",
            "lsc_atomic_icas.ugm (M1, 16) %null:d32 flat[uq_16]:a64 ud_16 ud_15",
            "lsc_atomic_icas.ugm (M1, 16) %null:d32 flat[uq_16]:a64 ud_16 ud_16",
        ),
        // Of 16 bits, the rest of the dword is not stored.
        case(
            "lsc-src-bounds",
            "lsc_store.ugm (M1_NM, 1) flat[uq_1]:a64 uw_1:d16u32h",
            "lsc_store.ugm (M1_NM, 1) flat[uq_1]:a64 uw_1:d16u32",
        ),
        case(
            "lsc-src-bounds",
            "lsc_atomic_or.ugm (M1_NM, 1) %null:d32 flat[uq_1]:a64 uw_1 %null",
            "lsc_atomic_or.ugm (M1_NM, 1) %null:d16u32 flat[uq_1]:a64 uw_1 %null",
        ),
        case("lsc-addr-bounds", "lsc_load.ugm (M1, 16) ud_16:d32 flat[uq_1]:a64", LOAD),
        case(
            "lsc-addr-bounds",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[ud_15]:a32",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[ud_16]:a32",
        ),
        case("lsc-scale", "lsc_load.ugm (M1, 16) ud_16:d32 flat[0x4*uq_16]:a64", LOAD),
        case("lsc-block2d-exec-size", &PAYLOAD.replace("(M1, 1)", "(M1, 16)"), PAYLOAD),
        case("lsc-block2d-payload", &PAYLOAD.replace("ud_8", "ud_7"), PAYLOAD),
        case("lsc-block2d-bounds", &PAYLOAD.replace("ud_128", "ud_32"), PAYLOAD),
        case(
            "lsc-block2d-bounds",
            "lsc_store_block2d.ugm (M1, 1) flat[ud_8 + (0,0)] ud_16:d16.9x3nn",
            "lsc_store_block2d.ugm (M1, 1) flat[ud_8 + (0,0)] ud_32:d16.9x3nn",
        ),
        case("lsc-block2d-vnni", load!("d32.8x8nt"), load!("d16.8x8nt")),
        case("lsc-block2d-transpose", load!("d16.8x8tn"), load!("d32.8x8tn")),
        case("lsc-block2d-transpose", load!("d32.1x33tn"), load!("d32.1x32tn")),
        case("lsc-block2d-transpose", load!("d64.8x8tn"), load!("d64.4x8tn")),
        case("lsc-block2d-transpose", load!("d64.1x4tn"), load!("d64.1x8tn")),
        case("lsc-block2d-transpose", load!("d64.1x33tn"), load!("d64.1x32tn")).on(Xe3pCri),
        case("lsc-cache", "lsc_load.ugm.ca.cc (M1, 16) ud_16:d32 flat[uq_16]:a64", LOAD).on(PvcSdv),
        // The control of L2 is ignored.
        case("lsc-cache", "lsc_load.ugm.ri.ri.ri (M1, 16) ud_16:d32 flat[uq_16]:a64", LOAD).on(Dg2),
    ]
}
