//! Formatting of text, and the versions that it states.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr3;

use super::directives::Directive;
use super::{Diagnostics, Errors, FileListing, parse};
use crate::format::{Format, Version};

/// Returns the version that a text states first: major and minor. It may have no binary form.
///
/// ```
/// assert_eq!(genvisa::text::stated_version(".version 4.2\n.kernel \"k\""), Some((4, 2)));
/// ```
pub fn stated_version(source: impl AsRef<[u8]>) -> Option<(u8, u8)> {
    parse::stated_version(source.as_ref())
}

/// A `.version` statement of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedVersion {
    /// The bytes of the statement.
    pub span: Range<usize>,
    /// The major number.
    pub major: u8,
    /// The minor number.
    pub minor: u8,
}

impl StatedVersion {
    /// Returns the version of files that is stated, if it has a binary form; 4.2 does not.
    pub fn binary(&self) -> Option<Version> {
        Version::new(self.major, self.minor).filter(|version| version.has_binary_form())
    }
}

/// Returns every `.version` statement of a text, in order: a text of several routines may have one
/// for each.
///
/// ```
/// let versions = genvisa::text::stated_versions(".version 3.6\n.kernel \"a\"\n.version 4.2\n.kernel \"b\"");
/// assert_eq!((versions[0].major, versions[0].minor), (3, 6));
/// assert_eq!(versions[0].span, 0..12);
/// assert_eq!(versions[1].binary(), None);
/// ```
pub fn stated_versions(source: impl AsRef<[u8]>) -> Vec<StatedVersion> {
    let source = source.as_ref();
    let line_end = |at: usize| at + parse::line_len(&source[at..]);
    let mut versions = Vec::new();
    let (mut at, mut is_statement_start) = (0, true);
    while at < source.len() {
        match &source[at..] {
            [b'\n', ..] => is_statement_start = true,
            [b' ' | b'\t' | b'\r', ..] => {}
            [b'/', b'/', ..] => {
                at = line_end(at);
                continue;
            }
            [b'/', b'*', rest @ ..] => {
                let close = rest.windows(2).position(|pair| pair == b"*/");
                at = close.map_or(source.len(), |len| at + len + 4);
                continue;
            }
            rest if is_statement_start
                && rest.starts_with(Directive::Version.text().as_bytes()) =>
            {
                let line = at..line_end(at);
                if let Some((major, minor)) = parse::stated_version(&source[line.clone()]) {
                    let len = source[line.clone()].trim_ascii_end().len();
                    versions.push(StatedVersion { span: at..at + len, major, minor });
                }
                is_statement_start = false;
            }
            [b'"', rest @ ..] => {
                at += string_len(rest);
                is_statement_start = false;
            }
            [_, rest @ ..] => {
                is_statement_start = false;
                // No other byte starts a line, a string or a comment.
                at += memchr3(b'\n', b'"', b'/', rest).unwrap_or(rest.len());
            }
            [] => {}
        }
        at += 1;
    }
    versions
}

/// Returns the length of a string after its first quote, including the last one. Returns 0 for an
/// unterminated string.
fn string_len(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\n' => return 0,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    0
}

/// Returns the format of a text, which depends on the newest version in its `.version` statements:
/// [`Format::V4_2`] for 4.2 and unknown newer versions, and
/// [`Dialect::Igc2022`](crate::Dialect::Igc2022) for other versions. Without a known version, it is
/// the default format.
///
/// ```
/// use genvisa::{Format, Version, text};
///
/// assert_eq!(text::format_of(".version 4.2\n.kernel \"k\""), Format::V4_2);
/// assert_eq!(text::format_of(".version 3.2\n.kernel \"k\""), Format::igc2022(Version::V3_2));
/// ```
pub fn format_of(source: impl AsRef<[u8]>) -> Format {
    let versions = stated_versions(source);
    format_for(versions.iter().map(|stated| (stated.major, stated.minor)).max())
}

/// Returns the platform that the last `//Platform:` comment of a text states, such as `XE2` or
/// `NVL`. Today's compiler writes this comment.
///
/// ```
/// assert_eq!(genvisa::text::stated_platform("ret (M1, 1)\n\n//Platform: DG2\n"), Some("DG2"));
/// ```
pub fn stated_platform<S: AsRef<[u8]> + ?Sized>(source: &S) -> Option<&str> {
    let mut lines = source.as_ref().rsplit(|byte| *byte == b'\n');
    lines.find_map(|line| line.strip_prefix(b"//").and_then(parse::comments::platform))
}

