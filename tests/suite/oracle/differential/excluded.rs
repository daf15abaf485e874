//! Instructions that GenX_IR cannot print.
//!
//! Random modules contain only constructs that are valid in a file of 2022. GenX_IR prints
//! most invalid ones too, but it crashes on null registers where an operand is required, on
//! undeclared samplers, and on codes beyond the ends of its tables of names, and it rejects labels
//! with attributes. The attribute `Callable`, with which it sometimes crashes, is excluded in
//! [`tables`](super::tables).

use genvisa::Instruction;
use genvisa::isa::lsc::Access;
use genvisa::isa::va::MinMaxFilter;
use genvisa::isa::va_skl_plus::HdcLbpCreation;
use genvisa::isa::{LscTyped, LscUntyped, Va, VaSklPlus};
use genvisa::object::{Align, Body, LabelKind};
use genvisa::operand::lsc::LscOp;
use genvisa::operand::va::{AvsExecMode, LbpMode, OutputFormat};
use genvisa::operand::{DataType, Exec, ExecSize, Precision, Raw, VarId};

/// A reason to exclude instructions, and a test for them.
pub struct Exclusion {
    pub reason: &'static str,
    applies: fn(&Instruction, &Body<'_>) -> bool,
}

const fn exclude(reason: &'static str, applies: fn(&Instruction, &Body<'_>) -> bool) -> Exclusion {
    Exclusion { reason, applies }
}

const EXCLUSIONS: [Exclusion; 14] = [
    exclude(
        "ADD3.O without a predicate crashes",
        |i, _| matches!(i, Instruction::Add3o(add) if add.pred.is_none()),
    ),
    exclude("a call of a composable function (FCCALL) crashes", |i, body| {
        matches!(i, Instruction::Call(call)
            if body.labels[usize::from(call.label.0)].kind == LabelKind::FC)
    }),
    exclude(
        "SWITCHJMP to more than 30 labels sometimes crashes",
        |i, _| matches!(i, Instruction::SwitchJmp(switch) if switch.labels.len() > 30),
    ),
    exclude(
        "MEDIA_LD allocates without limit if its destination is not the start of a register",
        |i, body| matches!(i, Instruction::MediaLd(load) if offset(body, load.dst) % GRF != 0),
    ),
    exclude(
        "NBARRIER crashes if its id is a constant of a type that GenX_IR does not support",
        |i, _| {
            matches!(i, Instruction::Nbarrier(barrier)
            if barrier.id.as_imm().is_some_and(|i| matches!(i.ty(), DataType::BOOL | DataType::BF)))
        },
    ),
    exclude("a sampler message without parameters sometimes crashes", |i, _| {
        payload(i).is_some_and(|(_, params)| params == 0)
    }),
    exclude("a sampler message of more than 13 parameters crashes for 16 lanes", |i, _| {
        payload(i).is_some_and(|(exec, params)| exec.size == ExecSize::S16 && params > 13)
    }),
    exclude(
        "the text of AVS ends at the block size 4x4, for which GenX_IR has no name",
        |i, _| matches!(i, Instruction::Avs(avs) if avs.exec_mode == AvsExecMode::B4X4),
    ),
    exclude("VA_MINMAXFILTER is not printed if its output is downsampled", |i, _| {
        matches!(i, Instruction::Va(Va::MinMaxFilter(MinMaxFilter { cntrl, .. }))
            if matches!(*cntrl, OutputFormat::DOWN_SAMPLE_16 | OutputFormat::DOWN_SAMPLE_8))
    }),
    exclude("VA_HDC_LBP_CREATION is not printed if it has both modes", |i, _| {
        matches!(i, Instruction::VaSklPlus(VaSklPlus::HdcLbpCreation(HdcLbpCreation { mode, .. }))
            if *mode == LbpMode::BOTH)
    }),
    exclude("the text of DPAS ends at the precision bf8, for which GenX_IR has no name", |i, _| {
        dpas(i).is_some_and(|dpas| dpas.precisions.contains(&Precision::BF8))
    }),
    exclude("DPAS increases the alignment of its variables before they are printed", |i, body| {
        const LANES: usize = 8;
        dpas(i).is_some_and(|dpas| {
            let size = |raw: Raw| variable(body, raw).map_or(0, |v| v.ty.size() * LANES);
            is_aligned_to_less(body, dpas.dst, size(dpas.dst))
                || is_aligned_to_less(body, dpas.src0, size(dpas.src0))
                || is_aligned_to_less(body, dpas.src1, GRF)
        })
    }),
    exclude("an LSC address scale is a fatal error", |i, _| {
        matches!(i, Instruction::LscUntyped(LscUntyped::Access(Access { addr_scale, .. }))
            if *addr_scale > 1)
            || matches!(i, Instruction::LscUntyped(LscUntyped::Strided(strided))
                if strided.addr_scale > 1)
    }),
    exclude("CCS_UPDATE is printed without its operands", |i, _| match i {
        Instruction::LscUntyped(message) => message.op() == LscOp::CCS_UPDATE,
        Instruction::LscTyped(LscTyped::TypedAccess(access)) => access.op == LscOp::CCS_UPDATE,
        _ => false,
    }),
];

/// Returns the reason why an instruction is excluded.
pub fn excluded(instruction: &Instruction, body: &Body<'_>) -> Option<&'static str> {
    let exclusion = EXCLUSIONS.iter().find(|exclusion| (exclusion.applies)(instruction, body));
    exclusion.map(|exclusion| exclusion.reason)
}

/// The size of a register in bytes.
const GRF: usize = 32;

/// Returns the execution size of a sampler message and its number of parameters.
fn payload(instruction: &Instruction) -> Option<(Exec, usize)> {
    match instruction {
        Instruction::Sample3d(sample) => Some((sample.exec, sample.params.len())),
        Instruction::Load3d(load) => Some((load.exec, load.params.len())),
        Instruction::Gather4(gather) => Some((gather.exec, gather.params.len())),
        _ => None,
    }
}

/// The common fields of DPAS and DPASW.
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

/// Returns the declaration of the variable of an operand. Predefined variables have none.
fn variable<'b>(body: &'b Body<'_>, raw: Raw) -> Option<&'b genvisa::object::Variable> {
    let index = raw.var.0.checked_sub(VarId::FIRST_DECLARED.0)?;
    body.variables.get(index as usize)
}

/// Returns the offset of an operand in the variable that its own variable is an alias of, in bytes.
fn offset(body: &Body<'_>, raw: Raw) -> usize {
    let mut offset = usize::from(raw.offset);
    let mut raw = raw;
    while let Some(variable) = variable(body, raw) {
        offset += usize::from(variable.alias_offset);
        raw = Raw::from(variable.alias);
    }
    offset
}

/// Returns whether the alignment of a variable is less than a number of bytes.
fn is_aligned_to_less(body: &Body<'_>, raw: Raw, bytes: usize) -> bool {
    variable(body, raw).is_some_and(|variable| {
        let alignment = match variable.align {
            Align::WORD => 2,
            Align::DWORD => 4,
            Align::QWORD => 8,
            Align::OWORD => 16,
            Align::GRF | Align::HWORD => GRF,
            Align::GRFX2 | Align::WORDX32 => 64,
            Align::WORDX64 => 128,
            _ => 1,
        };
        alignment < bytes
    })
}
