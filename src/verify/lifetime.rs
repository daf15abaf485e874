//! Rules for LIFETIME (LIFETIME.md).

use super::rule::rules;
use crate::isa::{IdClass, Lifetime};
use crate::operand::LifetimeClass;
use crate::verify::field::field;

rules! { rules for Lifetime;
    /// The variable of LIFETIME is a general variable, an address variable or a predicate.
    fn class "lifetime-class" (Refuses, ANY, "LIFETIME.md, Properties") |i, c| {
        // The verifier of the compiler ignores bits 6 and 7, but its reader does not.
        if i.properties.class > LifetimeClass::PREDICATE {
            c.fail(field!(Lifetime.properties), i.properties.class, "class general, address or predicate");
        }
    }

    /// The variable of LIFETIME is declared.
    fn variable "lifetime-variable" (Refuses, ANY, "LIFETIME.md, Variable") |i, c| {
        let Some(body) = c.body() else { return };
        if i.properties.class > LifetimeClass::PREDICATE {
            return;
        }
        let id = i.id();
        let (what, is_known) = match id.class {
            IdClass::Variable => ("variable", id.is_predefined()),
            IdClass::Address => ("address variable", false),
            _ => ("predicate", false),
        };
        if !is_known && !body.declares(id) {
            let (letter, number) = (id.class.letter(), id.number);
            c.report(field!(Lifetime.variable), format_args!("{what} `{letter}{number}` is not declared"));
        }
    }
}
