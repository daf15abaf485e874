//! Rules for the predicate of INVM and RSQTM.

use super::operand_set::*;
use crate::operand::{Pred, Vector};
use crate::verify::field::field;
use crate::verify::rule::rules;

/// The operand of INVM or RSQTM for the lanes whose result is final, and the predicate.
pub(super) struct EarlyOut<'o>(pub(super) &'o Vector, pub(super) Pred);

rules! { early_out for EarlyOut<'_>;
    /// The early-out operand of INVM and RSQTM is a predicate.
    fn class "early-out-class" (Refuses, ANY, "IGC") |e, c| {
        let class = OperandSet::class(e.0);
        // `imm-dst` rejects an immediate for every instruction.
        if class != PREDICATE && class != IMMEDIATE {
            c.fail(field!(Invm.early_out), class, "a predicate");
        }
    }

    /// INVM and RSQTM are not predicated.
    fn predicate "early-out-predicate" (Miscompiles, ANY, "IGC") |e, c| {
        if !e.1.is_none() {
            let name = c.name(e.1.id());
            c.fail_changed(field!(Invm.pred), name, "no predicate", "no predicate");
        }
    }
}
