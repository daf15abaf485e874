//! Text in both styles, and what it keeps.

mod display;
mod faithful;
mod quirks;

use genvisa::Module;
use genvisa::text::{Listing, PrintError, Style};

/// The texts of all routines, one behind the other.
fn listing(module: &Module<'_>, style: Style) -> Result<String, PrintError> {
    let mut text = String::new();
    for routine in module.routines() {
        Listing::new(module, routine).with_style(style).write_to(&mut text)?;
    }
    Ok(text)
}
