//! What the reference cannot print, and so is not asked to.
//!
//! Besides these, nothing is generated that is not valid in a file of 2022. Most of that the reference
//! prints all the same, but it crashes at null where registers or elements are needed, at samplers that
//! are not declared, and beyond the ends of its tables of names; it refuses labels with attributes. The
//! attribute `Callable`, with which it crashes at times, is the one valid thing that is left out
//! elsewhere, in [`tables`](super::tables).

use genvisa::Instruction;
use genvisa::isa::lsc::Access;
use genvisa::isa::va::MinMaxFilter;
use genvisa::isa::va_skl_plus::HdcLbpCreation;
use genvisa::isa::{LscTyped, LscUntyped, Va, VaSklPlus};
use genvisa::object::{Align, Body, LabelKind};
use genvisa::operand::lsc::LscOp;
use genvisa::operand::va::{AvsExecMode, LbpMode, OutputFormat};
use genvisa::operand::{DataType, Exec, ExecSize, Precision, Raw, VarId};

/// Instructions that are left out, and why.
pub struct Exclusion {
    pub reason: &'static str,
    applies: fn(&Instruction, &Body<'_>) -> bool,
}

const fn because(reason: &'static str, applies: fn(&Instruction, &Body<'_>) -> bool) -> Exclusion {
    Exclusion { reason, applies }
}

/// All of them.
const EXCLUSIONS: [Exclusion; 14] = [
    because(
        "ADD3.O without a predicate crashes",
        |i, _| matches!(i, Instruction::Add3o(add) if add.pred.is_none()),
    ),
    because("a call of a composable function (FCCALL) crashes", |i, body| {
        matches!(i, Instruction::Call(call)
            if body.labels[usize::from(call.label.0)].kind == LabelKind::FC)
    }),
    because(
        "SWITCHJMP to more than 30 labels crashes at times",
        |i, _| matches!(i, Instruction::SwitchJmp(switch) if switch.labels.len() > 30),
    ),
    because(
        "MEDIA_LD to elsewhere than the start of a register allocates without end",
        |i, body| matches!(i, Instruction::MediaLd(load) if place(body, load.dst) % GRF != 0),
    ),
    because("NBARRIER with a constant for its id crashes for types that are lost", |i, _| {
        matches!(i, Instruction::Nbarrier(barrier)
            if barrier.id.as_imm().is_some_and(|i| matches!(i.ty(), DataType::BOOL | DataType::BF)))
    }),
    because("a sampler message without parameters crashes at times", |i, _| {
        payload(i).is_some_and(|(_, params)| params == 0)
    }),
    because("a sampler message of more than 13 parameters crashes for 16 lanes", |i, _| {
        payload(i).is_some_and(|(exec, params)| exec.size == ExecSize::S16 && params > 13)
    }),
    because(
        "AVS is cut short at the name of block 4x4, which it does not have",
        |i, _| matches!(i, Instruction::Avs(avs) if avs.exec_mode == AvsExecMode::B4X4),
    ),
    because("VA_MINMAXFILTER vanishes if its output is downsampled", |i, _| {
        matches!(i, Instruction::Va(Va::MinMaxFilter(MinMaxFilter { cntrl, .. }))
            if matches!(*cntrl, OutputFormat::DOWN_SAMPLE_16 | OutputFormat::DOWN_SAMPLE_8))
    }),
    because("VA_HDC_LBP_CREATION vanishes if it asks for both neighbourhoods", |i, _| {
        matches!(i, Instruction::VaSklPlus(VaSklPlus::HdcLbpCreation(HdcLbpCreation { mode, .. }))
            if *mode == LbpMode::BOTH)
    }),
    because("DPAS is cut short at the name of bf8, which came later", |i, _| {
        dpas(i).is_some_and(|dpas| dpas.precisions.contains(&Precision::BF8))
    }),
    because("DPAS raises the alignment of its variables before they are printed", |i, body| {
        const LANES: usize = 8;
        dpas(i).is_some_and(|dpas| {
            let size = |raw: Raw| variable(body, raw).map_or(0, |v| v.ty.size() * LANES);
            raises(body, dpas.dst, size(dpas.dst))
                || raises(body, dpas.src0, size(dpas.src0))
                || raises(body, dpas.src1, GRF)
        })
    }),
    because("an LSC address scale is fatal", |i, _| {
        matches!(i, Instruction::LscUntyped(LscUntyped::Access(Access { addr_scale, .. }))
            if *addr_scale > 1)
            || matches!(i, Instruction::LscUntyped(LscUntyped::Strided(strided))
                if strided.addr_scale > 1)
    }),
    because("CCS_UPDATE is printed without its operands", |i, _| match i {
        Instruction::LscUntyped(message) => message.op() == LscOp::CCS_UPDATE,
        Instruction::LscTyped(LscTyped::TypedAccess(access)) => access.op == LscOp::CCS_UPDATE,
        _ => false,
    }),
];

/// Why an instruction is left out, if it is.
pub fn excluded(instruction: &Instruction, body: &Body<'_>) -> Option<&'static str> {
    let exclusion = EXCLUSIONS.iter().find(|exclusion| (exclusion.applies)(instruction, body));
    exclusion.map(|exclusion| exclusion.reason)
}

/// The bytes of a register.
const GRF: usize = 32;

/// The lanes of a sampler message, and how many parameters it has.
fn payload(instruction: &Instruction) -> Option<(Exec, usize)> {
    match instruction {
        Instruction::Sample3d(sample) => Some((sample.exec, sample.params.len())),
        Instruction::Load3d(load) => Some((load.exec, load.params.len())),
        Instruction::Gather4(gather) => Some((gather.exec, gather.params.len())),
        _ => None,
    }
}

/// What DPAS and DPASW have in common.
struct Systolic {
    dst: Raw,
    src0: Raw,
    src1: Raw,
    precisions: [Precision; 2],
}

fn dpas(instruction: &Instruction) -> Option<Systolic> {
    macro_rules! systolic {
        ($i:ident) => {
            Systolic { dst: $i.dst, src0: $i.src0, src1: $i.src1, precisions: [$i.w, $i.a] }
        };
    }
    match instruction {
        Instruction::Dpas(i) => Some(systolic!(i)),
        Instruction::Dpasw(i) => Some(systolic!(i)),
        _ => None,
    }
}

/// The declaration of an operand's variable; predefined ones have none.
fn variable<'b>(body: &'b Body<'_>, raw: Raw) -> Option<&'b genvisa::object::Variable> {
    let index = raw.var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
    body.variables.get(index as usize)
}

/// Where an operand begins in the variable that its own is an alias of, in bytes.
fn place(body: &Body<'_>, raw: Raw) -> usize {
    let mut place = usize::from(raw.offset);
    let mut raw = raw;
    while let Some(variable) = variable(body, raw) {
        place += usize::from(variable.alias_offset);
        raw = Raw::from(variable.alias);
    }
    place
}

/// Whether a variable is aligned to less than so many bytes.
fn raises(body: &Body<'_>, raw: Raw, bytes: usize) -> bool {
    variable(body, raw).is_some_and(|variable| {
        let aligned = match variable.align {
            Align::WORD => 2,
            Align::DWORD => 4,
            Align::QWORD => 8,
            Align::OWORD => 16,
            Align::GRF | Align::HWORD => GRF,
            Align::GRFX2 | Align::WORDX32 => 64,
            Align::WORDX64 => 128,
            _ => 1,
        };
        aligned < bytes
    })
}