fn format_for(version: Option<(u8, u8)>) -> Format {
    match version.map(|(major, minor)| Version::new(major, minor)) {
        Some(Some(version)) if version.has_binary_form() => Format::igc2022(version),
        // Unknown versions after 4.2 have its grammar.
        Some(_) if version >= Some((4, 2)) => Format::V4_2,
        _ => Format::default(),
    }
}

/// Formats a text: prints its statements in the layout and spelling of the
/// [faithful](super::Style::Faithful) style. Comments are removed.
///
/// Warnings are dropped; [`Reformatter`] returns them.
///
/// # Errors
/// The errors in the text.
pub fn reformat(source: impl AsRef<[u8]>) -> Result<String, Errors> {
    Reformatter::new().reformat(source).map(|reformatted| reformatted.text)
}

/// A formatter of text with options, which also returns warnings.
///
/// ```
/// use genvisa::text::Reformatter;
///
/// let source = ".version 3.6\n.kernel \"k\"\nret (M1,1)\n";
/// let reformatted = Reformatter::new().with_numbers(false).reformat(source).expect("correct text");
/// assert!(reformatted.text.ends_with("\n    ret (M1, 1)\n"));
/// assert!(reformatted.warnings.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reformatter {
    numbers: bool,
}

/// The result of [`Reformatter::reformat`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reformatted {
    /// The text.
    pub text: String,
    /// The warnings of [`assemble`](super::assemble). Ignored annotations are not in the text.
    pub warnings: Diagnostics,
}

impl Default for Reformatter {
    fn default() -> Self {
        Reformatter { numbers: true }
    }
}

impl Reformatter {
    /// Returns a reformatter that numbers instructions.
    pub fn new() -> Reformatter {
        Reformatter::default()
    }

    /// Sets whether to print instruction numbers; see
    /// [`Listing::with_numbers`](super::Listing::with_numbers).
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Reformatter {
        Reformatter { numbers }
    }

    /// Formats a text. Each routine keeps the version that the text states for it.
    ///
    /// # Errors
    /// The errors in the text.
    pub fn reformat(self, source: impl AsRef<[u8]>) -> Result<Reformatted, Errors> {
        let source = source.as_ref();
        let versions = stated_versions(source);
        let newest = versions.iter().map(|stated| (stated.major, stated.minor)).max();
        let assembly = parse::assemble(source, format_for(newest))?;
        let mut listing = FileListing::new(&assembly.module).with_numbers(self.numbers);
        if let Some((major, minor)) = newest {
            listing = listing.with_text_version(major, minor);
        }
        let mut text = String::new();
        // This cannot fail: the module was just encoded, and a string accepts every write.
        let _ = listing.write_head_to(&mut text);
        for (index, mut routine) in listing.routines().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let start = assembly.source_map.routine(index).map_or(0, |span| span.start);
            let before = versions.partition_point(|stated| stated.span.start < start);
            if let Some(stated) = versions[..before].last() {
                routine = routine.with_text_version(stated.major, stated.minor);
            }
            let _ = routine.write_to(&mut text);
        }
        Ok(Reformatted { text, warnings: assembly.warnings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_versions_skips_comments_and_strings() {
        let source = "// .version 3.0\n/* x\n.version 3.1\n*/ .version 3.2 // one\n\
                      .kernel \"a // \\\" /*\"\n.kernel_attr A=\".version 3.3\"\n  .version 4 . 2\n\
                      .version 4.1\r\n.versions 3.4\nmov .version 3.5\n\"open\n.version 3.6";
        let found: Vec<_> = stated_versions(source).iter().map(|v| (v.major, v.minor)).collect();
        assert_eq!(found, [(3, 2), (4, 1), (3, 6)]);
        assert_eq!(stated_version(source), Some((3, 2)));
        let spans: Vec<_> = stated_versions(source).into_iter().map(|v| &source[v.span]).collect();
        assert_eq!(spans, [".version 3.2 // one", ".version 4.1", ".version 3.6"]);
    }
}
