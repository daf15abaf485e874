//! Tests of printed text in both styles.

mod display;
mod faithful;
mod grammar_4_2;
mod hints;
mod lsc_4_2;
mod manual;
mod quirks;
mod single_instruction;
mod states;
#[cfg(feature = "serde")]
mod unambiguous;

use genvisa::object::{Kernel, SimpleVariable};
use genvisa::text::{Listing, PrintError, Style};
use genvisa::{Format, Module, Version};

/// Returns the concatenated texts of all routines.
fn listing(module: &Module<'_>, style: Style) -> Result<String, PrintError> {
    let mut text = String::new();
    for routine in module.routines() {
        Listing::new(routine).with_style(style).write_to(&mut text)?;
    }
    Ok(text)
}

/// The maximum of their count. The last id has no successor.
#[test]
fn prints_65535_predicates() {
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new("k");
    kernel.body.predicates = vec![SimpleVariable::default(); 65_535];
    module.kernels.push(kernel);
    for style in [Style::Faithful, Style::Reference] {
        let text = listing(&module, style).expect("no code");
        assert_eq!(text.matches("v_type=P").count(), 65_535, "{style:?}");
    }
}
