//! Rules for strings of the pool.

use crate::object::{Body, Name};
use crate::operand::StringId;
use crate::verify::context::Context;
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// The field of an entry or a routine with its name.
pub(super) const NAME: Field = Field::of_declaration("name");

/// A field that refers to a string.
pub(super) struct StringUse {
    pub(super) field: Field,
    pub(super) id: StringId,
    /// The maximum length of the string in bytes.
    pub(super) most: usize,
}

rules! { strings for StringUse;
    /// String ids are indices of the pool. Id 0 means no string.
    fn index "string-index" (RefusedIn2022, ANY, "4_visa_header, String Pool") |n, c| {
        let Some(body) = c.body() else { return };
        let count = body.strings.len();
        if n.id.0 as usize >= count && n.id.0 != 0 {
            c.report(n.field, format_args!("{} is not in the string pool", n.id));
        }
    }
}

rules! { names for StringUse;
    /// The names of variables and attributes have at most 64 bytes, of labels 1024, of routines
    /// 1023.
    // Readers accept longer names.
    fn length "name-length" (Accepts (Warning in Manual), ANY, "4_visa_header, String Pool")
    |n, c| {
        let Some(body) = c.body() else { return };
        let Some(name) = body.strings.get(n.id.0 as usize) else { return };
        if name.len() > n.most {
            c.fail(n.field, name.len(), format_args!("at most {} bytes", n.most));
        }
    }
}

/// Returns whether a name certainly satisfies every rule. `most` is its maximum length.
#[inline(always)]
pub(super) fn is_known_legal(
    id: StringId,
    most: usize,
    body: &Body<'_>,
    has_manual_rules: bool,
) -> bool {
    let is_short = |name: &Name| name.len() <= most;
    body.strings.get(id.0 as usize).is_some_and(|name| !has_manual_rules || is_short(name))
}

/// Applies the rules to a name.
pub(super) fn check(named: &StringUse, cx: &mut Context<'_>) {
    strings::check(named, cx);
    names::check(named, cx);
}
