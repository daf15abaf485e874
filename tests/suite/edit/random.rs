//! Random edits of a routine, compared with a list of lines.

use std::collections::BTreeSet;

use genvisa::isa::{Id, IdClass, Mov};
use genvisa::object::{Align, Body, Module, RoutineEditor};
use genvisa::operand::{DataType, Dst, Imm};
use genvisa::text::{FileListing, LineNames, LinePrinter};
use genvisa::{Dialect, ErrorKind, Format, Instruction};
use genvisa_test_support::rng::Rng;

/// Returns the entries that a routine declares.
pub fn entries(body: &Body<'_>) -> Vec<Id> {
    IdClass::NAMED.into_iter().flat_map(|class| body.ids(class)).collect()
}

/// Gives each entry a name that no other entry has, so that lines do not contain ids.
fn name_all(editor: &mut RoutineEditor<'_, '_>, prefix: &str) {
    for (place, id) in entries(editor.body()).into_iter().enumerate() {
        editor.rename(id, &format!("{prefix}{place}"));
    }
    call_by_name(editor);
}

/// Lets the lines refer to surfaces and samplers by their names, which only text has.
fn call_by_name(editor: &mut RoutineEditor<'_, '_>) {
    let body = editor.body_mut();
    body.surfaces.iter_mut().chain(&mut body.samplers).for_each(|entry| {
        entry.symbol = Some(body.strings[entry.name.0 as usize].to_string_lossy().into());
    });
}

fn lines_of(body: &Body<'_>, instructions: &[Instruction], format: Format) -> Vec<String> {
    let names = LineNames::new(body, format);
    let mut printer = LinePrinter::new(&names, format);
    let lines = instructions.iter().map(|one| {
        let line = printer.instruction(one, format);
        // Annotations have ids.
        line.split(" //@").next().unwrap_or_default().into()
    });
    lines.collect()
}

pub fn lines(editor: &RoutineEditor<'_, '_>) -> Vec<String> {
    lines_of(editor.body(), &editor.instructions, editor.format())
}

/// Returns the lines of the declarations of the entries, with attributes and aliases.
fn declarations(editor: &RoutineEditor<'_, '_>) -> BTreeSet<String> {
    let mut module = Module::new(editor.format());
    let mut kernel = genvisa::object::Kernel::new("k");
    kernel.body = editor.body().clone();
    module.kernels.push(kernel);
    let text = FileListing::new(&module).to_text().expect("legal tables");
    // Annotations have ids.
    let text = text.lines().map(|line| line.split(" //@").next().unwrap_or_default());
    text.filter(|line| line.starts_with(".decl")).map(String::from).collect()
}

fn assert_same(found: &[String], expected: &[String], what: &str) {
    let different = found.iter().zip(expected).position(|(found, expected)| found != expected);
    if let Some(line) = different {
        assert_eq!(found[line], expected[line], "line {line} after {what}");
    }
    assert_eq!(found.len(), expected.len(), "{what}");
}

/// After each of a few random edits, the lines equal a list of lines that is edited in the same way. In
/// the end, bytes and text agree, and the other routines are as before.
pub fn check(file: &[u8], rng: &mut Rng, name: &str) {
    let mut module = Module::from_bytes(file, Dialect::Igc2022).expect("a vISA object");
    let mut other = module.clone();
    let old = module.clone();
    let count = module.routines().count();
    let (routine, from) = (rng.below(count), rng.below(count));
    let what = &*format!("{name}, routine {routine}");
    let format = module.format;
    let mut editor = module.edit(routine).expect("legal code");
    name_all(&mut editor, "v");
    let mut model = lines(&editor);
    for edit in 0..8 {
        let at = rng.below(model.len() + 1);
        let end = at + rng.below((model.len() - at).min(9) + 1);
        let declared = declarations(&editor);
        match rng.below(6) {
            0 => {
                editor.instructions.drain(at..end);
                model.drain(at..end);
            }
            1 => {
                let copied = editor.instructions[at..end].to_vec();
                editor.instructions.splice(at..at, copied);
                let copied = model[at..end].to_vec();
                model.splice(at..at, copied);
            }
            2 => {
                let body = editor.body_mut();
                let name = format!("new{edit}");
                let new = body.add_variable(&name, DataType::UD, 1, Align::DWORD);
                let mov = Mov { dst: Dst::new(new), src0: Imm::ud(7).into(), ..Mov::default() };
                editor.instructions.insert(at, mov.into());
                model.insert(at, format!("    mov (M1, 1) {name}(0,0)<1> 0x7:ud"));
            }
            3 => {
                let renumbering = editor.retain_used();
                let ids = entries(editor.body());
                // Routines of files are large, so a few entries have to do.
                for id in ids.iter().step_by(1 + ids.len() / 16) {
                    assert_ne!(editor.uses(*id), [], "{id:?} {what}");
                    assert!(renumbering.get(*id).is_none_or(|new| new.number <= id.number));
                }
                let new: Vec<_> = declarations(&editor).difference(&declared).cloned().collect();
                assert!(new.is_empty(), "{new:?} in {what}");
                assert_eq!(editor.retain_used(), Default::default(), "{what}");
            }
            4 => {
                let ids = entries(editor.body());
                let Some(id) = ids.get(rng.below(ids.len().max(1))) else {
                    continue;
                };
                let user = editor.uses(*id).first().copied();
                assert_eq!(editor.remove(*id).err(), user, "{what}");
                let removed = declared.difference(&declarations(&editor)).count();
                assert!(removed <= usize::from(user.is_none()), "{what}");
            }
            _ => {
                let mut source = other.edit(from).expect("legal code");
                name_all(&mut source, &format!("w{edit}_"));
                let start = rng.below(source.instructions.len() + 1);
                let end = (start + 20).min(source.instructions.len());
                let part = &source.instructions[start..end];
                match editor.import(source.body(), part) {
                    Ok(imported) => drop(editor.instructions.splice(at..at, imported)),
                    Err(error) => {
                        let is_full = matches!(error.kind(), ErrorKind::TableFull { .. });
                        assert!(is_full, "{error} in {what}");
                        continue;
                    }
                }
                model.splice(at..at, lines_of(source.body(), part, format));
                // The imported entries have declarations of their own, with their aliases.
                let lost: Vec<_> = declared.difference(&declarations(&editor)).cloned().collect();
                assert!(lost.is_empty(), "{lost:?} in {what}");
            }
        }
        assert_same(&lines(&editor), &model, &format!("edit {edit} of {what}"));
    }
    if let Err(error) = editor.finish() {
        assert!(matches!(error.kind(), ErrorKind::UndeclaredId { .. }), "{error} in {what}");
        assert!(!old.routines().nth(routine).expect("a routine").inputs.is_empty(), "{what}");
        return;
    }
    let bytes = module.to_bytes().expect("a legal module");
    let mut read = Module::from_bytes(&bytes, format.dialect).expect("a legal file");
    let mut again = read.edit(routine).expect("legal code");
    call_by_name(&mut again);
    assert_same(&lines(&again), &model, what);
    for (index, (new, old)) in module.routines().zip(old.routines()).enumerate() {
        assert!(index == routine || new.body == old.body, "{what}");
    }
}
