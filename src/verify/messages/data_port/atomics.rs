//! Rules for DWORD_ATOMIC and TYPED_ATOMIC (DWORD_ATOMIC.md, TYPED_ATOMIC.md).

use crate::format::Format;
use crate::isa::{DwordAtomic, TypedAtomic};
use crate::operand::{Atomic, AtomicOp, ExecSize};
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// Returns the types of the data of an atomic on dwords.
pub(in crate::verify::messages) const fn types(op: AtomicOp) -> Types {
    match op {
        AtomicOp::IMIN | AtomicOp::IMAX => Types::D,
        AtomicOp::ADD | AtomicOp::SUB => Types::INT32,
        AtomicOp::FMAX | AtomicOp::FMIN | AtomicOp::FCMPWR | AtomicOp::FADD | AtomicOp::FSUB => {
            Types::F
        }
        _ => Types::UD,
    }
}

/// Returns whether an operation has no data.
pub(in crate::verify::messages) const fn has_no_data(op: AtomicOp) -> bool {
    matches!(op, AtomicOp::INC | AtomicOp::DEC | AtomicOp::PREDEC)
}

/// Returns whether an operation compares, and therefore has two sources.
pub(in crate::verify::messages) const fn compares(op: AtomicOp) -> bool {
    matches!(op, AtomicOp::CMPXCHG | AtomicOp::FCMPWR)
}

/// Returns the operation whose data types GenX_IR requires. It knows the operations on 32
/// bits, and requires UD for all others.
const fn as_in_reference(atomic: Atomic) -> AtomicOp {
    if atomic.bits() < 0x20 { atomic.op() } else { AtomicOp::XCHG }
}

