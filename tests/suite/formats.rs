//! Every format there is: the outer loop of most tests.

use genvisa::{Dialect, Format, Version};

/// Every dialect in every version; the manual, which knows no versions, once.
pub fn all() -> Vec<Format> {
    let igc = [Dialect::Igc2022, Dialect::Igc2026];
    let mut formats = vec![Format::MANUAL];
    formats.extend(
        igc.into_iter()
            .flat_map(|dialect| Version::ALL.iter().map(move |v| Format::new(dialect, *v))),
    );
    formats
}
