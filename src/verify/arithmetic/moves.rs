//! Rules for moves of predicates, SETP, MOVS, MIN, MAX and FCVT.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::Fminmax;
use crate::operand::{DataType, ExecMask, ExecSize, Modifier, PredId, Region, Vector, VectorKind};
use crate::verify::context::RuleContext;
use crate::verify::rule::rules;

/// Returns the number of elements of a predicate operand's variable.
fn predicate_elements(operand: &Vector, c: &RuleContext<'_, '_>) -> Option<u16> {
    let VectorKind::Predicate(pred) = operand.kind else { return None };
    let index = pred.id().0.checked_sub(PredId::FIRST_DECLARED.0)?;
    Some(c.body()?.predicates.get(usize::from(index))?.num_elements)
}

rules! { flag for Operation<'_>;
    /// The execution size of a move of a predicate is 1.
    fn exec "flag-mov-exec" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if o.exec.size != ExecSize::S1 {
            c.fail("exec", o.exec.size.lanes(), "1 lane");
        }
    }

    /// A predicate is moved to an integer of up to 32 bits.
    fn ty "flag-mov-type" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| !INT.has(*ty)) {
            c.fail("dst", ty, "an integer type of up to 32 bits");
        }
    }

    /// A predicate is moved to type UB, UW or UD with at least one bit per element.
    // The reference does not check this.
    fn dst "flag-mov-dst" (Warning, ANY, "MOV.md, Notes") |o, c| {
        let Some(ty) = o.dst_ty(c).filter(|ty| INT.has(*ty)) else { return };
        if !UB.or(UW).or(UD).has(ty) {
            c.fail("dst", ty, "ub, uw or ud");
            return;
        }
        let elements = o.sources().find_map(|src| predicate_elements(src, c));
        if let Some(elements) = elements.filter(|count| ty.size() * 8 < usize::from(*count)) {
            c.fail("dst", ty, format_args!("a type of at least {elements} bits"));
        }
    }

    /// A move of a predicate has no saturation.
    fn sat "flag-mov-sat" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if o.saturates() {
            c.fail("dst", Modifier::SAT, "no modifier");
        }
    }

    /// A move of a predicate is not predicated.
    fn pred "flag-mov-pred" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if !o.pred.is_none() {
            let name = c.name(o.pred.id());
            c.fail("pred", name, "no predicate");
        }
    }
}

rules! { setp for Operation<'_>;
    /// SETP of a scalar has the mask M1_NM, or M5_NM with fewer than 32 lanes.
    // Shipped kernels have M1.
    fn mask "setp-mask" (Warning, ANY, "SETP.md, Notes") |o, c| {
        let Some(src) = o.sources().next() else { return };
        let is_scalar = match src.kind {
            VectorKind::Immediate(_) => true,
            VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } => {
                region == Region::SCALAR
            }
            _ => false,
        };
        let is_whole = o.exec.size == ExecSize::S32;
        let mask = o.exec.mask.canonical();
        let fits = mask == ExecMask::M1_NM || mask == ExecMask::M5_NM && !is_whole;
        if is_scalar && !fits {
            let expected = if is_whole { "mask M1_NM" } else { "mask M1_NM or M5_NM" };
            c.fail("exec", mask, expected);
        }
    }
}

rules! { movs for Operation<'_>;
    /// At least one operand of MOVS is a state.
    // The reference does not check this.
    fn state "movs-state" (Warning, ANY, "MOVS.md, Notes") |o, c| {
        let has_state = o.operands().any(|(_, operand, _)| OperandSet::class(operand) == STATE);
        if !has_state && GENERAL.contains(OperandSet::class(o.dst)) {
            c.report("src0", "neither dst nor src0 is a surface or a sampler");
        }
    }

    /// If both operands of MOVS are states, both are surfaces or both are samplers.
    // The reference does not check this.
    fn storage "movs-storage" (Warning, ANY, "MOVS.md, Notes") |o, c| {
        let VectorKind::State { class: to, .. } = o.dst.kind else { return };
        for src in o.sources() {
            if let VectorKind::State { class: from, .. } = src.kind {
                if from != to {
                    c.fail("src0", from, format_args!("{to}, as in dst"));
                }
            }
        }
    }
}

rules! { fminmax for Fminmax;
    /// The operation of MIN and MAX is min or max.
    fn op "min-max-op" (Error, ANY, "MIN_MAX.md, Op; reference") |i, c| {
        if i.op.name().is_none() {
            c.fail("op", i.op, "min or max");
        }
    }
}

rules! { fcvt for Operation<'_>;
    /// FCVT converts between UB (BF8) and HF, between UD (TF32) and F, and from Xe3 on between B
    /// (HF8) and HF.
    fn types "fcvt-types" (Error, ANY, "FCVT.md, Notes; reference") |o, c| {
        let Some((_, _, src)) = o.src_types(c).next() else { return };
        let Some(dst) = o.dst_ty(c) else { return };
        let has_hf8 = c.platform().is_none() || c.is_on(since(Xe3));
        let fits = match (dst, src) {
            (DataType::UB, DataType::HF) | (DataType::HF, DataType::UB) => true,
            (DataType::UD, DataType::F) | (DataType::F, DataType::UD) => true,
            (DataType::B, DataType::HF) | (DataType::HF, DataType::B) => has_hf8,
            _ => false,
        };
        if !fits {
            c.report("src0", format_args!("`fcvt` cannot convert {src} to {dst}"));
        }
    }

    /// FCVT converts between UD (TF32) and F since PVCXT.
    // The reference does not check this.
    fn tf32 "fcvt-tf32-platform" (Warning, before(PvcXt), "FCVT.md, Description") |o, c| {
        if let Some((field, _, ty)) = o.src_types(c).next().filter(|(_, _, ty)| *ty == DataType::UD)
        {
            c.report(field, format_args!("type {ty} (TF32) is not available before PVCXT"));
        }
        if let Some(ty) = o.dst_ty(c).filter(|ty| *ty == DataType::UD) {
            c.report("dst", format_args!("type {ty} (TF32) is not available before PVCXT"));
        }
    }

    /// FCVT to 8 bits has a NoMask mask.
    fn no_mask "fcvt-no-mask" (Error, ANY, "FCVT.md, Notes; reference") |o, c| {
        let narrows = o.dst_ty(c).is_some_and(|ty| UB.or(B).has(ty));
        if narrows && !o.exec.mask.is_no_mask() {
            c.fail("exec", o.exec.mask, "a mask that ends in _NM");
        }
    }
}
