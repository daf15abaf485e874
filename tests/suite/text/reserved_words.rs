//! Reserved words are not printed as names.

use std::collections::BTreeSet;

use genvisa::isa::SPEC;
use genvisa::object::{Align, Attribute, Kernel};
use genvisa::operand::DataType;
use genvisa::text::{Style, parse};
use genvisa::{Format, Module};
use genvisa_test_support::genx_ir;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

use super::listing;

/// Returns a kernel that has variables of these names.
fn module(words: &[&str]) -> Module<'static> {
    let mut kernel = Kernel::new("k");
    for word in words {
        kernel.body.add_variable(word, DataType::D, 8, Align::GRF);
    }
    let asm_name = kernel.body.intern("AsmName");
    kernel.body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    let mut module = Module::new(Format::default());
    module.kernels.push(kernel);
    module
}

/// Returns the words that are names of variables in a text.
fn declared<'w>(words: &[&'w str], text: &str) -> Vec<&'w str> {
    let declarations = text.lines().filter_map(|line| line.strip_prefix(".decl "));
    let names: BTreeSet<&str> = declarations.filter_map(|rest| rest.split(' ').next()).collect();
    words.iter().filter(|word| names.contains(*word)).copied().collect()
}

/// Returns the words that can be names of variables in printed text.
fn names<'w>(words: &[&'w str], style: Style) -> Vec<&'w str> {
    declared(words, &listing(&module(words), style).expect("no code"))
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

fn kernel_of_4_2(names: &[&str]) -> String {
    let line = |name: &&str| format!(".decl {name} v_type=G type=d num_elts=8 align=GRF\n");
    let declarations: String = names.iter().map(line).collect();
    format!(".version 4.2\n.kernel \"k\"\n{declarations}ret (M1, 1)\n")
}

/// The grammar of IGC does not have these words, or only with a suffix.
#[test]
fn text_of_4_2_may_have_some_mnemonics_as_names() {
    let is_accepted = |name: &str| parse(kernel_of_4_2(&[name]), Format::V4_2).is_ok();
    let names = ["RESERVED_0", "dpas", "fence", "func", "label", "lifetime", "svm", "vme_idm"];
    for name in names.into_iter().chain(["va_hdc_erode"]) {
        assert!(is_accepted(name), "{name}");
    }
    for word in ["add", "mov", "lsc_load", "dp4a", "asin", "AVS_4x4", "rt_write_3d"] {
        assert!(!is_accepted(word), "{word}");
    }
}

/// The words in the program itself are the candidates, because nothing lists what it reserves.
#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_prints_the_same_words_as_names() {
    let words = genx_ir::words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let printed = names(&words, Style::GenXIr);
    let file = module(&words).to_bytes().expect("names of at most 64 bytes");
    let theirs = genx_ir::disassemble(&file, "SKL").expect("a kernel without code");
    assert_eq!(printed, declared(&words, &theirs));
    assert!(printed.len() + 100 < words.len(), "{} of {}", printed.len(), words.len());
}

#[test]
#[ignore = "needs GenX_IR 12504 and GenX_IR of IGC"]
fn igc_accepts_the_same_words_as_names() {
    let compiler = Compiler::required();
    let is_accepted = |names: &[&str]| compiler.compile(&kernel_of_4_2(names), "SKL").is_ok();
    let words = genx_ir::words();
    let is_name = |word: &&str| parse(kernel_of_4_2(&[word]), Format::V4_2).is_ok();
    let (free, reserved): (Vec<&str>, Vec<&str>) =
        words.iter().map(String::as_str).partition(is_name);
    let chunks: Vec<&[&str]> = free.chunks(50).collect();
    let refused = parallel(&chunks, |chunk| {
        let all: &[&str] = if is_accepted(chunk) { &[] } else { chunk };
        all.iter().filter(|word| !is_accepted(&[word])).copied().collect::<Vec<&str>>()
    });
    let accepted = parallel(&reserved, |word| is_accepted(&[word]).then_some(*word));
    // IGC has names of its own for these predefined surfaces, and its ocloc, which is newer, reserves `surf`.
    let is_known = |word: &&str| ["T0", "T3", "T4", "T5", "surf"].contains(word);
    let accepted = accepted.into_iter().flatten().filter(|word| !is_known(word));
    let accepted: Vec<&str> = accepted.collect();
    assert_eq!((refused.concat(), accepted), (vec![], vec![]), "(refused, accepted)");
    assert!(reserved.len() > 100, "{}", reserved.len());
}
