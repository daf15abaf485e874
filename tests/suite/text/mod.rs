//! Text in both styles, and what it keeps.

mod display;
mod faithful;
mod manual;
#[cfg(feature = "serde")]
mod one_instruction;
mod quirks;
mod single_instruction;

use genvisa::object::{Kernel, SimpleVariable};
use genvisa::text::{Listing, PrintError, Style};
use genvisa::{Format, Module, Version};

/// The texts of all routines, one behind the other.
fn listing(module: &Module<'_>, style: Style) -> Result<String, PrintError> {
    let mut text = String::new();
    for routine in module.routines() {
        Listing::new(routine).with_style(style).write_to(&mut text)?;
    }
    Ok(text)
}

/// As many as their count can say: the last id is one that has no next.
#[test]
fn the_most_predicates_that_a_routine_can_have_are_printed() {
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new("k");
    kernel.body.predicates = vec![SimpleVariable::default(); 65_535];
    module.kernels.push(kernel);
    for style in [Style::Faithful, Style::Reference] {
        let text = listing(&module, style).expect("no code");
        assert_eq!(text.matches("v_type=P").count(), 65_535, "{style:?}");
    }
}
