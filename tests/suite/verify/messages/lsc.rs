//! Cases for the rules of messages to the load-store cache.

use genvisa::isa::lsc::{AppendCounter, LscTyped, LscUntyped, TypedBlock2d};
use genvisa::operand::lsc::*;
use genvisa::operand::{ChannelMask, ExecSize, Imm, Raw, VarId, Vector};
use genvisa::verify::Platform::*;
use genvisa::{Format, Instruction, Version};

use super::{Case, case, edited};

const LOAD: &str = "lsc_load.ugm (M1, 16) ud_16:d32 flat[uq_16]:a64";
const BTI: &str = "lsc_load.ugm (M1, 16) ud_16:d32 bti(0x1)[ud_16]:a32";
const STORE: &str = "lsc_store.ugm (M1, 16) flat[uq_16]:a64 ud_16:d32";
const QUAD: &str = "lsc_store_quad.ugm (M1, 16) bti(0x1)[ud_16]:a32 ud_64:d32.xyz";
const STRIDED: &str = "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1, 0xFFFF]:a64";
const TYPED: &str = "lsc_load_quad.tgm (M1, 8) ud_8:d32.x bti(0x1)[ud_8, ud_8, ud_8, ud_8]:a32";
const BLOCK: &str = "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x16x4nn \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)]";
/// [`BLOCK`] with a destination of 8192 bytes.
const LARGE_BLOCK: &str = ".decl large v_type=G type=ud num_elts=2048 align=GRF
     lsc_load_block2d.ugm (M1_NM, 1) large:d32.2x16x4nn \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)]";
const STORE_BLOCK: &str = "lsc_store_block2d.ugm (M1_NM, 1) \
     flat[uq_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0), ud_1(0,0)] ud_128:d32.16x4nn";

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = addresses();
    cases.extend(shapes());
    cases.extend(operands());
    cases.extend(blocks());
    let format = Format::igc2022(Version::V4_1);
    let mut cases: Vec<Case> = cases.into_iter().map(|case| case.format(format).on(Dg2)).collect();
    cases.extend(in_igc2026());
    cases.extend(bounds());
    cases.extend(efficient_64bit());
    cases.extend(in_4_2());
    cases
}

fn addresses() -> Vec<Case> {
    vec![
        case(
            "lsc-cache",
            "lsc_load.ugm.wb.wb (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugm.ri.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-cache",
            "lsc_store.ugm.ca.ca (M1, 16) flat[uq_16]:a64 ud_16:d32",
            "lsc_store.ugm.wb.wb (M1, 16) flat[uq_16]:a64 ud_16:d32",
        ),
        case(
            "lsc-cache",
            "lsc_atomic_iinc.ugm.wb.wb (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
            "lsc_atomic_iinc.ugm.uc.wb (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-cache",
            "lsc_load.ugml.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugml (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-scale",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) => i.addr_scale = 3),
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) => i.addr_scale = 4),
        ),
        case(
            "lsc-addr-size",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat[uw_16]:a16",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[uw_16]:a16",
        ),
        case(
            "lsc-addr-size",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[ud_16]:a32",
        ),
        case(
            "lsc-offset16",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[uw_16-0x8000]:a16",
            "lsc_load.slm (M1, 16) ud_16:d32 flat[uw_16-0x7FFF]:a16",
        ),
        case("lsc-surface", "lsc_load.slm (M1, 16) ud_16:d32 bti(0x1)[ud_16]:a32", BTI),
        case(
            "lsc-surface",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.surface = Vector::imm(Imm::ud(1))),
            LOAD,
        ),
        case(
            "lsc-surface",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.surface = Vector::scalar(VarId(32 + 4 * 9))),
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.surface = Vector::scalar(VarId::NULL)),
        ),
        case(
            "lsc-surface",
            edited!(BTI, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.surface = Vector::scalar(VarId::NULL)),
            BTI,
        ),
        case(
            "lsc-surface",
            edited!(BTI, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.addr_type = LscAddrType::SURF),
            BTI,
        ),
        case(
            "lsc-surface",
            edited!(TYPED, Instruction::LscTyped(LscTyped::TypedAccess(i)) => {
                i.addr_type = LscAddrType::FLAT;
                i.surface = Vector::imm(Imm::ud(0));
            }),
            TYPED,
        ),
    ]
}

