//! Tests with real files. `main.rs` describes the environment variables that name them.

use std::fs;
use std::path::Path;

use genvisa::object::Routine;
use genvisa::text::{Listing, Style};
use genvisa::{Boundaries, Dialect, Module};
use genvisa_test_support::corpus::{files, first_difference};

#[test]
fn files_and_instructions_round_trip() {
    for path in files() {
        let file = fs::read(&path).expect("a readable file");
        let name = path.display();
        let module =
            Module::from_bytes(&file, Dialect::Igc2022).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(module.to_bytes().as_ref(), Ok(&file), "{name}");
        for routine in module.routines() {
            let code = routine.body.code.bytes();
            let mut again = Vec::new();
            for item in routine.instructions() {
                let (_, instruction) = item.unwrap_or_else(|e| panic!("{name}: {e}"));
                again.extend(instruction.to_bytes(module.format).expect("it was decoded"));
            }
            assert_eq!(again, code, "{name}, {}", routine.name);
            let skipped: usize =
                Boundaries::new(code, module.format).map(|b| b.expect("legal").len).sum();
            assert_eq!(skipped, code.len(), "{name}, {}", routine.name);
        }
    }
}

#[test]
fn reference_style_prints_the_text_of_the_reference() {
    let (mut routines, mut bytes) = (0, 0);
    for path in files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        let Ok(goldens) = fs::read_dir(path.with_extension("golden")) else {
            eprintln!("{} has no golden text; only its numbering is checked", path.display());
            for routine in module.routines() {
                let numbered = routine.instructions().filter(|item| {
                    let mnemonic = item.as_ref().expect("legal code").1.mnemonic();
                    !["loc", "file", "label", "func"].contains(&mnemonic)
                });
                let printed = text(routine, Style::GenXIr);
                assert_eq!(printed.matches(" /// $").count(), numbered.count());
            }
            continue;
        };
        for golden in goldens.flatten().map(|entry| entry.path()) {
            let expected = fs::read_to_string(&golden).expect("a readable text");
            let found = text(routine_of(&module, &golden), Style::GenXIr);
            let difference = first_difference(&found, &expected).unwrap_or_default();
            assert!(found == expected, "{}: {difference}", golden.display());
            routines += 1;
            bytes += expected.len();
        }
    }
    eprintln!("{routines} routines, {bytes} bytes of text");
}

fn text<'m, 'a>(routine: Routine<'m, 'a>, style: Style) -> String {
    let mut text = String::new();
    let listing = Listing::new(routine).with_style(style);
    listing.write_to(&mut text).expect("legal code");
    text
}

/// Returns the routine of a golden text, whose name is `NAME_<index>.visaasm`.
fn routine_of<'m, 'a>(module: &'m Module<'a>, golden: &Path) -> Routine<'m, 'a> {
    let stem = golden.file_stem().and_then(|stem| stem.to_str()).expect("a UTF-8 name");
    let index = stem.rsplit_once('_').and_then(|(_, index)| index.parse().ok()).expect("an index");
    module.routines().nth(index).expect("a routine for each golden text")
}
