//! Moves that are more than moves, and selections.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::Fminmax;
use crate::operand::{DataType, ExecMask, ExecSize, Modifier, PredId, Region, Vector, VectorKind};
use crate::verify::context::RuleContext;
use crate::verify::rule::rules;

/// How many elements a predicate operand's variable has.
fn flags(operand: &Vector, c: &RuleContext<'_, '_>) -> Option<u16> {
    let VectorKind::Predicate(pred) = operand.kind else { return None };
    let index = pred.id().0.checked_sub(PredId::FIRST_DECLARED.0)?;
    Some(c.body()?.predicates.get(usize::from(index))?.num_elements)
}

rules! { flag for Operation<'_>;
    /// A predicate is moved by one lane.
    fn exec "flag-mov-exec" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if o.exec.size != ExecSize::S1 {
            c.fail("exec", o.exec.size.lanes(), "one lane");
        }
    }

    /// A predicate is moved to an integer of up to 32 bits.
    fn ty "flag-mov-type" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| !INT.has(*ty)) {
            c.fail("dst", ty, "an integer of up to 32 bits");
        }
    }

    /// A predicate is moved to a UB, UW or UD that has a bit for each of its elements.
    // The reference lets it pass.
    fn dst "flag-mov-dst" (Warning, ANY, "MOV.md, Notes") |o, c| {
        let Some(ty) = o.dst_ty(c).filter(|ty| INT.has(*ty)) else { return };
        if !UB.or(UW).or(UD).has(ty) {
            c.fail("dst", ty, "ub, uw or ud");
            return;
        }
        let flags = o.sources().find_map(|src| flags(src, c));
        if let Some(flags) = flags.filter(|flags| ty.size() * 8 < usize::from(*flags)) {
            c.fail("dst", ty, format_args!("a type of {flags} bits"));
        }
    }

    /// A predicate is moved without saturation.
    fn sat "flag-mov-sat" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if o.saturates() {
            c.fail("dst", Modifier::SAT, "none");
        }
    }

    /// A predicate is moved without a predicate.
    fn pred "flag-mov-pred" (Error, ANY, "MOV.md, Notes; reference") |o, c| {
        if !o.pred.is_none() {
            c.fail("pred", o.pred, "none");
        }
    }
}

rules! { setp for Operation<'_>;
    /// SETP of a scalar is NoMask: M1_NM with 32 lanes, else M1_NM or M5_NM.
    // Kernels that ship have M1 there.
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
            let expected = if is_whole { "M1_NM" } else { "M1_NM or M5_NM" };
            c.fail("exec", mask, expected);
        }
    }
}

rules! { movs for Operation<'_>;
    /// At least one operand of MOVS is a state.
    // The reference lets it pass.
    fn state "movs-state" (Warning, ANY, "MOVS.md, Notes") |o, c| {
        let has_state = o.operands().any(|(_, operand, _)| OperandSet::class(operand) == STATE);
        if !has_state && GENERAL.contains(OperandSet::class(o.dst)) {
            c.fail("src0", "no state", "a state, as dst is none");
        }
    }

    /// Both states of MOVS are surfaces, or both are samplers.
    // The reference lets it pass.
    fn storage "movs-storage" (Warning, ANY, "MOVS.md, Notes") |o, c| {
        let VectorKind::State { class: to, .. } = o.dst.kind else { return };
        for src in o.sources() {
            if let VectorKind::State { class: from, .. } = src.kind {
                if from != to {
                    c.fail("src0", from, to);
                }
            }
        }
    }
}

rules! { fminmax for Fminmax;
    /// The operation of MIN and MAX is one of the two.
    fn op "min-max-op" (Error, ANY, "MIN_MAX.md, Op; reference") |i, c| {
        if i.op.name().is_none() {
            c.fail("op", i.op, "min or max");
        }
    }
}

rules! { fcvt for Operation<'_>;
    /// FCVT converts between UB (BF8) and HF, between UD (TF32) and F, and since Xe3 between B (HF8)
    /// and HF.
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
            c.fail("src0", src, format_args!("a type that is converted to {dst}"));
        }
    }

    /// FCVT between UD (TF32) and F exists since PVCXT.
    // The reference lets it pass.
    fn tf32 "fcvt-tf32-platform" (Warning, before(PvcXt), "FCVT.md, Description") |o, c| {
        if let Some((field, _, ty)) = o.src_types(c).next().filter(|(_, _, ty)| *ty == DataType::UD)
        {
            c.fail(field, ty, "hf or ub");
        }
        if let Some(ty) = o.dst_ty(c).filter(|ty| *ty == DataType::UD) {
            c.fail("dst", ty, "hf or ub");
        }
    }

    /// FCVT to 8 bits is NoMask.
    fn no_mask "fcvt-no-mask" (Error, ANY, "FCVT.md, Notes; reference") |o, c| {
        let narrows = o.dst_ty(c).is_some_and(|ty| UB.or(B).has(ty));
        if narrows && !o.exec.mask.is_no_mask() {
            c.fail("exec", o.exec.mask, "a mask with _NM");
        }
    }
}
