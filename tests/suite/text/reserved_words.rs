//! Reserved words are not printed as names.

use genvisa::isa::SPEC;
use genvisa::object::{Align, Kernel};
use genvisa::operand::DataType;
use genvisa::text::{Style, parse};
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
    assert_eq!(names(&words, Style::Complete), [""; 0]);
    let free = ["moves", "mow", "svm_", "lsc_", "reserved_", "reserved_3B", "file_"];
    assert_eq!(names(&free, Style::Complete), free);
}

/// Its reader is older.
#[test]
fn genx_ir_reserves_fewer_words() {
    let reserved = ["add", "svm_gather", "lsc_load", "FILE", "flat", "va_erode", "reserved_3B"];
    assert_eq!(names(&reserved, Style::GenXIr), [""; 0]);
    let free = ["tanh", "load_3d", "lsc_load_quad_status", "asin", "surf", "moves", "reserved_"];
    assert_eq!(names(&free, Style::GenXIr), free);
}

/// The grammar of IGC does not have these words, or only with a suffix.
#[test]
fn text_of_4_2_may_have_some_mnemonics_as_names() {
    let is_accepted = |name: &str| {
        let declaration = format!(".decl {name} v_type=G type=d num_elts=8 align=GRF");
        let source = format!(".version 4.2\n.kernel \"k\"\n{declaration}\nret (M1, 1)\n");
        parse(source, Format::V4_2).is_ok()
    };
    let names = ["RESERVED_0", "dpas", "fence", "func", "label", "lifetime", "svm", "vme_idm"];
    for name in names.into_iter().chain(["va_hdc_erode"]) {
        assert!(is_accepted(name), "{name}");
    }
    for word in ["add", "mov", "lsc_load", "dp4a", "asin", "AVS_4x4", "rt_write_3d"] {
        assert!(!is_accepted(word), "{word}");
    }
}
