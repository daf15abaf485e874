//! The fast way: one look at each operand that shows that no rule at all can be against an
//! instruction. What it holds back is shown to the rules.

use super::operation::Operation;
use super::set::{BOOL, GENERAL, IMMEDIATE, NONE, ODD, PREDICATE, Set};
use crate::operand::{DataType, Exec, Modifier, VarId, Vector, VectorKind};
use crate::verify::context::Cx;
use crate::verify::operands::{
    is_legal_control, is_legal_exec, is_legal_operand, last_of_dst, last_of_source,
};

/// Whether no rule can be against an instruction.
#[inline(always)]
pub(super) fn is_fine(o: &Operation<'_>, cx: &Cx<'_>) -> bool {
    let is_controlled = o.pred.is_none() || is_legal_control(o.pred, o.exec, cx);
    let dst = dst(o.dst, o.exec, cx);
    let src = o.sources().fold(Set::EMPTY, |all, operand| all.or(source(operand, o.exec, cx)));
    is_legal_exec(o.exec) && is_controlled && o.takes(dst, src)
}

/// What a source is; [`ODD`] unless its place and the class are beyond doubt.
#[inline(always)]
fn source(operand: &Vector, exec: Exec, cx: &Cx<'_>) -> Set {
    match operand.kind {
        VectorKind::General { var, row, col, region } => {
            let Some(last) = last_of_source(region, exec.size) else { return ODD };
            general(var, row, col, last, operand.modifier, cx)
        }
        VectorKind::Immediate(imm)
            if operand.modifier == Modifier::NONE && imm.ty() != DataType::BOOL =>
        {
            IMMEDIATE.or(NONE).or(Set::ty(imm.ty()))
        }
        _ => ODD,
    }
}

/// The same for a destination.
#[inline(always)]
fn dst(operand: &Vector, exec: Exec, cx: &Cx<'_>) -> Set {
    match operand.kind {
        VectorKind::General { var, row, col, region } => {
            let is_writable = var >= VarId::FIRST_DECLARED || var == VarId::NULL;
            match last_of_dst(region, exec.size) {
                Some(last) if is_writable => general(var, row, col, last, operand.modifier, cx),
                _ => ODD,
            }
        }
        VectorKind::Predicate(pred)
            if operand.modifier == Modifier::NONE && is_legal_operand(pred, cx) =>
        {
            PREDICATE.or(NONE).or(BOOL)
        }
        _ => ODD,
    }
}

#[inline(always)]
fn general(var: VarId, row: u8, col: u8, last: u32, modifier: Modifier, cx: &Cx<'_>) -> Set {
    match cx.storage.get(var.0 as usize) {
        Some(storage) if storage.holds(row, col, last, cx.grf) => {
            GENERAL.or(Set::ty(storage.ty())).or(Set::modifier(modifier))
        }
        _ => ODD,
    }
}
