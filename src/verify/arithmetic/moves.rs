//! Rules for moves of predicates and of newer floats, SETP, MOVS, MIN, MAX and FCVT.

use super::operand_set::*;
use super::operation::Operation;
use crate::format::Format;
use crate::isa::Fminmax;
use crate::operand::{DataType, ExecMask, ExecSize, Modifier, PredId, Region, Vector, VectorKind};
use crate::platform::Platform;
use crate::verify::context::{Context, RuleContext};
use crate::verify::field::{Field, field};
use crate::verify::platforms::Platforms;
use crate::verify::rule::rules;

/// Returns the number of elements of a predicate operand's variable.
fn predicate_elements(operand: &Vector, c: &RuleContext<'_, '_>) -> Option<u16> {
    let VectorKind::Predicate(pred) = operand.kind else { return None };
    let index = pred.id().0.checked_sub(PredId::FIRST_DECLARED.0)?;
    Some(c.body()?.predicates.get(usize::from(index))?.num_elements)
}

rules! { flag for Operation<'_>;
    /// The execution size of a move of a predicate is 1.
    fn exec "flag-mov-exec" (Miscompiles, ANY, "MOV.md, Notes; IGC") |o, c| {
        if o.exec.size != ExecSize::S1 {
            c.fail_changed(field!(Add.exec), o.exec.size.lanes(), "1 lane", "1 lane");
        }
    }

    /// A move of a predicate has mask M1_NM.
    fn mask "flag-mov-mask" (Changes, ANY, "IGC") |o, c| {
        if o.exec.mask != ExecMask::M1_NM {
            c.fail_changed(field!(Add.exec), o.exec.mask, ExecMask::M1_NM, ExecMask::M1_NM);
        }
    }

    /// A predicate is moved to an integer of up to 32 bits.
    fn ty "flag-mov-type" (Refuses, ANY, "MOV.md, Notes; IGC") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| !INT.has(*ty)) {
            c.fail(field!(Add.dst), ty, "an integer type of up to 32 bits");
        }
    }

    /// A predicate is moved to type UB, UW or UD with at least one bit per element.
    fn dst "flag-mov-dst" (Accepts, ANY, "MOV.md, Notes") |o, c| {
        let Some(ty) = o.dst_ty(c).filter(|ty| INT.has(*ty)) else { return };
        if !UB.or(UW).or(UD).has(ty) {
            c.fail(field!(Add.dst), ty, "ub, uw or ud");
            return;
        }
        let elements = o.sources().find_map(|src| predicate_elements(src, c));
        if let Some(elements) = elements.filter(|count| ty.size() * 8 < usize::from(*count)) {
            c.fail(field!(Add.dst), ty, format_args!("a type of at least {elements} bits"));
        }
    }

    /// A move of a predicate has no saturation.
    fn sat "flag-mov-sat" (Changes, ANY, "MOV.md, Notes; IGC") |o, c| {
        if o.saturates() {
            c.fail_changed(field!(Add.dst), Modifier::SAT, "no modifier", "`mov`");
        }
    }

    /// A move of a predicate is not predicated.
    fn pred "flag-mov-pred" (Miscompiles, ANY, "MOV.md, Notes; IGC") |o, c| {
        if !o.pred.is_none() {
            let name = c.name(o.pred.id());
            c.fail_changed(field!(Add.pred), name, "no predicate", "no predicate");
        }
    }
}

/// A MOV with an operand of type TF32, HF8, BF8 or E2M1 that is not a copy.
pub(super) struct NewerMove<'o> {
    operation: &'o Operation<'o>,
    dst: DataType,
    src: DataType,
}

