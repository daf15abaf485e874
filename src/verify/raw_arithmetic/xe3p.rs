//! Rules for SHFL_IDX4, LFSR and DNSCL, which exist since Xe3P.

use crate::isa::{Dnscl, Lfsr, ShflIdx4};
use crate::operand::{
    DataType, DnsclRounding, ExecSize, Modifier, Raw, Region, Stride, Vector, VectorKind,
};
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// The region of a source with one element per lane.
const CONTIGUOUS: Region = Region::new(Stride::S1, Stride::S1, Stride::S0);
/// The region of 16 elements that two groups of 16 lanes share.
const SHARED_BY_HALVES: Region = Region::new(Stride::S0, Stride::S16, Stride::S1);

/// Returns the column and the region of a general operand.
fn column_and_region(operand: &Vector) -> Option<(u8, Region)> {
    match operand.kind {
        VectorKind::General { col, region, .. } => Some((col, region)),
        _ => None,
    }
}

/// Requires that an operand is a general operand, without a modifier.
fn require_general(field: Field, operand: &Vector, c: &mut RuleContext<'_, '_>) {
    match operand.kind {
        VectorKind::General { .. } if operand.modifier != Modifier::NONE => {
            c.fail(field, operand.modifier, "no modifier");
        }
        VectorKind::General { .. } => {}
        _ => c.report(field, "the operand is not a general variable"),
    }
}

/// Requires that a general operand has one element per lane or is a scalar.
fn require_region(field: Field, operand: &Vector, c: &mut RuleContext<'_, '_>) {
    let region = column_and_region(operand).map(|(_, region)| region);
    if let Some(region) = region.filter(|r| ![CONTIGUOUS, Region::SCALAR].contains(r)) {
        c.fail(field, region, "region <1;1,0> or <0;1,0>");
    }
}

/// Requires that a general operand has one of these types.
fn require_type(field: Field, operand: &Vector, types: Types, c: &mut RuleContext<'_, '_>) {
    if column_and_region(operand).is_some() {
        c.require_scalar_type(field, operand, types);
    }
}

rules! { shfl_idx4 for ShflIdx4;
    /// The execution size of SHFL_IDX4 is 16 or 32.
    fn exec_size "shfl-idx4-exec-size" (Refuses, ANY, "IGC") |i, c| {
        if !matches!(i.exec.size, ExecSize::S16 | ExecSize::S32) {
            c.fail(field!(ShflIdx4.exec), i.exec.size.lanes(), "16 or 32 lanes");
        }
    }

    /// The sources of SHFL_IDX4 are general operands without modifiers.
    fn class "shfl-idx4-class" (Refuses, ANY, "IGC") |i, c| {
        require_general(field!(ShflIdx4.src0), &i.src0, c);
        require_general(field!(ShflIdx4.src1), &i.src1, c);
    }

    /// The table of SHFL_IDX4 and its destination have type UD, the indices UW or UB.
    fn types "shfl-idx4-type" (Refuses, ANY, "IGC") |i, c| {
        c.require_type(field!(ShflIdx4.dst), i.dst, Types::UD);
        require_type(field!(ShflIdx4.src0), &i.src0, Types::UD, c);
        require_type(field!(ShflIdx4.src1), &i.src1, Types::of(&[DataType::UW, DataType::UB]), c);
    }

    /// The table of SHFL_IDX4 begins in column 0 and has the region <1;1,0> with 16 lanes, and
    /// <0;16,1> with 32.
    fn table "shfl-idx4-table" (Refuses, ANY, "IGC") |i, c| {
        let expected = match i.exec.size {
            ExecSize::S16 => CONTIGUOUS,
            ExecSize::S32 => SHARED_BY_HALVES,
            _ => return,
        };
        let Some((col, region)) = column_and_region(&i.src0) else { return };
        if col != 0 {
            c.fail(field!(ShflIdx4.src0), col, "column 0");
        } else if region != expected {
            c.fail(field!(ShflIdx4.src0), region, format_args!("region {expected}"));
        }
    }

    /// The indices of SHFL_IDX4 are in one dword per lane: region <2;1,0> for UW and <4;1,0> for
    /// UB, from any column of the first dword.
    fn indices "shfl-idx4-indices" (Refuses, ANY, "IGC") |i, c| {
        let Some((col, region)) = column_and_region(&i.src1) else { return };
        let (per_dword, stride) = match c.ty(&i.src1) {
            Some(DataType::UW) => (2, Stride::S2),
            Some(DataType::UB) => (4, Stride::S4),
            _ => return,
        };
        let expected = Region::new(stride, Stride::S1, Stride::S0);
        if col >= per_dword {
            c.fail(field!(ShflIdx4.src1), col, format_args!("a column of 0 to {}", per_dword - 1));
        } else if region != expected {
            c.fail(field!(ShflIdx4.src1), region, format_args!("region {expected}"));
        }
    }

    /// The destination of SHFL_IDX4 has one dword per lane.
    fn dst_size "shfl-idx4-dst-size" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        c.require_payload(i, field!(ShflIdx4.dst), i.dst);
    }
}

