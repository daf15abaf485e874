//! The list of all formats, for tests that run in each of them.

use genvisa::{Dialect, Format, Version};

/// Returns both Igc dialects in every version, and dialect `Manual` once, because it ignores the
/// version.
pub fn all() -> Vec<Format> {
    let igc = [Dialect::Igc2022, Dialect::Igc2026];
    let mut formats = vec![Format::MANUAL];
    formats.extend(
        igc.into_iter()
            .flat_map(|dialect| Version::BINARY.iter().map(move |v| Format::new(dialect, *v))),
    );
    formats
}
