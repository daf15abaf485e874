//! The comments at the end of a compiler's text, which contain the platform and the options.

use super::routine::ParsedRoutine;

/// The option of the compiler for efficient 64-bit addressing.
pub(in crate::text) const EFFICIENT_64BIT: &str = "-enableEfficient64b";

/// The start of the comment with the options, without the slashes.
pub(in crate::text) const BUILD_OPTIONS: &str = "Build option: \"";

/// The platforms for which the option is the default.
const EFFICIENT_PLATFORMS: [&str; 2] = ["XE3P_CRI", "NVL"];

/// Sets whether a routine uses efficient 64-bit addressing, if a comment, without the slashes,
/// states the platform or the options.
pub(super) fn read(comment: &[u8], routine: &mut ParsedRoutine<'_>) {
    if !matches!(comment.first(), Some(b'P' | b'B')) {
        return;
    }
    if let Some(platform) = platform(comment) {
        routine.efficient_64bit = EFFICIENT_PLATFORMS.contains(&platform);
    } else if let Some(options) = first_line(comment).and_then(|l| l.strip_prefix(BUILD_OPTIONS)) {
        let mut options = options.split(|c: char| c == '"' || c.is_ascii_whitespace());
        routine.efficient_64bit = options.any(|option| option == EFFICIENT_64BIT);
    }
}

/// Returns the platform that a comment, without the slashes, states.
pub(super) fn platform(comment: &[u8]) -> Option<&str> {
    first_line(comment)?.strip_prefix("Platform: ").map(str::trim_end)
}

fn first_line(text: &[u8]) -> Option<&str> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    core::str::from_utf8(&text[..end]).ok()
}