fn shapes() -> Vec<Case> {
    vec![
        case(
            "lsc-data-size",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.data_size = LscDataSize::from_bits(8).expect("a byte")),
            LOAD,
        ),
        case(
            "lsc-order",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.data_order = LscDataOrder::from_bits(3).expect("a byte")),
            LOAD,
        ),
        case(
            "lsc-transpose",
            "lsc_load.ugm (M1, 2) ud_16:d32x8t flat[uq_16]:a64",
            "lsc_load.ugm (M1, 1) ud_16:d32x8t flat[uq_16]:a64",
        ),
        case(
            "lsc-transpose",
            edited!("lsc_store_quad.ugm (M1, 1) bti(0x1)[ud_1]:a32 ud_16:d32.xy",
                 Instruction::LscUntyped(LscUntyped::Access(i)) =>
                     i.data_order = LscDataOrder::TRANSPOSE),
            "lsc_store_quad.ugm (M1, 1) bti(0x1)[ud_1]:a32 ud_16:d32.xy",
        ),
        case(
            "lsc-quad-store",
            "lsc_store_quad.ugm (M1, 16) bti(0x1)[ud_16]:a32 ud_64:d32.xz",
            QUAD,
        ),
        case(
            "lsc-vector",
            "lsc_load.ugm (M1, 8) ud_64:d16x2 flat[uq_8]:a64",
            "lsc_load.ugm (M1, 8) ud_64:d32x8 flat[uq_8]:a64",
        ),
        case(
            "lsc-vector",
            "lsc_load.ugm (M1, 1) ud_128:d32x16 flat[uq_8]:a64",
            "lsc_load.ugm (M1, 1) ud_128:d32x16t flat[uq_8]:a64",
        ),
        case(
            "lsc-vector",
            "lsc_load.ugml (M1, 8) ud_64:d32x3 flat[uq_8]:a64",
            "lsc_load.ugml (M1, 8) ud_64:d32x4 flat[uq_8]:a64",
        ),
        case(
            "lsc-atomic-size",
            "lsc_atomic_iinc.ugm (M1, 8) ud_8:d16 flat[uq_8]:a64 %null %null",
            "lsc_atomic_iinc.ugm (M1, 8) uq_8:d64 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-atomic-size",
            "lsc_atomic_iinc.slm (M1, 8) uq_8:d64 flat[ud_8]:a32 %null %null",
            "lsc_atomic_icas.slm (M1, 8) uq_8:d64 flat[ud_8]:a32 uq_8 uq_8",
        ),
        case(
            "lsc-atomic-float",
            "lsc_atomic_fadd.slm (M1, 8) f_8:d32 flat[ud_8]:a32 f_8 %null",
            "lsc_atomic_fadd.ugm (M1, 8) f_8:d32 flat[uq_8]:a64 f_8 %null",
        ),
        case(
            "lsc-elems",
            "lsc_atomic_iinc.ugm (M1, 8) ud_16:d32x2 flat[uq_8]:a64 %null %null",
            "lsc_atomic_iinc.ugm (M1, 8) ud_16:d32 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-elems",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.data_elems = LscDataElems::from_bits(9).expect("a byte")),
            LOAD,
        ),
        case(
            "lsc-elems",
            edited!("lsc_load.ugm (M1, 1) ud_16:d32x8t flat[uq_16]:a64",
                 Instruction::LscUntyped(LscUntyped::Access(i)) =>
                     i.data_size = LscDataSize::D16C32),
            "lsc_load.ugm (M1, 1) ud_16:d32x8t flat[uq_16]:a64",
        ),
        case(
            "lsc-channels",
            edited!(QUAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.channels = ChannelMask::empty()),
            QUAD,
        ),
        case(
            "lsc-registers",
            "lsc_load.ugm (M1, 16) ud_128:d32x8 flat[uq_16]:a64",
            "lsc_load.ugm (M1, 16) ud_64:d32x4 flat[uq_16]:a64",
        ),
        case(
            "lsc-registers",
            "lsc_load.ugm (M1, 1) uq_64:d64x64t flat[uq_16]:a64",
            "lsc_load.ugm (M1, 1) ud_64:d32x64t flat[uq_16]:a64",
        ),
        case(
            "lsc-registers",
            "lsc_store_quad.ugm (M1, 32) bti(0x1)[ud_32]:a32 ud_128:d32.xyz",
            "lsc_store_quad.ugm (M1, 32) bti(0x1)[ud_32]:a32 ud_64:d32.xy",
        ),
    ]
}

