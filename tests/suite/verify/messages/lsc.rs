//! Cases for the rules of messages to the load-store cache.

mod blocks;
mod newer;

use genvisa::Platform::*;
use genvisa::isa::lsc::{LscTyped, LscUntyped};
use genvisa::operand::lsc::*;
use genvisa::operand::{ChannelMask, Imm, Raw, VarId, Vector};
use genvisa::{Format, Instruction, Version};

use super::{Case, case, edited};

const LOAD: &str = "lsc_load.ugm (M1, 16) ud_16:d32 flat[uq_16]:a64";
const BTI: &str = "lsc_load.ugm (M1, 16) ud_16:d32 bti(0x1)[ud_16]:a32";
const STORE: &str = "lsc_store.ugm (M1, 16) flat[uq_16]:a64 ud_16:d32";
const QUAD: &str = "lsc_store_quad.ugm (M1, 16) bti(0x1)[ud_16]:a32 ud_64:d32.xyz";
const STRIDED: &str = "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1, 0xFFFF]:a64";
const TYPED: &str = "lsc_load_quad.tgm (M1, 8) ud_8:d32.x bti(0x1)[ud_8, ud_8, ud_8, ud_8]:a32";

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = addresses();
    cases.extend(shapes());
    cases.extend(operands());
    cases.extend(blocks::cases());
    let format = Format::igc2022(Version::V4_1);
    let mut cases: Vec<Case> = cases.into_iter().map(|case| case.format(format).on(Dg2)).collect();
    cases.extend(newer::in_igc2026());
    cases.extend(blocks::bounds());
    cases.extend(newer::efficient_64bit());
    cases.extend(newer::in_4_2());
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
