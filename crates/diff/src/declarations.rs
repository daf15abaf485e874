//! The differences between the declarations and properties of two routines.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::Hash;

use genvisa::format::Format;
use genvisa::isa::{Id, IdClass};
use genvisa::object::{Attribute, Body, Code, Input, Name, Reloc, Routine, RoutineKind};
use genvisa::operand::{LabelId, VarId};
use genvisa::text::{LineNames, LinePrinter};

use super::matching::Matching;
use super::merged::{Declared, Merged, SUFFIX};
use super::side::{AttributeValue, Entry, Side};

/// A declaration, input, attribute or other property that differs, as lines of text in the names of
/// A.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationChange {
    /// The line in A; `None` if only B has it.
    pub a: Option<String>,
    /// The line in B; `None` if only A has it.
    pub b: Option<String>,
}

/// A line, with what it is about and what it says. Two lines about the same subject are equal if
/// they say the same.
pub(super) struct Item<S, V> {
    pub(super) subject: S,
    pub(super) value: V,
    pub(super) line: String,
}

/// Returns the differences between two lists, whose order does not matter except for items of the
/// same subject.
pub(super) fn differences<S: Hash + Eq + Clone, V: PartialEq>(
    a: Vec<Item<S, V>>,
    b: Vec<Item<S, V>>,
) -> Vec<DeclarationChange> {
    let others: HashMap<_, _> = keys(&b).into_iter().zip(0usize..).collect();
    let keys = keys(&a);
    let mut added: Vec<Option<String>> = b.iter().map(|item| Some(item.line.clone())).collect();
    let mut changes = Vec::new();
    for (item, key) in a.into_iter().zip(keys) {
        let other = others.get(&key).copied();
        let line = other.and_then(|other| added[other].take());
        if other.is_none_or(|other| b[other].value != item.value) {
            changes.push(DeclarationChange { a: Some(item.line), b: line });
        }
    }
    changes.extend(added.into_iter().flatten().map(|b| DeclarationChange { a: None, b: Some(b) }));
    changes
}

/// Returns the subject of each item, with the number of items about it up to this one.
fn keys<S: Hash + Eq + Clone, V>(items: &[Item<S, V>]) -> Vec<(S, u32)> {
    let mut counts: HashMap<&S, u32> = HashMap::new();
    let mut keys = Vec::with_capacity(items.len());
    for Item { subject, .. } in items {
        let count = counts.entry(subject).or_default();
        *count += 1;
        keys.push((subject.clone(), *count));
    }
    keys
}

/// Writes the first two lines of a unified diff, and the differences of declarations.
pub(super) fn write<W: Write>(
    out: &mut W,
    changes: &[DeclarationChange],
    with_suffix: Option<&Name>,
) -> fmt::Result {
    if changes.is_empty() {
        return Ok(());
    }
    let suffix = with_suffix.map(|name| format!("{name}{SUFFIX} is {name} of B"));
    let mut lines = changes.iter().flat_map(|change| change.a.iter().chain(&change.b));
    let annotations = lines.any(|line| line.starts_with("//@"));
    let annotations = annotations.then(|| "//@ is what text has no statement for".to_string());
    let notes: Vec<String> = suffix.into_iter().chain(annotations).collect();
    writeln!(out, "{}", format!("@@ declarations @@ {}", notes.join("; ")).trim_end())?;
    for change in changes {
        for (sign, line) in [('-', &change.a), ('+', &change.b)] {
            if let Some(line) = line {
                writeln!(out, "{sign}{line}")?;
            }
        }
    }
    Ok(())
}

