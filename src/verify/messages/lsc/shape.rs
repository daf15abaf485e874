//! The shape of data: how many elements of what size each lane moves, and in what order.

use super::Context;
use crate::operand::lsc::{LscDataElems, LscDataOrder, LscDataSize, LscOp, LscOpClass, LscSfid};
use crate::operand::{ChannelMask, Exec};
use crate::verify::platform::Platform;
use crate::verify::rule::rules;

/// Size and order, which all messages have.
pub(in crate::verify) struct Coding {
    pub(super) size: LscDataSize,
    pub(super) order: LscDataOrder,
}

rules! { coding for Coding;
    /// The size of data is one that exists.
    fn size "lsc-data-size" (Error, ANY, "reference") |i, c| {
        if bytes(i.size) == 0 {
            c.fail("data_size", i.size, "d8 to d64 or a conversion");
        }
    }

    /// The order of data is transposed or not.
    fn order "lsc-order" (Error, ANY, "reference") |i, c| {
        if !matches!(i.order, LscDataOrder::NONTRANSPOSE | LscDataOrder::TRANSPOSE) {
            c.fail("data_order", i.order, "transposed or not");
        }
    }
}

/// The bytes of an element in registers; 0 for a size that does not exist.
pub(super) const fn bytes(size: LscDataSize) -> u32 {
    match size {
        LscDataSize::D8 => 1,
        LscDataSize::D16 => 2,
        LscDataSize::D32 | LscDataSize::D8C32 | LscDataSize::D16C32 | LscDataSize::D16C32H => 4,
        LscDataSize::D64 => 8,
        _ => 0,
    }
}

/// How many elements a code stands for; 0 for one that stands for none.
const fn elements(elems: LscDataElems) -> u32 {
    match elems.bits() {
        bits @ 1..=4 => bits as u32,
        bits @ 5..=8 => 8 << (bits - 5),
        _ => 0,
    }
}

/// The shape of a message of a size that exists.
pub(in crate::verify) struct TransferSize {
    op: LscOp,
    sfid: LscSfid,
    lanes: u32,
    size: LscDataSize,
    order: LscDataOrder,
    elems: LscDataElems,
    channels: ChannelMask,
}

impl TransferSize {
    #[inline(always)]
    pub(super) fn of(
        op: LscOp,
        sfid: LscSfid,
        exec: Exec,
        elems: LscDataElems,
        channels: ChannelMask,
        size: LscDataSize,
        order: LscDataOrder,
    ) -> TransferSize {
        TransferSize { op, sfid, lanes: exec.size.lanes() as u32, size, order, elems, channels }
    }

    #[inline(always)]
    pub(super) fn check(&self, cx: &mut Context<'_>) {
        coding::check(&Coding { size: self.size, order: self.order }, cx);
        if bytes(self.size) != 0 {
            shape::check(self, cx);
        }
    }

    fn is_transposed(&self) -> bool {
        self.order == LscDataOrder::TRANSPOSE
    }

    fn is_atomic(&self) -> bool {
        matches!(self.op.class(), LscOpClass::Atomic { .. })
    }

    fn is_conversion(&self) -> bool {
        matches!(self.size, LscDataSize::D8C32 | LscDataSize::D16C32 | LscDataSize::D16C32H)
    }

    /// Elements a lane; 0 if it cannot be told.
    fn count(&self) -> u32 {
        if self.op.has_channels() {
            self.channels.bits().count_ones()
        } else {
            elements(self.elems)
        }
    }

    /// Whether vectors of such a length exist, where nothing is transposed.
    fn is_vector(&self) -> bool {
        let wide = matches!(self.size, LscDataSize::D32 | LscDataSize::D64);
        match (self.count(), self.sfid) {
            (1, _) => true,
            (2 | 4, LscSfid::UGML) => wide,
            (_, LscSfid::UGML) => false,
            (2..=4 | 8, LscSfid::UGM | LscSfid::SLM) => wide,
            (_, LscSfid::UGM | LscSfid::SLM) => false,
            _ => wide,
        }
    }

    /// The registers that a message of a known shape moves.
    fn registers(&self, grf: u32) -> u32 {
        let count = self.count();
        if self.is_transposed() {
            (count * bytes(self.size) / grf).max(1)
        } else {
            count * (bytes(self.size) * self.lanes / grf).max(1)
        }
    }
}

