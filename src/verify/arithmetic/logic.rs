//! Rules for logic, shifts and rotations.

use super::operand_set::*;
use super::operation::Operation;
use super::signature::LOGICAL;
use crate::operand::DataType;
use crate::verify::rule::rules;

rules! { logic for Operation<'_>;
    /// Operands of logic are integers or predicates.
    fn logic_type "logic-type" (Refuses, ANY, "AND.md, Notes; reference") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            if let Some(ty) = ty.filter(|ty| !LOGICAL.has(*ty)) {
                c.fail(field, ty, "an integer type");
            }
        }
    }

    /// If one operand of logic is a predicate, all operands are predicates.
    fn bool_mix "logic-bool-mix" (Refuses, ANY, "AND.md, Notes; reference") |o, c| {
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
    fn bool_predicate "logic-bool-predicate" (Accepts, ANY, "AND.md, Notes; reference") |o, c| {
        if o.has_bool(c) && !o.pred.is_none() {
            let name = c.name(o.pred.id());
            c.fail("pred", name, "no predicate");
        }
    }

    /// The first source of SHR is unsigned.
    // Shipped kernels shift W.
    fn shift_type "shift-type" (Accepts, ANY, "SHR.md, Notes") |o, c| {
        let src0 = o.src_types(c).find(|(field, _, _)| *field == "src0");
        if let Some((field, _, ty)) = src0.filter(|_| o.signature.unsigned_src0) {
            if INTS.has(ty) && !o.signature.dst_on_page.has(ty) {
                c.fail(field, ty, o.signature.dst_on_page.and(TYPES));
            }
        }
    }

    /// ROL and ROR have operands of 64 bits since PVC.
    fn rotate_int64 "rotate-int64-platform"
    (Refuses, before(Pvc), "ROL.md, Supported Types; reference")
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
