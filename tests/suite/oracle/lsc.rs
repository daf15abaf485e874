//! LSC messages.

use genvisa::Version;
use genvisa::isa::LscFence;
use genvisa::isa::lsc::{Access, Block2d, Strided, TypedAccess};
use genvisa::operand::lsc::*;
use genvisa::operand::{ChannelMask, ExecMask, ExecSize, Imm, Pred};

use super::fixture::*;

pub fn rows(_: Version) -> Vec<Row> {
    let mut rows = untyped();
    rows.extend(untyped_atomics());
    rows.extend(typed());
    rows
}

/// The atomic operations of both families.
const ATOMICS: [(LscOp, &str); 19] = [
    (LscOp::ATOMIC_IINC, "iinc"),
    (LscOp::ATOMIC_IDEC, "idec"),
    (LscOp::ATOMIC_LOAD, "load"),
    (LscOp::ATOMIC_STORE, "store"),
    (LscOp::ATOMIC_IADD, "iadd"),
    (LscOp::ATOMIC_ISUB, "isub"),
    (LscOp::ATOMIC_SMIN, "smin"),
    (LscOp::ATOMIC_SMAX, "smax"),
    (LscOp::ATOMIC_UMIN, "umin"),
    (LscOp::ATOMIC_UMAX, "umax"),
    (LscOp::ATOMIC_ICAS, "icas"),
    (LscOp::ATOMIC_FADD, "fadd"),
    (LscOp::ATOMIC_FSUB, "fsub"),
    (LscOp::ATOMIC_FMIN, "fmin"),
    (LscOp::ATOMIC_FMAX, "fmax"),
    (LscOp::ATOMIC_FCAS, "fcas"),
    (LscOp::ATOMIC_AND, "and"),
    (LscOp::ATOMIC_OR, "or"),
    (LscOp::ATOMIC_XOR, "xor"),
];

/// The common fields of the accesses. GenX_IR supports only the scale 1, which it does not
/// print.
fn access() -> Access {
    Access {
        exec: exec(ExecMask::M1_NM, ExecSize::S16),
        pred: when(P2),
        addr_type: LscAddrType::FLAT,
        addr_scale: 1,
        addr_size: LscAddrSize::A64,
        data_size: LscDataSize::D32,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        surface: Imm::ud(0).into(),
        addrs: raw(34, 5),
        ..Access::default()
    }
}

fn untyped() -> Vec<Row> {
    let exec = exec(ExecMask::M1_NM, ExecSize::S1);
    let strided = Strided {
        exec,
        pred: when(P2),
        addr_type: LscAddrType::FLAT,
        addr_scale: 1,
        addr_size: LscAddrSize::A64,
        data_size: LscDataSize::D64,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        surface: Imm::ud(0).into(),
        addr_base: raw(34, 5),
        addr_pitch: scalar(35, 1, 2),
        ..Strided::default()
    };
    let block2d = Block2d {
        exec,
        pred: when(P2),
        data_size: LscDataSize::D32,
        block_width: 16,
        block_height: 8,
        surface_base: scalar(34, 1, 2),
        surface_width: scalar(35, 2, 3),
        surface_height: scalar(36, 3, 4),
        surface_pitch: Imm::ud(0x7f).into(),
        x: scalar(37, 4, 5),
        y: scalar(38, 5, 6),
        ..Block2d::default()
    };
    rows![
        Access { op: LscOp::LOAD, l1: LscCache::CACHED, l3: LscCache::UNCACHED,
                 addr_offset: 0x10, data_elems: LscDataElems::X2, dst: raw(33, 4), ..access() }
            => "(P2) lsc_load.ugm.ca.uc (M1_NM, 16) V33.4:d32x2 flat[V34.5+0x10]:a64",
        Access { op: LscOp::STORE, sfid: LscSfid::SLM, addr_offset: -0x20,
                 addr_size: LscAddrSize::A32, data_size: LscDataSize::D16C32, src1: raw(35, 6),
                 ..access() }
            => "(P2) lsc_store.slm (M1_NM, 16) flat[V34.5-0x20]:a32 V35.6:d16c32",
        Access { op: LscOp::LOAD_QUAD, addr_type: LscAddrType::BTI, surface: Imm::ud(0x1a).into(),
                 channels: ChannelMask::R | ChannelMask::B, dst: raw(33, 4), ..access() }
            => "(P2) lsc_load_quad.ugm (M1_NM, 16) V33.4:d32.xz bti(0x1A)[V34.5]:a64",
        Access { op: LscOp::STORE_QUAD, addr_type: LscAddrType::BSS, surface: scalar(36, 1, 2),
                 channels: ChannelMask::R | ChannelMask::G, src1: raw(35, 6), ..access() }
            => "(P2) lsc_store_quad.ugm (M1_NM, 16) bss(V36(1,2))[V34.5]:a64 V35.6:d32.xy",
        Access { op: LscOp::LOAD_STATUS, dst: raw(33, 4), ..access() }
            => "(P2) lsc_load_status.ugm (M1_NM, 16) V33.4:d32 flat[V34.5]:a64",
        Access { op: LscOp::STORE_UNCOMPRESSED, src1: raw(35, 6), ..access() }
            => "(P2) lsc_store_uncompressed.ugm (M1_NM, 16) flat[V34.5]:a64 V35.6:d32",
        Strided { op: LscOp::LOAD_STRIDED, dst: raw(33, 4), ..strided }
            => "(P2) lsc_load_strided.ugm (M1_NM, 1) V33.4:d64 flat[V34.5, V35(1,2)]:a64",
        Strided { op: LscOp::STORE_STRIDED, src1: raw(36, 7), ..strided }
            => "(P2) lsc_store_strided.ugm (M1_NM, 1) flat[V34.5, V35(1,2)]:a64 V36.7:d64",
        Block2d { op: LscOp::LOAD_BLOCK2D, l1: LscCache::CACHED, l3: LscCache::UNCACHED,
                  data_order: LscDataOrder::TRANSPOSE, blocks: 2, dst: raw(33, 4), ..block2d }
            => "(P2) lsc_load_block2d.ugm.ca.uc (M1_NM, 1) V33.4:d32.2x16x8tn \
                flat[V34(1,2), V35(2,3), V36(3,4), 0x7F, V37(4,5), V38(5,6)]",
        Block2d { op: LscOp::STORE_BLOCK2D, data_order: LscDataOrder::NONTRANSPOSE, blocks: 1,
                  vnni: 1, src1: raw(39, 7), ..block2d }
            => "(P2) lsc_store_block2d.ugm (M1_NM, 1) \
                flat[V34(1,2), V35(2,3), V36(3,4), 0x7F, V37(4,5), V38(5,6)] V39.7:d32.16x8nt",
        LscFence { exec, pred: Pred::NONE, sfid: LscSfid::UGM, op: LscFenceOp::EVICT,
                   scope: LscScope::GPU }
            => "lsc_fence.ugm.evict.gpu",
    ]
}

