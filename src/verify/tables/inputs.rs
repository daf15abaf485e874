//! Rules for the inputs of kernels.

use alloc::format;
use alloc::vec::Vec;

use super::string_bytes;
use crate::format::{Format, Version};
#[cfg(not(feature = "analysis"))]
use crate::isa::Id;
use crate::object::{Attribute, Body, Code, Input, InputClass, Variable};
use crate::operand::{StringId, SurfaceId, VarId};
use crate::verify::context::{Context, Location, size_of_variable};
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// An input and its variable or surface.
pub(super) struct InputEntry<'b> {
    input: &'b Input,
    /// The variable, if the input is a declared general variable.
    variable: Option<&'b Variable>,
    /// The number of elements of the surface, if the input is a declared surface.
    surface_elements: Option<u16>,
    /// Whether an earlier input is implicit.
    follows_implicit: bool,
}

/// An input, and the one with the greatest end of those that begin before it.
pub(super) struct InputPair<'b> {
    input: &'b Input,
    /// The index of the other input.
    other: usize,
    /// The end of the other input.
    other_end: i64,
}

fn start(input: &Input) -> i64 {
    input.offset.into()
}

fn end(input: &Input) -> i64 {
    start(input) + i64::from(input.size)
}

/// Returns whether an input is a pseudo input, which may be at any offset in 4.2.
fn is_exempt(input: &Input, format: Format) -> bool {
    const PSEUDO: u8 = 16;
    format == Format::V4_2 && input.kind.implicit() == PSEUDO
}

rules! { inputs for InputEntry<'_>;
    /// An input is a general variable, a sampler or a surface.
    fn class "input-class" (Refuses, ANY, "4_visa_header, input_info") |e, c| {
        let class = e.input.kind.class();
        if class > InputClass::SURFACE {
            c.fail(Field::of_declaration("kind"), class, "class general, sampler or surface");
        }
    }

    /// The variable, sampler or surface of an input is declared.
    // A stripped kernel has inputs, but no declarations.
    fn index "input-index" (Refuses, ANY, "4_visa_header, input_info") |e, c| {
        let Some(body) = c.body() else { return };
        if matches!(body.code, Code::Stripped { .. }) {
            return;
        }
        let Some(id) = e.input.id().filter(|id| !body.declares(*id)) else { return };
        let class = id.class.name();
        let (letter, index) = (id.class.letter(), id.number);
        c.report(Field::of_declaration("index"), format_args!("{class} `{letter}{index}` is not declared"));
    }

    /// The size of an input is the size of its variable, or four bytes per element of its surface.
    fn size "input-size" (Refuses, ANY, "4_visa_header, input_info") |e, c| {
        let surface = e.surface_elements.map(|elements| i64::from(elements) * 4);
        let Some(size) = e.variable.map(size_of_variable).or(surface) else { return };
        if i64::from(e.input.size) != size {
            c.fail(Field::of_declaration("size"), e.input.size, format_args!("{size} bytes"));
        }
    }

    /// An input ends before the last of the 256 registers. In 4.2, pseudo inputs are exempt.
    fn bounds "input-bounds" (Refuses, ANY, "IGC") |e, c| {
        let most = 255 * c.grf();
        if is_exempt(e.input, c.format()) {
            return;
        }
        if start(e.input) < 0 || end(e.input) >= most {
            let (start, end) = (start(e.input), end(e.input));
            c.fail(
                Field::of_declaration("offset"),
                format_args!("bytes {start} to {}", end - 1),
                format_args!("an input within bytes 0 to {}", most - 2),
            );
        }
    }

    /// In 4.2, an input is within the registers of the kernel: the number in the attribute NumGRF,
    /// or 128. Pseudo inputs are exempt.
    fn registers "input-registers" (Crashes, before(Xe3), "IGC") |e, c| {
        if c.format() != Format::V4_2 || is_exempt(e.input, c.format()) {
            return;
        }
        let is_num_grf = |name: StringId, body: &Body<'_>| {
            string_bytes(body, name).is_some_and(|name| name == b"NumGRF")
        };
        let attribute = c.body().and_then(|body| {
            body.attributes.iter().find(|attribute| is_num_grf(attribute.name, body))
        });
        let count = attribute.and_then(Attribute::as_integer).unwrap_or(128);
        // The compiler chooses the number if it is 0.
        let bytes = if count == 0 { 256 } else { i64::from(count) } * c.grf();
        // `input-bounds` is about larger offsets.
        if (bytes + 1..255 * c.grf()).contains(&end(e.input)) {
            let (start, last) = (start(e.input), end(e.input) - 1);
            c.fail(
                Field::of_declaration("offset"),
                format_args!("bytes {start} to {last}"),
                format_args!("an input within bytes 0 to {}", bytes - 1),
            );
        }
    }

    /// A general input that is smaller than a register is within one register.
    fn straddle "input-straddle" (Refuses, ANY, "4_visa_header, input_info") |e, c| {
        let (grf, start, end) = (c.grf(), start(e.input), end(e.input));
        let is_small = end > start && end - start < grf && start >= 0;
        if is_small && e.variable.is_some() && start / grf != (end - 1) / grf {
            c.report(Field::of_declaration("offset"), format_args!("bytes {start} to {} are in two registers", end - 1));
        }
    }

    /// An input of at least a register begins at a register boundary. Smaller inputs are aligned to
    /// their type, samplers and surfaces to four bytes.
    fn aligned "input-aligned" (Accepts, ANY, "4_visa_header, input_info") |e, c| {
        let align = match (e.input.kind.class(), e.variable) {
            (InputClass::SAMPLER | InputClass::SURFACE, _) => 4,
            (_, Some(variable)) if size_of_variable(variable) >= c.grf() => c.grf(),
            (_, Some(variable)) => variable.ty.size() as i64,
            _ => 1,
        };
        if start(e.input) % align != 0 {
            c.fail(Field::of_declaration("offset"), start(e.input), format_args!("a multiple of {align}"));
        }
    }

    /// The variable of an input is not an alias.
    fn alias "input-alias" (Accepts, ANY, "4_visa_header, input_info") |e, c| {
        let is_alias = |v: &&Variable| v.is_null || v.alias != VarId::NULL;
        if let Some(alias) = e.variable.filter(is_alias).map(|variable| variable.alias) {
            let name = c.name(alias);
            c.report(Field::of_declaration("index"), format_args!("the variable is an alias of {name}"));
        }
    }

    /// Explicit inputs precede implicit inputs.
    fn order "input-implicit-order" (Accepts, ANY, "4_visa_header, input_info") |e, c| {
        let is_explicit = e.input.kind.implicit() == 0;
        if is_explicit && e.follows_implicit && c.format().since(Version::V3_3) {
            c.report(Field::of_declaration("kind"), "an explicit input follows an implicit input");
        }
    }
}

