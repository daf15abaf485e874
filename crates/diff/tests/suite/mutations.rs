//! Routines that differ in one place: the difference is never empty, and small.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use genvisa::isa::{FieldSpec, Label, Mov, Movs, SPEC, Setp};
use genvisa::object::Code;
use genvisa::operand::{
    AddrId, Dst, Imm, LabelId, Pred, PredId, SamplerId, SurfaceId, VarId, Vector,
};
use genvisa::strategy::rows;
use genvisa::text::Listing;
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire};
use genvisa::{Format, Instruction, Module};
use genvisa_diff::{Differ, RoutineDiff};
use genvisa_test_support::formats;
use genvisa_test_support::random::runner;
use genvisa_test_support::rng::Rng;
use proptest::test_runner::TestCaseResult;

use super::{module_of, with_real_modules};

fn diff(a: &Module<'_>, b: &Module<'_>) -> RoutineDiff {
    let mut diff = Differ::new().modules(a, b);
    assert_eq!(diff.declarations, []);
    assert_eq!(diff.routines.len(), 1);
    diff.routines.remove(0).diff.expect("a counterpart").expect("legal code")
}

/// Returns the number of instructions of A and B in changed segments.
fn changed(diff: &RoutineDiff) -> (usize, usize) {
    let changed = diff.segments.iter().filter(|segment| !segment.is_equal);
    changed.fold((0, 0), |(a, b), segment| (a + segment.a.len(), b + segment.b.len()))
}

/// Returns instructions that use each variable of [`module_of`] in another way.
fn pins() -> Vec<Instruction> {
    let number = |index: u32| -> Vector { Imm::ud(0x100 + index).into() };
    let mov = |dst, index| Mov { dst: Dst(dst), src0: number(index), ..Mov::default() };
    let mut pins = Vec::new();
    for index in 0..16 {
        let var = VarId(VarId::FIRST_DECLARED.0 + index);
        pins.push(mov(Vector::scalar(var), index).into());
    }
    for index in 0..8u8 {
        let number = number(index.into());
        let addr = AddrId(index.into());
        let dst = Dst(Vector::address(addr, 0, Default::default()));
        pins.push(Mov { dst, src0: number, ..Mov::default() }.into());
        let pred = Pred::new(PredId(u16::from(index) + 1)).expect("a small id");
        pins.push(
            Setp { dst: Dst(Vector::predicate(pred)), src0: number, ..Setp::default() }.into(),
        );
        for state in [
            Vector::surface(SurfaceId(SurfaceId::FIRST_DECLARED.0 + index), 0),
            Vector::sampler(SamplerId(index), 0),
        ] {
            pins.push(Movs { dst: Dst(state), src0: number, ..Movs::default() }.into());
        }
        pins.push(Label { label: LabelId(index.into()) }.into());
    }
    pins
}

/// Returns the instructions whose bytes differ from those of an instruction in one byte, with the
/// position of that byte.
fn neighbours(instruction: &Instruction, format: Format) -> Vec<(usize, Instruction)> {
    let bytes = instruction.to_bytes(format).expect("encodable");
    let mut found: Vec<(usize, Instruction)> = Vec::new();
    for at in 0..bytes.len() {
        for mask in (0..8).map(|bit| 1 << bit) {
            let mut other = bytes.clone();
            other[at] ^= mask;
            if let Ok(other) = Instruction::from_bytes(&other, format) {
                // Other bytes are another instruction.
                found.push((at, other));
            }
        }
    }
    found
}

/// Formats whose layouts differ.
fn some_formats() -> Vec<Format> {
    let is_chosen = |format: &Format| {
        let version = format.version.to_string();
        // Dialect `Manual` has no instructions that could tell the ids apart, but the same structs.
        !format.is_manual() && matches!(&*version, "3.6" | "4.2")
    };
    formats::all().into_iter().filter(is_chosen).collect()
}

/// Returns the fields of an instruction with their bytes.
fn fields_of(instruction: &Instruction, format: Format) -> Vec<TracedField> {
    let bytes = instruction.to_bytes(format).expect("encodable");
    let mut recorder = FieldRecorder::default();
    let mut reader = Reader::traced(&bytes, 0, format, &mut recorder);
    Instruction::decode(&mut reader).expect("decodable");
    recorder.take()
}

