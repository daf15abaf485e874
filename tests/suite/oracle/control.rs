//! Control flow, synchronization and debug information.

use genvisa::Version;
use genvisa::isa::*;
use genvisa::operand::{
    BarrierMode, ExecMask, ExecSize, FenceFlags, Imm, LifetimeClass, LifetimeProperties, StringId,
    VarId,
};

use super::fixture::*;

pub fn rows(version: Version) -> Vec<Row> {
    let mut rows = flow();
    rows.extend(synchronization(version));
    rows.extend(information());
    rows
}

fn flow() -> Vec<Row> {
    let one = exec(ExecMask::M1, ExecSize::S1);
    let exec = exec(ExecMask::M5, ExecSize::S16);
    let pred = when(P2);
    rows![
        Label { label: BLOCK } => "block_3:",
        Subroutine { label: ROUTINE } => ".function \"routine_5_3\" routine_5_3:",
        Jmp { exec: one, pred, label: BLOCK } => "(P2) jmp (M1, 1) block_3",
        Call { exec, pred, label: ROUTINE } => "(P2) call (M5, 16) routine_5_3",
        Ret { exec, pred } => "(P2) ret (M5, 16)",
        Goto { exec, pred, label: OTHER } => "(P2) goto (M5, 16) other_4",
        SwitchJmp { exec: one, index: scalar(33, 1, 2),
                    labels: Labels::new(&[BLOCK, OTHER]).expect("few labels") }
            => "switchjmp (M1, 1) V33(1,2)<0;1,0> (block_3, other_4)",
        Fcall { exec, pred, func_id: CALLEE, arg_size: 2, return_size: 3 }
            => "(P2) fcall (M5, 16) callee 2 3",
        Ifcall { exec, pred, modifiers: None, func_addr: scalar(33, 1, 2), arg_size: 4,
                 return_size: 5 }
            => "(P2) ifcall (M5, 16) V33(1,2)<0;1,0> 4 5",
        Fret { exec, pred } => "(P2) fret (M5, 16)",
        Faddr { func_id: CALLEE, dst: dst(32, 0, 1) } => "faddr callee V32(0,1)<1>",
    ]
}

fn synchronization(version: Version) -> Vec<Row> {
    // In 3.0, WAIT has no operand, and GenX_IR prints zero.
    let mask = (version >= Version::V3_1).then_some(scalar(33, 1, 2));
    let wait = if mask.is_some() { "wait V33(1,2)<0;1,0>" } else { "wait 0x0:uw" };
    let nbarrier = |mode| Nbarrier {
        mode,
        id: Imm::ub(7).into(),
        barrier_type: None,
        num_producers: scalar(33, 1, 2),
        num_consumers: None,
    };
    rows![
        Barrier {} => "barrier",
        SamplerCacheFlush {} => "sampler_cache_flush",
        Wait { mask } => wait,
        Yield {} => "yield",
        Fence { mask: FenceFlags::empty() } => "fence_global",
        Fence { mask: FenceFlags::COMMIT | FenceFlags::INSTRUCTION | FenceFlags::SAMPLER }
            => "fence_global.EIS",
        Fence { mask: FenceFlags::CONSTANT | FenceFlags::READ_WRITE | FenceFlags::L1 }
            => "fence_global.CRL1",
        Fence { mask: FenceFlags::LOCAL | FenceFlags::COMMIT } => "fence_local.E",
        Fence { mask: FenceFlags::SOFTWARE } => "fence_sw",
        Sbarrier { mode: BarrierMode::WAIT } => "sbarrier.wait",
        Sbarrier { mode: BarrierMode::SIGNAL } => "sbarrier.signal",
        nbarrier(BarrierMode::WAIT) => "nbarrier.wait 0x7:ub",
        nbarrier(BarrierMode::SIGNAL) => "nbarrier.signal 0x7:ub V33(1,2)<0;1,0>",
    ]
}

fn information() -> Vec<Row> {
    let lifetime = |end, class, id| Lifetime {
        properties: LifetimeProperties { end, class },
        variable: VarId(id),
    };
    rows![
        File { file_name: StringId(CALLEE.0.into()) } => "FILE \"callee\"",
        Loc { line_number: 123_456_789 } => "LOC 123456789",
        lifetime(false, LifetimeClass::GENERAL, 34) => "lifetime.start V34",
        lifetime(true, LifetimeClass::GENERAL, 35) => "lifetime.end V35",
        lifetime(false, LifetimeClass::ADDRESS, 1) => "lifetime.start A1",
        lifetime(true, LifetimeClass::PREDICATE, 2) => "lifetime.end P2",
    ]
}