rules! { lfsr for Lfsr;
    /// The operation of LFSR is b32, b16v2 or b8v4.
    fn op "lfsr-op" (Refuses, ANY, "IGC") |i, c| {
        if i.op.name().is_none() {
            c.fail(field!(Lfsr.op), i.op, "b32, b16v2 or b8v4");
        }
    }

    /// The operands of LFSR are general operands without modifiers; the polynomial can also be an
    /// immediate.
    fn class "lfsr-class" (Refuses, ANY, "IGC") |i, c| {
        require_general(field!(Lfsr.dst), &i.dst.0, c);
        require_general(field!(Lfsr.src0), &i.src0, c);
        if !matches!(i.src1.kind, VectorKind::Immediate(_)) {
            require_general(field!(Lfsr.src1), &i.src1, c);
        }
    }

    /// The operands of LFSR have type UD.
    fn types "lfsr-type" (Refuses, ANY, "IGC") |i, c| {
        c.require_scalar_type(field!(Lfsr.dst), &i.dst.0, Types::UD);
        c.require_scalar_type(field!(Lfsr.src0), &i.src0, Types::UD);
        c.require_scalar_type(field!(Lfsr.src1), &i.src1, Types::UD);
    }

    /// The destination of LFSR has the region <1>, and its seed <1;1,0> or <0;1,0>.
    fn region "lfsr-region" (Refuses, ANY, "IGC") |i, c| {
        if let Some((_, region)) = column_and_region(&i.dst.0) {
            if region.horizontal() != Stride::S1 {
                c.fail(field!(Lfsr.dst), region.horizontal(), "a horizontal stride of 1");
            }
        }
        require_region(field!(Lfsr.src0), &i.src0, c);
    }

    /// The polynomial of LFSR has the region <1;1,0> or <0;1,0>.
    // By mistake, the compiler checks the region of the seed instead.
    fn polynomial_region "lfsr-polynomial-region" (Accepts, ANY, "IGC") |i, c| {
        require_region(field!(Lfsr.src1), &i.src1, c);
    }
}

rules! { dnscl for Dnscl;
    /// The conversion, the mode and the rounding of DNSCL have names.
    fn codes "dnscl-codes" (Refuses, ANY, "IGC") |i, c| {
        if i.conversion.name().is_none() {
            c.fail(field!(Dnscl.conversion), i.conversion, "bftoe2m1, bftoint4, hftoe2m1 or hftoint4");
        }
        if i.mode.name().is_none() {
            c.fail(field!(Dnscl.mode), i.mode, "mode0 to mode3");
        }
        if i.rounding.name().is_none() {
            c.fail(field!(Dnscl.rounding), i.rounding, "srnd or rne");
        }
    }

    /// The operands of DNSCL have type UD.
    fn types "dnscl-type" (Refuses, ANY, "IGC") |i, c| {
        let operands: [(Field, Raw); 4] =
            [(field!(Dnscl.dst), i.dst), (field!(Dnscl.src0), i.src0), (field!(Dnscl.src1), i.src1), (field!(Dnscl.bias), i.bias)];
        for (field, raw) in operands {
            c.require_type(field, raw, Types::UD);
        }
    }

    /// DNSCL has random numbers with stochastic rounding, and none with other rounding.
    fn bias "dnscl-bias" (Accepts (Warning in Manual), ANY, "IGC") |i, c| {
        match (i.rounding, i.bias.is_null()) {
            (DnsclRounding::SRND, true) => c.fail(field!(Dnscl.bias), "null", "random numbers"),
            (DnsclRounding::RNE, false) => c.fail(field!(Dnscl.bias), "a variable", "null"),
            _ => {}
        }
    }
}
