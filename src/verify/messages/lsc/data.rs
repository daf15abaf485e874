//! Rules for the operands with data.

use crate::operand::Raw;
use crate::operand::lsc::{LscOp, LscOpClass};
use crate::verify::field::field;
use crate::verify::rule::rules;

/// The data of a message. An operand that the message does not have is null.
pub(in crate::verify) struct Data {
    pub(super) op: LscOp,
    pub(super) dst: Raw,
    pub(super) src1: Raw,
    pub(super) src2: Raw,
}

rules! { operands for Data;
    /// Loads have no data source, stores have one data source and no destination, and atomics have
    /// as many sources as their operation requires.
    fn operands "lsc-operands" (Refuses, ANY, "IGC") |i, c| {
        let sources = match i.op.class() {
            LscOpClass::Load => 0,
            LscOpClass::Store => 1,
            LscOpClass::Atomic { sources } => sources,
            _ => return,
        };
        if i.op.class() == LscOpClass::Store && !i.dst.is_null() {
            let name = c.name(i.dst.var);
            c.fail(field!(lsc::Access.dst), name, "null");
        }
        for (field, raw, is_required) in
            [(field!(lsc::Access.src1), i.src1, sources >= 1), (field!(lsc::Access.src2), i.src2, sources == 2)]
        {
            if raw.is_null() && is_required {
                c.fail(field, "null", "a variable");
            } else if !raw.is_null() && !is_required {
                let name = c.name(raw.var);
                c.fail(field, name, "null");
            }
        }
    }
}

/// The raw operands of a message with data, and the size of the data.
pub(in crate::verify) struct DataBounds {
    pub(super) dst: Raw,
    pub(super) src1: Raw,
    pub(super) src2: Raw,
    /// The number of bytes of each operand with data; 0 if it is unknown.
    pub(super) bytes: i64,
    /// The number of these bytes that the message reads of a source.
    pub(super) read: i64,
}

rules! { bounds for DataBounds;
    /// The destination of a message contains the data of all lanes.
    fn dst "lsc-dst-bounds" (Crashes, ANY, "5_operands, Raw Operands") |i, c| {
        c.require_bytes_of_root(field!(lsc::Access.dst), i.dst, i.bytes);
    }

    /// The data sources of a message contain the data of all lanes. Of the last dword, the bytes that `d8u32` and
    /// `d16u32` do not store may be missing.
    fn sources "lsc-src-bounds" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        c.require_bytes_of_root(field!(lsc::Access.src1), i.src1, i.read);
        c.require_bytes_of_root(field!(lsc::Access.src2), i.src2, i.read);
    }
}
