//! Rules for the lanes of an instruction and the predicates that choose among them.

use crate::operand::{Exec, Pred, PredControl, PredId};
use crate::verify::rule::rules;

/// Size and mask.
pub(super) struct Lanes {
    pub(super) field: &'static str,
    pub(super) exec: Exec,
}

/// A predicate, with the lanes that it controls unless it is an operand.
pub(super) struct Predicate {
    pub(super) field: &'static str,
    pub(super) pred: Pred,
    pub(super) exec: Option<Exec>,
}

fn end(exec: Exec) -> usize {
    exec.mask.first_lane() + exec.size.lanes()
}

/// Whether no rule is against size and mask.
#[inline(always)]
pub(in crate::verify) fn is_legal(exec: Exec) -> bool {
    let first = exec.mask.first_lane();
    first == 0 || first & (exec.size.lanes() - 1) == 0 && end(exec) <= 32
}

rules! { lanes for Lanes;
    /// The lanes that size and mask select are among the 32 that there are.
    fn mask "exec-mask" (Error, ANY, "3_execution_model, Execution Mask") |l, c| {
        if end(l.exec) > 32 {
            c.fail(l.field, l.exec, "lanes up to 32");
        }
    }

    /// The first lane that the mask selects is a multiple of the execution size.
    fn aligned "exec-mask-aligned" (Error, ANY, "3_execution_model, Execution Mask") |l, c| {
        let (first, lanes) = (l.exec.mask.first_lane(), l.exec.size.lanes());
        if first & (lanes - 1) != 0 && end(l.exec) <= 32 {
            c.fail(l.field, l.exec, format_args!("a mask whose first lane is a multiple of {lanes}"));
        }
    }
}

rules! { predicates for Predicate;
    /// A predicate is declared.
    fn exists "predicate-exists" (Error, ANY, "5_operands, Predication") |p, c| {
        let Some(body) = c.body() else { return };
        if usize::from(p.pred.id().0) > body.predicates.len() {
            c.fail(p.field, p.pred.id(), "a predicate that is declared");
        }
    }

    /// P0 stands for no predicate: it is no operand, and it is neither combined nor inverted.
    // No reader minds, so it is a warning.
    fn zero "predicate-zero" (Warning, ANY, "4_visa_header, kernel_data") |p, c| {
        if p.pred.id() == PredId(0) && !(p.pred.is_none() && p.exec.is_some()) {
            c.fail(p.field, format_args!("P0 ({:#06x})", p.pred.bits()), "a predicate");
        }
    }

    /// The bits of a predicate are combined by none, any or all.
    fn combine "predicate-combine" (Error, ANY, "5_operands, Predication") |p, c| {
        if p.pred.control() > PredControl::ALL {
            c.fail(p.field, format_args!("control {}", p.pred.control()), "none, any or all");
        }
    }

    /// A predicate has a bit for each lane that it controls.
    // The reference does not look at it.
    fn width "predicate-width" (Warning, ANY, "5_operands, Predication") |p, c| {
        let (Some(body), Some(exec)) = (c.body(), p.exec) else { return };
        let Some(index) = p.pred.id().0.checked_sub(PredId::FIRST_DECLARED.0) else { return };
        let Some(declared) = body.predicates.get(usize::from(index)) else { return };
        if usize::from(declared.num_elements) < end(exec) {
            let bits = declared.num_elements;
            c.fail(p.field, format_args!("{bits} bits"), format_args!("at least {}", end(exec)));
        }
    }
}
