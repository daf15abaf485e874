//! Rules for LIFETIME (LIFETIME.md).

use super::rule::rules;
use crate::isa::Lifetime;
use crate::operand::{LifetimeClass, PredId};

rules! { rules for Lifetime;
    /// The variable of LIFETIME is a general variable, an address variable or a predicate.
    fn class "lifetime-class" (Refuses, ANY, "LIFETIME.md, Properties") |i, c| {
        // The reference checks two bits.
        if i.properties.class.bits() & 3 > LifetimeClass::PREDICATE.bits() {
            c.fail("properties", i.properties.class, "class general, address or predicate");
        }
    }

    /// The variable of LIFETIME is declared.
    fn variable "lifetime-variable" (Refuses, ANY, "LIFETIME.md, Variable") |i, c| {
        let Some(body) = c.body() else { return };
        let id = i.variable.0;
        let (first, len) = match i.properties.class {
            LifetimeClass::GENERAL => (0, body.variables.len().saturating_add(32)),
            LifetimeClass::ADDRESS => (0, body.addresses.len()),
            LifetimeClass::PREDICATE => {
                (u32::from(PredId::FIRST_DECLARED.0), body.predicates.len())
            }
            _ => return,
        };
        if id.checked_sub(first).is_none_or(|index| index as usize >= len) {
            let class = match i.properties.class {
                LifetimeClass::GENERAL => "variable `V",
                LifetimeClass::ADDRESS => "address variable `A",
                _ => "predicate `P",
            };
            c.report("variable", format_args!("{class}{id}` is not declared"));
        }
    }
}
