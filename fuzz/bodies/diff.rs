//! The functions of the fuzz targets for the comparison of modules.

use genvisa::text::{self, format_of};
use genvisa::{Dialect, Module};
use genvisa_diff::Differ;

/// The function of a target.
type Body = fn(&[u8]);

/// The targets of this file: the name, the folder in `fuzz/seeds`, and the function.
pub const TARGETS: &[(&str, &str, Body)] =
    &[("diff", "isa", diff), ("diff_of_text", "visaasm", diff_of_text)];

/// Every file equals itself.
pub fn diff(data: &[u8]) {
    if let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) {
        compare(&module);
    }
}

/// The same for text. The first byte of a seed is the number of a format.
pub fn diff_of_text(data: &[u8]) {
    let source = data.get(1..).unwrap_or_default();
    if let Ok(module) = text::parse(source, format_of(source)) {
        compare(&module);
    }
}

fn compare(module: &Module<'_>) {
    assert!(Differ::new().modules(module, module).routines.iter().all(|pair| {
        pair.diff.as_ref().is_some_and(|diff| diff.as_ref().is_ok_and(|diff| diff.is_empty()))
            || pair.diff.as_ref().is_some_and(Result::is_err)
    }));
}
