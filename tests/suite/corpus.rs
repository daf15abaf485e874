//! Real files, where there are any: see the environment variables in `main.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use genvisa::{Boundaries, Dialect, Instruction, Module};

/// The files of the corpus, or nothing and a word on it.
pub fn files() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("GENVISA_CORPUS") else {
        eprintln!("skipped: GENVISA_CORPUS is not set");
        return Vec::new();
    };
    let entries = fs::read_dir(&folder).expect("GENVISA_CORPUS is a folder");
    let mut files: Vec<PathBuf> = (entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "isa"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "GENVISA_CORPUS holds no .isa file");
    files
}

#[test]
fn every_file_comes_back_byte_for_byte_with_every_instruction_understood() {
    for path in files() {
        let file = fs::read(&path).expect("a readable file");
        let name = path.display();
        let module =
            Module::parse(&file, Dialect::Igc2022).unwrap_or_else(|e| panic!("{name}: {e}"));
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

/// The opcode that a line of the reference's disassembly shows, by name.
fn opcode_of(line: &str) -> &str {
    let text = line.trim_start();
    let text = match text.strip_prefix('(') {
        Some(predicated) => predicated.split_once(") ").map_or("", |(_, rest)| rest),
        None => text,
    };
    let mnemonic = text.split([' ', '.', '(']).next().unwrap_or_default();
    match mnemonic {
        "min" | "max" => "fminmax",
        "fence_global" | "fence_local" | "fence_sw" => "fence",
        "raw_sendc" => "raw_send",
        "raw_sendsc" => "raw_sends",
        other => other,
    }
}

/// Each numbered line of the golden text shows the instruction of that number. LOC, FILE and labels
/// count but carry no number.
#[test]
fn instructions_are_those_of_the_reference_one_by_one() {
    let unnumbered = ["loc", "file", "label", "func"];
    let (mut routines, mut lines) = (0, 0);
    for path in files() {
        let folder = path.with_extension("golden");
        let Ok(goldens) = fs::read_dir(&folder) else {
            eprintln!("skipped: {} has no golden text", path.display());
            continue;
        };
        let file = fs::read(&path).expect("a readable file");
        let module = Module::parse(&file, Dialect::Igc2022).expect("a vISA object");
        for golden in goldens.flatten().map(|entry| entry.path()) {
            let text = String::from_utf8_lossy(&fs::read(&golden).expect("readable")).into_owned();
            let routine = routine_of(&module, &golden);
            let decoded: Vec<Instruction> =
                routine.instructions().map(|item| item.expect("legal").1).collect();
            let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
            for line in text.lines() {
                let Some((shown, number)) = line.rsplit_once("/// $") else { continue };
                let index: usize = number.parse().expect("a number");
                let expected = opcode_of(shown);
                let place = || format!("{} ${index}", golden.display());
                assert_eq!(decoded[index].mnemonic(), expected, "{}", place());
                *counts.entry(expected).or_default() += 1;
                lines += 1;
            }
            for instruction in &decoded {
                *counts.entry(instruction.mnemonic()).or_default() -= 1;
            }
            counts.retain(|name, count| *count != 0 && !unnumbered.contains(name));
            assert!(counts.is_empty(), "{}: {counts:?}", golden.display());
            routines += 1;
        }
    }
    eprintln!("{routines} routines, {lines} numbered lines");
}

/// The routine that a golden text shows: `NAME_<index>.visaasm`.
fn routine_of<'m, 'a>(module: &'m Module<'a>, golden: &Path) -> genvisa::object::Routine<'m, 'a> {
    let stem = golden.file_stem().and_then(|stem| stem.to_str()).expect("a UTF-8 name");
    let index = stem.rsplit_once('_').and_then(|(_, index)| index.parse().ok()).expect("an index");
    module.routines().nth(index).expect("a routine for each golden text")
}
