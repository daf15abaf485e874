//! Reserved words are not printed as names.

use genvisa::isa::SPEC;
use genvisa::object::{Align, Kernel};
use genvisa::operand::DataType;
use genvisa::text::Style;
use genvisa::{Format, Module};

use super::listing;

/// Returns the words that can be names of variables in printed text.
fn names<'w>(words: &[&'w str], style: Style) -> Vec<&'w str> {
    let mut kernel = Kernel::new("k");
    for word in words {
        kernel.body.add_variable(word, DataType::D, 8, Align::GRF);
    }
    let mut module = Module::new(Format::default());
    module.kernels.push(kernel);
    let text = listing(&module, style).expect("no code");
    let is_name = |word: &&&str| text.contains(&format!(".decl {word} "));
    words.iter().filter(is_name).copied().collect()
}

#[test]
fn mnemonics_are_not_names_in_faithful_text() {
    let more =
        ["svm_gather", "lsc_load", "lsc_load_quad_status", "FILE", "surf", "va_erode", "asin"];
    let words: Vec<&str> = SPEC.iter().map(|spec| spec.mnemonic).chain(more).collect();
    assert_eq!(names(&words, Style::Faithful), [""; 0]);
    let free = ["moves", "mow", "svm_", "lsc_", "reserved_", "reserved_3B", "file_"];
    assert_eq!(names(&free, Style::Faithful), free);
}

/// Its reader is older.
#[test]
fn the_reference_reserves_fewer_words() {
    let reserved = ["add", "svm_gather", "lsc_load", "FILE", "flat", "va_erode", "reserved_3B"];
    assert_eq!(names(&reserved, Style::Reference), [""; 0]);
    let free = ["tanh", "load_3d", "lsc_load_quad_status", "asin", "surf", "moves", "reserved_"];
    assert_eq!(names(&free, Style::Reference), free);
}
