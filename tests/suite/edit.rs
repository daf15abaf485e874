//! Editing of routines: seeded edits of real, small and generated files, compared with a list of lines.

pub mod random;

use std::collections::BTreeSet;
use std::fs;

use genvisa::Platform;
use genvisa::isa::IdClass;
use genvisa::object::{Align, GenBinary, LabelKind, Module, RoutineEditor, Use};
use genvisa::operand::{DataType, VarId};
use genvisa::strategy::legal;
use genvisa::text::{FileListing, parse};
use genvisa::{Dialect, ErrorKind, Format, Instruction};
use genvisa_test_support::corpus::files;
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::repository;
use genvisa_test_support::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};
use random::lines;

fn small_files() -> Vec<(String, Vec<u8>)> {
    let tour = repository("tests/data/tour.isa");
    let paths = std::iter::once(tour).chain(files());
    let all = paths.map(|path| {
        let file = fs::read(&path).expect("a readable file");
        (path.display().to_string(), file)
    });
    all.filter(|(_, file)| file.len() < 200_000).collect()
}

/// Returns files of generated modules, which have more kinds of instructions and operands.
fn generated_files() -> Vec<(String, Vec<u8>)> {
    let (modules, mut runner) = (legal(Format::default(), Platform::Skl).modules(), runner(256, 0));
    let files = (0..cases(12)).map(|number| {
        let module = modules.new_tree(&mut runner).expect("a module").current();
        (format!("generated module {number}"), module.to_bytes().expect("a legal module"))
    });
    files.collect()
}

#[test]
fn a_routine_without_changes_stays_as_it_is() {
    for (name, file) in small_files() {
        let mut module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        for routine in 0..module.routines().count() {
            let editor = module.edit(routine).expect("legal code");
            editor.finish().expect("legal code");
        }
        assert_eq!(module.to_bytes().as_ref(), Ok(&file), "{name}");
        assert_eq!(module.into_owned().to_bytes().as_ref(), Ok(&file), "{name}");
    }
}

#[test]
fn random_edits_keep_every_reference() {
    let (small, generated) = (small_files(), generated_files());
    let mut rng = Rng::new(seed(), 0);
    for case in 0..cases(60) {
        let files = if rng.one_in(2) { &small } else { &generated };
        let (name, file) = &files[rng.below(files.len())];
        random::check(file, &mut rng, &format!("{name}, case {case}"));
    }
}

/// Returns a module whose kernel has an entry of each class, with an input and an alias.
fn module() -> Module<'static> {
    let source = "\
.version 3.6
.kernel \"k\"
.decl base v_type=G type=ud num_elts=16 align=GRF
.decl unused v_type=G type=f num_elts=8 align=GRF
.decl part v_type=G type=uw num_elts=2 align=word alias=<base, 8>
.decl x v_type=G type=d num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.decl P2 v_type=P num_elts=8
.input x offset=32 size=32
    cmp.gt (M1, 8) P2 x(0,0)<8;8,1> 0x0:d
    (P2) goto (M1, 8) end
    mov (M1, 1) part(0,0)<1> 0x1:uw
end:
    ret (M1, 1)
";
    let mut module = parse(source, Format::default()).expect("legal text");
    module.kernels[0].gen_binaries.push(GenBinary::new(5, &b"code"[..]));
    module
}

#[test]
fn unused_entries_are_removed_and_all_others_are_renumbered() {
    let mut module = module();
    let mut editor = module.edit(0).expect("legal code");
    let before = lines(&editor);
    let renumbering = editor.retain_used();
    assert_eq!(renumbering.get(VarId(33)), None);
    assert_eq!(renumbering.get(VarId(35)), Some(VarId(34).into()));
    assert_eq!(renumbering.get(VarId(0)), Some(VarId(0).into()));
    assert_eq!(lines(&editor), before);
    assert_eq!(editor.body().variables[1].alias, VarId(32));
    assert_eq!(editor.routine().inputs[0].index, 34);
    assert_eq!(editor.body().predicates.len(), 1);
    let strings: Vec<String> = editor.body().strings.iter().map(|s| s.to_string()).collect();
    assert!(!strings.contains(&"unused".into()) && strings.contains(&"part".into()), "{strings:?}");
}

#[test]
fn an_entry_in_use_is_not_removed() {
    let mut module = module();
    let mut editor = module.edit(0).expect("legal code");
    assert_eq!(editor.remove(VarId(32)), Err(Use::Alias(VarId(34))));
    assert_eq!(editor.uses(VarId(35)), [Use::Instruction(0), Use::Input(0)]);
    assert_eq!(editor.remove(VarId(35)).unwrap_err().to_string(), "instruction 0");
    editor.instructions.remove(0);
    assert_eq!(editor.remove(VarId(35)), Err(Use::Input(0)));
    editor.inputs_mut().expect("a kernel").clear();
    assert_eq!(editor.remove(VarId(35)), Ok(()));
    assert_eq!(editor.body().variables.len(), 3);
}

#[test]
fn nothing_changes_without_finish_or_after_an_error() {
    let mut module = module();
    let before = module.clone();
    let mut editor = module.edit(0).expect("legal code");
    editor.instructions.clear();
    editor.body_mut().variables.clear();
    drop(editor);
    assert_eq!(module, before);
    let mut editor = module.edit(0).expect("legal code");
    // No version of this dialect has the instruction.
    let illegal = genvisa::isa::Bdpas::default().into();
    editor.instructions.push(illegal);
    let error = editor.finish().unwrap_err().to_string();
    assert!(error.contains("kernel `k`") && error.contains("bdpas"), "{error}");
    assert_eq!(module, before);
}

