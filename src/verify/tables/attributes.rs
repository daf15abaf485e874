//! Rules for attributes.

use super::names::{self, NAME, StringUse};
use super::string_bytes;
use crate::error::RoutineKind;
use crate::format::Format;
use crate::object::{Attribute, AttributeKind, Body};
use crate::verify::Finding;
use crate::verify::context::{Context, Location, RuleContext};
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// The owner of attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeOwner {
    /// The routine.
    Routine,
    /// An entry of a table.
    Entry,
}

/// An attribute with its name.
pub(super) struct NamedAttribute<'b> {
    field: Field,
    attribute: &'b Attribute,
    name: &'b [u8],
    kind: Option<AttributeKind>,
}

/// An attribute that a routine may have only once.
pub(super) struct UniqueAttribute<'b> {
    name: &'b [u8],
    /// Whether an earlier attribute has the same name.
    is_repeated: bool,
}

/// The attributes that a function requires.
pub(super) struct RequiredAttributes {
    is_function: bool,
    has_arg_size: bool,
    has_ret_val_size: bool,
}

/// Returns a name as text, or at least as much of its beginning as is shown.
fn printable(name: &[u8]) -> core::slice::EscapeAscii<'_> {
    name.get(..=Finding::LONGEST_TEXT).unwrap_or(name).escape_ascii()
}

impl NamedAttribute<'_> {
    #[cold]
    fn report_unknown(&self, c: &mut RuleContext<'_, '_>) {
        // The entry of a routine's attribute has the name already.
        if self.field == Field::WHOLE {
            c.report(self.field, "unknown attribute");
        } else {
            c.report(self.field, format_args!("unknown attribute `{}`", printable(self.name)));
        }
    }
}

rules! { attributes for NamedAttribute<'_>;
    /// The name of an attribute is known.
    // Readers of binary files ignore unknown attributes.
    fn known "attr-known" (Accepts (Warning in Manual), ANY, "4_visa_header, Attributes") |a, c| {
        if a.kind.is_none() && c.format() != Format::V4_2 {
            a.report_unknown(c);
        }
    }

    /// In 4.2, the name of an attribute is known.
    fn text "attr-known-in-text" (Crashes, ANY, "IGC") |a, c| {
        if a.kind.is_none() && c.format() == Format::V4_2 {
            a.report_unknown(c);
        }
    }

    /// In 4.2, the number of registers of a kernel, NumGRF, is one that the platform has: 128, and
    /// since XeHP_SDV 256; since Xe3 a multiple of 32 up to 256, except 224, and since Xe3P 512. 0
    /// lets the compiler choose.
    fn registers "attr-num-grf" (Refuses, ANY, "IGC") |a, c| {
        if a.name != b"NumGRF" || c.format() != Format::V4_2 {
            return;
        }
        let Some(count) = a.attribute.as_integer() else { return };
        let is_legal = match count {
            0 | 128 => true,
            256 => !c.is_on(before(XeHpSdv)),
            32 | 64 | 96 | 160 | 192 => c.is_on(since(Xe3)) || c.platform().is_none(),
            320 | 448 => c.is_on(since(Xe3p)) || c.platform().is_none(),
            512 => c.is_on(since(Xe3pCri)) || c.platform().is_none(),
            _ => false,
        };
        if !is_legal {
            c.fail(a.field, count, "a number of registers of the platform for `NumGRF`");
        }
    }

    /// In 4.2, a kernel is not Callable.
    fn callable "attr-callable" (Crashes, ANY, "IGC") |a, c| {
        let is_kernel =
            c.cx.routine.is_some_and(|routine| routine.kind == RoutineKind::Kernel);
        let is_set = a.attribute.as_integer() != Some(0);
        if a.name == b"Callable" && is_set && is_kernel && c.format() == Format::V4_2 {
            c.report(a.field, "a kernel cannot be `Callable`");
        }
    }

    /// The value of an integer attribute has 0, 1, 2 or 4 bytes.
    fn size "attr-size" (Accepts (Warning in Manual), ANY, "4_visa_header, Attributes") |a, c| {
        let is_integer = matches!(a.kind, Some(AttributeKind::Integer | AttributeKind::Bool));
        if is_integer && a.attribute.as_integer().is_none() {
            let size = a.attribute.value.len();
            let name = printable(a.name);
            c.fail(a.field, size, format_args!("0, 1, 2 or 4 bytes for `{name}`"));
        }
    }

    /// In 4.2, the target has a value: 0 (`cm`), 1 (`3d`) or 2.
    fn target "attr-target" (Refuses, ANY, "IGC") |a, c| {
        let value = a.attribute.as_integer().filter(|_| !a.attribute.value.is_empty());
        let is_checked = a.name == b"Target" && c.format() == Format::V4_2;
        if is_checked && !matches!(value, Some(0..=2)) {
            match value {
                Some(value) => c.fail(a.field, value, "0, 1 or 2 for `Target`"),
                None => {
                    let is_empty = a.attribute.value.is_empty();
                    let found = if is_empty { "no value" } else { "a string" };
                    c.fail(a.field, found, "0, 1 or 2 for `Target`");
                }
            }
        }
    }

    /// The value of an attribute is one that its description lists.
    fn value "attr-value" (Accepts (Warning in Manual), ANY, "4_visa_header, Kernel") |a, c| {
        if a.name == b"OutputAsmPath" || a.name == b"AsmName" {
            // Long names are an error of encoding.
            return;
        }
        let Some(value) = a.attribute.as_integer() else { return };
        let grf = c.grf() as i32;
        let (is_legal, expected) = match a.name {
            b"Target" if c.format() != Format::V4_2 => (matches!(value, 0..=2), "0, 1 or 2"),
            b"SimdSize" => (matches!(value, 0 | 8 | 16 | 32), "8, 16 or 32"),
            b"SLMSize" => (matches!(value, 0..=64), "0 to 64"),
            b"SpillMemOffset" => (value % grf == 0, "a multiple of the register size"),
            b"ArgSize" => (matches!(value, 0..=32), "0 to 32"),
            b"RetValSize" => (matches!(value, 0..=12), "0 to 12"),
            b"Scope" => (matches!(value, 0 | 1), "0 or 1"),
            _ => return,
        };
        if !is_legal {
            let name = printable(a.name);
            c.fail(a.field, value, format_args!("{expected} for `{name}`"));
        }
    }
}

