//! Block, scattered and raw messages, RT_WRITE, SVM and DPAS.

use super::super::codes;
use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::isa::*;
use crate::operand::{
    Atomic, OwordNum, Pred, Region, SendFlags, Stride, SvmBlock, Vector, VectorKind,
};

pub(in super::super) fn modified(p: &mut Printer<'_>, byte: &u8) {
    if p.has(Quirk::ModifiedForgotten) {
        return;
    }
    if byte & 1 != 0 {
        p.line.push(".mod");
    }
    p.omit_if(*byte > 1);
}

/// What must be zero, and text does not mention.
pub(in super::super) fn zero<N: Copy + Into<u16>>(p: &mut Printer<'_>, field: &N) {
    p.omit_if((*field).into() != 0);
}

pub(in super::super) fn typed_pred(p: &mut Printer<'_>, pred: &Pred) {
    if !p.has(Quirk::TypedPredicateOmitted) {
        p.pred_prefix(pred);
    }
}

pub(in super::super) fn dataport_atomic_op(p: &mut Printer<'_>, op: &Atomic) {
    let width = match op.width() {
        64 if p.has(Quirk::AtomicWidthForgotten) => 32,
        width => width,
    };
    p.line.ch('.');
    codes::atomic(p, *op, width);
}

pub(in super::super) fn svm_block(p: &mut Printer<'_>, block: &SvmBlock) {
    if block.is_unaligned() && !p.has(Quirk::UnalignedForgotten) {
        p.line.push(".unaligned");
    }
    p.line.push(" (");
    OwordNum::print(&block.size(), p);
    p.line.ch(')');
    p.omit_if(*block != SvmBlock::new(block.size(), block.is_unaligned()));
}

pub(in super::super) fn ex_msg_desc(p: &mut Printer<'_>, send: &RawSend) {
    p.line.ch(' ');
    p.line.hex(send.ex_msg_desc);
}

pub(in super::super) fn send_name(p: &mut Printer<'_>, send: &RawSend) {
    let conditional = send.modifiers == SendFlags::SENDC;
    p.line.push(if conditional { "raw_sendc" } else { "raw_send" });
    p.omit_if(!conditional && !send.modifiers.is_empty());
}

pub(in super::super) fn sends_name(p: &mut Printer<'_>, send: &RawSends) {
    let (conditional, eot) =
        (send.modifiers.contains(SendFlags::SENDC), send.modifiers.contains(SendFlags::EOT));
    p.line.push(if conditional { "raw_sendsc." } else { "raw_sends." });
    match send.sfid {
        Some(sfid) => {
            p.line.dec(sfid);
            p.line.ch('.');
        }
        None if p.has(Quirk::FunctionIdAdded) => p.line.push("0."),
        None => {}
    }
    if eot {
        p.line.push("eot.");
    }
    p.line.dec(send.num_src0);
    p.id('.', send.num_src1);
    p.id('.', send.num_dst);
}

/// `raw_sendg[c][_eot].<sfid> (exec) dst/len src0/len src1/len ind0 ind1 desc`, as today's grammar
/// has it; the reference does not know the instruction.
pub(in super::super) fn sendg(p: &mut Printer<'_>, send: &RawSendg) {
    p.line.push(
        match (send.modifiers.contains(SendFlags::SENDC), send.modifiers.contains(SendFlags::EOT)) {
            (false, false) => "raw_sendg",
            (false, true) => "raw_sendg_eot",
            (true, false) => "raw_sendgc",
            (true, true) => "raw_sendgc_eot",
        },
    );
    p.id('.', send.sfid);
    send.exec.operand(p);
    let payloads =
        [(send.dst, send.dst_len), (send.src0, send.src0_len), (send.src1, send.src1_len)];
    for (payload, len) in payloads {
        payload.operand(p);
        p.id('/', len);
    }
    send.ind0.operand(p);
    send.ind1.operand(p);
    p.line.ch(' ');
    p.line.hex(u64::from(send.desc_high) << 32 | u64::from(send.desc_low));
}

/// The third source of DPAS and DPASW stands without its region.
pub(in super::super) fn dpas_src2(p: &mut Printer<'_>, src2: &Vector) {
    /// What a source without a region means in text.
    const IMPLIED: Region = Region::new(Stride::S1, Stride::S1, Stride::S0);
    match src2.kind {
        VectorKind::General { var, row, col, region } => {
            p.line.ch(' ');
            p.modifier(src2.modifier);
            p.var(var);
            p.place(row, col);
            p.omit_if(region != IMPLIED || src2.modifier != crate::operand::Modifier::NONE);
        }
        _ => {
            src2.operand(p);
            p.lossy = true;
        }
    }
}

pub(in super::super) fn truth_table(p: &mut Printer<'_>, bfn: &Bfn) {
    p.line.push(".x");
    p.line.hex_digits(bfn.boolean_func_ctrl.into(), 1);
}

/// The names of RT_WRITE's modes, which stand in angle brackets.
pub(in super::super) const RT_WRITE_MODES: [(RtWriteMode, &str); 11] = [
    (RtWriteMode::RTI, "RTI"),
    (RtWriteMode::S0A, "A"),
    (RtWriteMode::OMASK, "O"),
    (RtWriteMode::Z, "Z"),
    (RtWriteMode::STENCIL, "ST"),
    (RtWriteMode::LRTW, "LRTW"),
    (RtWriteMode::CPS, "CPS"),
    (RtWriteMode::PS, "PS"),
    (RtWriteMode::CM, "CM"),
    (RtWriteMode::SI, "SI"),
    (RtWriteMode::NULL_RT, "NULLRT"),
];

/// RT_WRITE's mode, then its operands in the order of the bytes.
pub(in super::super) fn rt_write(p: &mut Printer<'_>, write: &RtWrite) {
    p.pred_prefix(&write.pred);
    p.line.push("rt_write_3d");
    let mode = write.mode();
    if !mode.is_empty() {
        p.line.ch('.');
        for (_, name) in RT_WRITE_MODES.iter().filter(|(bit, _)| mode.contains(*bit)) {
            p.line.ch('<');
            p.line.push(name);
            p.line.ch('>');
        }
    }
    write.exec.operand(p);
    write.surface.operand(p);
    write.header.operand(p);
    for operand in [&write.sample_index, &write.cps_counter, &write.rt_index] {
        operand.operand(p);
    }
    write.s0a.operand(p);
    write.omask.operand(p);
    for color in [write.r, write.g, write.b, write.a] {
        color.operand(p);
    }
    write.depth.operand(p);
    write.stencil.operand(p);
}
