//! Rules for raw messages.

use crate::format::Format;
use crate::isa::{Instruction, RawSend, RawSendg, RawSends};
use crate::operand::{Raw, SendFlags, Vector, VectorKind};
use crate::verify::context::Context;
use crate::verify::field::{Field, field};
use crate::verify::rule::{Rule, rules};
use crate::verify::types::Types;

/// The bit of the extended descriptor of a RAW_SEND that ends the thread.
const END_OF_THREAD: u32 = 1 << 5;

/// The lengths of a raw message in registers.
pub(in crate::verify) struct Lengths {
    src0: (Field, u8),
    src1: u8,
    dst: u8,
    /// The maximum lengths of a source and of the destination.
    most: (u8, u8),
}

impl From<&RawSend> for Lengths {
    fn from(i: &RawSend) -> Lengths {
        Lengths {
            src0: (field!(RawSend.num_src), i.num_src),
            src1: 0,
            dst: i.num_dst,
            most: (15, 16),
        }
    }
}

impl From<&RawSends> for Lengths {
    fn from(i: &RawSends) -> Lengths {
        let src0 = (field!(RawSends.num_src0), i.num_src0);
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
            c.fail(field!(RawSends.num_src1), i.src1, format_args!("at most {src} registers"));
        }
        if i.dst > dst {
            c.fail(field!(RawSends.num_dst), i.dst, format_args!("at most {dst} registers"));
        }
    }
}

rules! { send for RawSend;
    /// RAW_SEND sends and receives at least as many registers as its descriptor states, if that is
    /// constant.
    fn descriptor "send-descriptor-lengths" (Refuses, ANY, "IGC") |i, c| {
        let Some((sent, received)) = lengths_in(&i.desc) else { return };
        if u32::from(i.num_src) < sent {
            let expected = alloc::format!("at least {sent}, as in the descriptor");
            c.fail(field!(RawSend.num_src), i.num_src, expected);
        }
        if u32::from(i.num_dst) < received {
            let expected = alloc::format!("at least {received}, as in the descriptor");
            c.fail(field!(RawSend.num_dst), i.num_dst, expected);
        }
    }
}

/// Returns the numbers of registers that a constant descriptor sends from source 0 and receives.
fn lengths_in(desc: &Vector) -> Option<(u32, u32)> {
    let bits = desc.as_imm()?.bits() as u32;
    Some(((bits >> 25) & 15, (bits >> 20) & 31))
}

/// An operand of a raw message.
pub(in crate::verify) struct Operand {
    field: Field,
    raw: Raw,
    /// Whether the message transfers nothing from or to the operand, as far as is known.
    is_empty: bool,
}

impl Operand {
    fn new(field: Field, raw: Raw, length: u32) -> Operand {
        Operand { field, raw, is_empty: length == 0 }
    }
}

/// Returns the operands of a RAW_SEND.
// `send-lengths` refuses to send no registers from source 0.
fn operands_of_send(i: &RawSend) -> [Operand; 2] {
    let (sent, received) =
        lengths_in(&i.desc).unwrap_or((u32::from(i.num_src).max(1), i.num_dst.into()));
    [
        Operand::new(field!(RawSend.src), i.src, sent),
        Operand::new(field!(RawSends.dst), i.dst, received),
    ]
}

/// Returns the operands of a RAW_SENDS.
fn operands_of_sends(i: &RawSends) -> [Operand; 3] {
    let (sent, received) =
        lengths_in(&i.desc).unwrap_or((u32::from(i.num_src0).max(1), i.num_dst.into()));
    let extended = i.ex_msg_desc.as_imm().map_or(0, |imm| (imm.bits() >> 6) as u32 & 31);
    [
        Operand::new(field!(RawSends.src0), i.src0, sent),
        Operand::new(field!(RawSends.src1), i.src1, extended.max(i.num_src1.into())),
        Operand::new(field!(RawSends.dst), i.dst, received),
    ]
}

rules! { operand for Operand;
    /// An operand of a raw message is null if the message transfers nothing from or to it. A constant
    /// descriptor determines what is transferred from source 0 and to the destination.
    // The compiler accepts some messages to data port 0, whose type determines what is received.
    fn null "send-null" (Crashes, ANY, "IGC") |i, c| {
        if i.is_empty && !i.raw.is_null() {
            let name = c.name(i.raw.var);
            c.fail(i.field, name, "null, because the message transfers nothing");
        }
    }
}

/// Source 0 of a raw message that ends the thread.
pub(in crate::verify) struct LastSource(Field, Raw);

rules! { last for LastSource;
    /// Source 0 of a RAW_SEND or RAW_SENDS that ends the thread is not null.
    fn source "send-eot-source" (Crashes, ANY, "IGC") |i, c| {
        if i.1.is_null() {
            c.fail(i.0, "null", "a variable, because the message ends the thread");
        }
    }
}

/// A raw message.
pub(in crate::verify) struct RawMessage {
    is_sendg: bool,
}

