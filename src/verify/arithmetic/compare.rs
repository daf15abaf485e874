//! CMP and ADDR_ADD.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::{AddrAdd, Cmp};
use crate::operand::{Region, StateClass, SurfaceId, VarId, VectorKind};
use crate::verify::rule::rules;

rules! { relation for Cmp;
    /// The relation of CMP is one of six.
    // The reference lets it pass.
    fn relation "cmp-relation" (Warning, ANY, "CMP.md, Rel_op") |i, c| {
        if i.rel_op.op().name().is_none() {
            c.fail("rel_op", i.rel_op, "eq, ne, gt, ge, lt or le");
        }
    }
}

rules! { compare for Operation<'_>;
    /// CMP compares integers with integers, floats with their own kind, F with HF and BF.
    // The reference lets other mixtures pass.
    fn sources "cmp-source-types" (Warning, ANY, "CMP.md, Operand type maps") |o, c| {
        let mut seen = OperandSet::EMPTY;
        for (field, _, ty) in o.src_types(c) {
            let both = seen.or(OperandSet::ty(ty));
            let kinds = [INTS.or(PACKED), F.or(HF).or(VF), F.or(BF).or(VF), DF];
            if !kinds.iter().any(|kind| kind.contains(both)) {
                c.fail(field, ty, format_args!("a type that is compared with {seen}"));
            }
            seen = both;
        }
    }

    /// A destination of CMP that is no predicate is of the sources' type where they are floats.
    // The reference lets it pass.
    fn dst "cmp-float-agree" (Warning, ANY, "CMP.md, Notes") |o, c| {
        let mut seen = OperandSet::EMPTY;
        for (_, _, ty) in o.src_types(c) {
            seen = seen.or(OperandSet::ty(ty));
        }
        let floats = seen.and(FLOATS.or(BF));
        let Some(ty) = o.dst_ty(c).filter(|_| OperandSet::class(o.dst) != PREDICATE) else { return };
        if floats != OperandSet::EMPTY && !floats.has(ty) {
            c.fail("dst", ty, floats);
        }
    }
}

rules! { addr_add for AddrAdd;
    /// ADDR_ADD does not take the address of a predefined variable or surface.
    fn predefined "addr-add-predefined" (Error, ANY, "ADDR_ADD.md, Notes; reference") |i, c| {
        match i.src0.0.kind {
            VectorKind::General { var, .. } if var < VarId::FIRST_DECLARED => {
                c.fail("src0", var, "a variable that is declared");
            }
            VectorKind::State { class: StateClass::SURFACE, index, .. }
                if u32::from(index) < SurfaceId::FIRST_DECLARED.0.into() =>
            {
                c.fail("src0", SurfaceId(index as _), "a surface that is declared");
            }
            _ => {}
        }
    }

    /// The variable whose address is taken has the region <0;1,0>.
    // The reference lets it pass.
    fn region "addr-add-region" (Warning, ANY, "ADDR_ADD.md, Notes") |i, c| {
        if let VectorKind::General { region, .. } = i.src0.0.kind {
            if region != Region::SCALAR {
                c.fail("src0", region, "<0;1,0>");
            }
        }
    }

    /// ADDR_ADD adds words or bytes.
    fn offset_type "addr-add-offset-type" (Error, ANY, "ADDR_ADD.md, Src1; reference") |i, c| {
        let is_judged = OperandSet::class(&i.src1) != PREDICATE;
        if let Some(ty) = c.ty(&i.src1).filter(|_| is_judged) {
            if !UW.or(W).or(UB).or(B).has(ty) {
                c.fail("src1", ty, "a word or a byte");
            }
        }
    }

    /// ADDR_ADD adds a UW.
    // Kernels that ship add UB.
    fn offset_uw "addr-add-offset-uw" (Warning, ANY, "ADDR_ADD.md, Src1") |i, c| {
        if let Some(ty) = c.ty(&i.src1).filter(|ty| W.or(UB).or(B).has(*ty)) {
            c.fail("src1", ty, "uw");
        }
    }

    /// ADDR_ADD adds a general operand or a constant to an address, or to that of a variable,
    /// surface or sampler.
    // Kernels that ship add indirect operands.
    fn class "addr-add-class" (Warning, ANY, "ADDR_ADD.md, Src0 and Src1") |i, c| {
        let (taken, base) = (ANY_CLASS.without(PREDICATE), ADDRESS.or(GENERAL).or(STATE));
        let class = OperandSet::class(&i.src0.0);
        if taken.contains(class) && !base.contains(class) {
            c.fail("src0", class, base);
        }
        let class = OperandSet::class(&i.src1);
        if taken.contains(class) && !GENERAL.or(IMMEDIATE).contains(class) {
            c.fail("src1", class, GENERAL.or(IMMEDIATE));
        }
    }
}