fn operands() -> Vec<Case> {
    vec![
        case(
            "lsc-operands",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) => i.src1 = i.dst),
            LOAD,
        ),
        case(
            "lsc-operands",
            edited!(STORE, Instruction::LscUntyped(LscUntyped::Access(i)) => i.dst = i.src1),
            STORE,
        ),
        case(
            "lsc-operands",
            edited!(STORE, Instruction::LscUntyped(LscUntyped::Access(i)) => i.src1 = Raw::NULL),
            STORE,
        ),
        case(
            "lsc-operands",
            "lsc_atomic_iinc.ugm (M1, 8) ud_8:d32 flat[uq_8]:a64 ud_8 %null",
            "lsc_atomic_iinc.ugm (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-operands",
            "lsc_atomic_icas.ugm (M1, 8) ud_8:d32 flat[uq_8]:a64 ud_8 %null",
            "lsc_atomic_icas.ugm (M1, 8) ud_8:d32 flat[uq_8]:a64 ud_8 ud_8",
        ),
        case(
            "lsc-pitch",
            edited!(STRIDED, Instruction::LscUntyped(LscUntyped::Strided(i)) =>
                 i.addr_pitch = Vector::imm(Imm::ud(0x10000))),
            STRIDED,
        ),
        case(
            "lsc-pitch",
            edited!(STRIDED, Instruction::LscUntyped(LscUntyped::Strided(i)) =>
                 i.addr_pitch = Vector::scalar(VarId::NULL)),
            STRIDED,
        ),
        case(
            "lsc-coordinates",
            edited!(TYPED, Instruction::LscTyped(LscTyped::TypedAccess(i)) => i.u = Raw::NULL),
            edited!(TYPED, Instruction::LscTyped(LscTyped::TypedAccess(i)) => i.v = Raw::NULL),
        ),
        case(
            "lsc-coordinates",
            edited!(TYPED, Instruction::LscTyped(LscTyped::TypedAccess(i)) => {
                i.op = LscOp::READ_STATE_INFO;
            }),
            edited!(TYPED, Instruction::LscTyped(LscTyped::TypedAccess(i)) => {
                i.op = LscOp::READ_STATE_INFO;
                (i.u, i.v, i.r, i.lod) = (Raw::NULL, Raw::NULL, Raw::NULL, Raw::NULL);
            }),
        ),
        case(
            "lsc-fence-op",
            edited!("lsc_fence.ugm.type6.gpu", Instruction::LscFence(i) =>
                 i.op = LscFenceOp::from_bits(7).expect("a byte")),
            "lsc_fence.ugm.type6.gpu",
        ),
        case(
            "lsc-fence-scope",
            edited!("lsc_fence.ugm.evict.sysacq", Instruction::LscFence(i) =>
                 i.scope = LscScope::from_bits(7).expect("a byte")),
            "lsc_fence.ugm.evict.sysacq",
        ),
        case("lsc-fence-slm", "lsc_fence.slm.evict.group", "lsc_fence.slm.none.group"),
        case("lsc-fence-slm", "lsc_fence.slm.none.local", "lsc_fence.ugm.none.local"),
    ]
}

