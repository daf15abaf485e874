//! DWORD_ATOMIC and TYPED_ATOMIC (DWORD_ATOMIC.md, TYPED_ATOMIC.md).

use crate::isa::{DwordAtomic, TypedAtomic};
use crate::operand::{Atomic, AtomicOp, ExecSize};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// The types of the data of an atomic on dwords.
pub(super) const fn types(op: AtomicOp) -> Types {
    match op {
        AtomicOp::IMIN | AtomicOp::IMAX => Types::D,
        AtomicOp::ADD | AtomicOp::SUB => Types::INT32,
        AtomicOp::FMAX | AtomicOp::FMIN | AtomicOp::FCMPWR | AtomicOp::FADD | AtomicOp::FSUB => {
            Types::F
        }
        _ => Types::UD,
    }
}

/// Whether an operation takes no data.
pub(super) const fn takes_none(op: AtomicOp) -> bool {
    matches!(op, AtomicOp::INC | AtomicOp::DEC | AtomicOp::PREDEC)
}

/// Whether an operation compares, and so takes a second datum.
pub(super) const fn compares(op: AtomicOp) -> bool {
    matches!(op, AtomicOp::CMPXCHG | AtomicOp::FCMPWR)
}

/// The operation as the reference takes it: it knows those on 32 bits, and any other is one of the
/// plain ones on UD.
const fn as_in_reference(atomic: Atomic) -> AtomicOp {
    if atomic.bits() < 0x20 { atomic.op() } else { AtomicOp::XCHG }
}

rules! { dword for DwordAtomic;
    /// The operation of DWORD_ATOMIC is one that exists.
    fn op "dword-atomic-op" (Error, ANY, "DWORD_ATOMIC.md, Op") |i, c| {
        if i.op.op().name().is_none() {
            c.fail("op", i.op.op(), "a known operation");
        }
    }

    /// DWORD_ATOMIC works on 16 bits from TGLLP on only.
    fn width "dword-atomic-width" (Error, before(Tgllp), "DWORD_ATOMIC.md, Op") |i, c| {
        if i.op.width() == 16 {
            c.fail("op", "16 bits", "32");
        }
    }

    /// DWORD_ATOMIC runs at most 16 lanes.
    fn exec_size "dword-atomic-exec-size" (Error, ANY, "DWORD_ATOMIC.md, Exec_size") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail("exec", i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// The offsets of DWORD_ATOMIC are of type UD.
    fn offset_type "dword-atomic-offset-type" (Error, ANY, "DWORD_ATOMIC.md, Element_offset") |i, c| {
        c.wants("element_offset", i.element_offset, Types::UD);
    }

    /// The data of DWORD_ATOMIC is of type D for signed minimum and maximum, D or UD for sums, F for
    /// floats, else UD, and of type UD for all operations on 16 bits.
    fn data_type "dword-atomic-type" (Error, ANY, "DWORD_ATOMIC.md, Notes") |i, c| {
        // What must not be there is told by its presence, not by its type.
        let op = as_in_reference(i.op);
        let types = types(op);
        c.wants("dst", i.dst, types);
        if !takes_none(op) {
            c.wants("src0", i.src0, types);
        }
        if compares(op) {
            c.wants("src1", i.src1, types);
        }
    }

    /// DWORD_ATOMIC has no source 0 for increment and decrement, and a source 1 only for the two
    /// operations on 32 bits that compare.
    fn sources "dword-atomic-sources" (Error, ANY, "DWORD_ATOMIC.md, Src0") |i, c| {
        let op = as_in_reference(i.op);
        if takes_none(i.op.op()) && !i.src0.is_null() {
            c.fail("src0", "a variable", "null");
        }
        if !compares(op) && !i.src1.is_null() {
            c.fail("src1", "a variable", "null");
        }
    }
}

rules! { typed for TypedAtomic;
    /// The operation of TYPED_ATOMIC is one that exists.
    fn op "typed-atomic-op" (Error, ANY, "TYPED_ATOMIC.md, Op") |i, c| {
        if i.op.op().name().is_none() {
            c.fail("op", i.op.op(), "a known operation");
        }
    }

    /// TYPED_ATOMIC works on 16 bits from TGLLP on only.
    fn width "typed-atomic-width" (Error, before(Tgllp), "TYPED_ATOMIC.md, Op") |i, c| {
        if i.op.width() == 16 {
            c.fail("op", "16 bits", "32");
        }
    }

    /// TYPED_ATOMIC runs 8 lanes.
    // Kernels that ship run one lane.
    fn exec_size "typed-atomic-exec-size" (Warning, ANY, "TYPED_ATOMIC.md, Exec_size") |i, c| {
        // Kernels that ship run a single lane.
        if i.exec.size != ExecSize::S8 {
            c.fail("exec", i.exec.size.lanes(), "8 lanes");
        }
    }

    /// The coordinates and the LOD of TYPED_ATOMIC are of type UD.
    fn offset_type "typed-atomic-offset-type" (Error, ANY, "TYPED_ATOMIC.md, U") |i, c| {
        for (field, raw) in [("u", i.u), ("v", i.v), ("r", i.r), ("lod", i.lod)] {
            c.wants(field, raw, Types::UD);
        }
    }

    /// The data of TYPED_ATOMIC is of type D for signed minimum and maximum, D or UD for sums, F for
    /// floats, else UD.
    fn data_type "typed-atomic-type" (Error, ANY, "TYPED_ATOMIC.md, Src0") |i, c| {
        let (op, types) = (i.op.op(), types(i.op.op()));
        c.wants("dst", i.dst, types);
        if !takes_none(op) {
            c.wants("src0", i.src0, types);
        }
        if compares(op) {
            c.wants("src1", i.src1, types);
        }
    }

    /// TYPED_ATOMIC has no source 0 for increment and decrement, and a source 1 only for operations
    /// that compare.
    fn sources "typed-atomic-sources" (Error, ANY, "TYPED_ATOMIC.md, Src0") |i, c| {
        let op = i.op.op();
        if takes_none(op) && !i.src0.is_null() {
            c.fail("src0", "a variable", "null");
        }
        if !compares(op) && !i.src1.is_null() {
            c.fail("src1", "a variable", "null");
        }
    }
}