rules! { overlaps for InputPair<'_>;
    /// Inputs do not overlap. In 4.2, pseudo inputs are exempt.
    fn overlap "input-overlap" (Refuses, ANY, "4_visa_header, input_info") |p, c| {
        if start(p.input) < p.other_end {
            let (start, other, end) = (start(p.input), p.other, p.other_end);
            let message = alloc::format!("begins at byte {start}, input {other} ends at byte {end}");
            c.report(Field::of_declaration("offset"), message);
        }
    }
}

/// A pseudo input of 4.2 and an input that shares bytes with it.
pub(super) struct SharedInput<'b> {
    input: &'b Input,
    other: &'b Input,
}

rules! { shared for SharedInput<'_>;
    // Two pseudo inputs may share bytes on purpose: then, they are names of the same registers.
    /// A pseudo input shares no bytes with other inputs: writing one of them changes the other.
    fn shared "input-shared" (Miscompiles: Warning, ANY, "IGC") |p, c| {
        let (first, end) = (start(p.input).max(start(p.other)), end(p.input).min(end(p.other)));
        let other = match p.other.id() {
            Some(id) => c.name(id),
            None => "another input".into(),
        };
        let shared = match end - first {
            1 => format!("byte {first}"),
            _ => format!("bytes {first} to {}", end - 1),
        };
        c.report(
            Field::of_declaration("offset"),
            format_args!("shares {shared} of the payload with {other}"),
        );
    }
}