/// Checks that instructions differ from others, although all ids occur elsewhere.
fn check_all_differ(a: &[Instruction], b: &[Instruction], format: Format) -> TestCaseResult {
    let pins = pins();
    let with_pins = |instructions| module_of(&[&pins[..], instructions].concat(), format);
    let diff = diff(&with_pins(a), &with_pins(b));
    let unified = || diff.to_unified("a", "b", 0);
    proptest::prop_assert_eq!(changed(&diff), (a.len(), b.len()), "{}", unified());
    Ok(())
}

/// Every byte of every instruction matters.
#[test]
fn no_field_is_ignored() {
    let (cases, fields) = (Cell::new(0), RefCell::new(BTreeSet::new()));
    for (salt, format) in some_formats().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            // Few instructions have all of the fields that depend on others.
            let spec = Instruction::spec_of(opcode).expect("a row");
            let is_if = |field: &FieldSpec| field.when.is_some_and(|when| when.starts_with("if"));
            let cases_of_row = if spec.fields.iter().any(is_if) { 24 } else { 1 };
            let result = runner(cases_of_row, salt).run(&row, |instruction| {
                let neighbours = neighbours(&instruction, format);
                let same = vec![instruction; neighbours.len()];
                let others: Vec<Instruction> = neighbours.iter().map(|(_, other)| *other).collect();
                check_all_differ(&same, &others, format)?;
                cases.set(cases.get() + neighbours.len());
                for field in fields_of(&instruction, format) {
                    let bytes = field.offset..field.offset + field.len.unwrap_or(0);
                    if neighbours.iter().any(|(at, _)| bytes.contains(at)) {
                        fields.borrow_mut().insert((instruction.mnemonic(), field.name));
                    }
                }
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
    let fields = fields.into_inner();
    eprintln!("{} differences in {} fields", cases.get(), fields.len());
    for spec in SPEC {
        for field in spec.fields {
            // The length depends on these, so another value is another number of bytes.
            let has_length = field.name.starts_with("num_") || field.ty == "InfoOp";
            let is_list = field.when.is_some_and(|when| when.starts_with("times"));
            let is_covered = fields.contains(&(spec.mnemonic, field.name.to_string()));
            assert!(has_length || is_list || is_covered, "{} {}", spec.mnemonic, field.name);
        }
    }
}

/// Two instructions with the same opcode are equal only if they are the same.
#[test]
fn different_instructions_differ() {
    for (salt, format) in some_formats().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            let pairs = proptest::collection::vec((row.clone(), row), 24);
            let result = runner(2, salt).run(&pairs, |mut pairs| {
                pairs.retain(|(a, b)| a != b);
                let (a, b): (Vec<Instruction>, Vec<Instruction>) = pairs.into_iter().unzip();
                // Instructions may be equal to others than their own counterpart.
                let is_other = |other: &Instruction| !a.contains(other);
                let b: Vec<Instruction> = b.into_iter().filter(is_other).collect();
                check_all_differ(&a, &b, format)
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

/// Lines of a listing of a routine: one for each instruction.
fn lines(module: &Module<'_>) -> Vec<String> {
    let routine = module.routines().next().expect("a routine");
    let text = Listing::new(routine).with_numbers(false).to_text().expect("legal code");
    let mut lines: Vec<String> = Vec::new();
    let mut after_function = false;
    for line in text.lines() {
        let is_function = line.starts_with(".function");
        let is_declaration = line.starts_with(['.', '/']) && !is_function;
        if line.trim().is_empty() || is_declaration {
            continue;
        }
        // The label of a subroutine follows `.function`.
        if !std::mem::replace(&mut after_function, is_function) {
            lines.push(without_annotation(line).into());
        }
    }
    lines
}

/// Returns a line without its annotation. Only the listing of a whole routine has one if a label is
/// defined twice.
fn without_annotation(line: &str) -> &str {
    line.split_once(" //@").map_or(line, |(line, _)| line)
}

/// Applies a unified diff to lines, as `patch` does without any fuzz.
fn patched(lines: &[String], unified: &str) -> Vec<String> {
    let (mut new, mut at) = (Vec::new(), 0);
    let mut is_declaration = false;
    for line in unified.lines().skip(2) {
        if let Some(header) = line.strip_prefix("@@ ") {
            is_declaration = header.starts_with("declarations");
            if let Some(range) = header.strip_prefix('-') {
                let (range, rest) = range.split_once(' ').expect("two ranges");
                let start = |range: &str| {
                    let (start, len) = range.split_once(',').unwrap_or((range, "1"));
                    let start: usize = start.parse().expect("a number");
                    start - usize::from(len != "0")
                };
                let other = rest.strip_prefix('+').and_then(|rest| rest.split(' ').next());
                new.extend_from_slice(&lines[at..start(range)]);
                at = start(range);
                assert_eq!(new.len(), start(other.expect("a range")), "{unified}");
            }
            continue;
        }
        if is_declaration {
            continue;
        }
        let (sign, text) = line.split_at(1);
        if sign != "+" {
            assert_eq!(lines[at], without_annotation(text), "{unified}");
            at += 1;
        }
        if sign != "-" {
            new.push(without_annotation(text).into());
        }
    }
    new.extend_from_slice(&lines[at..]);
    new
}

/// A change of the instructions of a routine.
fn mutate(instructions: &mut Vec<Instruction>, rng: &mut Rng, format: Format) -> Option<usize> {
    let at = rng.below(instructions.len());
    match rng.below(6) {
        0 => {
            instructions.remove(at);
        }
        1 => {
            let copied = instructions[rng.below(instructions.len())];
            instructions.insert(at, copied);
        }
        2 if at + 1 < instructions.len() && instructions[at] != instructions[at + 1] => {
            instructions.swap(at, at + 1);
        }
        _ => {
            let neighbours = neighbours(&instructions[at], format);
            if neighbours.is_empty() {
                return None;
            }
            instructions[at] = neighbours[rng.below(neighbours.len())].1;
        }
    }
    Some(at)
}

/// Returns the module with only one routine.
fn single<'a>(module: &Module<'a>, index: usize) -> Module<'a> {
    let mut single = Module::new(module.format);
    single.kernels = module.kernels.get(index).cloned().into_iter().collect();
    single
}

#[test]
#[ignore = "needs the corpus"]
fn changes_of_real_routines_are_small_and_can_be_applied() {
    let mut rng = Rng::new(genvisa_test_support::random::seed(), 0);
    let (mut cases, mut lines_changed) = (0, 0);
    with_real_modules(|name, module| {
        let format = module.format;
        let index = rng.below(module.kernels.len().max(1));
        let a = single(module, index);
        let Some(kernel) = a.kernels.first() else { return };
        let decoded = kernel.body.code.instructions(format);
        let original: Vec<Instruction> = decoded.map(|item| item.expect("legal code").1).collect();
        if original.len() > 3000 || original.len() < 4 {
            return;
        }
        let listed = lines(&a);
        for _ in 0..6 {
            let mut instructions = original.clone();
            let Some(at) = mutate(&mut instructions, &mut rng, format) else { continue };
            let mut b = a.clone();
            b.kernels[0].body.code =
                Code::from_instructions(&instructions, format).expect("encodable");
            let diff = diff_of_kernels(&a, &b);
            assert!(!diff.is_empty(), "{name}, instruction {at}");
            let (removed, added) = changed(&diff);
            let unified = diff.to_unified("a", "b", 3);
            assert!(removed.max(added) <= 40, "{name}, instruction {at}:\n{unified}");
            let hunks = diff.hunks(3);
            let is_near = hunks.iter().any(|hunk| hunk.a.contains(&at) || hunk.b.contains(&at));
            // A copy of an instruction can be inserted at either side of the original.
            assert!(is_near, "{name}, instruction {at}:\n{unified}");
            assert_eq!(
                patched(&listed, &unified),
                lines(&b),
                "{name}, instruction {at}:\n{unified}"
            );
            cases += 1;
            lines_changed += removed + added;
        }
    });
    eprintln!("{cases} changes, {lines_changed} lines");
}

fn diff_of_kernels(a: &Module<'_>, b: &Module<'_>) -> RoutineDiff {
    let (a, b) = (a.routines().next().expect("a kernel"), b.routines().next().expect("a kernel"));
    Differ::new().routines(&a, &b).expect("legal code")
}