/// Returns all differences except in the instructions.
pub(super) fn changes(
    a: &Side<'_, '_>,
    b: &Side<'_, '_>,
    matching: &Matching,
    merged: &mut Merged,
) -> Vec<DeclarationChange> {
    let mut changes = differences_of_properties(&a.routine, &b.routine);
    let b_attributes = merged.attributes(b, &b.routine.body.attributes);
    let mut changed = Vec::new();
    for (x, entry) in (0..).zip(&a.entries) {
        match matching.a[x as usize] {
            None => changed.push((a.numbering.id(x).class, Some(x), None)),
            Some(y) => {
                let other = &b.entries[y as usize];
                let parent = other.parent.map(|parent| matching.b[parent as usize]);
                let is_equal =
                    entry.declaration == other.declaration && entry.parent.map(Some) == parent;
                if !is_equal {
                    changed.push((a.numbering.id(x).class, Some(x), Some(y)));
                }
            }
        }
    }
    let only_b = (0..b.entries.len() as u32).filter(|y| matching.b[*y as usize].is_none());
    changed.extend(only_b.map(|y| (b.numbering.id(y).class, None, Some(y))));
    // By class, A first.
    changed.sort_by_key(|(class, ..)| *class);
    let declared: Vec<_> = (changed.into_iter())
        .map(|(_, x, y)| {
            let of_a = x.map(|x| (a.numbering.id(x), declared(a.routine.body, a.numbering.id(x))));
            let of_b = y.map(|y| (merged.id(y), merged.named_declaration(b, y)));
            (of_a, of_b)
        })
        .collect();
    let (a_inputs, b_inputs) = (a.routine.inputs.to_vec(), b.routine.inputs);
    let b_inputs: Vec<_> = b_inputs.iter().map(|input| (*input, merged.input(b, input))).collect();

    let names = LineNames::new(&merged.body, a.routine.format());
    let mut of_a = LinePrinter::new(&names, a.routine.format());
    let mut of_b = LinePrinter::new(&names, b.routine.format());
    let attributes = |side: &Side<'_, '_>, list: &[Attribute], lines: &mut LinePrinter<'_>| {
        let items = side.routine.body.attributes.iter().zip(list);
        items.map(|(own, renamed)| attribute(side, own, lines.attribute(renamed))).collect()
    };
    changes.extend(differences(
        attributes(a, &a.routine.body.attributes, &mut of_a),
        attributes(b, &b_attributes, &mut of_b),
    ));
    for (x, y) in declared {
        changes.push(DeclarationChange {
            a: x.map(|(id, declared)| line(&mut of_a, id, &declared)),
            b: y.map(|(id, declared)| line(&mut of_b, id, &declared)),
        });
    }
    let a_inputs = a_inputs.into_iter().map(|input| {
        let subject = match input.id().and_then(|id| a.numbering.entry(id)) {
            Some(_) => InputSubject::Declared(input.id()),
            None => InputSubject::Other(input.kind.class().bits(), input.index),
        };
        let line = of_a.input(&input, &merged.body);
        Item { subject, value: (input.kind.bits(), input.offset, input.size), line }
    });
    let b_inputs = b_inputs.into_iter().map(|(own, renamed)| {
        let subject = match own.id().and_then(|id| b.numbering.entry(id)) {
            Some(_) => InputSubject::Declared(renamed.id()),
            None => InputSubject::Other(own.kind.class().bits(), own.index),
        };
        let line = of_b.input(&renamed, &merged.body);
        Item { subject, value: (own.kind.bits(), own.offset, own.size), line }
    });
    let sorted = |inputs: &mut dyn Iterator<Item = Item<InputSubject, (u8, i16, u16)>>| {
        let mut inputs: Vec<_> = inputs.collect();
        // The order of inputs does not matter.
        inputs.sort_by_key(|input| input.value);
        inputs
    };
    let (mut a_inputs, mut b_inputs) = (a_inputs, b_inputs);
    changes.extend(differences(sorted(&mut a_inputs), sorted(&mut b_inputs)));
    changes
}

/// Fast path: returns whether nothing differs, without the text of the declarations. May return
/// `false` although [`changes`] finds nothing.
pub(super) fn are_equal(a: &Side<'_, '_>, b: &Side<'_, '_>, matching: &Matching) -> bool {
    let is_equal_entry = |(entry, y): (&Entry, &Option<u32>)| {
        y.is_some_and(|y| {
            let other = &b.entries[y as usize];
            let parent = other.parent.map(|parent| matching.b[parent as usize]);
            entry.declaration == other.declaration && entry.parent.map(Some) == parent
        })
    };
    let is_equal_attribute = |(x, y): (&Attribute, &Attribute)| {
        let (of_a, of_b) = (a.string(x.name), b.string(y.name));
        of_a == of_b && AttributeValue::new(of_a, x) == AttributeValue::new(of_b, y)
    };
    let is_equal_input = |(x, y): (&Input, &Input)| {
        let entry = |side: &Side<'_, '_>, input: &Input| side.numbering.entry(input.id()?);
        (x.kind, x.offset, x.size) == (y.kind, y.offset, y.size)
            && match (entry(a, x), entry(b, y)) {
                (Some(of_x), Some(of_y)) => matching.a[of_x as usize] == Some(of_y),
                (None, None) => x.index == y.index,
                _ => false,
            }
    };
    let (of_a, of_b) = (&a.routine.body.attributes, &b.routine.body.attributes);
    let (a_inputs, b_inputs) = (a.routine.inputs, b.routine.inputs);
    a.entries.len() == b.entries.len()
        && a.entries.iter().zip(&matching.a).all(is_equal_entry)
        && of_a.len() == of_b.len()
        && of_a.iter().zip(of_b).all(is_equal_attribute)
        && a_inputs.len() == b_inputs.len()
        && a_inputs.iter().zip(b_inputs).all(is_equal_input)
        && differences_of_properties(&a.routine, &b.routine).is_empty()
}