rules! { dword for DwordAtomic;
    /// DWORD_ATOMIC has a known operation.
    fn op "dword-atomic-op" (Refuses, ANY, "DWORD_ATOMIC.md, Op") |i, c| {
        if i.op.op().name().is_none() {
            c.report(field!(DwordAtomic.op), format_args!("unknown operation {}", i.op.op()));
        }
    }

    /// DWORD_ATOMIC has no operations on 64 bits in 4.2.
    fn width_64 "dword-atomic-width-64" (Refuses, ANY, "IGC") |i, c| {
        if i.op.width() == 64 && c.format() == Format::V4_2 {
            c.fail(field!(DwordAtomic.op), "64", "an operation on 16 or 32 bits");
        }
    }

    /// DWORD_ATOMIC has operations on 16 bits since TGLLP.
    fn width "dword-atomic-width" (Accepts, before(Tgllp), "DWORD_ATOMIC.md, Op") |i, c| {
        if i.op.width() == 16 {
            c.fail(field!(DwordAtomic.op), "16", "an operation on 32 bits");
        }
    }

    /// The execution size of DWORD_ATOMIC is at most 16.
    fn exec_size "dword-atomic-exec-size" (Accepts, ANY, "DWORD_ATOMIC.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(DwordAtomic.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// The offsets of DWORD_ATOMIC have type UD.
    fn offset_type "dword-atomic-offset-type" (Refuses, ANY, "DWORD_ATOMIC.md, Element_offset")
    |i, c| {
        c.require_type(field!(DwordAtomic.element_offset), i.element_offset, Types::UD);
    }

    /// The data of DWORD_ATOMIC has type D for signed minimum and maximum, D or UD for add and sub,
    /// F for operations on floats, and otherwise UD. Operations on 16 bits have type UD.
    fn data_type "dword-atomic-type" (Refuses, ANY, "DWORD_ATOMIC.md, Notes") |i, c| {
        // `dword-atomic-sources` checks sources that must be null.
        let op = as_in_reference(i.op);
        let types = types(op);
        c.require_type(field!(DwordAtomic.dst), i.dst, types);
        if !has_no_data(op) {
            c.require_type(field!(DwordAtomic.src0), i.src0, types);
        }
        if compares(op) {
            c.require_type(field!(DwordAtomic.src1), i.src1, types);
        }
    }

    /// Source 0 of DWORD_ATOMIC is null for increment and decrement. Source 1 is null except for
    /// the two operations on 32 bits that compare.
    fn sources "dword-atomic-sources" (Refuses, ANY, "DWORD_ATOMIC.md, Src0") |i, c| {
        let op = as_in_reference(i.op);
        if has_no_data(i.op.op()) && !i.src0.is_null() {
            let name = c.name(i.src0.var);
            c.fail(field!(DwordAtomic.src0), name, "null");
        }
        if !compares(op) && !i.src1.is_null() {
            let name = c.name(i.src1.var);
            c.fail(field!(DwordAtomic.src1), name, "null");
        }
    }
}

rules! { typed for TypedAtomic;
    /// TYPED_ATOMIC has a known operation.
    fn op "typed-atomic-op" (Refuses, ANY, "TYPED_ATOMIC.md, Op") |i, c| {
        if i.op.op().name().is_none() {
            c.report(field!(TypedAtomic.op), format_args!("unknown operation {}", i.op.op()));
        }
    }

    /// TYPED_ATOMIC has no operations on floats.
    // IGC writes their code into the message of operations on integers.
    fn float "typed-atomic-float" (Miscompiles, ANY, "IGC") |i, c| {
        let becomes = match i.op.op() {
            AtomicOp::FMAX => AtomicOp::AND,
            AtomicOp::FMIN => AtomicOp::OR,
            AtomicOp::FCMPWR => AtomicOp::XOR,
            AtomicOp::FADD => AtomicOp::XCHG,
            AtomicOp::FSUB => AtomicOp::INC,
            _ => return,
        };
        c.fail_changed(field!(TypedAtomic.op), i.op.op(), "an operation on integers", becomes);
    }

    /// TYPED_ATOMIC has no operations on 64 bits in 4.2.
    fn width_64 "typed-atomic-width-64" (Refuses, ANY, "IGC") |i, c| {
        if i.op.width() == 64 && c.format() == Format::V4_2 {
            c.fail(field!(TypedAtomic.op), "64", "an operation on 16 or 32 bits");
        }
    }

    /// TYPED_ATOMIC has operations on 16 bits since TGLLP.
    fn width "typed-atomic-width" (Accepts, before(Tgllp), "TYPED_ATOMIC.md, Op") |i, c| {
        if i.op.width() == 16 {
            c.fail(field!(TypedAtomic.op), "16", "an operation on 32 bits");
        }
    }

    /// The execution size of TYPED_ATOMIC is 8.
    // Shipped kernels have 1 lane.
    fn exec_size "typed-atomic-exec-size" (Accepts, ANY, "TYPED_ATOMIC.md, Exec_size") |i, c| {
        let is_16 = i.exec.size == ExecSize::S16 && !c.is_on(before(PvcSdv));
        if i.exec.size < ExecSize::S8 || is_16 {
            c.fail(field!(TypedAtomic.exec), i.exec.size.lanes(), "8 lanes");
        }
    }

    /// Before PVC, the execution size of TYPED_ATOMIC is at most 8.
    fn lanes_8 "typed-atomic-exec-size-8" (Crashes, before(PvcSdv), "IGC") |i, c| {
        if i.exec.size == ExecSize::S16 {
            c.fail(field!(TypedAtomic.exec), 16, "at most 8 lanes");
        }
    }

    /// The execution size of TYPED_ATOMIC is at most 16.
    fn lanes_16 "typed-atomic-exec-size-16" (Crashes, ANY, "IGC") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(TypedAtomic.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// The coordinates and the LOD of TYPED_ATOMIC have type UD.
    fn offset_type "typed-atomic-offset-type" (Accepts, ANY, "TYPED_ATOMIC.md, U") |i, c| {
        for (field, raw) in [(field!(TypedAtomic.u), i.u), (field!(TypedAtomic.v), i.v), (field!(TypedAtomic.r), i.r), (field!(TypedAtomic.lod), i.lod)] {
            c.require_type(field, raw, Types::UD);
        }
    }

    /// The data of TYPED_ATOMIC has type D for signed minimum and maximum, D or UD for add and sub,
    /// F for operations on floats, and otherwise UD.
    fn data_type "typed-atomic-type" (Accepts, ANY, "TYPED_ATOMIC.md, Src0") |i, c| {
        let (op, types) = (i.op.op(), types(i.op.op()));
        c.require_type(field!(TypedAtomic.dst), i.dst, types);
        if !has_no_data(op) {
            c.require_type(field!(TypedAtomic.src0), i.src0, types);
        }
        if compares(op) {
            c.require_type(field!(TypedAtomic.src1), i.src1, types);
        }
    }

    /// Source 0 of TYPED_ATOMIC is null for increment and decrement. Source 1 is null except for
    /// operations that compare.
    fn sources "typed-atomic-sources" (Accepts, ANY, "TYPED_ATOMIC.md, Src0") |i, c| {
        let op = i.op.op();
        if has_no_data(op) && !i.src0.is_null() {
            let name = c.name(i.src0.var);
            c.fail(field!(TypedAtomic.src0), name, "null");
        }
        if !compares(op) && !i.src1.is_null() {
            let name = c.name(i.src1.var);
            c.fail(field!(TypedAtomic.src1), name, "null");
        }
    }
}