rules! { raw for RawMessage;
    /// RAW_SENDG requires efficient 64-bit addressing.
    fn sendg "sendg-mode" (Crashes, ANY, "IGC") |i, c| {
        if i.is_sendg && c.cx.is_without_efficient_64bit() {
            c.report(Field::WHOLE, "`raw_sendg` requires efficient 64-bit addressing");
        }
    }

    /// RAW_SEND and RAW_SENDS are not available with efficient 64-bit addressing.
    fn send "send-mode" (Crashes, ANY, "IGC") |i, c| {
        if !i.is_sendg && c.is_efficient_64bit() {
            let mnemonic = c.mnemonic();
            let message =
                alloc::format!("`{mnemonic}` is not available with efficient 64-bit addressing");
            c.report(Field::WHOLE, message);
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
        c.require_scalar_type(field!(RawSends.desc), i.desc, Types::UD);
        if let Some(desc) = i.ex_msg_desc {
            c.require_scalar_type(field!(RawSends.ex_msg_desc), desc, Types::UD);
        }
    }
}

rules! { sends for RawSends;
    /// RAW_SENDS sends at most 15 registers from source 0 and receives at most 31, unless its
    /// descriptor is constant.
    // The compiler makes a descriptor with fields of 4 and 5 bits.
    fn fields "sends-descriptor-fields" (Crashes, ANY, "IGC") |i, c| {
        if lengths_in(&i.desc).is_some() {
            return;
        }
        // `send-lengths` refuses more than 32 registers.
        if (16..=32).contains(&i.num_src0) {
            c.fail(field!(RawSends.num_src0), i.num_src0, "at most 15 registers");
        }
        if i.num_dst == 32 {
            c.fail(field!(RawSends.num_dst), i.num_dst, "at most 31 registers");
        }
    }

    /// The shared function of RAW_SENDS is 0 to 15.
    // In shipped kernels, the other bits contain parts of the descriptor.
    fn sfid "send-sfid" (Accepts, ANY, "RAW_SENDS.md, SFID") |i, c| {
        if let Some(sfid) = i.sfid.filter(|sfid| *sfid > 15) {
            c.fail(field!(RawSends.sfid), sfid, "0 to 15");
        }
    }
}

rules! { sendg for RawSendg;
    /// In 4.2, the shared function of RAW_SENDG is 0 to 15.
    fn sfid "sendg-sfid" (Refuses, ANY, "IGC") |i, c| {
        if i.sfid > 15 && c.format() == Format::V4_2 {
            c.fail(field!(RawSendg.sfid), i.sfid, "0 to 15");
        }
    }

    /// RAW_SENDG sends at most 31 registers per source and receives at most 32. In 4.2, source 0
    /// has at least one byte.
    fn lengths "sendg-lengths" (Refuses, ANY, "IGC") |i, c| {
        // All platforms with this instruction have registers of 64 bytes.
        let lengths = [
            (field!(RawSendg.dst_len), i.dst_len, 32 * 64),
            (field!(RawSendg.src0_len), i.src0_len, 31 * 64),
            (field!(RawSendg.src1_len), i.src1_len, 31 * 64),
        ];
        for (field, length, most) in lengths {
            if length > most {
                c.fail(field, length, format_args!("at most {most} bytes"));
            }
        }
        if i.src0_len == 0 && c.format() == Format::V4_2 {
            c.fail(field!(RawSendg.src0_len), 0, "at least 1 byte");
        }
    }

    /// In 4.2, the indirect descriptors of RAW_SENDG are general operands or immediates.
    fn indirect "sendg-indirect" (Refuses, ANY, "IGC") |i, c| {
        for (field, operand) in [(field!(RawSendg.ind0), &i.ind0), (field!(RawSendg.ind1), &i.ind1)] {
            let is_indirect = matches!(operand.kind, VectorKind::Indirect { .. });
            if is_indirect && c.format() == Format::V4_2 {
                c.fail(field, "an indirect operand", "a general operand or an immediate");
            }
        }
    }

    /// The descriptor of RAW_SENDG has 47 bits.
    fn descriptor "sendg-descriptor" (Refuses, ANY, "IGC") |i, c| {
        if i.desc_high >> 15 != 0 {
            c.fail(field!(RawSendg.desc_high), format_args!("{:#x}", i.desc_high), "at most 0x7fff");
        }
    }
}

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    lengths::RULES,
    raw::RULES,
    send::RULES,
    operand::RULES,
    last::RULES,
    descriptors::RULES,
    sends::RULES,
    sendg::RULES,
];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::RawSend(i) => {
            raw::check(&RawMessage { is_sendg: false }, cx);
            lengths::check(&i.into(), cx);
            send::check(i, cx);
            operands_of_send(i).iter().for_each(|one| operand::check(one, cx));
            if i.ex_msg_desc & END_OF_THREAD != 0 {
                last::check(&LastSource(field!(RawSend.src), i.src), cx);
            }
            descriptors::check(&Descriptors { ex_msg_desc: None, desc: &i.desc }, cx);
        }
        Instruction::RawSends(i) => {
            raw::check(&RawMessage { is_sendg: false }, cx);
            lengths::check(&i.into(), cx);
            sends::check(i, cx);
            operands_of_sends(i).iter().for_each(|one| operand::check(one, cx));
            if i.modifiers.contains(SendFlags::EOT) {
                last::check(&LastSource(field!(RawSends.src0), i.src0), cx);
            }
            let ex_msg_desc = Some(&i.ex_msg_desc);
            descriptors::check(&Descriptors { ex_msg_desc, desc: &i.desc }, cx);
        }
        Instruction::RawSendg(i) => {
            raw::check(&RawMessage { is_sendg: true }, cx);
            sendg::check(i, cx);
            // `sendg-lengths` requires that source 0 is not empty.
            operand::check(&Operand::new(field!(RawSends.src1), i.src1, i.src1_len), cx);
            operand::check(&Operand::new(field!(RawSends.dst), i.dst, i.dst_len), cx);
        }
        _ => {}
    }
}