/// As some real files, whose inputs are not declared.
#[test]
fn new_entries_do_not_become_what_was_undeclared() {
    let mut module = module();
    module.kernels[0].inputs[0].index = 36;
    let mut editor = module.edit(0).expect("legal code");
    assert_eq!(editor.undeclared(), BTreeSet::from([VarId(36).into()]));
    editor.body_mut().add_variable("new", DataType::UD, 1, Align::DWORD);
    let error = editor.finish().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::UndeclaredId { letter: 'V', number: 36 });
    let mut editor = module.edit(0).expect("legal code");
    editor.inputs_mut().expect("a kernel").clear();
    editor.body_mut().add_variable("new", DataType::UD, 1, Align::DWORD);
    editor.finish().expect("legal code");
    module.kernels[0].inputs.clear();
    assert_eq!(module.kernels[0].body.variables.len(), 5);
}

#[test]
fn machine_code_of_a_changed_kernel_is_removed() {
    let mut module = module();
    module.edit(0).and_then(RoutineEditor::finish).expect("legal code");
    assert_eq!(module.kernels[0].gen_binaries.len(), 1);
    let mut editor = module.edit(0).expect("legal code");
    editor.instructions.remove(2);
    editor.finish().expect("legal code");
    assert_eq!(module.kernels[0].gen_binaries, []);
}

#[test]
fn imported_entries_get_unused_names() {
    let mut module = module();
    let source = module.clone();
    let mut editor = module.edit(0).expect("legal code");
    let code: Vec<Instruction> = editor.instructions.clone();
    let imported = editor.import(&source.kernels[0].body, &code[..4]).expect("room in the tables");
    editor.instructions.splice(4..4, imported);
    editor.finish().expect("legal code");
    let text = FileListing::new(&module).to_text().expect("a legal module");
    for line in [
        ".decl part_1 v_type=G type=uw num_elts=2 align=word alias=<base_1, 8>",
        "    (P2_1) goto (M1, 8) end_1",
        "end_1:",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}\n{text}");
    }
    assert_eq!(genvisa::verify::Verifier::new().check_module(&module), []);
}

/// Returns a kernel whose variables have the same name, each an alias, and an instruction with the last.
fn aliases(
    count: u32,
    alias_of: impl Fn(u32) -> u32,
) -> (genvisa::object::Kernel<'static>, Instruction) {
    let mut kernel = genvisa::object::Kernel::new("aliases");
    let mut last = VarId::NULL;
    for number in 0..count {
        last = kernel.body.add_variable("x", DataType::UD, 1, Align::DWORD);
        let first = VarId::FIRST_DECLARED.0;
        let alias = alias_of(number).checked_add(first).map_or(VarId::NULL, VarId);
        kernel.body.variables.last_mut().expect("a variable").alias = alias;
    }
    let dst = genvisa::operand::Dst::new(last);
    (kernel, genvisa::isa::Mov { dst, ..Default::default() }.into())
}

/// The imported variables precede their aliases, and have names of their own.
#[test]
fn long_chains_of_aliases_are_imported() {
    const COUNT: u32 = 50_000;
    let (other, code) = aliases(COUNT, |number| number.checked_sub(1).unwrap_or(u32::MAX));
    let mut module = module();
    let mut editor = module.edit(0).expect("legal code");
    let before = editor.body().variables.len();
    let imported = editor.import(&other.body, &[code]).expect("room in the tables");
    let variables = &editor.body().variables[before..];
    assert_eq!(variables.len(), COUNT as usize);
    let first = VarId::FIRST_DECLARED.0 + before as u32;
    for (id, variable) in (first..).zip(variables).skip(1) {
        assert_eq!(variable.alias, VarId(id - 1));
    }
    let names: BTreeSet<_> = variables.iter().map(|variable| variable.name).collect();
    assert_eq!(names.len(), COUNT as usize);
    let last = genvisa::operand::Dst::new(VarId(first + COUNT - 1));
    assert_eq!(imported, [genvisa::isa::Mov { dst: last, ..Default::default() }.into()]);
}

#[test]
fn cycles_of_aliases_are_not_imported() {
    let mut module = module();
    for (other, code) in [
        aliases(1, |_| 0),
        aliases(3, |number| (number + 1) % 3),
        aliases(4, |number| number.max(2)),
    ] {
        let mut editor = module.edit(0).expect("legal code");
        let error = editor.import(&other.body, &[code]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UndeclaredId { letter: 'V', .. }), "{error}");
    }
}

#[test]
fn undeclared_ids_are_not_imported() {
    let mut module = module();
    let other = genvisa::object::Kernel::new("other");
    let mut editor = module.edit(0).expect("legal code");
    let code = editor.instructions.clone();
    let error = editor.import(&other.body, &code[..1]).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::UndeclaredId { letter: 'P', number: 2 });
}

#[test]
fn ids_are_replaced_everywhere() {
    let mut module = module();
    let mut editor = module.edit(0).expect("legal code");
    let before = lines(&editor);
    editor.body_mut().variables.swap(0, 3);
    let swapped = editor.replace_ids(|id| match (id.class, id.number) {
        (IdClass::Variable, 32) => 35,
        (IdClass::Variable, 35) => 32,
        (_, number) => number,
    });
    assert_eq!(swapped, Ok(()));
    assert_eq!(lines(&editor), before);
    assert_eq!(editor.routine().inputs[0].index, 32);
    let too_large = editor.replace_ids(|id| id.number + 70_000).unwrap_err();
    assert_eq!(too_large.number, 70_002);
    assert_eq!(lines(&editor), before);
    let label = editor.body_mut().add_label("more", LabelKind::BLOCK).expect("room");
    assert_eq!(editor.uses(label), []);
}
