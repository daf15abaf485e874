//! The lists of all formats, for tests that run in each of them.

use genvisa::{Dialect, Format, Version};

/// Returns the formats of [`with_files`], and the format of text without a binary form.
pub fn all() -> Vec<Format> {
    let mut formats = with_files();
    formats.push(Format::V4_2);
    formats
}

/// Returns the formats that files have: both Igc dialects in every version, and dialect `Manual`
/// once, because it ignores the version.
pub fn with_files() -> Vec<Format> {
    let igc = [Dialect::Igc2022, Dialect::Igc2026];
    let mut formats = vec![Format::MANUAL];
    formats.extend(
        igc.into_iter()
            .flat_map(|dialect| Version::BINARY.iter().map(move |v| Format::new(dialect, *v))),
    );
    formats
}
