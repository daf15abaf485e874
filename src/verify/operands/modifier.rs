//! Rules for the modifiers of vector operands.

use super::Operand;
use crate::isa::Kind;
use crate::operand::{Modifier, VectorKind};
use crate::verify::rule::rules;

/// Whether the class of an operand has modifiers.
fn has_modifier(o: &Operand<'_>) -> bool {
    matches!(o.operand.kind, VectorKind::General { .. } | VectorKind::Indirect { .. })
}

rules! { modifiers for Operand<'_>;
    /// Only general and indirect operands have a modifier.
    fn class "operand-modifier-class" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier != Modifier::NONE && !has_modifier(o) {
            c.fail(o.field, format_args!("modifier {}", o.operand.modifier), "none");
        }
    }

    /// The modifiers abs, neg, neg_abs and sat stand with logic only in shifts and rotations.
    fn arith "src-modifier-arith" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        let modifier = o.operand.modifier;
        let is_arith = Modifier::NONE < modifier && modifier < Modifier::NOT;
        if is_arith && has_modifier(o) && o.kind == Kind::Logic && !o.shifts {
            c.fail(o.field, format_args!("modifier {modifier}"), "not, the only one of logic");
        }
    }

    // The reference accepts them.
    /// In dialect Manual, the modifiers abs, neg, neg_abs and sat are used in arithmetic, shifts and
    /// moves only, not in messages.
    fn message "message-modifier" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        let modifier = o.operand.modifier;
        let is_arith = Modifier::NONE < modifier && modifier < Modifier::NOT;
        let is_checked = c.format().is_manual() && !o.kind.is_arithmetic();
        if is_checked && is_arith && has_modifier(o) {
            c.fail(o.field, format_args!("modifier {modifier}"), "none");
        }
    }

    /// The modifier not stands with logic only.
    fn logic "src-modifier-logic" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier == Modifier::NOT && has_modifier(o) && o.kind != Kind::Logic {
            c.fail(o.field, "modifier not", "one of arithmetic");
        }
    }

    /// A modifier is one of the six that have a meaning.
    fn known "modifier-known" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        if o.operand.modifier > Modifier::NOT && has_modifier(o) {
            c.fail(o.field, format_args!("modifier {}", o.operand.modifier), "0 to 5");
        }
    }
}
