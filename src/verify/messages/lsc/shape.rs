//! Rules for the number, the size and the order of the elements that an LSC message moves.

use alloc::string::{String, ToString};

use super::Context;
use crate::format::Format;
use crate::isa::payload::lsc::Transfer;
use crate::operand::ExecSize;
use crate::operand::lsc::{LscDataElems, LscDataOrder, LscDataSize, LscOp, LscOpClass, LscSfid};
use crate::verify::context::RuleContext;
use crate::verify::field::field;
use crate::verify::rule::rules;

/// The size and order of data, which all messages have.
pub(in crate::verify) struct Coding {
    pub(super) size: LscDataSize,
    pub(super) order: LscDataOrder,
}

/// Returns the name of a data size in the text of the format.
fn size_name(size: LscDataSize, c: &RuleContext<'_, '_>) -> String {
    let name = size.name_in(c.format().dialect);
    name.map_or_else(|| size.to_string(), String::from)
}

rules! { coding for Coding;
    /// The data size exists.
    fn size "lsc-data-size" (Refuses, ANY, "IGC") |i, c| {
        if i.size.bytes().is_none() {
            c.report(field!(lsc::Access.data_size), format_args!("unknown data size {}", i.size));
        }
    }

    /// The data order is nontranspose or transpose.
    fn order "lsc-order" (Refuses, ANY, "IGC") |i, c| {
        if !matches!(i.order, LscDataOrder::NONTRANSPOSE | LscDataOrder::TRANSPOSE) {
            c.report(field!(lsc::Access.data_order), format_args!("unknown data order {}", i.order));
        }
    }
}

impl Transfer {
    #[inline(always)]
    pub(super) fn check(&self, cx: &mut Context<'_>) {
        coding::check(&Coding { size: self.size, order: self.order }, cx);
        if self.size.bytes().is_some() {
            transfer::check(self, cx);
        }
    }

    /// Returns the number of bytes at the end of an element in a register that memory does not have.
    pub(super) fn ignored_bytes(&self) -> i64 {
        match (self.size, self.size.bytes().zip(self.size.memory_bytes())) {
            // The data are in the high half.
            (LscDataSize::D16C32H, _) | (_, None) => 0,
            (_, Some((register, memory))) => i64::from(register - memory),
        }
    }

    fn is_atomic(&self) -> bool {
        matches!(self.op.class(), LscOpClass::Atomic { .. })
    }

    fn is_conversion(&self) -> bool {
        matches!(self.size, LscDataSize::D8C32 | LscDataSize::D16C32 | LscDataSize::D16C32H)
    }

    /// Returns whether vectors of this length exist, if the data is not transposed.
    fn is_legal_vector(&self) -> bool {
        let is_wide = matches!(self.size, LscDataSize::D32 | LscDataSize::D64);
        match (self.count(), self.sfid) {
            (1, _) => true,
            (2 | 4, LscSfid::UGML) => is_wide,
            (_, LscSfid::UGML) => false,
            (2..=4 | 8, LscSfid::UGM | LscSfid::SLM) => is_wide,
            (_, LscSfid::UGM | LscSfid::SLM) => false,
            _ => is_wide,
        }
    }

    /// Returns the number of registers that a message with a known data size moves.
    fn registers(&self, grf: u32) -> u32 {
        let count = self.count();
        if self.is_transposed() {
            (count * self.size.bytes().unwrap_or(0) / grf).max(1)
        } else {
            count * (self.size.bytes().unwrap_or(0) * self.exec.size.lanes() as u32 / grf).max(1)
        }
    }
}

