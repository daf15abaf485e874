//! The comments at the end of a compiler's text, which contain the platform and the options.

use crate::platform::{Platform, RegisterSize};

/// The option of the compiler for efficient 64-bit addressing.
pub(in crate::text) const EFFICIENT_64BIT: &str = "-enableEfficient64b";

/// The start of the comment with the options, without the slashes.
pub(in crate::text) const BUILD_OPTIONS: &str = "Build option: \"";

/// The start of the comment with the platform, without the slashes.
pub(in crate::text) const PLATFORM: &str = "Platform: ";

/// Returns whether a routine uses efficient 64-bit addressing, if a comment, without the slashes,
/// states the platform or the options.
pub(in crate::text) fn efficient_64bit(comment: &[u8]) -> Option<bool> {
    if !matches!(comment.first(), Some(b'P' | b'B')) {
        return None;
    }
    if let Some(platform) = platform(comment) {
        return Some(Platform::from_igc_name(platform).is_some_and(Platform::has_efficient_64bit));
    }
    let options = first_line(comment)?.strip_prefix(BUILD_OPTIONS)?;
    let mut options = options.split(|c: char| c == '"' || c.is_ascii_whitespace());
    Some(options.any(|option| option == EFFICIENT_64BIT))
}

/// Returns whether [`efficient_64bit`] may use a comment, without the slashes.
pub(in crate::text) fn is_read(comment: &[u8]) -> bool {
    let options = || first_line(comment).is_some_and(|line| line.starts_with(BUILD_OPTIONS));
    platform(comment).is_some() || options()
}

/// Returns the platform that a comment, without the slashes, states.
pub(in crate::text) fn platform(comment: &[u8]) -> Option<&str> {
    first_line(comment)?.strip_prefix(PLATFORM).map(str::trim_end)
}

/// Finds the sizes of registers that the comments of a text state. Remembers the last one, so that many
/// searches in ascending order take linear time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::text) struct RegisterSizes {
    /// The end of the comment, or of the text.
    end: usize,
    size: Option<RegisterSize>,
}

impl RegisterSizes {
    /// Returns the size of a register on the platform of the next `//Platform:` comment after
    /// a position, if it is known.
    pub(in crate::text) fn next_after(&mut self, source: &[u8], at: usize) -> Option<RegisterSize> {
        if at >= self.end {
            self.end = at;
            let rest = source.get(at..).unwrap_or_default();
            let mut lines = rest.split_inclusive(|byte| *byte == b'\n');
            let platform = lines.find_map(|line| {
                self.end += line.len();
                line.strip_prefix(b"//").and_then(platform)
            });
            self.size = platform.and_then(Platform::from_igc_name).map(Platform::register_size);
        }
        self.size
    }
}

fn first_line(text: &[u8]) -> Option<&str> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    core::str::from_utf8(&text[..end]).ok()
}
