//! Rules for raw messages.

use crate::format::Format;
use crate::isa::{Instruction, RawSend, RawSendg, RawSends};
use crate::operand::{Vector, VectorKind};
use crate::verify::context::Context;
use crate::verify::rule::{Rule, rules};
use crate::verify::types::Types;

/// The lengths of a raw message in registers.
pub(in crate::verify) struct Lengths {
    src0: (&'static str, u8),
    src1: u8,
    dst: u8,
    /// The maximum lengths of a source and of the destination.
    most: (u8, u8),
}

impl From<&RawSend> for Lengths {
    fn from(i: &RawSend) -> Lengths {
        Lengths { src0: ("num_src", i.num_src), src1: 0, dst: i.num_dst, most: (15, 16) }
    }
}

impl From<&RawSends> for Lengths {
    fn from(i: &RawSends) -> Lengths {
        let src0 = ("num_src0", i.num_src0);
        Lengths { src0, src1: i.num_src1, dst: i.num_dst, most: (32, 32) }
    }
}

rules! { lengths for Lengths;
    /// RAW_SEND sends 1 to 15 registers and receives at most 16. RAW_SENDS sends 1 to 32 and at
    /// most 32 more, and receives at most 32.
    fn lengths "send-lengths" (Refuses, ANY, "RAW_SEND.md, NumSrc") |i, c| {
        let (src, dst) = i.most;
        if !(1..=src).contains(&i.src0.1) {
            c.fail(i.src0.0, i.src0.1, format_args!("1 to {src} registers"));
        }
        if i.src1 > src {
            c.fail("num_src1", i.src1, format_args!("at most {src} registers"));
        }
        if i.dst > dst {
            c.fail("num_dst", i.dst, format_args!("at most {dst} registers"));
        }
    }
}

rules! { send for RawSend;
    /// RAW_SEND sends and receives at least as many registers as its descriptor states, if that is
    /// constant.
    fn descriptor "send-descriptor-lengths" (Refuses, ANY, "reference") |i, c| {
        let Some(desc) = i.desc.as_imm().map(|imm| imm.bits()) else { return };
        let (sent, received) = ((desc >> 25) & 15, (desc >> 20) & 31);
        if u64::from(i.num_src) < sent {
            let expected = alloc::format!("at least {sent}, as in the descriptor");
            c.fail("num_src", i.num_src, expected);
        }
        if u64::from(i.num_dst) < received {
            let expected = alloc::format!("at least {received}, as in the descriptor");
            c.fail("num_dst", i.num_dst, expected);
        }
    }
}

/// A raw message.
pub(in crate::verify) struct RawMessage {
    is_sendg: bool,
}

rules! { raw for RawMessage;
    /// RAW_SENDG requires efficient 64-bit addressing.
    fn sendg "sendg-mode" (Crashes, ANY, "reference") |i, c| {
        if i.is_sendg && c.cx.is_without_efficient_64bit() {
            c.report("", "`raw_sendg` requires efficient 64-bit addressing");
        }
    }

    /// RAW_SEND and RAW_SENDS are not available with efficient 64-bit addressing.
    fn send "send-mode" (Crashes, ANY, "reference") |i, c| {
        if !i.is_sendg && c.is_efficient_64bit() {
            let mnemonic = c.mnemonic();
            let message =
                alloc::format!("`{mnemonic}` is not available with efficient 64-bit addressing");
            c.report("", message);
        }
    }
}

/// The descriptors of a raw message.
pub(in crate::verify) struct Descriptors<'i> {
    ex_msg_desc: Option<&'i Vector>,
    desc: &'i Vector,
}

rules! { descriptors for Descriptors<'_>;
    /// The descriptors of raw messages have type UD.
    fn types "send-descriptor-type" (Accepts, ANY, "RAW_SEND.md, Desc") |i, c| {
        c.require_scalar_type("desc", i.desc, Types::UD);
        if let Some(desc) = i.ex_msg_desc {
            c.require_scalar_type("ex_msg_desc", desc, Types::UD);
        }
    }
}

rules! { sends for RawSends;
    /// The shared function of RAW_SENDS is 0 to 15.
    // In shipped kernels, the other bits contain parts of the descriptor.
    fn sfid "send-sfid" (Accepts, ANY, "RAW_SENDS.md, SFID") |i, c| {
        if let Some(sfid) = i.sfid.filter(|sfid| *sfid > 15) {
            c.fail("sfid", sfid, "0 to 15");
        }
    }
}

rules! { sendg for RawSendg;
    /// In 4.2, the shared function of RAW_SENDG is 0 to 15.
    fn sfid "sendg-sfid" (Refuses, ANY, "reference") |i, c| {
        if i.sfid > 15 && c.format() == Format::V4_2 {
            c.fail("sfid", i.sfid, "0 to 15");
        }
    }

    /// RAW_SENDG sends at most 31 registers per source and receives at most 32. In 4.2, source 0
    /// has at least one byte.
    fn lengths "sendg-lengths" (Refuses, ANY, "reference") |i, c| {
        // All platforms with this instruction have registers of 64 bytes.
        let lengths = [
            ("dst_len", i.dst_len, 32 * 64),
            ("src0_len", i.src0_len, 31 * 64),
            ("src1_len", i.src1_len, 31 * 64),
        ];
        for (field, length, most) in lengths {
            if length > most {
                c.fail(field, length, format_args!("at most {most} bytes"));
            }
        }
        if i.src0_len == 0 && c.format() == Format::V4_2 {
            c.fail("src0_len", 0, "at least 1 byte");
        }
    }

    /// In 4.2, the indirect descriptors of RAW_SENDG are general operands or immediates.
    fn indirect "sendg-indirect" (Refuses, ANY, "reference") |i, c| {
        for (field, operand) in [("ind0", &i.ind0), ("ind1", &i.ind1)] {
            let is_indirect = matches!(operand.kind, VectorKind::Indirect { .. });
            if is_indirect && c.format() == Format::V4_2 {
                c.fail(field, "an indirect operand", "a general operand or an immediate");
            }
        }
    }

    /// The descriptor of RAW_SENDG has 47 bits.
    fn descriptor "sendg-descriptor" (Refuses, ANY, "reference") |i, c| {
        if i.desc_high >> 15 != 0 {
            c.fail("desc_high", format_args!("{:#x}", i.desc_high), "at most 0x7fff");
        }
    }
}

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] =
    &[lengths::RULES, raw::RULES, send::RULES, descriptors::RULES, sends::RULES, sendg::RULES];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::RawSend(i) => {
            raw::check(&RawMessage { is_sendg: false }, cx);
            lengths::check(&i.into(), cx);
            send::check(i, cx);
            descriptors::check(&Descriptors { ex_msg_desc: None, desc: &i.desc }, cx);
        }
        Instruction::RawSends(i) => {
            raw::check(&RawMessage { is_sendg: false }, cx);
            lengths::check(&i.into(), cx);
            sends::check(i, cx);
            let ex_msg_desc = Some(&i.ex_msg_desc);
            descriptors::check(&Descriptors { ex_msg_desc, desc: &i.desc }, cx);
        }
        Instruction::RawSendg(i) => {
            raw::check(&RawMessage { is_sendg: true }, cx);
            sendg::check(i, cx);
        }
        _ => {}
    }
}
