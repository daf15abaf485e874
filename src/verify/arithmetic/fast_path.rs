//! The fast path: accepts instructions that certainly satisfy every rule.
//!
//! It examines each operand once. For an instruction that it does not accept, the rules for an
//! operand are applied unless that operand is known to be legal, and the rules for arithmetic unless
//! [`accepts`] returns true. A new rule about operands or arithmetic may require a condition here.

use super::operand_set::{
    BOOL, GENERAL, IMMEDIATE, INDIRECT, NONE, OperandSet, PACKED, PREDICATE, VF,
};
use super::signature::Signature;
use crate::operand::{DataType, Exec, Modifier, Pred, Vector, VectorKind};
use crate::verify::context::Context;
use crate::verify::operands::{General, Reach, is_legal_predicate};

// Not inlined, because the match of the caller has an arm for each row. The parameters are single
// fields: a struct of them would be read at once, although decoding has just written its parts.
#[inline(never)]
pub(super) fn with_1_source(
    signature: &Signature,
    exec: Exec,
    pred: Pred,
    dst: &Vector,
    src: &Vector,
    cx: &Context<'_>,
) -> bool {
    accepts::<true, 1>(signature, exec, pred, dst, [src], cx)
}

#[inline(never)]
pub(super) fn with_2_sources(
    signature: &Signature,
    exec: Exec,
    pred: Pred,
    dst: &Vector,
    src0: &Vector,
    src1: &Vector,
    cx: &Context<'_>,
) -> bool {
    accepts::<true, 2>(signature, exec, pred, dst, [src0, src1], cx)
}

#[inline(never)]
#[allow(clippy::too_many_arguments)] // an array would be in memory
pub(super) fn with_3_sources(
    signature: &Signature,
    exec: Exec,
    pred: Pred,
    dst: &Vector,
    src0: &Vector,
    src1: &Vector,
    src2: &Vector,
    cx: &Context<'_>,
) -> bool {
    accepts::<true, 3>(signature, exec, pred, dst, [src0, src1, src2], cx)
}

/// Returns whether operands certainly satisfy every rule for arithmetic. If `WHOLE` is set, they
/// also satisfy the rules for operands.
#[inline(always)]
pub(super) fn accepts<const WHOLE: bool, const COUNT: usize>(
    signature: &Signature,
    exec: Exec,
    pred: Pred,
    dst: &Vector,
    sources: [&Vector; COUNT],
    cx: &Context<'_>,
) -> bool {
    let reach = Reach::of(exec.size);
    // The sources are first, so that only one set is in registers.
    let mut all = OperandSet::EMPTY;
    for operand in sources {
        let Some(source) = source::<WHOLE>(operand, exec, reach, cx) else { return false };
        all = all.or(source);
    }
    let Some(dst) = self::dst::<WHOLE>(dst, exec, reach, cx) else { return false };
    signature.accepts(dst, all, pred, cx.has_manual_rules)
}

/// Returns the class, type and modifier of a source, if the fast path knows the class.
#[inline(always)]
fn source<const WHOLE: bool>(
    operand: &Vector,
    exec: Exec,
    reach: Reach,
    cx: &Context<'_>,
) -> Option<OperandSet> {
    match operand.kind {
        VectorKind::General { var, row, col, region } if WHOLE => {
            let general = General { var, row, col, region };
            let ty = general.as_source(reach, cx)?.ty();
            Some(GENERAL.or(OperandSet::ty(ty)).or(OperandSet::modifier(operand.modifier)))
        }
        VectorKind::Immediate(imm) => {
            // Not all platforms have constants of type VF.
            let is_listed = !matches!(imm.ty(), DataType::BOOL | DataType::VF);
            let is_legal = operand.modifier == Modifier::NONE && is_listed;
            is_legal.then_some(IMMEDIATE.or(OperandSet::ty(imm.ty())).or(NONE))
        }
        VectorKind::Predicate(pred) => {
            let is_legal = operand.modifier == Modifier::NONE && is_legal_predicate(pred, exec, cx);
            is_legal.then_some(PREDICATE.or(BOOL).or(NONE))
        }
        _ if WHOLE => None,
        _ => {
            let (class, ty) = variable(operand, cx)?;
            Some(class.or(OperandSet::ty(ty)).or(OperandSet::modifier(operand.modifier)))
        }
    }
}

/// Returns the class, type and modifier of a destination, if the fast path knows the class.
#[inline(always)]
fn dst<const WHOLE: bool>(
    operand: &Vector,
    exec: Exec,
    reach: Reach,
    cx: &Context<'_>,
) -> Option<(OperandSet, DataType, Modifier)> {
    let (class, ty) = match operand.kind {
        VectorKind::General { var, row, col, region } if WHOLE => {
            let general = General { var, row, col, region };
            (GENERAL, general.as_dst(reach, cx)?.ty())
        }
        VectorKind::Predicate(pred) => {
            let is_legal = operand.modifier == Modifier::NONE && is_legal_predicate(pred, exec, cx);
            (PREDICATE, is_legal.then_some(DataType::BOOL)?)
        }
        _ if WHOLE => return None,
        _ => variable(operand, cx)?,
    };
    Some((class, ty, operand.modifier))
}

/// Returns the class and the type of a general or indirect operand.
#[inline(always)]
fn variable(operand: &Vector, cx: &Context<'_>) -> Option<(OperandSet, DataType)> {
    let (class, ty) = match operand.kind {
        VectorKind::General { .. } => (GENERAL, cx.ty(operand)?),
        VectorKind::Indirect { ty, .. } => (INDIRECT, ty.ty()),
        _ => return None,
    };
    // Rules reject these types for variables, and accept them for constants.
    let is_variable = !PACKED.or(VF).or(BOOL).has(ty);
    is_variable.then_some((class, ty))
}