fn untyped_atomics() -> Vec<Row> {
    let row = |(op, name): (LscOp, &str)| {
        let atomic = Access { op, dst: raw(33, 4), src1: raw(35, 6), src2: raw(36, 7), ..access() };
        let text =
            format!("(P2) lsc_atomic_{name}.ugm (M1_NM, 16) V33.4:d32 flat[V34.5]:a64 V35.6 V36.7");
        Row::new(atomic, text)
    };
    ATOMICS.into_iter().map(row).collect()
}

fn typed() -> Vec<Row> {
    // GenX_IR prints the coordinates without their offsets.
    let access = TypedAccess {
        exec: exec(ExecMask::M1, ExecSize::S16),
        pred: when(P2),
        addr_type: LscAddrType::BTI,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        surface: Imm::ud(0x1a).into(),
        u: raw(34, 0),
        v: raw(35, 0),
        r: raw(36, 0),
        lod: raw(37, 0),
        ..TypedAccess::default()
    };
    let mut rows = rows![
        TypedAccess { op: LscOp::LOAD_QUAD, channels: ChannelMask::R | ChannelMask::B,
                      dst: raw(33, 4), ..access }
            => "(P2) lsc_load_quad.tgm (M1, 16) V33.4:d32.xz bti(0x1A)[V34, V35, V36, V37]:a32",
        TypedAccess { op: LscOp::STORE_QUAD, channels: ChannelMask::G | ChannelMask::A,
                      src1: raw(38, 4), ..access }
            => "(P2) lsc_store_quad.tgm (M1, 16) bti(0x1A)[V34, V35, V36, V37]:a32 V38.4:d32.yw",
        TypedAccess { op: LscOp::LOAD_STATUS, dst: raw(33, 4), ..access }
            => "(P2) lsc_load_status.tgm (M1, 16) V33.4:d32 bti(0x1A)[V34, V35, V36, V37]:a32",
        TypedAccess { op: LscOp::STORE_UNCOMPRESSED, src1: raw(38, 4), ..access }
            => "(P2) lsc_store_uncompressed.tgm (M1, 16) bti(0x1A)[V34, V35, V36, V37]:a32 \
                V38.4:d32",
        TypedAccess { op: LscOp::READ_STATE_INFO, dst: raw(33, 4), ..access }
            => "(P2) lsc_read_state_info.tgm V33.4 bti(0x1A)",
    ];
    rows.extend(ATOMICS.into_iter().map(|(op, name)| {
        let atomic =
            TypedAccess { op, dst: raw(33, 4), src1: raw(38, 5), src2: raw(39, 6), ..access };
        let text = format!(
            "(P2) lsc_atomic_{name}.tgm (M1, 16) V33.4:d32 bti(0x1A)[V34, V35, V36, V37]:a32 \
             V38.5 V39.6"
        );
        Row::new(atomic, text)
    }));
    rows
}
