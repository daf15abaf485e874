//! Rules for the strings of the pool.

use crate::operand::StringId;
use crate::verify::rule::rules;

/// A string that something names.
pub(super) struct StringUse {
    pub(super) field: &'static str,
    pub(super) id: StringId,
    /// The most bytes that it may have.
    pub(super) most: usize,
}

rules! { strings for StringUse;
    /// A string that is named is in the pool; the first one stands for none.
    fn index "string-index" (Error, ANY, "4_visa_header, String Pool") |n, c| {
        let Some(body) = c.body() else { return };
        let count = body.strings.len();
        if n.id.0 as usize >= count && n.id.0 != 0 {
            c.fail(n.field, n.id, format_args!("one of the {count} of the pool"));
        }
    }
}

rules! { names for StringUse;
    /// The names of variables and attributes take at most 64 bytes, of labels 1024, of routines 1023.
    // Readers take longer ones.
    fn length "name-length" (Warning, ANY, "4_visa_header, String Pool") |n, c| {
        let Some(name) = c.body().and_then(|body| body.strings.get(n.id.0 as usize)) else { return };
        if name.len() > n.most {
            c.fail(
                n.field,
                format_args!("{} bytes", name.len()),
                format_args!("at most {}", n.most),
            );
        }
    }
}

/// Applies both to a name.
pub(super) fn check(named: &StringUse, cx: &mut crate::verify::context::Context<'_>) {
    strings::check(named, cx);
    names::check(named, cx);
}
