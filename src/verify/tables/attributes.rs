//! Rules for attributes.

use super::names::{self, StringUse};
use super::text;
use crate::object::{Attribute, AttributeKind, Body};
use crate::verify::Finding;
use crate::verify::context::{Context, Location};
use crate::verify::rule::rules;

/// What has an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// The routine.
    Routine,
    /// An entry of a table.
    Entry,
}

/// An attribute with its name.
pub(super) struct Value<'b> {
    field: &'static str,
    attribute: &'b Attribute,
    name: &'b [u8],
    kind: Option<AttributeKind>,
}

/// The attributes of a routine that may be there once.
pub(super) struct Repeated<'b> {
    name: &'b [u8],
    /// Whether the routine has it already.
    again: bool,
}

/// Which of the attributes that functions need a routine has.
pub(super) struct Required {
    is_function: bool,
    has_arguments: bool,
    has_result: bool,
}

/// The name as text, or more of its beginning than is shown.
fn shown(name: &[u8]) -> core::slice::EscapeAscii<'_> {
    name.get(..=Finding::LONGEST_TEXT).unwrap_or(name).escape_ascii()
}

rules! { attributes for Value<'_>;
    /// Readers know an attribute.
    // They pass over others.
    fn known "attr-known" (Warning, ANY, "4_visa_header, Attributes") |a, c| {
        if a.kind.is_none() {
            c.fail(a.field, format_args!("`{}`", shown(a.name)), "an attribute that readers know");
        }
    }

    /// The value of an integer attribute takes 0, 1, 2 or 4 bytes.
    // The reference lets it pass.
    fn size "attr-size" (Warning, ANY, "4_visa_header, Attributes") |a, c| {
        let is_integer = matches!(a.kind, Some(AttributeKind::Integer | AttributeKind::Bool));
        if is_integer && a.attribute.as_integer().is_none() {
            let size = a.attribute.value.len();
            c.fail(a.field, format_args!("{size} bytes of {}", shown(a.name)), "0, 1, 2 or 4");
        }
    }

    /// The value of an attribute is one of those that its description lists.
    // The finalizer does not verify them.
    fn value "attr-value" (Warning, ANY, "4_visa_header, Kernel") |a, c| {
        if a.name == b"OutputAsmPath" || a.name == b"AsmName" {
            // Longer ones have no binary form.
            return;
        }
        let Some(value) = a.attribute.as_integer() else { return };
        let grf = c.grf() as i32;
        let (is_legal, expected) = match a.name {
            b"Target" => (matches!(value, 0..=2), "0, 1 or 2"),
            b"SimdSize" => (matches!(value, 0 | 8 | 16 | 32), "8, 16 or 32"),
            b"SLMSize" => (matches!(value, 0..=64), "0 to 64"),
            b"SpillMemOffset" => (value % grf == 0, "a multiple of a register's size"),
            b"ArgSize" => (matches!(value, 0..=32), "0 to 32"),
            b"RetValSize" => (matches!(value, 0..=12), "0 to 12"),
            b"Scope" => (matches!(value, 0 | 1), "0 or 1"),
            _ => return,
        };
        if !is_legal {
            c.fail(a.field, format_args!("{} {value}", shown(a.name)), expected);
        }
    }
}

rules! { once for Repeated<'_>;
    /// A routine has SLMSize and NBarrierCnt at most once.
    fn repeated "attr-once" (Error, ANY, "reference") |r, c| {
        if r.again {
            c.fail("name", format_args!("{} again", shown(r.name)), "once");
        }
    }
}

rules! { required for Required;
    /// A function has the attributes ArgSize and RetValSize.
    // The function itself has the numbers too, and readers take those.
    fn function "attr-function-required" (Warning, ANY, "4_visa_header, Kernel") |r, c| {
        if r.is_function && !(r.has_arguments && r.has_result) {
            let missing = if r.has_arguments { "RetValSize" } else { "ArgSize" };
            c.fail("", format_args!("a function without {missing}"), "with ArgSize and RetValSize");
        }
    }
}

/// Applies the rules to attributes; the place is that of what has them.
#[inline]
pub(super) fn check(
    attributes: &[Attribute],
    body: &Body<'_>,
    holder: Holder,
    cx: &mut Context<'_>,
) {
    for (index, attribute) in attributes.iter().enumerate() {
        let field = match holder {
            Holder::Entry => "attribute",
            Holder::Routine => {
                cx.location = Location::Entry { table: "attribute", index };
                ""
            }
        };
        let named = if field.is_empty() { "name" } else { field };
        names::check(&StringUse { field: named, id: attribute.name, most: 64 }, cx);
        let Some(name) = text(body, attribute.name) else { continue };
        let kind = AttributeKind::of(name);
        attributes::check(&Value { field, attribute, name, kind }, cx);
    }
}

/// Applies the rules to the attributes of the routine.
pub(super) fn check_routine(body: &Body<'_>, is_function: bool, cx: &mut Context<'_>) {
    check(&body.attributes, body, Holder::Routine, cx);
    let (mut slm, mut barriers) = (false, false);
    let (mut has_arguments, mut has_result) = (false, false);
    for (index, attribute) in body.attributes.iter().enumerate() {
        cx.location = Location::Entry { table: "attribute", index };
        let Some(name) = text(body, attribute.name) else { continue };
        let again = match name {
            b"SLMSize" => core::mem::replace(&mut slm, true),
            b"NBarrierCnt" => core::mem::replace(&mut barriers, true),
            b"ArgSize" => {
                has_arguments = true;
                false
            }
            b"RetValSize" => {
                has_result = true;
                false
            }
            _ => false,
        };
        once::check(&Repeated { name, again }, cx);
    }
    cx.location = Location::Routine;
    required::check(&Required { is_function, has_arguments, has_result }, cx);
}