rules! { transfer for Transfer;
    /// A message that transposes data has execution size 1, no channels, and is not an atomic.
    fn transpose "lsc-transpose" (Refuses, ANY, "IGC") |i, c| {
        if !i.is_transposed() {
            return;
        }
        if i.exec.size != ExecSize::S1 {
            c.fail(field!(lsc::Access.exec), i.exec.size.lanes(), "1 lane for transposed data");
        }
        if i.op.has_channels() || i.is_atomic() {
            c.fail(field!(lsc::Access.data_order), i.order, LscDataOrder::NONTRANSPOSE);
        }
    }

    /// The channels of a quad store are R, RG, RGB or RGBA. With efficient 64-bit addressing, this
    /// only applies to typed memory.
    fn quad_store "lsc-quad-store" (Refuses, ANY, "IGC") |i, c| {
        let has_gap = !matches!(i.channels.bits(), 0 | 1 | 3 | 7 | 15);
        let may_have_gap = i.sfid != LscSfid::TGM && c.is_efficient_64bit();
        if i.op == LscOp::STORE_QUAD && has_gap && !may_have_gap && !i.is_transposed() {
            c.fail(field!(lsc::Access.channels), i.channels, "R, RG, RGB or RGBA");
        }
    }

    /// A lane moves one element. Of 4 or 8 bytes, it may move 2 or 4 elements, and 3 or 8 except in
    /// tile-local memory.
    fn vector "lsc-vector" (Refuses, ANY, "IGC") |i, c| {
        // Atomics and messages with channels have their own rules.
        let has_elements = !i.is_transposed() && !i.op.has_channels() && !i.is_atomic();
        if has_elements && i.elems.count().is_some() && !i.is_legal_vector() {
            let (sfid, size, elems) = (i.sfid, size_name(i.size, c), i.elems);
            c.report(field!(lsc::Access.data_elems), format_args!("{sfid} has no vectors of type {size}{elems}"));
        }
    }

    /// The data size of an atomic is d16c32, d32 or d64. In shared local memory, only icas has d64.
    fn atomic_size "lsc-atomic-size" (Refuses, ANY, "IGC") |i, c| {
        if !i.is_atomic() || i.is_transposed() {
            return;
        }
        match i.size {
            LscDataSize::D16C32 | LscDataSize::D32 => {}
            LscDataSize::D64 if i.sfid != LscSfid::SLM || i.op == LscOp::ATOMIC_ICAS => {}
            LscDataSize::D64 => {
                c.fail(field!(lsc::Access.data_size), size_name(i.size, c), format_args!("{} or d32 in shared local memory", size_name(LscDataSize::D16C32, c)));
            }
            size => c.fail(field!(lsc::Access.data_size), size_name(size, c), format_args!("{}, d32 or d64", size_name(LscDataSize::D16C32, c))),
        }
    }

    /// Atomic fadd and fsub exist for ugm and ugml, from Xe2 on also for tgm. With efficient 64-bit
    /// addressing, they exist for slm rather than ugml.
    fn atomic_float "lsc-atomic-float" (Refuses, ANY, "IGC") |i, c| {
        let is_sum = matches!(i.op, LscOp::ATOMIC_FADD | LscOp::ATOMIC_FSUB);
        if !is_sum || i.is_transposed() {
            return;
        }
        let is_legal = match i.sfid {
            LscSfid::UGM => true,
            LscSfid::UGML => !c.is_efficient_64bit(),
            LscSfid::SLM => c.is_efficient_64bit(),
            LscSfid::TGM => !c.is_on(before(Xe2)),
            _ => false,
        };
        if !is_legal {
            let expected = match c.is_efficient_64bit() {
                true => "ugm, tgm or slm",
                false => "ugm or ugml",
            };
            c.fail(field!(lsc::Access.sfid), i.sfid, expected);
        }
    }

    /// Append counters are in ugm.
    fn append_counter "lsc-append-counter" (Changes, ANY, "IGC") |i, c| {
        if is_append_counter(i.op, c) && i.sfid != LscSfid::UGM {
            c.fail_changed(field!(lsc::Access.sfid), i.sfid, LscSfid::UGM, LscSfid::UGM);
        }
    }

    /// Append counters have data size d32.
    fn append_counter_size "lsc-append-counter-size" (Crashes, ANY, "IGC") |i, c| {
        if is_append_counter(i.op, c) && i.size != LscDataSize::D32 {
            c.fail(field!(lsc::Access.data_size), i.size, LscDataSize::D32);
        }
    }

    /// The number of elements exists. It is 1 for atomics and conversions.
    fn elems "lsc-elems" (Refuses, ANY, "IGC") |i, c| {
        if i.op.has_channels() || i.elems == LscDataElems::X1 {
            return;
        }
        if i.elems.count().is_none() {
            c.report(field!(lsc::Access.data_elems), format_args!("unknown number of elements {}", i.elems));
        } else if i.is_atomic() || (i.is_conversion() && i.is_transposed()) {
            // `lsc-vector` checks conversions that are not transposed.
            c.fail(field!(lsc::Access.data_elems), i.elems, LscDataElems::X1);
        }
    }

    /// A message with channels has at least one channel.
    fn channels "lsc-channels" (Refuses, ANY, "IGC") |i, c| {
        if i.op.has_channels() && i.channels.is_empty() {
            c.fail(field!(lsc::Access.channels), "none", "at least one channel");
        }
    }

    /// A message moves at most 8 registers.
    fn registers "lsc-registers" (Refuses, ANY, "IGC") |i, c| {
        // Without a platform, assume registers of 64 bytes, to accept everything legal.
        let grf = c.platform().map_or(64, |it| it.register_size().bytes());
        let registers = i.registers(grf);
        let is_reported = !i.op.has_channels()
            && (i.is_atomic() && i.elems != LscDataElems::X1
                || !i.is_transposed() && !i.is_legal_vector());
        if registers > 8 && !is_reported {
            c.fail(field!(lsc::Access.data_elems), registers, "at most 8 registers");
        }
    }
}

/// Returns whether an operation is one of append counters in the format.
fn is_append_counter(op: LscOp, c: &RuleContext<'_, '_>) -> bool {
    match op {
        LscOp::APNDCTR_ATOMIC_ADD | LscOp::APNDCTR_ATOMIC_SUB => true,
        LscOp::APNDCTR_ATOMIC_STORE => c.format() == Format::V4_2,
        _ => false,
    }
}
