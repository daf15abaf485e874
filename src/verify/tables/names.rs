//! Rules for strings of the pool.

use crate::operand::StringId;
use crate::verify::rule::rules;

/// A field that refers to a string.
pub(super) struct StringUse {
    pub(super) field: &'static str,
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

/// Applies the rules to a name.
pub(super) fn check(named: &StringUse, cx: &mut crate::verify::context::Context<'_>) {
    strings::check(named, cx);
    names::check(named, cx);
}