/// What an input supplies.
#[derive(Clone, PartialEq, Eq, Hash)]
enum InputSubject {
    /// An entry, by its id in the merged tables.
    Declared(Option<Id>),
    /// The index in a table that does not have it.
    Other(u8, u32),
}

fn attribute(
    side: &Side<'_, '_>,
    attribute: &Attribute,
    line: String,
) -> Item<Vec<u8>, AttributeValue> {
    let name = side.string(attribute.name);
    Item { subject: name.into(), value: AttributeValue::new(name, attribute), line }
}

/// Returns the declaration of an id of A.
fn declared(body: &Body<'_>, id: Id) -> Declared {
    let index = (id.number - super::side::Numbering::first_id(id.class)) as usize;
    match id.class {
        IdClass::Variable => Declared::Variable(body.variables[index].clone()),
        IdClass::Address => Declared::Simple(body.addresses[index].clone()),
        IdClass::Predicate => Declared::Simple(body.predicates[index].clone()),
        IdClass::Surface => Declared::Simple(body.surfaces[index].clone()),
        IdClass::Sampler => Declared::Simple(body.samplers[index].clone()),
        _ => Declared::Label(body.labels[index].clone()),
    }
}

fn line(lines: &mut LinePrinter<'_>, id: Id, declared: &Declared) -> String {
    match declared {
        Declared::Variable(variable) => lines.variable(VarId(id.number), variable),
        Declared::Simple(variable) => lines.simple(id, variable),
        Declared::Label(label) => lines.label_properties(LabelId(id.number as u16), label),
    }
}

/// Returns the differences of the properties that are not in the tables of two routines.
fn differences_of_properties(a: &Routine<'_, '_>, b: &Routine<'_, '_>) -> Vec<DeclarationChange> {
    // Text of 4.2 states the addressing, and files do not.
    let have_addressing = (a.format() == Format::V4_2) == (b.format() == Format::V4_2);
    differences(properties(a, have_addressing), properties(b, have_addressing))
}

/// Returns the properties of a routine that are not in its tables.
fn properties(routine: &Routine<'_, '_>, have_addressing: bool) -> Vec<Item<&'static str, String>> {
    let mut items = Vec::new();
    let mut add = |subject, line: String| {
        items.push(Item { subject, value: line.clone(), line });
    };
    let kind = match routine.kind {
        RoutineKind::Kernel => ".kernel",
        _ => ".global_function",
    };
    add("name", format!("{kind} {:?}", routine.name));
    let body = routine.body;
    let body_name = body.strings.get(body.name.0 as usize);
    if body_name.is_none_or(|name| name != routine.name) {
        let unnamed = Name::default();
        add("name in the tables", format!("//@ body_name={:?}", body_name.unwrap_or(&unnamed)));
    }
    if let Some((arguments, result)) = routine.stack_sizes {
        add("stack", format!("//@ stack={arguments}:{result}"));
    }
    if let Some(linkage) = routine.linkage {
        add("linkage", format!("//@ linkage={}", linkage.bits()));
    }
    if let Code::Stripped { size, .. } = body.code {
        add("code", format!("//@ stripped={size}"));
    }
    if have_addressing && body.efficient_64bit {
        add("addressing", "// efficient 64-bit addressing".into());
    }
    let module = routine.module();
    let name = |names: Option<&Name>, reloc: &Reloc| match names {
        Some(name) => format!("{}={name:?}", reloc.symbolic_index),
        None => format!("{}:{}", reloc.symbolic_index, reloc.resolved_index),
    };
    for reloc in routine.variable_relocs {
        let variable = module.file_scope_vars.get(usize::from(reloc.resolved_index));
        let name = name(variable.map(|variable| &variable.name), reloc);
        add("variable relocation", format!("//@ relocs variable {name}"));
    }
    for reloc in routine.function_relocs {
        let function = module.functions.get(usize::from(reloc.resolved_index));
        let name = name(function.map(|function| &function.name), reloc);
        add("function relocation", format!("//@ relocs function {name}"));
    }
    items
}