/// Applies the rules to the table of inputs.
pub(super) fn check(body: &Body<'_>, cx: &mut Context<'_>) {
    let inputs = cx.routine.map_or(&[][..], |routine| routine.inputs);
    let mut follows_implicit = false;
    for (index, input) in inputs.iter().enumerate() {
        cx.location = Location::Entry { table: "input", index };
        let index_from = |first: u32| input.index.checked_sub(first).map(|index| index as usize);
        let (mut variable, mut surface_elements) = (None, None);
        match input.kind.class() {
            InputClass::GENERAL => {
                variable = index_from(VarId::FIRST_DECLARED.0).and_then(|i| body.variables.get(i));
            }
            InputClass::SURFACE => {
                let first = SurfaceId::FIRST_DECLARED.0.into();
                let surface = index_from(first).and_then(|i| body.surfaces.get(i));
                surface_elements = surface.map(|surface| surface.num_elements);
            }
            _ => {}
        }
        inputs::check(&InputEntry { input, variable, surface_elements, follows_implicit }, cx);
        follows_implicit |= input.kind.implicit() != 0;
    }
    // Of inputs with the same offset, an empty one is last: it overlaps none of the following.
    let key = |input: &Input| (input.offset, u16::MAX - input.size);
    check_shared(inputs, cx);
    if inputs.is_sorted_by_key(key) {
        check_overlaps(inputs.iter().enumerate(), cx);
    } else {
        let mut order: Vec<(usize, &Input)> = inputs.iter().enumerate().collect();
        order.sort_by_key(|(_, input)| key(input));
        check_overlaps(order.into_iter(), cx);
    }
}

/// Compares each input with the inputs before it, in the order of their offsets, and reports each pseudo
/// input once: writes that change another input, or that it shares bytes.
fn check_shared(inputs: &[Input], cx: &mut Context<'_>) {
    let pairs = shared_pairs(inputs, cx.format);
    if pairs.is_empty() {
        return;
    }
    #[cfg(feature = "analysis")]
    let written = crate::verify::overwrites::check(cx);
    #[cfg(not(feature = "analysis"))]
    let written = Vec::<Id>::new();
    for (index, other) in pairs {
        let input = &inputs[index];
        if input.id().is_none_or(|id| !written.contains(&id)) {
            cx.location = Location::Entry { table: "input", index };
            shared::check(&SharedInput { input, other }, cx);
        }
    }
}

/// Returns the pseudo inputs that share bytes with other inputs: of each, its index and the first such input.
fn shared_pairs(inputs: &[Input], format: Format) -> Vec<(usize, &Input)> {
    let mut pairs = Vec::new();
    if !inputs.iter().any(|input| is_exempt(input, format)) {
        return pairs;
    }
    let mut order: Vec<(usize, &Input)> = inputs.iter().enumerate().collect();
    order.sort_by_key(|(_, input)| input.offset);
    let mut is_reported = alloc::vec![false; inputs.len()];
    // Of the inputs until now, those with the greatest ends: one that is no pseudo input, and one that is.
    let mut last: [Option<(usize, &Input)>; 2] = [None; 2];
    for this in order.into_iter().filter(|(_, input)| input.size != 0) {
        let is_pseudo = is_exempt(this.1, format);
        let [plain, pseudo] = last.map(|last| last.filter(|(_, one)| end(one) > start(this.1)));
        let pair = match is_pseudo {
            true => plain.or(pseudo).map(|other| (this, other)),
            false => pseudo.map(|pseudo| (pseudo, this)),
        };
        if let Some(((index, _), (_, other))) = pair.filter(|(one, _)| !is_reported[one.0]) {
            is_reported[index] = true;
            pairs.push((index, other));
        }
        let last = &mut last[usize::from(is_pseudo)];
        if last.is_none_or(|(_, one)| end(this.1) > end(one)) {
            *last = Some(this);
        }
    }
    pairs
}

/// Compares each input with those that begin before it. Inputs are sorted by their offsets.
fn check_overlaps<'b>(inputs: impl Iterator<Item = (usize, &'b Input)>, cx: &mut Context<'_>) {
    let (mut other, mut other_end) = (0, i64::MIN);
    for (index, input) in inputs {
        if is_exempt(input, cx.format) {
            continue;
        }
        cx.location = Location::Entry { table: "input", index };
        overlaps::check(&InputPair { input, other, other_end }, cx);
        if end(input) > other_end && input.size != 0 {
            (other, other_end) = (index, end(input));
        }
    }
}
