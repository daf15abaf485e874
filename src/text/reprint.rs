//! Text that is read and printed again.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Diagnostic, FileListing, parse};
use crate::format::{Format, Version};

/// The version that a text states: major and minor. There need not be bytes of that version.
///
/// ```
/// assert_eq!(genvisa::text::version(".version 4.2\n.kernel \"k\""), Some((4, 2)));
/// ```
pub fn version(source: impl AsRef<[u8]>) -> Option<(u8, u8)> {
    parse::stated_version(source.as_ref())
}

/// The format that holds all that a text of a version can say: of text newer than any bytes, the
/// newest there is.
fn format_for(version: Option<(u8, u8)>) -> Format {
    match version {
        Some(version) if version >= (4, 2) => Format::igc2026(Version::V4_1),
        Some((major, minor)) => Format::igc2022(Version::new(major, minor).unwrap_or_default()),
        None => Format::default(),
    }
}

/// Reads text and prints it again: the same statements, laid out and spelled as the
/// [faithful](super::Style::Faithful) style has them. Comments are lost.
///
/// # Errors
/// All that is wrong with the text.
pub fn reprint(source: impl AsRef<[u8]>) -> Result<String, Vec<Diagnostic>> {
    let version = version(source.as_ref());
    let module = parse(source, format_for(version))?;
    let mut text = String::new();
    let mut listing = FileListing::new(&module);
    if let Some((major, minor)) = version {
        listing = listing.with_text_version(major, minor);
    }
    // A string takes any text, and the code was encoded just now.
    let _ = listing.write_to(&mut text);
    Ok(text)
}
