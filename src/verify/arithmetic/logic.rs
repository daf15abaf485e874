//! Rules for logic, shifts and rotations.

use super::operand_set::*;
use super::operation::Operation;
use super::signature::LOGICAL;
use crate::operand::DataType;
use crate::platform::Platform;
use crate::verify::context::RuleContext;
use crate::verify::field::field;
use crate::verify::platforms::Platforms;
use crate::verify::rule::rules;

/// The platforms that emulate operations on 64-bit integers: DG2, MTL and ARL.
const WITHOUT_INT64: Platforms =
    Platforms { since: Some(Platform::Dg2), before: Some(Platform::PvcSdv) };

/// Returns the types of the destination of SHL or SHR that the compiler refuses on a platform.
pub(super) fn refused_shift_types(c: &RuleContext<'_, '_>) -> OperandSet {
    match c.mnemonic() {
        "shl" if c.is_on(WITHOUT_INT64) => LONG,
        "shr" if c.is_on(WITHOUT_INT64) => UQ,
        _ => OperandSet::EMPTY,
    }
}

rules! { logic for Operation<'_>;
    /// Operands of logic are integers or predicates.
    fn logic_type "logic-type" (Refuses, ANY, "AND.md, Notes; IGC") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            if let Some(ty) = ty.filter(|ty| !LOGICAL.has(*ty)) {
                c.fail(field, ty, "an integer type");
            }
        }
    }

    /// If one operand of logic is a predicate, all operands are predicates.
    fn bool_mix "logic-bool-mix" (Refuses, ANY, "AND.md, Notes; IGC") |o, c| {
        if !o.has_bool(c) {
            return;
        }
        for (field, operand, is_dst) in o.operands() {
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            if let Some(ty) = ty.filter(|ty| *ty != DataType::BOOL && LOGICAL.has(*ty)) {
                c.report(field, format_args!("type {ty} cannot be combined with predicates"));
            }
        }
    }

    /// Logic of predicates is not predicated.
    fn bool_predicate "logic-bool-predicate" (Miscompiles, ANY, "AND.md, Notes; IGC") |o, c| {
        if o.has_bool(c) && !o.pred.is_none() {
            let name = c.name(o.pred.id());
            c.fail_changed(field!(Add.pred), name, "no predicate", "no predicate");
        }
    }

    /// The first source of SHR is unsigned.
    // Shipped kernels shift W.
    fn shift_type "shift-type" (Accepts, ANY, "SHR.md, Notes") |o, c| {
        let src0 = o.src_types(c).find(|(field, _, _)| *field == field!(Add.src0));
        if let Some((field, _, ty)) = src0.filter(|_| o.signature.unsigned_src0) {
            if INTS.has(ty) && !o.signature.dst_on_page.has(ty) {
                c.fail(field, ty, o.signature.dst_on_page.and(TYPES));
            }
        }
    }

    // SHR of a signed type is ASR, which has no such rule.
    /// SHL and SHR have no destination of 64 bits on DG2, MTL and ARL; the destination of SHR may be
    /// Q.
    fn shift_int64 "shift-int64-platform" (Refuses, WITHOUT_INT64, "IGC") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| refused_shift_types(c).has(*ty)) {
            c.fail(field!(Add.dst), ty, "an integer type of up to 32 bits");
        }
    }

    /// ROL and ROR have operands of 64 bits since PVC.
    fn rotate_int64 "rotate-int64-platform"
    (Refuses, before(PvcSdv), "ROL.md, Supported Types; IGC")
    |o, c| {
        if !o.signature.rotates {
            return;
        }
        for (field, operand, is_dst) in o.operands() {
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            if let Some(ty) = ty.filter(|ty| LONG.has(*ty)) {
                c.fail(field, ty, "an integer type of up to 32 bits");
            }
        }
    }
}
