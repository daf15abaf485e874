//! Comparison of routines.

mod applied;
mod applied_edits;
mod declarations;
mod equal;
mod hand_built;
mod hostile;
mod inputs;
mod mutations;
mod permute;
mod seeded;

#[path = "../../../../fuzz/bodies/diff.rs"]
mod fuzz;

use seeded::edits as text_edits;

use genvisa::object::{Code, Kernel};
use genvisa::operand::DataType;
use genvisa::{Dialect, Format, Instruction, Module, text};
use genvisa_test_support::corpus;

/// Returns the modules of the corpus and of today's texts, with their names.
fn with_real_modules(mut test: impl FnMut(&str, &Module<'_>)) -> usize {
    let mut count = 0;
    for path in corpus::required_files() {
        let file = std::fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        test(&path.display().to_string(), &module);
        count += 1;
    }
    corpus::required_visaasm();
    for path in visaasm_files() {
        let source = std::fs::read(&path).expect("a readable text");
        let module = text::parse(source, Format::V4_2).expect("valid text");
        test(&path.display().to_string(), &module);
        count += 1;
    }
    count
}

/// Returns today's texts; none if they are missing.
fn visaasm_files() -> Vec<std::path::PathBuf> {
    let Some(folder) = corpus::visaasm() else { return Vec::new() };
    let entries = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries
    };
    let folders = entries(&folder).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| entries(&folder));
    files.filter(|path| path.extension().is_some_and(|suffix| suffix == "visaasm")).collect()
}

/// Returns a module with one kernel, which declares many variables of every class.
fn module_of(instructions: &[Instruction], format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("k");
    for index in 0..16 {
        let name = format!("v{index}");
        kernel.body.add_variable(&name, DataType::UD, 64, genvisa::object::Align::GRF);
    }
    for index in 0..8 {
        kernel.body.add_address(&format!("a{index}"), 8).expect("few");
        kernel.body.add_predicate(&format!("p{index}"), 16).expect("few");
        kernel.body.add_surface(&format!("t{index}")).expect("few");
        kernel.body.add_sampler(&format!("s{index}")).expect("few");
        let kind = genvisa::object::LabelKind::BLOCK;
        kernel.body.add_label(&format!("l{index}"), kind).expect("few");
    }
    kernel.body.code = Code::from_instructions(instructions, format).expect("encodable");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}
