//! DPAS and DPASW (DPAS.md).

use crate::isa::{Dpas, Dpasw};
use crate::operand::{
    DataType, Exec, ExecSize, Modifier, Precision, Pred, Raw, Vector, VectorKind,
};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// What DPAS and DPASW have in common.
pub(in crate::verify) struct Systolic<'i> {
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

macro_rules! systolic {
    ($($name:ident),*) => {$(
        impl<'i> From<&'i $name> for Systolic<'i> {
            fn from(i: &'i $name) -> Systolic<'i> {
                Systolic {
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

systolic!(Dpas, Dpasw);

/// What accumulates from PVC on; words stand for BF in older kernels.
const WIDER: Types = Types::of(&[
    DataType::UD,
    DataType::D,
    DataType::F,
    DataType::HF,
    DataType::BF,
    DataType::UW,
    DataType::W,
]);

/// Which kind of number a precision is, if it is one that the reference of 2022 knows.
fn kind_of(precision: Precision) -> Option<u8> {
    match precision.bits() {
        1..=8 => Some(0),
        bits @ 9..=10 => Some(bits),
        _ => None,
    }
}

rules! { dpas for Systolic<'_>;
    /// DPAS has no predicate.
    fn pred "dpas-predicate" (Error, ANY, "reference") |i, c| {
        if i.pred.is_some_and(|pred| !pred.is_none()) {
            c.fail("pred", "a predicate", "none");
        }
    }

    /// DPAS runs 16 lanes from PVC on, and 8 before.
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

    /// DPAS accumulates UD, D or F, and from PVC on also HF, BF, or words that stand for BF.
    fn accumulated "dpas-type" (Error, ANY, "DPAS.md, Dst") |i, c| {
        let types = if c.is_on(before(Pvc)) { Types::ANY32 } else { WIDER };
        c.wants("dst", i.dst, types);
        c.wants("src0", i.src0, types);
    }

    /// The factors of DPAS are of type UD or D, whatever their precision.
    fn factors "dpas-source-type" (Error, ANY, "DPAS.md, Src1") |i, c| {
        c.wants("src1", i.src1, Types::INT32);
        c.wants_scalar("src2", i.src2, Types::INT32);
    }

    /// Source 2 of DPAS is a general variable without a modifier.
    fn src2 "dpas-src2" (Error, ANY, "DPAS.md, Src2") |i, c| {
        if i.src2.modifier != Modifier::NONE {
            c.fail("src2", "a modifier", "none");
        } else if !matches!(i.src2.kind, VectorKind::General { .. }) {
            c.fail("src2", "another operand", "a general variable");
        }
    }

    /// The systolic depth of DPAS is 8.
    fn depth "dpas-depth" (Error, ANY, "DPAS.md, SD") |i, c| {
        if i.depth != 8 {
            c.fail("systolic_depth", i.depth, "8");
        }
    }

    /// DPAS multiplies integers, or floats of one kind.
    fn precision "dpas-precision" (Error, ANY, "DPAS.md, Description") |i, c| {
        if let (Some(w), Some(a)) = (kind_of(i.w), kind_of(i.a)) {
            if w != a {
                c.fail("a", i.a, format_args!("the like of {}", i.w));
            }
        }
    }
}

rules! { dpasw for Dpasw;
    /// DPASW does not exist from PVC on.
    fn platform "dpasw-platform" (Error, since(Pvc), "DPASW.md") |i, c| {
        let _ = i;
        c.fail("", "dpasw", "an instruction of the platform");
    }
}
