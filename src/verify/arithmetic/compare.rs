//! Rules for CMP and ADDR_ADD.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::{AddrAdd, Cmp};
use crate::operand::{Region, StateClass, SurfaceId, VarId, VectorKind};
use crate::verify::field::field;
use crate::verify::rule::rules;

rules! { relation for Cmp;
    // Otherwise, IGC compiles a comparison that does not write the predicate.
    /// The relation of CMP is eq, ne, gt, ge, lt or le.
    fn relation "cmp-relation" (Miscompiles, ANY, "CMP.md, Rel_op") |i, c| {
        if i.rel_op.op().name().is_none() {
            c.fail(field!(Cmp.rel_op), i.rel_op, "eq, ne, gt, ge, lt or le");
        }
    }
}

rules! { compare for Operation<'_>;
    /// CMP compares integers with integers, floats with their own kind, F with HF and BF.
    // IGC accepts other mixtures.
    fn sources "cmp-source-types" (Accepts, ANY, "CMP.md, Operand type maps") |o, c| {
        let mut types = OperandSet::EMPTY;
        for (field, _, ty) in o.src_types(c) {
            let both = types.or(OperandSet::ty(ty));
            let kinds = [INTS.or(PACKED), F.or(HF).or(VF), F.or(BF).or(VF), DF];
            let is_newer = NEWER.intersects(both);
            if !is_newer && !kinds.iter().any(|kind| kind.contains(both)) {
                if types == OperandSet::EMPTY {
                    c.report(field, format_args!("type {ty} cannot be compared"));
                } else {
                    c.report(field, format_args!("type {ty} cannot be compared with {types}"));
                }
            }
            types = both;
        }
    }

    /// CMP does not compare TF32, BF8, HF8 and E2M1.
    fn newer "cmp-newer-type" (Miscompiles, ANY, "IGC") |o, c| {
        for (field, _, ty) in o.src_types(c).filter(|(_, _, ty)| NEWER.has(*ty)) {
            c.report(field, format_args!("type {ty} cannot be compared; IGC compares bytes"));
        }
    }

    /// If the sources of CMP are floats, a destination that is not a predicate has their type.
    fn dst "cmp-float-agree" (Accepts, ANY, "CMP.md, Notes") |o, c| {
        let mut types = OperandSet::EMPTY;
        for (_, _, ty) in o.src_types(c) {
            types = types.or(OperandSet::ty(ty));
        }
        let floats = types.and(FLOATS.or(BF));
        let is_predicate = OperandSet::class(o.dst) == PREDICATE;
        let Some(ty) = o.dst_ty(c).filter(|_| !is_predicate) else { return };
        if floats != OperandSet::EMPTY && !floats.has(ty) {
            c.fail(field!(Add.dst), ty, format_args!("{floats}, as in the sources"));
        }
    }
}

rules! { addr_add for AddrAdd;
    /// ADDR_ADD does not take the address of a predefined variable or surface.
    fn predefined "addr-add-predefined" (Refuses, ANY, "ADDR_ADD.md, Notes; IGC") |i, c| {
        match i.src0.0.kind {
            VectorKind::General { var, .. } if var < VarId::FIRST_DECLARED => {
                let name = c.name(var);
                c.fail(field!(AddrAdd.src0), name, "a declared variable");
            }
            VectorKind::State { class: StateClass::SURFACE, index, .. }
                if u32::from(index) < SurfaceId::FIRST_DECLARED.0.into() =>
            {
                c.fail(field!(AddrAdd.src0), SurfaceId(index as _), "a declared surface");
            }
            _ => {}
        }
    }

    /// The variable whose address ADDR_ADD takes has the region <0;1,0>.
    fn region "addr-add-region" (Accepts, ANY, "ADDR_ADD.md, Notes") |i, c| {
        if let VectorKind::General { region, .. } = i.src0.0.kind {
            if region != Region::SCALAR {
                c.fail(field!(AddrAdd.src0), region, "region <0;1,0>");
            }
        }
    }

    /// The offset of ADDR_ADD has type UW, W, UB or B.
    fn offset_type "addr-add-offset-type" (Refuses, ANY, "ADDR_ADD.md, Src1; IGC") |i, c| {
        let is_checked = OperandSet::class(&i.src1) != PREDICATE;
        if let Some(ty) = c.ty(&i.src1).filter(|_| is_checked) {
            if !UW.or(W).or(UB).or(B).has(ty) {
                c.fail(field!(AddrAdd.src1), ty, "uw, w, ub or b");
            }
        }
    }

    /// The offset of ADDR_ADD has type UW.
    // Shipped kernels have offsets of type UB.
    fn offset_uw "addr-add-offset-uw" (Accepts, ANY, "ADDR_ADD.md, Src1") |i, c| {
        if let Some(ty) = c.ty(&i.src1).filter(|ty| W.or(UB).or(B).has(*ty)) {
            c.fail(field!(AddrAdd.src1), ty, "uw");
        }
    }

    /// The first source of ADDR_ADD is an address, variable, surface or sampler, the second a
    /// general operand or an immediate.
    // Shipped kernels add indirect operands.
    fn class "addr-add-class" (Accepts, ANY, "ADDR_ADD.md, Src0 and Src1") |i, c| {
        let (accepted, base) = (ANY_CLASS.without(PREDICATE), ADDRESS.or(GENERAL).or(STATE));
        let class = OperandSet::class(&i.src0.0);
        if accepted.contains(class) && !base.contains(class) {
            c.fail(field!(AddrAdd.src0), class, format_args!("an operand of class {base}"));
        }
        let class = OperandSet::class(&i.src1);
        let offset = GENERAL.or(IMMEDIATE);
        if accepted.contains(class) && !offset.contains(class) {
            c.fail(field!(AddrAdd.src1), class, format_args!("an operand of class {offset}"));
        }
    }
}
