//! Rules for execution sizes, execution masks and predicates.

use alloc::string::String;

use crate::operand::{Exec, ExecMask, ExecSize, Pred, PredControl, PredId};
use crate::verify::context::RuleContext;
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// The execution size and mask of an instruction.
pub(super) struct ExecLanes {
    pub(super) field: Field,
    pub(super) exec: Exec,
}

/// A predicate.
pub(super) struct PredicateUse {
    pub(super) field: Field,
    pub(super) pred: Pred,
    pub(super) is_operand: bool,
    /// The lanes whose elements are used; `None` if the predicate is moved as a whole.
    pub(super) exec: Option<Exec>,
}

/// Returns the number of the lane after the last one.
pub(super) fn end_lane(exec: Exec) -> usize {
    exec.mask.first_lane() + exec.size.lanes()
}

/// The lanes among which a mask selects the first one since PVC.
const OCTET: usize = 8;

/// The masks that satisfy every rule, with one bit per code, indexed by the execution size.
static LEGAL_MASKS: [u32; ExecSize::ALL.len()] = {
    let mut legal = [0; ExecSize::ALL.len()];
    let mut size = 0;
    while size < legal.len() {
        let mut bits = 0;
        while bits < 16 {
            if let Some(mask) = ExecMask::from_bits(bits) {
                let (first, lanes) = (mask.first_lane(), 1 << size);
                if first == 0 || first % lanes == 0 && first % OCTET == 0 && first + lanes <= 32 {
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

/// Returns the lanes that IGC compiles since PVC if the first lane is not a multiple of eight.
fn compiled_since_pvc(exec: Exec) -> Option<Exec> {
    let mask = if exec.mask.is_no_mask() { ExecMask::M1_NM } else { ExecMask::M1 };
    let is_changed = exec.mask.first_lane() % OCTET != 0 && exec.size.lanes() < OCTET;
    is_changed.then_some(Exec { mask, ..exec })
}

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
    fn aligned "exec-mask-aligned" (Changes, ANY, "3_execution_model, Execution Mask; IGC") |l, c| {
        let (first, lanes) = (l.exec.mask.first_lane(), l.exec.size.lanes());
        if first & (lanes - 1) != 0 && end_lane(l.exec) <= 32 {
            let expected = alloc::format!("a mask whose first lane is a multiple of {lanes}");
            let becomes = Exec { mask: ExecMask::M1, ..l.exec };
            c.fail_changed(l.field, l.exec, expected, becomes);
        }
    }

    // Without a predicate, `_NM` runs all lanes, whatever the first one is.
    /// Since PVC, the first lane that the mask selects is a multiple of eight.
    fn octet "exec-mask-octet" (Changes, since(PvcSdv), "IGC") |l, c| {
        if let (false, Some(becomes)) = (l.exec.mask.is_no_mask(), compiled_since_pvc(l.exec)) {
            c.fail_changed(l.field, l.exec, "a mask whose first lane is a multiple of 8", becomes);
        }
    }
}

rules! { predicates for PredicateUse;
    /// Since PVC, the first lane that a predicate with mask `_NM` controls is a multiple of eight.
    fn octet "predicate-octet" (Changes, since(PvcSdv), "IGC") |p, c| {
        let Some(exec) = p.exec.filter(|exec| exec.mask.is_no_mask()) else { return };
        if let Some(becomes) = compiled_since_pvc(exec) {
            let expected = "lanes from a multiple of 8 on";
            c.fail_changed(p.field, exec, expected, becomes);
        }
    }

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
        if p.pred.id() == PredId(0) && (p.is_operand || !p.pred.is_none()) {
            c.fail(p.field, format_args!("P0 ({:#06x})", p.pred.bits()), "a declared predicate");
        }
    }

    /// The control of a predicate is none, any or all.
    fn combine "predicate-combine" (Accepts, ANY, "5_operands, Predication") |p, c| {
        if p.pred.control() > PredControl::ALL {
            c.fail(p.field, p.pred.control(), "control none, any or all");
        }
    }

    // A flag register has 16 bits.
    /// A predicate that is used for lanes after the first 16 has 32 elements. Otherwise, the next flag is
    /// read or written.
    fn width "predicate-width" (Miscompiles, ANY, "5_operands, Predication") |p, c| {
        let Some((elements, lanes)) = elements_and_lanes(p, c) else { return };
        if lanes > 16 && elements <= 16 {
            let found = found_elements(p, elements, c);
            c.fail(p.field, found, "32 elements (IGC also uses those of another predicate)");
        }
    }

    // IGC takes a write of as many lanes as the predicate has elements for a write of all lanes.
    /// A predicate has an element for each lane that it is used for. Otherwise, values of the other lanes
    /// may be lost, and before PVC, controls any and all ignore these lanes.
    fn lanes "predicate-lanes" (Miscompiles, ANY, "5_operands, Predication") |p, c| {
        let Some((elements, lanes)) = elements_and_lanes(p, c) else { return };
        if lanes <= 16 && elements < lanes {
            let effect = if p.pred.control() != PredControl::NONE && !c.is_on(since(PvcSdv)) {
                "before PVC, IGC ignores"
            } else {
                "IGC may lose the values of"
            };
            let found = found_elements(p, elements, c);
            let expected = alloc::format!(
                "at least {lanes} elements ({effect} lanes after the first {elements})"
            );
            c.fail(p.field, found, expected);
        }
    }
}

/// Returns the number of elements of a predicate, and the number of lanes that it is used for.
fn elements_and_lanes(p: &PredicateUse, c: &RuleContext<'_, '_>) -> Option<(usize, usize)> {
    let index = p.pred.id().0.checked_sub(PredId::FIRST_DECLARED.0)?;
    let elements = c.body()?.predicates.get(usize::from(index))?.num_elements;
    // `pred-elements` is about other numbers.
    elements.is_power_of_two().then_some((elements.into(), end_lane(p.exec?)))
}

/// Describes the elements of a predicate.
#[cold]
fn found_elements(p: &PredicateUse, elements: usize, c: &RuleContext<'_, '_>) -> String {
    alloc::format!("{elements} in {}", c.name(p.pred.id()))
}
