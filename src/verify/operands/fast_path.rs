//! Operands that certainly satisfy every rule for operands. The rules are only applied to others.

use super::Role;
use super::exec::{end_lane, is_legal_exec};
use super::region::{Reach, can_span};
use crate::isa::Kind;
use crate::operand::{
    DataType, Exec, ExecSize, Modifier, Pred, PredControl, Region, VarId, Vector, VectorKind,
};
use crate::verify::context::Context;
use crate::verify::variable_info::VariableInfo;

/// A general operand.
#[derive(Clone, Copy)]
pub(in crate::verify) struct General {
    pub(in crate::verify) var: VarId,
    pub(in crate::verify) row: u8,
    pub(in crate::verify) col: u8,
    pub(in crate::verify) region: Region,
}

impl General {
    /// Returns the variable of a source, if the operand satisfies every rule except those for
    /// modifiers.
    #[inline(always)]
    pub(in crate::verify) fn as_source(
        self,
        reach: Reach,
        cx: &Context<'_>,
    ) -> Option<VariableInfo> {
        self.variable(reach.source(self.region), cx)
    }

    /// Returns the variable of a destination, if the operand satisfies every rule except those for
    /// modifiers.
    #[inline(always)]
    pub(in crate::verify) fn as_dst(self, reach: Reach, cx: &Context<'_>) -> Option<VariableInfo> {
        let is_writable = self.var >= VarId::FIRST_DECLARED || self.var == VarId::NULL;
        self.variable(reach.dst(self.region), cx).filter(|_| is_writable)
    }

    #[inline(always)]
    fn variable(self, last: u16, cx: &Context<'_>) -> Option<VariableInfo> {
        let variable = cx.variables.get(self.var.0 as usize)?;
        variable.contains(self.row, self.col, last).then_some(*variable)
    }
}

/// Returns whether a vector operand satisfies every rule.
#[inline(always)]
pub(super) fn is_legal_vector(
    operand: &Vector,
    role: Role,
    exec: Exec,
    kind: Kind,
    cx: &Context<'_>,
) -> bool {
    let Vector { modifier, kind: class } = *operand;
    if modifier != Modifier::NONE {
        return false;
    }
    match class {
        VectorKind::General { var, row, col, region } => {
            let general = General { var, row, col, region };
            let reach = Reach::of(exec.size);
            let is_legal = match role {
                Role::Source => general.as_source(reach, cx).is_some(),
                Role::Dst => general.as_dst(reach, cx).is_some(),
                Role::AddressOf => false,
            };
            // One element is in at most two registers.
            is_legal && (can_span(kind) || exec.size == ExecSize::S1)
        }
        VectorKind::Immediate(imm) => role == Role::Source && imm.ty() != DataType::BOOL,
        _ => false,
    }
}

/// Returns whether the execution size, mask and predicate of an instruction satisfy every rule.
#[inline(always)]
pub(in crate::verify) fn is_legal_control(exec: Exec, pred: Pred, cx: &Context<'_>) -> bool {
    is_legal_exec(exec) && (pred.is_none() || is_legal_predicate(pred, exec, cx))
}

/// Returns whether a predicate that is used for these lanes satisfies every rule.
#[inline(never)]
pub(in crate::verify) fn is_legal_predicate(pred: Pred, exec: Exec, cx: &Context<'_>) -> bool {
    let index = usize::from(pred.id().0).wrapping_sub(1);
    let Some(body) = cx.body else { return false };
    pred.control() <= PredControl::ALL
        && body.predicates.get(index).is_some_and(|p| usize::from(p.num_elements) >= end_lane(exec))
}
