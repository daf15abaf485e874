//! Rules for what is set when a kernel starts.

use alloc::vec::Vec;

use crate::format::Version;
use crate::object::{Body, Code, Input, InputClass, Variable};
use crate::operand::{SurfaceId, VarId};
use crate::verify::context::{Context, Location, size_of_variable};
use crate::verify::rule::rules;

/// An input in its place.
pub(super) struct Entry<'b> {
    input: &'b Input,
    /// The variable, if it is a general one that is declared.
    variable: Option<&'b Variable>,
    /// How many elements the surface has, if it is one that is declared.
    surface_elements: Option<u16>,
    /// Whether an input before it is implicit.
    follows_implicit: bool,
}

/// An input behind those that begin before it.
pub(super) struct Meeting<'b> {
    input: &'b Input,
    /// Where the one of them that ends last ends.
    end: i64,
    /// And which that is.
    other: usize,
}

fn start(input: &Input) -> i64 {
    input.offset.into()
}

fn end(input: &Input) -> i64 {
    start(input) + i64::from(input.size)
}

rules! { inputs for Entry<'_>;
    /// An input is a general variable, a sampler or a surface.
    fn class "input-class" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let class = e.input.kind.class();
        if class > InputClass::SURFACE {
            c.fail("kind", class, "general, sampler or surface");
        }
    }

    /// An input is a variable, sampler or surface that the kernel declares.
    // A stripped kernel keeps its inputs and declares nothing.
    fn index "input-index" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let Some(body) = c.body() else { return };
        if matches!(body.code, Code::Stripped { .. }) {
            return;
        }
        let class = e.input.kind.class();
        let (first, count) = match class {
            InputClass::GENERAL => (VarId::FIRST_DECLARED.0, body.variables.len()),
            InputClass::SAMPLER => (0, body.samplers.len()),
            InputClass::SURFACE => (SurfaceId::FIRST_DECLARED.0.into(), body.surfaces.len()),
            _ => return,
        };
        let index = e.input.index.checked_sub(first);
        if index.is_none_or(|index| index as usize >= count) {
            c.fail("index", format_args!("{class} {}", e.input.index), "one that is declared");
        }
    }

    /// The size of an input is that of its variable, of a surface four bytes for each element.
    fn size "input-size" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let surface = e.surface_elements.map(|elements| i64::from(elements) * 4);
        let Some(size) = e.variable.map(size_of_variable).or(surface) else { return };
        if i64::from(e.input.size) != size {
            c.fail("size", e.input.size, size);
        }
    }

    /// An input ends before the last of the 256 registers begins.
    fn bounds "input-bounds" (Error, ANY, "reference") |e, c| {
        let most = 255 * c.grf();
        if start(e.input) < 0 || end(e.input) >= most {
            let (start, end) = (start(e.input), end(e.input));
            c.fail(
                "offset",
                format_args!("bytes {start} to {}", end - 1),
                format_args!("within the first {}", most - 1),
            );
        }
    }

    /// A general input that is smaller than a register lies in one.
    fn straddle "input-straddle" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let (grf, start, end) = (c.grf(), start(e.input), end(e.input));
        let is_small = end > start && end - start < grf && start >= 0;
        if is_small && e.variable.is_some() && start / grf != (end - 1) / grf {
            c.fail("offset", format_args!("bytes {start} to {}", end - 1), "in one register");
        }
    }

    /// An input of a register or more begins at one; smaller ones are aligned to their type,
    /// samplers and surfaces to four bytes.
    fn aligned "input-aligned" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let align = match (e.input.kind.class(), e.variable) {
            (InputClass::SAMPLER | InputClass::SURFACE, _) => 4,
            (_, Some(variable)) if size_of_variable(variable) >= c.grf() => c.grf(),
            (_, Some(variable)) => variable.ty.size() as i64,
            _ => 1,
        };
        if start(e.input) % align != 0 {
            c.fail("offset", start(e.input), format_args!("a multiple of {align}"));
        }
    }

    /// An input has storage of its own.
    fn alias "input-alias" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let alias = e.variable.map(|variable| variable.alias);
        if let Some(alias) = alias.filter(|alias| *alias != VarId::NULL) {
            c.fail("index", format_args!("an alias of {alias}"), "a variable of its own");
        }
    }

    /// Inputs that the caller supplies come before those that the runtime adds.
    fn order "input-implicit-order" (Error, ANY, "4_visa_header, input_info") |e, c| {
        let is_explicit = e.input.kind.implicit() == 0;
        if is_explicit && e.follows_implicit && c.format().since(Version::V3_3) {
            c.fail("kind", "an explicit input behind an implicit one", "before all of them");
        }
    }
}

rules! { overlaps for Meeting<'_>;
    /// Inputs share no byte.
    fn overlap "input-overlap" (Error, ANY, "4_visa_header, input_info") |m, c| {
        if start(m.input) < m.end {
            let (start, other) = (start(m.input), m.other);
            c.fail("offset", start, format_args!("behind input {other}, which ends at {}", m.end));
        }
    }
}

/// Applies the rules to the table of inputs.
pub(super) fn check(body: &Body<'_>, cx: &mut Context<'_>) {
    let inputs = cx.routine.map_or(&[][..], |routine| routine.inputs);
    let mut follows_implicit = false;
    for (index, input) in inputs.iter().enumerate() {
        cx.location = Location::Entry { table: "input", index };
        let at = |first: u32| input.index.checked_sub(first).map(|index| index as usize);
        let (mut variable, mut surface_elements) = (None, None);
        match input.kind.class() {
            InputClass::GENERAL => {
                variable = at(VarId::FIRST_DECLARED.0).and_then(|i| body.variables.get(i));
            }
            InputClass::SURFACE => {
                let first = SurfaceId::FIRST_DECLARED.0.into();
                let surface = at(first).and_then(|i| body.surfaces.get(i));
                surface_elements = surface.map(|surface| surface.num_elements);
            }
            _ => {}
        }
        inputs::check(&Entry { input, variable, surface_elements, follows_implicit }, cx);
        follows_implicit |= input.kind.implicit() != 0;
    }
    // Where several begin, one without bytes comes last, since it shares none with what follows.
    let key = |input: &Input| (input.offset, u16::MAX - input.size);
    if inputs.is_sorted_by_key(key) {
        meet(inputs.iter().enumerate(), cx);
    } else {
        let mut order: Vec<(usize, &Input)> = inputs.iter().enumerate().collect();
        order.sort_by_key(|(_, input)| key(input));
        meet(order.into_iter(), cx);
    }
}

/// Compares each input with those that begin before it.
fn meet<'b>(inputs: impl Iterator<Item = (usize, &'b Input)>, cx: &mut Context<'_>) {
    let mut last = (i64::MIN, 0);
    for (index, input) in inputs {
        cx.location = Location::Entry { table: "input", index };
        overlaps::check(&Meeting { input, end: last.0, other: last.1 }, cx);
        if end(input) > last.0 && input.size != 0 {
            last = (end(input), index);
        }
    }
}
