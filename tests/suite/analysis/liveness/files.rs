//! The liveness of real routines equals the definitions, applied to each unit.

use std::fs;

use genvisa::RegisterSize;
use genvisa::text::parse;
use genvisa::{Dialect, Format, Module};
use genvisa_test_support::corpus;
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::repository;

use super::check;

/// The model visits every unit at every instruction.
const MOST_INSTRUCTIONS: usize = 120;

/// Checks the small routines of a module; returns their number.
fn check_small(module: &Module<'_>, name: &str) -> usize {
    let mut count = 0;
    for routine in module.routines() {
        if routine.instructions().count() <= MOST_INSTRUCTIONS {
            for registers in [RegisterSize::Bytes32, RegisterSize::Bytes64] {
                check(&routine, registers, &format!("{name}: {}", routine.name));
            }
            count += 1;
        }
    }
    count
}

#[test]
fn small_routines_of_files_satisfy_the_definitions() {
    for (name, dialect) in [("tour.isa", Dialect::Igc2022), ("manual.isa", Dialect::Manual)] {
        let path = repository("tests/data").join(name);
        let file = fs::read(path).expect("a readable file");
        let module = Module::from_bytes(&file, dialect).expect("a module");
        assert!(check_small(&module, name) > 0, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn small_routines_of_todays_compiler_satisfy_the_definitions() {
    let folder = corpus::required_visaasm();
    let mut count = 0;
    for path in texts_under(&folder) {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let name = path.display().to_string();
        let module = parse(&text, Format::V4_2).unwrap_or_else(|e| panic!("{name}: {}", e[0]));
        count += check_small(&module, &name);
    }
    assert!(count > 20, "{count}");
}
