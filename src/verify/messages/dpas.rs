//! Rules for DPAS and DPASW (DPAS.md).

use crate::isa::{Dpas, Dpasw};
use crate::operand::{
    DataType, Exec, ExecSize, Modifier, Precision, Pred, Raw, Vector, VectorKind,
};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// The common fields of DPAS and DPASW.
pub(in crate::verify) struct DpasFields<'i> {
    exec: Exec,
    pred: Option<Pred>,
    dst: Raw,
    src0: Raw,
    src1: Raw,
    src2: &'i Vector,
    w: Precision,
    a: Precision,
    depth: u8,
}

macro_rules! dpas_fields {
    ($($name:ident),*) => {$(
        impl<'i> From<&'i $name> for DpasFields<'i> {
            fn from(i: &'i $name) -> DpasFields<'i> {
                DpasFields {
                    exec: i.exec,
                    pred: i.pred,
                    dst: i.dst,
                    src0: i.src0,
                    src1: i.src1,
                    src2: &i.src2,
                    w: i.w,
                    a: i.a,
                    depth: i.systolic_depth,
                }
            }
        }
    )*};
}

dpas_fields!(Dpas, Dpasw);

/// The types of the accumulator and the result from PVC on. In older kernels, words contain BF.
const ACCUMULATOR: Types = Types::of(&[
    DataType::UD,
    DataType::D,
    DataType::F,
    DataType::HF,
    DataType::BF,
    DataType::UW,
    DataType::W,
]);

/// Returns the kind of number of a precision; `None` if the reference of 2022 does not know it.
fn kind_of(precision: Precision) -> Option<u8> {
    match precision.bits() {
        1..=8 => Some(0),
        bits @ 9..=10 => Some(bits),
        _ => None,
    }
}

rules! { dpas for DpasFields<'_>;
    /// DPAS has no predicate.
    fn pred "dpas-predicate" (Error, ANY, "reference") |i, c| {
        if let Some(pred) = i.pred.filter(|pred| !pred.is_none()) {
            let name = c.name(pred.id());
            c.fail("pred", name, "no predicate");
        }
    }

    /// The execution size of DPAS is 16 from PVC on, and 8 before.
    fn exec_size "dpas-exec-size" (Error, ANY, "DPAS.md, Exec_size") |i, c| {
        let size = i.exec.size;
        let (legal, expected) = match c.platform() {
            None => (matches!(size, ExecSize::S8 | ExecSize::S16), "8 or 16 lanes"),
            Some(platform) if platform < Pvc => (size == ExecSize::S8, "8 lanes"),
            Some(_) => (size == ExecSize::S16, "16 lanes"),
        };
        if !legal {
            c.fail("exec", size.lanes(), expected);
        }
    }

    /// The destination and source 0 of DPAS have type UD, D or F, from PVC on also HF, BF, or UW or
    /// W for BF.
    fn accumulated "dpas-type" (Error, ANY, "DPAS.md, Dst") |i, c| {
        let types = if c.is_on(before(Pvc)) { Types::ANY32 } else { ACCUMULATOR };
        c.require_type("dst", i.dst, types);
        c.require_type("src0", i.src0, types);
    }

    /// Sources 1 and 2 of DPAS have type UD or D, for all precisions.
    fn factors "dpas-source-type" (Error, ANY, "DPAS.md, Src1") |i, c| {
        c.require_type("src1", i.src1, Types::INT32);
        c.require_scalar_type("src2", i.src2, Types::INT32);
    }

    /// Source 2 of DPAS is a general variable without a modifier.
    fn src2 "dpas-src2" (Error, ANY, "DPAS.md, Src2") |i, c| {
        if i.src2.modifier != Modifier::NONE {
            c.fail("src2", i.src2.modifier, "no modifier");
        } else if !matches!(i.src2.kind, VectorKind::General { .. }) {
            c.report("src2", "the operand is not a general variable");
        }
    }

    /// The systolic depth of DPAS is 8.
    fn depth "dpas-depth" (Error, ANY, "DPAS.md, SD") |i, c| {
        if i.depth != 8 {
            c.fail("systolic_depth", i.depth, "8");
        }
    }

    /// The precisions of DPAS are both integers, or the same kind of float.
    fn precision "dpas-precision" (Error, ANY, "DPAS.md, Description") |i, c| {
        if let (Some(w), Some(a)) = (kind_of(i.w), kind_of(i.a)) {
            if w != a {
                c.report("a", format_args!("precision {} cannot be combined with {}", i.a, i.w));
            }
        }
    }
}

rules! { dpasw for Dpasw;
    /// DPASW does not exist from PVC on.
    fn platform "dpasw-platform" (Error, since(Pvc), "DPASW.md") |i, c| {
        let _ = i;
        c.report_unavailable();
    }
}
