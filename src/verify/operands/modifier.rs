//! Rules for the modifiers of vector operands.

use super::Operand;
use crate::isa::Kind;
use crate::operand::{Modifier, VectorKind};
use crate::verify::rule::rules;

/// Returns whether operands of this class can have a modifier.
fn has_modifier(o: &Operand<'_>) -> bool {
    matches!(o.operand.kind, VectorKind::General { .. } | VectorKind::Indirect { .. })
}

rules! { modifiers for Operand<'_>;
    /// Only general and indirect operands have modifiers.
    fn class "operand-modifier-class" (Accepts, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier != Modifier::NONE && !has_modifier(o) {
            c.fail(o.field, o.operand.modifier, "no modifier");
        }
    }

    /// Logic instructions have none of the modifiers abs, neg and neg_abs, except shifts and
    /// rotations.
    fn arith "src-modifier-arith" (Refuses, ANY, "5_operands, Vector Operands") |o, c| {
        let modifier = o.operand.modifier;
        let is_sign = matches!(modifier, Modifier::ABS | Modifier::NEG | Modifier::NEG_ABS);
        if is_sign && has_modifier(o) && o.kind == Kind::Logic && !o.is_shift {
            c.fail(o.field, modifier, "modifier not, or none");
        }
    }

    // IGC accepts them.
    /// In dialect Manual, operands of messages have none of the modifiers abs, neg, neg_abs and
    /// sat.
    fn message "message-modifier" (Accepts, ANY, "5_operands, Vector Operands") |o, c| {
        let modifier = o.operand.modifier;
        let is_arith = Modifier::NONE < modifier && modifier < Modifier::NOT;
        let is_checked = c.format().is_manual() && !o.kind.is_arithmetic();
        if is_checked && is_arith && has_modifier(o) {
            c.fail(o.field, modifier, "no modifier");
        }
    }

    /// Only logic instructions have the modifier not.
    fn logic "src-modifier-logic" (Refuses, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier == Modifier::NOT && has_modifier(o) && o.kind != Kind::Logic {
            c.report(o.field, "only logic instructions have the modifier not");
        }
    }

    /// Modifiers are encoded as 0 to 5.
    fn known "modifier-known" (Accepts, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier > Modifier::NOT && has_modifier(o) {
            c.fail(o.field, o.operand.modifier, "modifier 0 to 5");
        }
    }
}