rules! { shape for TransferSize;
    /// Data is transposed for a single lane, and neither by channel nor by an atomic.
    fn transpose "lsc-transpose" (Error, ANY, "reference") |i, c| {
        if !i.is_transposed() {
            return;
        }
        if i.lanes != 1 {
            c.fail("exec", i.lanes, "1 lane where data is transposed");
        }
        if i.op.has_channels() || i.is_atomic() {
            c.fail("data_order", i.order, LscDataOrder::NONTRANSPOSE);
        }
    }

    /// The channels that are stored begin with the first and leave none out.
    fn quad_store "lsc-quad-store" (Error, ANY, "reference") |i, c| {
        let has_gap = !matches!(i.channels.bits(), 0 | 1 | 3 | 7 | 15);
        if i.op == LscOp::STORE_QUAD && has_gap && !i.is_transposed() {
            c.fail("channels", i.channels, "R, RG, RGB or RGBA");
        }
    }

    /// A lane moves a single element, or of 4 or 8 bytes 2, 3, 4 or 8, 3 and 8 not in tile-local
    /// memory.
    fn vector "lsc-vector" (Error, ANY, "reference") |i, c| {
        // What the elements of atomics and by channel are, other rules say.
        let has_elements = !i.is_transposed() && !i.op.has_channels() && !i.is_atomic();
        if has_elements && elements(i.elems) != 0 && !i.is_vector() {
            c.fail("data_elems", format_args!("{} of {}", i.elems, i.size), "a vector that exists");
        }
    }

    /// Atomics work on 16, 32 or 64 bits, and on 64 in shared local memory only to compare and swap.
    fn atomic_size "lsc-atomic-size" (Error, ANY, "reference") |i, c| {
        if !i.is_atomic() || i.is_transposed() {
            return;
        }
        match i.size {
            LscDataSize::D16C32 | LscDataSize::D32 => {}
            LscDataSize::D64 if i.sfid != LscSfid::SLM || i.op == LscOp::ATOMIC_ICAS => {}
            LscDataSize::D64 => c.fail("data_size", i.size, "d32 in shared local memory"),
            size => c.fail("data_size", size, "d16c32, d32 or d64"),
        }
    }

    /// Sums of floats are those of untyped memory, global or of the tile, and from Xe2 on of typed.
    fn atomic_float "lsc-atomic-float" (Error, ANY, "reference") |i, c| {
        let is_sum = matches!(i.op, LscOp::ATOMIC_FADD | LscOp::ATOMIC_FSUB);
        if !is_sum || i.is_transposed() || matches!(i.sfid, LscSfid::UGM | LscSfid::UGML) {
            return;
        }
        if i.sfid != LscSfid::TGM || c.is_on(before(Xe2)) {
            c.fail("sfid", i.sfid, "ugm or ugml");
        }
    }

    /// Append counters are those of 32 bits in untyped global memory.
    fn append_counter "lsc-append-counter" (Error, since(Xe2), "reference") |i, c| {
        if matches!(i.op, LscOp::APNDCTR_ATOMIC_ADD | LscOp::APNDCTR_ATOMIC_SUB) {
            if i.sfid != LscSfid::UGM {
                c.fail("sfid", i.sfid, LscSfid::UGM);
            }
            if i.size != LscDataSize::D32 {
                c.fail("data_size", i.size, LscDataSize::D32);
            }
        }
    }

    /// The number of elements is one that exists, and 1 for atomics and conversions.
    fn elems "lsc-elems" (Error, ANY, "reference") |i, c| {
        if i.op.has_channels() || i.elems == LscDataElems::X1 {
            return;
        }
        if elements(i.elems) == 0 {
            c.fail("data_elems", i.elems, "x1 to x64");
        } else if i.is_atomic() || (i.is_conversion() && i.is_transposed()) {
            // Conversions that are not transposed have a rule already.
            c.fail("data_elems", i.elems, LscDataElems::X1);
        }
    }

    /// A message by channel has at least one.
    fn channels "lsc-channels" (Error, ANY, "reference") |i, c| {
        if i.op.has_channels() && i.channels.is_empty() {
            c.fail("channels", "no channel", "at least one");
        }
    }

    /// A message moves at most 8 registers.
    fn registers "lsc-registers" (Error, ANY, "reference") |i, c| {
        // The larger registers where it is not known which, so that nothing legal is found.
        let grf = c.platform().map_or(64, Platform::grf);
        let registers = i.registers(grf);
        let is_told = !i.op.has_channels()
            && (i.is_atomic() && i.elems != LscDataElems::X1
                || !i.is_transposed() && !i.is_vector());
        if registers > 8 && !is_told {
            c.fail("data_elems", format_args!("{registers} registers"), "at most 8");
        }
    }
}
