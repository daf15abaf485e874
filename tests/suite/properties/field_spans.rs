//! The spans of fields: if only one field of an instruction changes, its text changes within the
//! recorded span of the field.

use genvisa::text::Recorded;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use genvisa::Platform;
use genvisa::object::{Code, Kernel};
use genvisa::strategy::{Legal, legal};
use genvisa::text::FileListing;
use genvisa::{Format, Instruction, Module, Version};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, runner};
use proptest::strategy::{Strategy, ValueTree};
use serde_json::{Value, from_value, to_value};

/// The number of targets without LSC messages, whose search takes most of the time.
const FAST_TARGETS: usize = 3;

const TARGETS: [(Format, Option<Platform>); 6] = [
    (Format::MANUAL, None),
    (Format::igc2022(Version::V3_0), Some(Platform::Bdw)),
    (Format::igc2022(Version::V3_6), Some(Platform::Skl)),
    (Format::igc2026(Version::V4_1), Some(Platform::Dg2)),
    (Format::V4_2, Some(Platform::Xe2)),
    (Format::V4_2, Some(Platform::Xe3p)),
];

/// Returns the bytes of the instruction of a module with one instruction, before its number.
fn line_of(text: &str) -> Range<usize> {
    let end = text.find("/// $0").unwrap_or_default();
    let text = text[..end].trim_end();
    text.rfind('\n').map_or(0, |start| start + 1)..text.len()
}

/// Returns the text of a module whose kernel has one instruction; `None` if the text is incomplete.
fn text_of(legal: &Legal, instruction: &Instruction, format: Format) -> Option<String> {
    let mut kernel = Kernel::new("k");
    kernel.body = legal.declarations().clone();
    kernel.body.code = Code::from_instructions([instruction], format).ok()?;
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let text = FileListing::new(&module).to_text().ok()?;
    let line = line_of(&text);
    let annotation = text[line.end..].lines().next().unwrap_or_default().contains("//@");
    (!line.is_empty() && !annotation).then_some(text)
}

/// Returns the fields of an instruction, which are in the innermost map.
fn fields(value: &mut Value) -> Option<(String, &mut serde_json::Map<String, Value>)> {
    let map = value.as_object_mut()?;
    let is_wrapper = map.len() == 1
        && map
            .iter()
            .all(|(name, value)| name.starts_with(char::is_uppercase) && value.is_object());
    if !is_wrapper {
        return Some((String::new(), map));
    }
    let (name, value) = map.iter_mut().next()?;
    let (inner, fields) = fields(value)?;
    Some((format!("{name}.{inner}"), fields))
}

/// Fields whose text is not in one place: LIFETIME's class is the class of its variable, and words of
/// some instructions depend on flags that have suffixes, too.
const EXCEPTIONS: [&str; 3] = ["Lifetime.properties", "Fence.mask", "RawSends.modifiers"];

/// Checks the fields of an instruction with the values of another one of the same layout.
fn check(
    legal: &Legal,
    format: Format,
    (a, b): (&Instruction, &Instruction),
    wrong: &mut BTreeMap<String, String>,
    checked: &mut BTreeSet<String>,
) {
    let Some(text) = text_of(legal, a, format) else { return };
    let (mut old, mut other) = (to_value(a).expect("JSON"), to_value(b).expect("JSON"));
    let (Some((_, old_fields)), Some((layout, other))) = (fields(&mut old), fields(&mut other))
    else {
        return;
    };
    let old_fields = old_fields.clone();
    let recorded = Recorded::parse(&text, format);
    let Some(recorded_instruction) = recorded.instructions.last() else { return };
    let names: Vec<String> = other.keys().cloned().collect();
    for name in names {
        let mut changed_value = to_value(a).expect("JSON");
        let Some((_, changed_fields)) = fields(&mut changed_value) else { continue };
        changed_fields.insert(name.clone(), other[&name].clone());
        let Ok(instruction) = from_value::<Instruction>(changed_value) else { continue };
        let Some(new) = text_of(legal, &instruction, format) else { continue };
        let field = format!("{layout}{name}");
        let is_in_two_places = EXCEPTIONS.contains(&&field[..])
            // A mode or a mnemonic states that the field is present.
            || old_fields[&name].is_null() != other[&name].is_null()
            // A destination that saturates has a suffix of the mnemonic.
            || text.contains(".sat") != new.contains(".sat");
        let line = line_of(&text);
        let new_line = &new[line_of(&new)];
        if is_in_two_places || text[line.clone()] == *new_line {
            continue;
        }
        let span = recorded.field(recorded_instruction, &name);
        let is_replaced = span.clone().is_some_and(|span| {
            // Without the field, the comma and the blank beside it are missing, too.
            let before = text.get(line.start..span.start);
            let before = before.map(|before| before.trim_end_matches([',', ' ']));
            let rest = before.and_then(|before| new_line.strip_prefix(before));
            let after = text.get(span.end..line.end).map(str::trim_start);
            rest.zip(after).is_some_and(|(rest, after)| rest.ends_with(after))
        });
        // A field that has no text yet is added somewhere.
        let is_added = span.is_none() && new_line.len() > line.len();
        checked.insert(field.clone());
        if !is_replaced && !is_added {
            wrong.entry(field).or_insert_with(|| {
                let span = span.map(|span| &text[span]);
                format!("{}\n{new_line}\nthe change is not within {span:?}", &text[line])
            });
        }
    }
}

#[test]
fn a_field_changes_the_text_within_its_span() {
    let count = if cases(100) > 100 { TARGETS.len() } else { FAST_TARGETS };
    let targets: Vec<_> = TARGETS.into_iter().take(count).enumerate().collect();
    let results = parallel(&targets, |(salt, (format, platform))| {
        let legal = legal(*format, *platform);
        let mut runner = runner(1, *salt);
        let (mut wrong, mut checked) = (BTreeMap::new(), BTreeSet::new());
        for (_, strategy) in legal.rows() {
            let mut layouts: BTreeMap<String, Vec<Instruction>> = BTreeMap::new();
            for _ in 0..cases(24) {
                let one = strategy.new_tree(&mut runner).expect("an instruction").current();
                let mut value = to_value(one).expect("JSON");
                let Some((layout, _)) = fields(&mut value) else { continue };
                layouts.entry(layout).or_default().push(one);
            }
            for instructions in layouts.values() {
                for pair in instructions.windows(2) {
                    check(&legal, *format, (&pair[0], &pair[1]), &mut wrong, &mut checked);
                }
            }
        }
        (wrong, checked)
    });
    let mut all = BTreeSet::new();
    let mut message = String::new();
    for ((_, target), (wrong, checked)) in targets.iter().zip(results) {
        all.extend(checked);
        for (field, what) in wrong {
            message += &format!("{target:?} {field}:\n{what}\n\n");
        }
    }
    eprintln!("{} fields", all.len());
    assert!(message.is_empty(), "{message}");
}