rules! { unique for UniqueAttribute<'_>;
    /// A routine has at most one SLMSize and one NBarrierCnt.
    fn repeated "attr-once" (Refuses, ANY, "IGC") |u, c| {
        if u.is_repeated {
            c.report(Field::of_declaration("name"), format_args!("repeated attribute `{}`", printable(u.name)));
        }
    }
}

rules! { required for RequiredAttributes;
    /// A function has the attributes ArgSize and RetValSize.
    // The function's entry in the file has the numbers too, and readers use those.
    fn function "attr-function-required" (Accepts (Warning in Manual), ANY, "4_visa_header, Kernel")
    |r, c| {
        if r.is_function && !(r.has_arg_size && r.has_ret_val_size) {
            let missing = if r.has_arg_size { "RetValSize" } else { "ArgSize" };
            c.report(Field::WHOLE, format_args!("the function has no attribute `{missing}`"));
        }
    }
}

/// Applies the rules to attributes. If a table entry has them, the location already is the entry.
#[inline(always)]
pub(super) fn check(
    attributes: &[Attribute],
    body: &Body<'_>,
    owner: AttributeOwner,
    cx: &mut Context<'_>,
) {
    // Almost no entry has attributes.
    if !attributes.is_empty() {
        check_all(attributes, body, owner, cx);
    }
}

#[inline(never)]
fn check_all(
    attributes: &[Attribute],
    body: &Body<'_>,
    owner: AttributeOwner,
    cx: &mut Context<'_>,
) {
    for (index, attribute) in attributes.iter().enumerate() {
        let field = match owner {
            AttributeOwner::Entry => Field::of_declaration("attribute"),
            AttributeOwner::Routine => {
                cx.location = Location::Entry { table: "attribute", index };
                Field::WHOLE
            }
        };
        let name_field = if field == Field::WHOLE { NAME } else { field };
        names::check(&StringUse { field: name_field, id: attribute.name, most: 64 }, cx);
        let Some(name) = string_bytes(body, attribute.name) else { continue };
        let kind = AttributeKind::of(name);
        attributes::check(&NamedAttribute { field, attribute, name, kind }, cx);
    }
}

/// Applies the rules to the attributes of the routine.
pub(super) fn check_routine(body: &Body<'_>, is_function: bool, cx: &mut Context<'_>) {
    check(&body.attributes, body, AttributeOwner::Routine, cx);
    let (mut has_slm_size, mut has_barrier_count) = (false, false);
    let (mut has_arg_size, mut has_ret_val_size) = (false, false);
    for (index, attribute) in body.attributes.iter().enumerate() {
        cx.location = Location::Entry { table: "attribute", index };
        let Some(name) = string_bytes(body, attribute.name) else { continue };
        let is_repeated = match name {
            b"SLMSize" => core::mem::replace(&mut has_slm_size, true),
            b"NBarrierCnt" => core::mem::replace(&mut has_barrier_count, true),
            b"ArgSize" => {
                has_arg_size = true;
                false
            }
            b"RetValSize" => {
                has_ret_val_size = true;
                false
            }
            _ => false,
        };
        unique::check(&UniqueAttribute { name, is_repeated }, cx);
    }
    cx.location = Location::Routine;
    required::check(&RequiredAttributes { is_function, has_arg_size, has_ret_val_size }, cx);
}
