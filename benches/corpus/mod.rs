//! The input files of the benchmarks.

#![allow(dead_code)] // each benchmark uses some of this

use std::path::Path;

use genvisa::{Instruction, Module};

/// The size of the small files. Several copies fit into a megabyte.
const SMALL: usize = 1 << 18;

/// Returns [`real_files`], or copies of a test file if there are none.
pub fn files() -> Vec<Vec<u8>> {
    real_files().unwrap_or_else(|| {
        eprintln!("GENVISA_CORPUS is not set: using copies of a test file");
        vec![include_bytes!("../../tests/data/tour.isa").to_vec(); 200]
    })
}

/// Returns the `.isa` files in the folder `GENVISA_CORPUS`, or `None` if it is not set.
pub fn real_files() -> Option<Vec<Vec<u8>>> {
    let folder = std::env::var_os("GENVISA_CORPUS")?;
    let entries = Path::new(&folder).read_dir().expect("GENVISA_CORPUS is a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "isa"));
    Some(paths.map(|path| std::fs::read(path).expect("a readable file")).collect())
}

/// Returns the largest small file. Its kernels must not have indices of functions of the file.
pub fn small_file() -> Vec<u8> {
    let files = files().into_iter().filter(|file| file.len() < SMALL);
    files.max_by_key(Vec::len).expect("a file of less than 256 KB")
}

/// Returns a module with copies of the kernels of another.
pub fn copies<'a>(one: &Module<'a>, count: usize) -> Module<'a> {
    let mut module = Module::new(one.format);
    (0..count).for_each(|_| module.kernels.extend(one.kernels.iter().cloned()));
    module
}

/// Decodes all instructions and returns their number.
pub fn decode(module: &Module<'_>) -> u64 {
    let (mut instruction, mut count) = (Instruction::default(), 0);
    for routine in module.routines() {
        let mut instructions = routine.body.code.instructions(routine.format());
        while let Ok(Some(_)) = instructions.next_into(&mut instruction) {
            std::hint::black_box(&instruction);
            count += 1;
        }
    }
    count
}
