//! Rules for what a routine declares (4_visa_header).

mod attributes;
mod inputs;
mod names;
mod sizes;
mod variables;

use super::context::{Context, Location};
use super::rule::Rule;
use crate::object::{Body, SimpleVariable};
use crate::operand::StringId;
use attributes::Holder;
use names::StringUse;

/// The rules of this folder.
pub(super) static RULES: &[&[&Rule]] = &[
    names::strings::RULES,
    names::names::RULES,
    sizes::counts::RULES,
    sizes::stack::RULES,
    sizes::addresses::RULES,
    sizes::predicates::RULES,
    sizes::samplers::RULES,
    sizes::surfaces::RULES,
    variables::variables::RULES,
    variables::aliases::RULES,
    inputs::inputs::RULES,
    inputs::overlaps::RULES,
    attributes::attributes::RULES,
    attributes::once::RULES,
    attributes::required::RULES,
];

/// Applies them to the routine's tables. `stack` holds a function's sizes.
#[inline(never)]
pub(super) fn check(stack: Option<(u8, u8)>, cx: &mut Context<'_>) {
    let Some(body) = cx.body else { return };
    sizes::counts::check(
        &sizes::Tables { body, inputs: cx.routine.map_or(0, |routine| routine.inputs.len()) },
        cx,
    );
    names::check(&StringUse { field: "name", id: body.name, most: 1023 }, cx);
    if let Some((input, result)) = stack {
        sizes::stack::check(&sizes::Stack { input, result }, cx);
    }
    variables::check(body, cx);
    simple(&body.addresses, "address", sizes::addresses::check, cx);
    simple(&body.predicates, "predicate", sizes::predicates::check, cx);
    for (index, label) in body.labels.iter().enumerate() {
        cx.location = Location::Entry { table: "label", index };
        names::check(&StringUse { field: "name", id: label.name, most: 1024 }, cx);
        attributes::check(&label.attributes, body, Holder::Entry, cx);
    }
    simple(&body.samplers, "sampler", sizes::samplers::check, cx);
    simple(&body.surfaces, "surface", sizes::surfaces::check, cx);
    inputs::check(body, cx);
    attributes::check_routine(body, stack.is_some(), cx);
    cx.location = Location::Routine;
}

/// The rules for a table of simple variables.
fn simple(
    entries: &[SimpleVariable],
    table: &'static str,
    size: fn(&SimpleVariable, &mut Context<'_>),
    cx: &mut Context<'_>,
) {
    let Some(body) = cx.body else { return };
    for (index, entry) in entries.iter().enumerate() {
        cx.location = Location::Entry { table, index };
        names::check(&StringUse { field: "name", id: entry.name, most: 64 }, cx);
        size(entry, cx);
        attributes::check(&entry.attributes, body, Holder::Entry, cx);
    }
}

/// Applies the rules for strings that instructions name.
#[inline]
pub(super) fn string(field: &'static str, id: StringId, cx: &mut Context<'_>) {
    names::strings::check(&StringUse { field, id, most: usize::MAX }, cx);
}

/// A string of the pool.
fn text<'b>(body: &'b Body<'_>, id: StringId) -> Option<&'b [u8]> {
    body.strings.get(id.0 as usize).map(|name| name.as_bytes())
}
