//! Routines that differ in one place: the difference is never empty, and small.

use std::cell::Cell;

use genvisa::diff::{Differ, RoutineDiff};
use genvisa::isa::{Label, Mov, Movs, Setp};
use genvisa::object::Code;
use genvisa::operand::{
    AddrId, Dst, Imm, LabelId, Pred, PredId, SamplerId, SurfaceId, VarId, Vector,
};
use genvisa::strategy::rows;
use genvisa::text::Listing;
use genvisa::{Format, Instruction, Module};

use super::{module_of, with_real_modules};
use crate::codec::runner;
use crate::formats;
use crate::oracle::differential::rng::Rng;

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
        let masks = (0..8).map(|bit| 1 << bit).chain([0x03, 0x0f, 0xff, bytes[at], !bytes[at]]);
        for mask in masks.filter(|mask| *mask != 0) {
            let mut other = bytes.clone();
            other[at] ^= mask;
            if let Ok(other) = Instruction::from_bytes(&other, format) {
                if other != *instruction && found.iter().all(|(_, known)| *known != other) {
                    found.push((at, other));
                }
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
        !format.is_manual() && matches!(&*version, "3.0" | "3.3" | "3.6" | "4.1" | "4.2")
    };
    formats::all().into_iter().filter(is_chosen).collect()
}

/// The names of the fields at a byte of an instruction.
fn fields_at(instruction: &Instruction, at: usize, format: Format) -> Vec<String> {
    use genvisa::wire::{FieldRecorder, Reader, Wire};
    let bytes = instruction.to_bytes(format).expect("encodable");
    let mut recorder = FieldRecorder::default();
    let mut reader = Reader::traced(&bytes, 0, format, &mut recorder);
    Instruction::decode(&mut reader).expect("decodable");
    let is_here =
        |offset: usize, len: Option<usize>| (offset..offset + len.unwrap_or(0)).contains(&at);
    let fields = recorder.fields().iter().filter(|field| is_here(field.offset, field.len));
    fields.map(|field| field.name.clone()).collect()
}

/// Every byte of every instruction matters.
#[test]
fn no_field_is_ignored() {
    let (cases, fields) =
        (Cell::new(0), std::cell::RefCell::new(std::collections::BTreeSet::new()));
    for (salt, format) in some_formats().into_iter().enumerate() {
        let pins = pins();
        for (opcode, row) in rows(format) {
            let result = runner(4, salt).run(&row, |instruction| {
                let neighbours = neighbours(&instruction, format);
                let a = [&pins[..], &vec![instruction; neighbours.len()]].concat();
                let b: Vec<Instruction> = neighbours.iter().map(|(_, other)| *other).collect();
                let b = [&pins[..], &b].concat();
                let diff = diff(&module_of(&a, format), &module_of(&b, format));
                let expected = (neighbours.len(), neighbours.len());
                proptest::prop_assert_eq!(
                    changed(&diff),
                    expected,
                    "{}",
                    diff.to_unified("a", "b", 0)
                );
                cases.set(cases.get() + neighbours.len());
                for (at, _) in neighbours {
                    for field in fields_at(&instruction, at, format) {
                        fields.borrow_mut().insert((instruction.mnemonic(), field));
                    }
                }
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
    let fields = fields.into_inner();
    eprintln!("{} differences in {} fields", cases.get(), fields.len());
    for spec in genvisa::isa::SPEC {
        for field in spec.fields {
            let is_list = field.when.is_some_and(|when| when.starts_with("times"));
            let is_covered = fields.contains(&(spec.mnemonic, field.name.to_string()));
            if !is_list && !is_covered {
                eprintln!("not covered: {} {}", spec.mnemonic, field.name);
            }
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
            lines.push(line.into());
        }
    }
    lines
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
            assert_eq!(lines[at], text, "{unified}");
            at += 1;
        }
        if sign != "-" {
            new.push(text.into());
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
fn changes_of_real_routines_are_small_and_can_be_applied() {
    let mut rng = Rng::new(crate::properties::seed(), 0);
    let (mut cases, mut lines_changed, mut renamed) = (0, 0, 0);
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
            if !is_near {
                eprintln!("{name}, instruction {at} is not in the hunks:\n{unified}");
            }
            let found = patched(&listed, &unified);
            match found == lines(&b) {
                true => {}
                false => {
                    renamed += 1;
                    if renamed < 4 {
                        eprintln!("{name} {at}: names of B\n{unified}");
                    }
                }
            }
            cases += 1;
            lines_changed += removed + added;
        }
    });
    eprintln!("{cases} changes, {lines_changed} lines, {renamed} in other names");
}

fn diff_of_kernels(a: &Module<'_>, b: &Module<'_>) -> RoutineDiff {
    let (a, b) = (a.routines().next().expect("a kernel"), b.routines().next().expect("a kernel"));
    Differ::new().routines(&a, &b).expect("legal code")
}
