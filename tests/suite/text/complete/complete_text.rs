//! Instructions whose text is complete without an annotation.

use genvisa::isa::lsc::{Access, AppendCounter, Strided, TypedAccess, TypedBlock2d};
use genvisa::isa::*;
use genvisa::operand::lsc::*;
use genvisa::operand::*;
use genvisa::{Dialect, Format, Instruction};

use crate::oracle::all_rows;

/// Returns instructions whose text is complete: the cases of the oracle tests, and newer ones.
///
/// Random operands rarely have such a text. Usually the bytes are in an annotation, so that tests
/// of random operands do not detect losses.
pub fn instructions_with_complete_text(format: Format) -> Vec<Instruction> {
    let rows = all_rows(format.version).into_iter().map(|row| row.instruction);
    let newer = if format.dialect == Dialect::Igc2026 { newer() } else { Vec::new() };
    let mut instructions: Vec<Instruction> = rows.chain(newer).map(without_hidden_fields).collect();
    instructions.retain(|instruction| instruction.to_bytes(format).is_ok());
    instructions
}

/// Resets the fields that the text omits and that the instructions of the oracle tests set.
fn without_hidden_fields(mut instruction: Instruction) -> Instruction {
    const IMPLIED: Region = Region::new(Stride::S1, Stride::S1, Stride::S0);
    let set_implied_region = |src2: &mut Vector| {
        if let VectorKind::General { region, .. } = &mut src2.kind {
            *region = IMPLIED;
        }
    };
    let quads = [LscOp::LOAD_QUAD, LscOp::STORE_QUAD];
    let none = ChannelMask::empty();
    match &mut instruction {
        Instruction::Dpas(dpas) => set_implied_region(&mut dpas.src2),
        Instruction::Dpasw(dpasw) => set_implied_region(&mut dpasw.src2),
        Instruction::LscFence(fence) => fence.exec = ExecSize::S1.into(),
        Instruction::LscUntyped(LscUntyped::Access(access)) if !quads.contains(&access.op) => {
            access.channels = none;
        }
        Instruction::LscUntyped(LscUntyped::Strided(access)) => access.channels = none,
        Instruction::LscTyped(LscTyped::TypedAccess(access)) if !quads.contains(&access.op) => {
            access.channels = none;
            if access.op == LscOp::READ_STATE_INFO {
                access.exec = ExecSize::S1.into();
                (access.v, access.r, access.lod) = (Raw::NULL, Raw::NULL, Raw::NULL);
            }
        }
        _ => {}
    }
    instruction
}

