//! Rules for raw messages, URB writes, lifetimes, barriers and fences.

use crate::format::Format;
use crate::isa::{Fence, Lifetime, Nbarrier, RawSend, RawSendg, RawSends, UrbWrite, Wait};
use crate::operand::{
    BarrierMode, DataType, ExecSize, FenceFlags, LifetimeClass, PredId, Vector, VectorKind,
};
use crate::verify::context::RuleContext;
use crate::verify::rule::rules;
use crate::verify::types::{Types, constant};

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
    pub(super) is_sendg: bool,
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
    pub(super) ex_msg_desc: Option<&'i Vector>,
    pub(super) desc: &'i Vector,
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

rules! { urb for UrbWrite;
    /// URB_WRITE writes 1 to 8 registers.
    fn num_out "urb-num-out" (Refuses, ANY, "URB_WRITE.md, Num_out") |i, c| {
        if !(1..=8).contains(&i.num_out) {
            c.fail("num_out", i.num_out, "1 to 8 registers");
        }
    }

    /// The global offset of URB_WRITE is at most 2047.
    fn offset "urb-offset" (Refuses, ANY, "URB_WRITE.md, Global_offset") |i, c| {
        if i.global_offset > 2047 {
            c.fail("global_offset", i.global_offset, "at most 2047");
        }
    }

    /// The execution size of URB_WRITE is 1 or 8.
    // The page lists 8 only; the reference also accepts 1.
    fn exec_size "urb-exec-size" (Refuses, ANY, "URB_WRITE.md, Exec_size") |i, c| {
        if !matches!(i.exec.size, ExecSize::S1 | ExecSize::S8) {
            c.fail("exec", i.exec.size.lanes(), "1 or 8 lanes");
        }
    }

    /// The channels, handles and offsets of URB_WRITE have type UD, its data UD, D or F.
    fn types "urb-type" (Accepts, ANY, "URB_WRITE.md, URB_handle") |i, c| {
        c.require_type("channel_mask", i.channel_mask, Types::UD);
        c.require_type("urb_handle", i.urb_handle, Types::UD);
        c.require_type("per_slot_offset", i.per_slot_offset, Types::UD);
        c.require_type("vertex_data", i.vertex_data, Types::ANY32);
    }
}

rules! { lifetime for Lifetime;
    /// The variable of LIFETIME is a general variable, an address variable or a predicate.
    fn class "lifetime-class" (Refuses, ANY, "LIFETIME.md, Properties") |i, c| {
        // The reference checks two bits.
        if i.properties.class.bits() & 3 > LifetimeClass::PREDICATE.bits() {
            c.fail("properties", i.properties.class, "class general, address or predicate");
        }
    }

    /// The variable of LIFETIME is declared.
    fn variable "lifetime-variable" (Refuses, ANY, "LIFETIME.md, Variable") |i, c| {
        let Some(body) = c.body() else { return };
        let id = i.variable.0;
        let (first, len) = match i.properties.class {
            LifetimeClass::GENERAL => (0, body.variables.len().saturating_add(32)),
            LifetimeClass::ADDRESS => (0, body.addresses.len()),
            LifetimeClass::PREDICATE => {
                (u32::from(PredId::FIRST_DECLARED.0), body.predicates.len())
            }
            _ => return,
        };
        if id.checked_sub(first).is_none_or(|index| index as usize >= len) {
            let class = match i.properties.class {
                LifetimeClass::GENERAL => "variable `V",
                LifetimeClass::ADDRESS => "address variable `A",
                _ => "predicate `P",
            };
            c.report("variable", format_args!("{class}{id}` is not declared"));
        }
    }
}

rules! { wait for Wait;
    /// The mask of WAIT has type UB.
    fn mask_type "wait-mask-type" (Accepts, ANY, "WAIT.md, Mask") |i, c| {
        if let Some(mask) = &i.mask {
            c.require_scalar_type("mask", mask, Types::UB);
        }
    }
}

rules! { fence for Fence;
    /// Fences for shared local memory alone exist since ICLLP.
    fn local "fence-local" (Accepts, before(Icllp), "FENCE.md, Mask") |i, c| {
        if i.mask.contains(FenceFlags::LOCAL) {
            c.report("mask", "local fences are not available before ICLLP");
        }
    }
}

/// The mode of SBARRIER or NBARRIER.
pub(in crate::verify) struct BarrierKind(pub(super) BarrierMode);

rules! { barrier for BarrierKind;
    /// The mode of SBARRIER and NBARRIER is wait or signal.
    fn mode "barrier-mode" (Accepts, ANY, "SBARRIER.md, Mode") |i, c| {
        if i.0.name().is_none() {
            c.fail("mode", i.0, "wait or signal");
        }
    }
}

/// The types of ids and counts of NBARRIER.
fn types_of_counts(c: &RuleContext<'_, '_>) -> Types {
    const UNSIGNED: Types = Types::of(&[DataType::UB, DataType::UW, DataType::UD]);
    if c.format() == Format::V4_2 { UNSIGNED } else { Types::UB }
}

rules! { nbarrier for Nbarrier;
    /// The barrier id of NBARRIER has type UB, in 4.2 also UW or UD.
    fn id_type "nbarrier-id-type" (Accepts, ANY, "NBARRIER.md, Id; reference") |i, c| {
        c.require_scalar_type("id", &i.id, types_of_counts(c));
    }

    /// The barrier id of NBARRIER is 0 to 31.
    fn id "nbarrier-id" (Accepts, ANY, "NBARRIER.md, Id") |i, c| {
        if let Some(id) = constant(&i.id).filter(|id| !(0..=31).contains(id)) {
            c.fail("id", id, "0 to 31");
        }
    }

    /// The barrier type of an NBARRIER that signals is 0, 1 or 2 and has type UW, in 4.2 also UB or
    /// UD.
    fn role "nbarrier-role" (Accepts, ANY, "NBARRIER.md, Type; reference") |i, c| {
        if let Some(role) = i.barrier_type.as_ref().filter(|_| i.mode != BarrierMode::WAIT) {
            let types = if c.format() == Format::V4_2 { types_of_counts(c) } else { Types::UW };
            c.require_scalar_type("barrier_type", role, types);
            if let Some(role) = constant(role).filter(|role| !(0..=2).contains(role)) {
                c.fail("barrier_type", role, "0, 1 or 2");
            }
        }
    }

    /// The numbers of producers and consumers of an NBARRIER that signals are at least 1 and have
    /// type UB, in 4.2 also UW or UD.
    fn count "nbarrier-count" (Accepts, ANY, "NBARRIER.md, Num_producers; reference") |i, c| {
        if i.mode == BarrierMode::WAIT {
            return;
        }
        let counts = [
            ("num_producers", Some(&i.num_producers)),
            ("num_consumers", i.num_consumers.as_ref()),
        ];
        for (field, count) in counts {
            let Some(count) = count else { continue };
            c.require_scalar_type(field, count, types_of_counts(c));
            if let Some(count) = constant(count).filter(|count| *count < 1) {
                c.fail(field, count, "at least 1");
            }
        }
    }
}