fn blocks() -> Vec<Case> {
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

fn bounds() -> Vec<Case> {
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
        case("lsc-cache", "lsc_load.ugm.ca.cc (M1, 16) ud_16:d32 flat[uq_16]:a64", LOAD).on(Pvc),
    ]
}

/// Cases in dialect `Igc2026`.
fn in_igc2026() -> Vec<Case> {
    const FIRST: &str = "barrier";
    /// The variable `ud_8`.
    const UD_8: Raw = Raw::new(VarId(32 + 4 * 9 + 3), 0);
    fn counter(sfid: LscSfid) -> Instruction {
        AppendCounter {
            exec: ExecSize::S8.into(),
            sfid,
            addr_type: LscAddrType::BTI,
            data_size: LscDataSize::D32,
            data_order: LscDataOrder::NONTRANSPOSE,
            data_elems: LscDataElems::X1,
            surface: Vector::imm(Imm::ud(1)),
            dst: UD_8,
            src: UD_8,
            ..AppendCounter::default()
        }
        .into()
    }
    fn block(block_width: u16, block_height: u16, x: Vector) -> Instruction {
        TypedBlock2d {
            addr_type: LscAddrType::BTI,
            block_width,
            block_height,
            surface: Vector::imm(Imm::ud(1)),
            dst: UD_8,
            x,
            y: x,
            ..TypedBlock2d::default()
        }
        .into()
    }
    let cases = vec![
        case(
            "lsc-append-counter",
            edited!(FIRST, i => *i = counter(LscSfid::UGML)),
            edited!(FIRST, i => *i = counter(LscSfid::UGM)),
        ),
        case(
            "lsc-typed-block2d-size",
            edited!(FIRST, i => *i = block(65, 1, Vector::imm(Imm::ud(0)))),
            edited!(FIRST, i => *i = block(64, 4, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-typed-block2d-size",
            edited!(FIRST, i => *i = block(32, 9, Vector::imm(Imm::ud(0)))),
            edited!(FIRST, i => *i = block(32, 8, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-typed-block2d-scalars",
            edited!(FIRST, i => *i = block(32, 8, Vector::scalar(VarId::NULL))),
            edited!(FIRST, i => *i = block(32, 8, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-cache",
            "lsc_load.ugm.ca.wb (M1, 32) ud_32:d32 flat[uq_32]:a64",
            "lsc_load.ugm.ca.cc (M1, 32) ud_32:d32 flat[uq_32]:a64",
        ),
    ];
    let format = Format::igc2026(Version::V4_1);
    cases.into_iter().map(|case| case.format(format).on(Xe2)).collect()
}

/// Cases of 4.2 with efficient 64-bit addressing.
fn efficient_64bit() -> Vec<Case> {
    const LOAD: &str = "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[0x3*ud_16]:a32s";
    const CONTROL: &str = "lsc_extended_cache_ctrl.ugm.uc.uc.uc.reset.64B (M1, 16) flat[uq_16]:a64";
    let load = "lsc_load.ugm.ca.uc.ca (M1, 16) ud_16:d32 flat[uq_16]:a64";
    let cases = vec![
        case("lsc-cache", "lsc_load.ugm.ca.wb.ca (M1, 16) ud_16:d32 flat[uq_16]:a64", load),
        case(
            "lsc-cache",
            "lsc_store.ugm.wb.wb.wb (M1, 16) flat[uq_16]:a64 ud_16:d32",
            "lsc_store.ugm.wt.wb.wb (M1, 16) flat[uq_16]:a64 ud_16:d32",
        ),
        case(
            "lsc-cache",
            "lsc_atomic_iinc.ugm.uc.wb.wb (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
            "lsc_atomic_iinc.ugm.uc.wb.uc (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-cache-count",
            "lsc_load.ugm.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugm.ca.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32u",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.ugm (M1, 16) ud_16:d32 bss(ud_1)[ud_16]:a32",
            "lsc_load_quad.tgm (M1, 16) ud_16:d32.x bss(ud_1)[ud_16]:a32",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.slm (M1, 16) ud_16:d32 arg[ud_16]:a32",
            "lsc_load.slm (M1, 16) ud_16:d32 flat(ud_1)[ud_16]:a32",
        ),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[f_16]:a32s", LOAD),
        case(
            "lsc-addr-payload",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[%null]:a64",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[%null]",
        ),
        case(
            "lsc-quad-store",
            "lsc_store_quad.tgm (M1, 16) surf(uq_1)[ud_16]:a32u ud_64:d32.xz",
            "lsc_store_quad.ugm (M1, 16) flat[uq_16]:a64 ud_64:d32.xz",
        ),
        case(
            "lsc-atomic-float",
            "lsc_atomic_fadd.ugml (M1, 8) f_8:d32 flat[uq_8]:a64 f_8 %null",
            "lsc_atomic_fadd.slm (M1, 8) f_8:d32 flat[ud_8]:a32 f_8 %null",
        ),
        case("lsc-operation", "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1]:a64", LOAD),
        case(
            "lsc-append-counter-form",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 surf(uq_1) ud_8:d32",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
        ),
        case(
            "lsc-append-counter",
            "lsc_apndctr_atomic_store.ugml (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
        ),
        case(
            "lsc-cache-control-base",
            "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat(uq_1)[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-cache-control",
            "lsc_extended_cache_ctrl.slm.reset.64B (M1, 16) flat[ud_16]:a32",
            CONTROL,
        ),
        case(
            "lsc-cache-control-op",
            "lsc_extended_cache_ctrl.ugm.set.64B (M1, 16) flat[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-cache-control-op",
            "lsc_extended_cache_ctrl.ugm.reset.128B (M1, 16) flat[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) %null:d32.32x8 flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) %null:d32.64x8 flat[ud_8 + (0,0)]",
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d8.4x65 flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d8.4x64 flat[ud_8 + (0,0)]",
        ),
    ];
    cases.into_iter().map(|case| case.format(Format::V4_2).on(Xe3pCri)).collect()
}

/// Cases of 4.2 without efficient 64-bit addressing.
fn in_4_2() -> Vec<Case> {
    let cases = vec![
        case(
            "lsc-cache-count",
            "lsc_load.ugm.ca.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugm.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-flags",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.flags = Some(LscFlags::MSAA)),
            "lsc_load.ugm.ov (M1_NM, 1) ud_16:d32x16t flat[uq_16]:a64",
        ),
        case(
            "lsc-surface",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 surf(uq_1)[ud_16]:a32",
        ),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat[ud_32]:a64", LOAD),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat[%null]:a64", LOAD),
        case(
            "lsc-operation",
            "lsc_load_quad_status.ugm (M1, 16) ud_64:d32.xyzw flat[uq_16]:a64",
            "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1, 0x20]:a64",
        ),
        case("lsc-operation", "lsc_ccs_update.ugm (M1, 16) flat[uq_16]:a64 ud_16:d32", LOAD),
        case(
            "lsc-append-counter-form",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 bti(0xA0) ud_8:d32",
        ),
        case(
            "lsc-cache-control",
            "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq_16]:a64",
            LOAD,
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x16x4nn flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x8x4nn flat[ud_8 + (0,0)]",
        ),
        case(
            "lsc-block2d-size",
            ".decl large v_type=G type=uq num_elts=128 align=GRF
            lsc_store_block2d.ugm (M1_NM, 1) flat[ud_8 + (0,0)] large:d64.65x1nn",
            "lsc_store_block2d.ugm (M1_NM, 1) flat[ud_8 + (0,0)] ud_128:d64.64x1nn",
        ),
        case(
            "lsc-block2d-scalars",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.16x4nn flat[0x0,ud_1,ud_1,ud_1,ud_1,ud_1]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.16x4nn flat[uq_1,0x1,0x1,ud_1,0x1,ud_1+4]",
        ),
    ];
    cases.into_iter().map(|case| case.format(Format::V4_2).on(Xe2)).collect()
}