impl<'o> NewerMove<'o> {
    /// Returns the move, or `None` if no operand has such a type or the MOV is a copy: of one type,
    /// without modifiers.
    pub(super) fn of(operation: &'o Operation<'o>, cx: &Context<'_>) -> Option<NewerMove<'o>> {
        let src = operation.sources().next()?;
        let (dst, ty) = (cx.ty(operation.dst)?, cx.ty(src)?);
        let modifiers = (operation.dst.modifier, src.modifier);
        let is_copy = dst == ty && modifiers == (Modifier::NONE, Modifier::NONE);
        let is_newer = NEWER.has(dst) || NEWER.has(ty);
        (is_newer && !is_copy).then_some(NewerMove { operation, dst, src: ty })
    }

    fn has(&self, ty: DataType) -> bool {
        self.dst == ty || self.src == ty
    }

    /// Returns whether the move converts between two types, in either direction.
    fn is_between(&self, one: DataType, other: DataType) -> bool {
        (self.dst, self.src) == (one, other) || (self.dst, self.src) == (other, one)
    }

    /// Reports that MOV does not convert between the types.
    #[cold]
    fn report_types(&self, c: &mut RuleContext<'_, '_>) {
        if self.dst == self.src {
            let message = alloc::format!("a copy of type {} has no modifiers", self.dst);
            c.report(Field::WHOLE, message);
        } else {
            c.report(
                field!(Add.src0),
                format_args!("`mov` cannot convert {} to {}", self.src, self.dst),
            );
        }
    }
}

rules! { newer for NewerMove<'_>;
    /// MOV converts BF8 and HF8 from and to HF only.
    fn fp8 "mov-fp8" (Refuses, ANY, "IGC") |m, c| {
        use DataType as T;
        let is_legal = m.is_between(T::BF8, T::HF) || m.is_between(T::HF8, T::HF);
        if (m.has(T::BF8) || m.has(T::HF8)) && !is_legal {
            m.report_types(c);
        }
    }

    /// MOV converts TF32 from and to F only. IGC 2.41 refuses other types.
    fn tf32 "mov-tf32" (Accepts (Warning in Manual) [since(IGC_2_41)], ANY, "IGC")
    |m, c| {
        use DataType as T;
        if m.has(T::TF32) && !m.is_between(T::TF32, T::F) && !m.has(T::BF8) && !m.has(T::HF8) {
            m.report_types(c);
        }
    }

    /// MOV copies E2M1, but does not convert it; DNSCL converts to E2M1.
    // IGC compiles E2M1 as UB.
    fn e2m1 "mov-e2m1" (Miscompiles, ANY, "IGC") |m, c| {
        use DataType as T;
        if m.has(T::E2M1) && !m.has(T::TF32) && !m.has(T::BF8) && !m.has(T::HF8) {
            m.report_types(c);
        }
    }

    /// MOV converts BF8 since PVC, TF32 since PVCXT and HF8 since Xe3. IGC 2.41 refuses it before; older
    /// versions convert the type as UB.
    fn platform "mov-newer-platform" (Miscompiles [since(IGC_2_41)], before(Xe3), "IGC") |m, c| {
        use DataType as T;
        for (ty, first) in [(T::BF8, PvcSdv), (T::TF32, PvcXt), (T::HF8, Xe3)] {
            if m.has(ty) && c.is_on(before(first)) {
                c.report(Field::WHOLE, format_args!("`mov` cannot convert {ty} before {first}"));
            }
        }
    }

    /// A MOV that converts from or to BF8 or HF8, or to TF32, has neither a predicate nor a source
    /// modifier; a MOV to TF32 has no saturation. IGC 2.41 refuses them.
    fn modifiers "mov-newer-modifier"
    (Accepts (Warning in Manual) [since(IGC_2_41)], ANY, "IGC")
    |m, c| {
        use DataType as T;
        let is_checked = m.has(T::BF8) || m.has(T::HF8) || m.dst == T::TF32;
        // A copy with a modifier breaks another rule.
        if !is_checked || m.dst == m.src {
            return;
        }
        let o = m.operation;
        if !o.pred.is_none() {
            let name = c.name(o.pred.id());
            c.fail(field!(Add.pred), name, "no predicate");
        }
        let is_signed = |src: &&Vector| src.modifier != Modifier::NONE;
        if let Some(src) = o.sources().find(is_signed) {
            c.fail(field!(Add.src0), src.modifier, "no modifier");
        }
        if m.dst == T::TF32 && o.saturates() {
            c.fail(field!(Add.dst), Modifier::SAT, "no modifier");
        }
    }
}

rules! { setp for Operation<'_>;
    /// SETP of a scalar has the mask M1_NM, or M5_NM with fewer than 32 lanes.
    // Shipped kernels have M1.
    fn mask "setp-mask" (Accepts, ANY, "SETP.md, Notes") |o, c| {
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
            c.fail(field!(Add.exec), mask, expected);
        }
    }
}