/// Returns instructions with the fields that only dialect `Igc2026` has.
fn newer() -> Vec<Instruction> {
    let exec = ExecSize::S16.into();
    let pred = Pred::new(PredId(2)).expect("a small id");
    let x = |offset| Raw::new(VarId(40), offset);
    let scalar = Vector::scalar(VarId(41));
    let (src2, w, a) = (scalar, Precision::S8, Precision::U4);
    let (dst, src0, src1, none) = (x(0), x(32), x(64), Raw::NULL);
    let (systolic_depth, repeat_count, some_pred) = (8, 2, Some(pred));
    let params = Params::new(&[x(64), Raw::NULL]).expect("few parameters");
    let paired_surface = Some(none);
    let access = Access {
        exec,
        pred,
        addr_type: LscAddrType::BTI,
        addr_scale: 1,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_elems: LscDataElems::X1,
        data_order: LscDataOrder::NONTRANSPOSE,
        channels: ChannelMask::empty(),
        surface: scalar,
        surface_index: Some(3),
        addrs: x(64),
        ..Access::default()
    };
    let typed = TypedAccess {
        exec,
        addr_type: LscAddrType::BTI,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_elems: LscDataElems::X1,
        data_order: LscDataOrder::NONTRANSPOSE,
        surface: scalar,
        surface_index: Some(0),
        u: x(0),
        u_offset: Some(0),
        v_offset: Some(-3),
        r_offset: Some(0),
        ..TypedAccess::default()
    };
    let no_channels = ChannelMask::empty();
    vec![
        Dpas { exec, pred: some_pred, dst, src0, src1, src2, w, a, systolic_depth, repeat_count }
            .into(),
        Dpasw { exec, pred: some_pred, dst, src0, src1, src2, w, a, systolic_depth, repeat_count }
            .into(),
        Ifcall {
            exec,
            pred,
            modifiers: Some(IfcallFlags::UNIFORM),
            func_addr: scalar,
            arg_size: 1,
            return_size: 2,
        }
        .into(),
        Nbarrier {
            mode: BarrierMode::SIGNAL,
            id: scalar,
            barrier_type: Some(Imm::ub(0).into()),
            num_producers: scalar,
            num_consumers: Some(scalar),
        }
        .into(),
        Nbarrier {
            mode: BarrierMode::WAIT,
            id: scalar,
            barrier_type: Some(Imm::ud(0).into()),
            num_producers: Imm::ud(0).into(),
            num_consumers: Some(Imm::ud(0).into()),
        }
        .into(),
        RawSendg { exec, pred, dst, src0, src1, ind0: scalar, ind1: scalar, ..RawSendg::default() }
            .into(),
        Sample3d { exec, pred, dst, params, paired_surface, ..Sample3d::default() }.into(),
        Load3d {
            op: SamplerOp::LOAD_LZ,
            exec,
            pred,
            dst,
            params,
            paired_surface,
            ..Load3d::default()
        }
        .into(),
        Gather4 {
            op: SamplerOp::GATHER4,
            exec,
            pred,
            dst,
            params,
            paired_surface,
            ..Gather4::default()
        }
        .into(),
        Tanh { exec, pred, dst: Dst::new(VarId(40)), src0: scalar }.into(),
        Sigm { exec, pred, dst: Dst::new(VarId(40)), src0: scalar }.into(),
        Access { op: LscOp::LOAD, dst, ..access }.into(),
        Access { op: LscOp::STORE, src1, ..access }.into(),
        Access { op: LscOp::ATOMIC_BFCAS, dst, src1, ..access }.into(),
        Strided {
            op: LscOp::LOAD_STRIDED,
            exec,
            addr_type: LscAddrType::BTI,
            addr_scale: 1,
            addr_size: LscAddrSize::A32,
            data_size: LscDataSize::D32,
            data_elems: LscDataElems::X1,
            data_order: LscDataOrder::NONTRANSPOSE,
            surface: scalar,
            surface_index: Some(0),
            dst,
            addr_base: x(64),
            addr_pitch: scalar,
            ..Strided::default()
        }
        .into(),
        AppendCounter {
            exec,
            pred,
            addr_type: LscAddrType::BTI,
            data_size: LscDataSize::D32,
            data_elems: LscDataElems::X1,
            data_order: LscDataOrder::NONTRANSPOSE,
            channels: no_channels,
            surface: scalar,
            surface_index: 1,
            dst,
            src: src1,
            ..AppendCounter::default()
        }
        .into(),
        TypedAccess { op: LscOp::LOAD_QUAD, channels: ChannelMask::R, dst, ..typed }.into(),
        TypedAccess { op: LscOp::STORE_QUAD, channels: ChannelMask::G, src1, ..typed }.into(),
        TypedAccess { op: LscOp::ATOMIC_IADD, channels: no_channels, dst, src1, ..typed }.into(),
        TypedAccess {
            op: LscOp::READ_STATE_INFO,
            exec: ExecSize::S1.into(),
            channels: no_channels,
            dst,
            v_offset: Some(0),
            src1: none,
            ..typed
        }
        .into(),
        TypedBlock2d {
            op: LscOp::LOAD_BLOCK2D,
            exec: ExecSize::S1.into(),
            addr_type: LscAddrType::BTI,
            block_width: 4,
            block_height: 2,
            surface: scalar,
            dst,
            x: scalar,
            y: scalar,
            ..TypedBlock2d::default()
        }
        .into(),
    ]
}
