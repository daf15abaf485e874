//! The fuzz targets of the comparison of modules.

use genvisa::isa::Id;
use genvisa::object::{Body, Code};
use genvisa::strategy::Generate;
use genvisa::text::{self, format_of};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use genvisa_diff::{Differ, ModuleDiff};
use genvisa_test_support::random::runner_from_data;
use genvisa_test_support::rng::Rng;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};

use crate::text_edits::{self, SMALL};
use crate::{applied, permute};

genvisa_test_support::fuzz_targets! {
    diff: "seeds/isa",
    diff_of_text: "seeds/visaasm",
    diff_of_edits: "seeds/choices",
    diff_of_modules: "seeds/choices",
}

/// Every file equals itself.
pub fn diff(data: &[u8]) {
    if let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) {
        compare(&module);
    }
}

/// The same for text. The first byte of a seed is the number of a format.
pub fn diff_of_text(data: &[u8]) {
    let source = data.get(1..).unwrap_or_default();
    if let Ok(module) = text::parse(source, format_of(source)) {
        compare(&module);
    }
}

fn compare(module: &Module<'_>) {
    assert!(Differ::new().modules(module, module).routines.iter().all(|pair| {
        pair.diff.as_ref().is_some_and(|diff| diff.as_ref().is_ok_and(|diff| diff.is_empty()))
            || pair.diff.as_ref().is_some_and(Result::is_err)
    }));
}

/// The difference of a text and an edited text, applied to the one, gives the other.
pub fn diff_of_edits(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let original = format!(".version 4.2\n{}", rng.pick(&SMALL));
    let Some(edit) = text_edits::edit(&original, &mut rng) else { return };
    let Ok(edited) = text::parse(&edit.text, Format::V4_2) else { return };
    let original = text::parse(&original, Format::V4_2).expect("valid text");
    applied::check(&edit.what, &original, &edited);
    applied::check(&edit.what, &edited, &original);
    check_pair(&original, &edited);
}

const FORMATS: [Format; 3] =
    [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1), Format::V4_2];

thread_local! {
    static MODULES: [BoxedStrategy<Module<'static>>; 3] = FORMATS.map(<Module<'static>>::strategy);
}

/// A module equals its permutation. Changed modules are equal in both directions or in none, and only if
/// they have the same instructions except for ids.
pub fn diff_of_modules(data: &[u8]) {
    // The last bytes choose the changes, so that they do not move if the module grows.
    let (module, choices) = data.split_at(data.len() - data.len().min(24));
    let mut rng = Rng::from_data(choices);
    let mut runner = runner_from_data(module);
    let format = rng.below(FORMATS.len());
    let tree = MODULES.with(|modules| modules[format].new_tree(&mut runner));
    let Ok(a) = tree.map(|tree| tree.current()) else { return };
    let mut b = permute::permute(&a, &mut rng);
    let diff = check_pair(&a, &b);
    assert!(diff.is_empty(), "a permutation differs: {diff:?}");
    for _ in 0..1 + rng.below(3) {
        change(&mut b, &mut rng);
    }
    check_pair(&a, &b);
}

/// Compares two modules in both directions, and prints the differences.
fn check_pair(a: &Module<'_>, b: &Module<'_>) -> ModuleDiff {
    let (diff, back) = (Differ::new().modules(a, b), Differ::new().modules(b, a));
    assert_eq!(diff.is_empty(), back.is_empty(), "{diff:?}\n{back:?}");
    for pair in &diff.routines {
        if let Some(Ok(diff)) = &pair.diff {
            let unified = diff.to_unified("a", "b", 3);
            assert_eq!(unified.is_empty(), diff.is_empty(), "{unified}");
        }
    }
    let _ = diff.write_declarations(&mut String::new(), "a", "b");
    if diff.is_empty() && a.format == b.format {
        assert!(without_ids(a) == without_ids(b), "different code has no difference");
    }
    diff
}

/// Returns the instructions of all routines in the order of their names, with all ids replaced by the same.
fn without_ids(module: &Module<'_>) -> Vec<Vec<Instruction>> {
    let instructions = |body: &Body<'_>| {
        let instructions = body.code.instructions(module.format);
        let same = |item: genvisa::Result<(usize, Instruction)>| {
            let mut instruction = item.ok()?.1;
            let number =
                |id: Id| if id.is_predefined() { id.number } else { id.class.first_declared() };
            instruction.replace_ids(number).expect("small ids");
            Some(instruction)
        };
        instructions.filter_map(same).collect::<Vec<Instruction>>()
    };
    let mut routines: Vec<_> =
        module.routines().map(|one| (one.kind, one.name.clone(), instructions(one.body))).collect();
    // Routines of the same name are matched in order.
    routines.sort_by(|a, b| (a.0 as u8, &a.1).cmp(&(b.0 as u8, &b.1)));
    routines.into_iter().map(|(_, _, instructions)| instructions).collect()
}

/// Changes an instruction or a declaration.
fn change(module: &mut Module<'_>, rng: &mut Rng) {
    let format = module.format;
    let count = module.bodies_mut().count();
    let Some(body) = module.bodies_mut().nth(rng.below(count.max(1))) else { return };
    if rng.one_in(4) {
        let at = rng.below(body.variables.len().max(1));
        if let Some(variable) = body.variables.get_mut(at) {
            variable.num_elements ^= 1;
        }
        return;
    }
    if body.code.bytes().is_empty() {
        return;
    }
    let instructions = body.code.instructions(format);
    let instructions: genvisa::Result<Vec<Instruction>> =
        instructions.map(|item| item.map(|(_, one)| one)).collect();
    let Ok(mut instructions) = instructions else { return };
    let at = rng.below(instructions.len().max(1));
    let Some(instruction) = instructions.get(at).copied() else { return };
    match rng.below(4) {
        0 => drop(instructions.remove(at)),
        1 => instructions.insert(at, instruction),
        2 => instructions.swap(0, at),
        _ => {
            let mut bytes = instruction.to_bytes(format).expect("decoded code");
            let bit = rng.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Ok(other) = Instruction::from_bytes(&bytes, format) else { return };
            instructions[at] = other;
        }
    }
    if let Ok(code) = Code::from_instructions(&instructions, format) {
        body.code = code;
    }
}