rules! { movs for Operation<'_>;
    /// At least one operand of MOVS is a state.
    fn state "movs-state" (Accepts, ANY, "MOVS.md, Notes") |o, c| {
        let has_state = o.operands().any(|(_, operand, _)| OperandSet::class(operand) == STATE);
        if !has_state && GENERAL.contains(OperandSet::class(o.dst)) {
            c.report(field!(Add.src0), "neither dst nor src0 is a surface or a sampler");
        }
    }

    /// If both operands of MOVS are states, both are surfaces or both are samplers.
    fn storage "movs-storage" (Accepts, ANY, "MOVS.md, Notes") |o, c| {
        let VectorKind::State { class: to, .. } = o.dst.kind else { return };
        for src in o.sources() {
            if let VectorKind::State { class: from, .. } = src.kind {
                if from != to {
                    c.fail(field!(Add.src0), from, format_args!("{to}, as in dst"));
                }
            }
        }
    }
}

rules! { fminmax for Fminmax;
    /// The operation of MIN and MAX is min or max.
    fn op "min-max-op" (Refuses, ANY, "MIN_MAX.md, Op; IGC") |i, c| {
        if i.op.name().is_none() {
            c.fail(field!(Fminmax.op), i.op, "min or max");
        }
    }
}

/// The platforms that have FCVT, but not HF8.
const WITHOUT_HF8: Platforms =
    Platforms { since: Some(Platform::PvcSdv), before: Some(Platform::Xe3) };

rules! { fcvt for Operation<'_>;
    /// FCVT converts between UB (BF8) and HF, between UD (TF32) and F (in 4.2 to UD only), and between
    /// B (HF8) and HF.
    fn types "fcvt-types" (Refuses, ANY, "FCVT.md, Notes; IGC") |o, c| {
        let Some((_, _, src)) = o.src_types(c).next() else { return };
        let Some(dst) = o.dst_ty(c) else { return };
        let fits = match (dst, src) {
            (DataType::UB | DataType::B, DataType::HF) => true,
            (DataType::HF, DataType::UB | DataType::B) => true,
            (DataType::UD, DataType::F) => true,
            (DataType::F, DataType::UD) => c.format() != Format::V4_2,
            _ => false,
        };
        if !fits {
            c.report(field!(Add.src0), format_args!("`fcvt` cannot convert {src} to {dst}"));
        }
    }

    // IGC does not verify the code that it emits itself, and converts integers there.
    /// FCVT converts between B (HF8) and HF since Xe3.
    fn hf8 "fcvt-hf8-platform" (Refuses, WITHOUT_HF8, "IGC") |o, c| {
        let src = o.src_types(c).next().map(|(field, _, ty)| (field, ty));
        let dst = o.dst_ty(c).map(|ty| (field!(Add.dst), ty));
        let hf8 = [dst, src].into_iter().flatten().find(|(_, ty)| *ty == DataType::B);
        if let Some((field, ty)) = hf8 {
            c.report(field, format_args!("type {ty} (HF8) is available since Xe3"));
        }
    }

    /// FCVT converts between UD (TF32) and F since PVCXT.
    fn tf32 "fcvt-tf32-platform" (Accepts, before(PvcXt), "FCVT.md, Description") |o, c| {
        if let Some((field, _, ty)) = o.src_types(c).next().filter(|(_, _, ty)| *ty == DataType::UD)
        {
            c.report(field, format_args!("type {ty} (TF32) is not available before PVCXT"));
        }
        if let Some(ty) = o.dst_ty(c).filter(|ty| *ty == DataType::UD) {
            c.report(field!(Add.dst), format_args!("type {ty} (TF32) is not available before PVCXT"));
        }
    }

    /// FCVT to 8 bits has a NoMask mask.
    fn no_mask "fcvt-no-mask" (Refuses, ANY, "FCVT.md, Notes; IGC") |o, c| {
        let narrows = o.dst_ty(c).is_some_and(|ty| UB.or(B).has(ty));
        if narrows && !o.exec.mask.is_no_mask() {
            c.fail(field!(Add.exec), o.exec.mask, "a mask that ends in _NM");
        }
    }
}
