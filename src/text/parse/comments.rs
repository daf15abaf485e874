//! The comments at the end of a compiler's text, which contain the platform and the options.

use super::routine::ParsedRoutine;

/// The option of the compiler for efficient 64-bit addressing.
pub(in crate::text) const EFFICIENT_64BIT: &str = "-enableEfficient64b";

pub(in crate::text) const BUILD_OPTIONS: &str = "Build option: \"";

/// The platforms for which the option is the default.
const EFFICIENT_PLATFORMS: [&str; 2] = ["XE3P_CRI", "NVL"];

/// Reads a comment, without the slashes.
pub(super) fn read(comment: &[u8], routine: &mut ParsedRoutine<'_>) {
    if !matches!(comment.first(), Some(b'P' | b'B')) {
        return;
    }
    let end = comment.iter().position(|byte| *byte == b'\n').unwrap_or(comment.len());
    let Ok(line) = core::str::from_utf8(&comment[..end]) else { return };
    if let Some(platform) = platform(comment) {
        routine.efficient_64bit = EFFICIENT_PLATFORMS.contains(&platform);
    } else if let Some(options) = line.strip_prefix(BUILD_OPTIONS) {
        let mut options = options.split(|c: char| c == '"' || c.is_ascii_whitespace());
        routine.efficient_64bit = options.any(|option| option == EFFICIENT_64BIT);
    }
}

/// Returns the platform that a comment, without the slashes, states.
pub(super) fn platform(comment: &[u8]) -> Option<&str> {
    let end = comment.iter().position(|byte| *byte == b'\n').unwrap_or(comment.len());
    let line = core::str::from_utf8(&comment[..end]).ok()?;
    line.strip_prefix("Platform: ").map(str::trim_end)
}
