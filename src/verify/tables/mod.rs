//! Rules for the tables of a routine (4_visa_header).

mod attributes;
mod inputs;
mod names;
mod sizes;
mod variables;

use super::context::{Context, Location};
use super::rule::Rule;
use crate::isa::IdClass;
use crate::object::{Body, SimpleVariable};
use crate::operand::StringId;
use crate::verify::field::Field;
use attributes::AttributeOwner;
use names::{NAME, StringUse};

/// The rules of this module.
pub(super) static RULES: &[&[&Rule]] = &[
    names::strings::RULES,
    names::names::RULES,
    sizes::counts::RULES,
    sizes::function::RULES,
    sizes::addresses::RULES,
    sizes::predicates::RULES,
    sizes::samplers::RULES,
    sizes::surfaces::RULES,
    variables::variables::RULES,
    variables::aliases::RULES,
    inputs::inputs::RULES,
    inputs::overlaps::RULES,
    inputs::shared::RULES,
    attributes::attributes::RULES,
    attributes::unique::RULES,
    attributes::required::RULES,
];

/// Applies the rules to the routine's tables. `stack` is the sizes of a function's arguments and
/// result.
#[inline(never)]
pub(super) fn check(stack: Option<(u8, u8)>, cx: &mut Context<'_>) {
    let Some(body) = cx.body else { return };
    sizes::counts::check(
        &sizes::TableSizes { body, inputs: cx.routine.map_or(0, |routine| routine.inputs.len()) },
        cx,
    );
    names::check(&StringUse { field: NAME, id: body.name, most: 1023 }, cx);
    if let Some((input, result)) = stack {
        sizes::function::check(&sizes::FunctionSizes { input, result }, cx);
    }
    variables::check(body, cx);
    check_simple(&body.addresses, IdClass::Address, sizes::addresses::check, cx);
    check_simple(&body.predicates, IdClass::Predicate, sizes::predicates::check, cx);
    for (index, label) in body.labels.iter().enumerate() {
        cx.location = Location::Entry { table: IdClass::Label.name(), index };
        names::check(&StringUse { field: NAME, id: label.name, most: 1024 }, cx);
        attributes::check(&label.attributes, body, AttributeOwner::Entry, cx);
    }
    check_simple(&body.samplers, IdClass::Sampler, sizes::samplers::check, cx);
    check_simple(&body.surfaces, IdClass::Surface, sizes::surfaces::check, cx);
    inputs::check(body, cx);
    attributes::check_routine(body, stack.is_some(), cx);
    cx.location = Location::Routine;
}

/// Applies the rules to a table of simple variables.
fn check_simple(
    entries: &[SimpleVariable],
    class: IdClass,
    check_size: impl Fn(&SimpleVariable, &mut Context<'_>),
    cx: &mut Context<'_>,
) {
    let Some(body) = cx.body else { return };
    for (index, entry) in entries.iter().enumerate() {
        cx.location = Location::Entry { table: class.name(), index };
        names::check(&StringUse { field: NAME, id: entry.name, most: 64 }, cx);
        check_size(entry, cx);
        attributes::check(&entry.attributes, body, AttributeOwner::Entry, cx);
    }
}

/// Applies the rules to a string that an instruction refers to.
#[inline]
pub(super) fn check_string(field: Field, id: StringId, cx: &mut Context<'_>) {
    names::strings::check(&StringUse { field, id, most: usize::MAX }, cx);
}

/// Returns the bytes of a string of the pool.
fn string_bytes<'b>(body: &'b Body<'_>, id: StringId) -> Option<&'b [u8]> {
    body.strings.get(id.0 as usize).map(|name| name.as_bytes())
}
