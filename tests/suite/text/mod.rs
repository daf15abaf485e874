//! Tests of printed text in both styles.

mod comments;
mod complete;
mod display;
mod documents;
mod dumps;
mod grammar_4_2;
mod hints;
mod kept_names;
mod lsc_4_2;
mod manual;
mod paired_surface;
mod quirks;
mod reserved_words;
mod single_instruction;
mod states;
mod tokens_4_2;
mod unambiguous;

use genvisa::object::{Kernel, SimpleVariable};
use genvisa::text::{FileListing, Listing, PrintError, Reformatter, Style, parse};
use genvisa::{Format, Module, Version};

/// Returns whether a line has the bytes of its instruction in an annotation.
fn has_bytes(line: &str) -> bool {
    line.contains(" //@") && !line.starts_with('.') && !line.ends_with(" //@ paired")
}

/// Returns the concatenated texts of all routines.
fn listing(module: &Module<'_>, style: Style) -> Result<String, PrintError> {
    let mut text = String::new();
    for routine in module.routines() {
        Listing::new(routine).with_style(style).write_to(&mut text)?;
    }
    Ok(text)
}

/// Compilers read one `.version`, before all routines. Those that an author wrote are kept.
#[test]
fn a_text_states_its_version_once() {
    let kernel = |name: &str| format!(".kernel \"{name}\"\n\n    ret (M1, 1)\n");
    let (a, b) = (kernel("a"), kernel("b"));
    let once = format!(".version 3.6\n{a}\n{b}");
    let reformatter = Reformatter::new().with_numbers(false);
    for source in [once.clone(), format!(".version 3.6\n{a}\n.version 3.6 // again\n{b}")] {
        assert_eq!(reformatter.reformat(&source).expect("correct text").text, source);
        let module = parse(&source, Format::default()).expect("correct text");
        let printed = FileListing::new(&module).with_numbers(false).to_text();
        assert_eq!(printed.expect("legal code"), once);
    }
}

/// The maximum of their count. The last id has no successor.
#[test]
fn prints_65535_predicates() {
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new("k");
    kernel.body.predicates = vec![SimpleVariable::default(); 65_535];
    module.kernels.push(kernel);
    for style in [Style::Complete, Style::GenXIr] {
        let text = listing(&module, style).expect("no code");
        assert_eq!(text.matches("v_type=P").count(), 65_535, "{style:?}");
    }
}
