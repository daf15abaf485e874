//! Long and unusual routines: the comparison takes little more than linear time.

use genvisa::isa::{Barrier, Jmp, Label, Loc, Mov};
use genvisa::object::{AliasScope, Align, Kernel, Variable};
use genvisa::operand::{DataType, Dst, Imm, LabelId, VarId, Vector};
use genvisa::{Format, Instruction, Module};
use genvisa_diff::Differ;
use genvisa_test_support::rng::Rng;

use super::module_of;

fn loc(line: u32) -> Instruction {
    Loc { line_number: line }.into()
}

/// Returns the numbers of instructions that only A and only B have.
fn changed(a: &[Instruction], b: &[Instruction]) -> (usize, usize) {
    let (a, b) = (module_of(a, Format::default()), module_of(b, Format::default()));
    let diff = Differ::new().modules(&a, &b);
    let diff = diff.routines[0].diff.as_ref().expect("a counterpart").as_ref().expect("legal code");
    let changed = diff.segments.iter().filter(|segment| !segment.is_equal);
    changed.fold((0, 0), |(a, b), segment| (a + segment.a.len(), b + segment.b.len()))
}

#[test]
fn long_routines_without_anything_in_common() {
    let a: Vec<Instruction> = (0..60_000).map(loc).collect();
    let b: Vec<Instruction> = (60_000..120_000).map(loc).collect();
    assert_eq!(changed(&a, &b), (60_000, 60_000));
    assert_eq!(changed(&a, &a), (0, 0));
    assert_eq!(changed(&a, &[]), (60_000, 0));
}

#[test]
fn long_routines_of_identical_instructions() {
    let barriers = |count| vec![Instruction::from(Barrier {}); count];
    assert_eq!(changed(&barriers(100_000), &barriers(80_000)), (20_000, 0));
    // Every instruction uses the same variable.
    let mov: Instruction = Mov { dst: Dst::new(VarId(32)), ..Mov::default() }.into();
    assert_eq!(changed(&vec![mov; 40_000], &vec![mov; 60_000]), (0, 20_000));
}

#[test]
fn long_routines_of_shuffled_and_of_random_instructions() {
    let mut rng = Rng::new(3, 0);
    let a: Vec<Instruction> = (0..10_000).map(loc).collect();
    let mut b = a.clone();
    rng.shuffle(&mut b);
    let (removed, added) = changed(&a, &b);
    assert!(removed == added && (1..10_000).contains(&removed), "{removed} {added}");
    b.sort_by_key(|instruction| match instruction {
        Instruction::Loc(loc) => u32::MAX - loc.line_number,
        _ => 0,
    });
    assert_eq!(changed(&a, &b), (9_999, 9_999));

    let mut random = |_| loc(rng.below(50) as u32);
    let a: Vec<Instruction> = (0..10_000).map(&mut random).collect();
    let b: Vec<Instruction> = (0..10_000).map(&mut random).collect();
    let (removed, added) = changed(&a, &b);
    assert!(removed < 10_000 && added < 10_000, "{removed} {added}");
}

/// Each of these has another variable in every instruction.
#[test]
fn long_routines_with_many_variables() {
    const COUNT: u32 = 20_000;
    let kernel = |values: &dyn Fn(u32) -> u32| {
        let mut kernel = Kernel::new("k");
        let mut instructions: Vec<Instruction> = Vec::new();
        for index in 0..COUNT {
            let var = kernel.body.add_variable("", DataType::UD, 8, Align::GRF);
            let (dst, src0) = (Dst::new(var), Vector::imm(Imm::ud(values(index))));
            instructions.push(Mov { dst, src0, ..Mov::default() }.into());
            // Each is an alias of the one before: trees are as deep as they are large.
            kernel.body.variables.push(Variable { alias: var, ..Variable::default() });
            let last = kernel.body.variables.len() as u32 - 1;
            if index > 0 {
                kernel.body.variables[last as usize].alias = VarId(32 + last - 2);
            }
        }
        let format = Format::default();
        kernel.body.code =
            genvisa::object::Code::from_instructions(&instructions, format).expect("encodable");
        let mut module = Module::new(format);
        module.kernels.push(kernel);
        module
    };
    let (same, other) = (kernel(&|index| index), kernel(&|index| index / 2));
    assert!(Differ::new().modules(&same, &same).is_empty());
    let diff = Differ::new().modules(&same, &other);
    assert!(!diff.is_empty());
    let diff = diff.routines[0].diff.as_ref().expect("a counterpart").as_ref().expect("legal code");
    assert!(!diff.to_unified("a", "b", 3).is_empty());
}

/// Aliases of themselves, of each other, of undeclared variables and of variables of the file.
#[test]
fn aliases_that_are_not_legal() {
    let module = |aliases: &[(u32, AliasScope)]| {
        let mut module = module_of(&[], Format::default());
        let body = &mut module.kernels[0].body;
        body.variables.clear();
        for (alias, alias_scope) in aliases {
            let (alias, alias_scope) = (VarId(*alias), *alias_scope);
            body.variables.push(Variable { alias, alias_scope, ..Variable::default() });
        }
        module
    };
    let is_equal = |a: &[(u32, AliasScope)], b: &[(u32, AliasScope)]| {
        let diff = Differ::new().modules(&module(a), &module(b));
        let routine = diff.routines[0].diff.as_ref().expect("a counterpart");
        let unified = routine.as_ref().expect("legal code").to_unified("a", "b", 3);
        assert_eq!(diff.is_empty(), unified.is_empty());
        diff.is_empty()
    };
    let (local, file) = (AliasScope::LOCAL, AliasScope::FILE);
    // A cycle of three and a cycle of one, in different orders.
    let cycles = [(33, local), (34, local), (32, local), (35, local)];
    assert!(is_equal(&cycles, &[(32, local), (35, local), (33, local), (34, local)]));
    // Two cycles of two have the same aliases of aliases.
    assert!(!is_equal(&cycles, &[(33, local), (32, local), (35, local), (34, local)]));
    assert!(!is_equal(&[(32, local)], &[(33, local)]));
    assert!(!is_equal(&[(50, local)], &[(51, local)]));
    assert!(!is_equal(&[(0, local)], &[(0, file)]));
    // A tree at a cycle.
    let tree = [(32, local), (32, local), (33, local)];
    assert!(is_equal(&tree, &[(33, local), (34, local), (34, local)]));
    assert!(!is_equal(&tree, &[(32, local), (32, local), (32, local)]));
}

#[test]
fn jumps_to_other_labels_differ() {
    let label = |id| Instruction::from(Label { label: LabelId(id) });
    let jmp = |id| Instruction::from(Jmp { label: LabelId(id), ..Jmp::default() });
    let a = [label(0), loc(1), label(1), loc(2), jmp(0), jmp(1)];
    assert_eq!(changed(&a, &[label(5), loc(1), label(4), loc(2), jmp(5), jmp(4)]), (0, 0));
    assert_ne!(changed(&a, &[label(0), loc(1), label(1), loc(2), jmp(1), jmp(0)]), (0, 0));
    assert_ne!(changed(&a, &[label(0), loc(1), label(1), loc(2), jmp(0), jmp(0)]), (0, 0));
}
