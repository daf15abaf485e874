//! Rules for execution sizes, execution masks and predicates.

use crate::operand::{Exec, ExecMask, ExecSize, Pred, PredControl, PredId};
use crate::verify::context::RuleContext;
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// The execution size and mask of an instruction.
pub(super) struct ExecLanes {
    pub(super) field: Field,
    pub(super) exec: Exec,
}

/// A predicate. `exec` is the lanes that it controls, or `None` for an operand.
pub(super) struct PredicateUse {
    pub(super) field: Field,
    pub(super) pred: Pred,
    pub(super) exec: Option<Exec>,
}

/// Returns the number of the lane after the last one.
pub(super) fn end_lane(exec: Exec) -> usize {
    exec.mask.first_lane() + exec.size.lanes()
}

/// The masks that satisfy every rule, with one bit per code, indexed by the execution size.
static LEGAL_MASKS: [u32; ExecSize::ALL.len()] = {
    let mut legal = [0; ExecSize::ALL.len()];
    let mut size = 0;
    while size < legal.len() {
        let mut bits = 0;
        while bits < 16 {
            if let Some(mask) = ExecMask::from_bits(bits) {
                let (first, lanes) = (mask.first_lane(), 1 << size);
                if first == 0 || first % lanes == 0 && first + lanes <= 32 {
                    legal[size] |= 1 << mask.code();
                }
            }
            // Legacy masks mean M1.
            if let Some(mask) = ExecMask::legacy(bits) {
                legal[size] |= 1 << mask.code();
            }
            bits += 1;
        }
        size += 1;
    }
    legal
};

/// Returns whether an execution size and mask satisfy every rule.
#[inline(always)]
pub(super) fn is_legal_exec(exec: Exec) -> bool {
    LEGAL_MASKS[exec.size as usize] >> (exec.mask.code() & 31) & 1 != 0
}

rules! { lanes for ExecLanes;
    /// The lanes that size and mask select are among the 32 lanes of a thread.
    fn mask "exec-mask" (Refuses, ANY, "3_execution_model, Execution Mask") |l, c| {
        if end_lane(l.exec) > 32 {
            c.report(l.field, format_args!("{} selects lanes after lane 31", l.exec));
        }
    }

    /// The first lane that the mask selects is a multiple of the execution size.
    fn aligned "exec-mask-aligned" (Accepts, ANY, "3_execution_model, Execution Mask") |l, c| {
        let (first, lanes) = (l.exec.mask.first_lane(), l.exec.size.lanes());
        if first & (lanes - 1) != 0 && end_lane(l.exec) <= 32 {
            let expected = alloc::format!("a mask whose first lane is a multiple of {lanes}");
            c.fail(l.field, l.exec, expected);
        }
    }
}

rules! { predicates for PredicateUse;
    /// Predicates are declared.
    fn exists "predicate-exists" (Refuses, ANY, "5_operands, Predication") |p, c| {
        let Some(body) = c.body() else { return };
        if usize::from(p.pred.id().0) > body.predicates.len() {
            let name = c.name(p.pred.id());
            c.report(p.field, format_args!("predicate {name} is not declared"));
        }
    }

    /// P0 means no predicate: it is not an operand, and it is neither combined nor inverted.
    fn zero "predicate-zero" (Refuses, ANY, "4_visa_header, kernel_data") |p, c| {
        if p.pred.id() == PredId(0) && !(p.pred.is_none() && p.exec.is_some()) {
            c.fail(p.field, format_args!("P0 ({:#06x})", p.pred.bits()), "a declared predicate");
        }
    }

    /// The control of a predicate is none, any or all.
    fn combine "predicate-combine" (Accepts, ANY, "5_operands, Predication") |p, c| {
        if p.pred.control() > PredControl::ALL {
            c.fail(p.field, p.pred.control(), "control none, any or all");
        }
    }

    /// A predicate for lanes after the first 16 has 32 elements. Otherwise, the next flag is read.
    fn width "predicate-width" (Miscompiles, ANY, "5_operands, Predication") |p, c| {
        if let Some((bits, lanes)) = bits_and_lanes(p, c).filter(|(bits, _)| *bits <= 16) {
            if lanes > 16 {
                let name = c.name(p.pred.id());
                c.fail(p.field, format_args!("{bits} in {name}"), "32 bits");
            }
        }
    }

    // A flag register has 16 bits.
    /// A predicate has one bit per lane that it controls.
    fn lanes "predicate-lanes" (Accepts, ANY, "5_operands, Predication") |p, c| {
        if let Some((bits, lanes)) = bits_and_lanes(p, c).filter(|(_, lanes)| *lanes <= 16) {
            if bits < lanes {
                let name = c.name(p.pred.id());
                let expected = alloc::format!("at least {lanes} bits");
                c.fail(p.field, format_args!("{bits} in {name}"), expected);
            }
        }
    }
}

/// Returns the number of bits of a predicate, and the number of lanes that it controls.
fn bits_and_lanes(p: &PredicateUse, c: &RuleContext<'_, '_>) -> Option<(usize, usize)> {
    let index = p.pred.id().0.checked_sub(PredId::FIRST_DECLARED.0)?;
    let declared = c.body()?.predicates.get(usize::from(index))?;
    Some((declared.num_elements.into(), end_lane(p.exec?)))
}
