//! The versions and platforms that a text states, without parsing it.

mod scan;

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use memchr::memrchr_iter;

use crate::format::{Dialect, Format, Version};
use crate::platform::Platform;
use crate::text::context;
use crate::text::cursor::line_len;
use crate::text::words::{Directive, platforms};
pub(in crate::text) use scan::{Part, Parts};

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

/// Returns whether a line is a directive that begins a text of vISA: `.version`, `.kernel` or `.global_function`.
/// No other language has such lines.
///
/// ```
/// use genvisa::text::begins_text;
///
/// assert!(begins_text(b".kernel \"k\""));
/// assert!(!begins_text(b".kernel_attr SimdSize=16"));
/// ```
pub fn begins_text(line: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii_start();
    let has = |directive: Directive| line.strip_prefix(directive.text().as_bytes());
    has(Directive::Version).is_some()
        || [Directive::Kernel, Directive::GlobalFunction]
            .into_iter()
            .any(|directive| has(directive).is_some_and(|rest| rest.starts_with(b" ")))
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
    let mut versions = Vec::new();
    let mut is_statement_start = true;
    for part in Parts::new(source) {
        let at = match part {
            Part::LineBreak => {
                is_statement_start = true;
                continue;
            }
            Part::Code(at) if mem::take(&mut is_statement_start) => at,
            _ => continue,
        };
        if source[at..].starts_with(Directive::Version.text().as_bytes()) {
            let line = &source[at..at + line_len(&source[at..])];
            if let Some((major, minor)) = context::version_of_statement(&source[at..]) {
                let span = at..at + line.trim_ascii_end().len();
                versions.push(StatedVersion { span, major, minor });
            }
        }
    }
    versions
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
    let newest = versions.iter().map(|stated| (stated.major, stated.minor)).max();
    format_for(newest, None)
}

/// The platform that a comment `//Platform:` of a text states. IGC writes this comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedPlatform<'s> {
    /// The name, such as `XE2` or `NVL`.
    pub name: &'s str,
    /// The bytes of the name in the text.
    pub span: Range<usize>,
}

impl StatedPlatform<'_> {
    /// Returns the platform, if the name is known; see [`Platform::from_igc_name`].
    pub fn platform(&self) -> Option<Platform> {
        Platform::from_igc_name(self.name)
    }
}

/// Returns the platform that the last `//Platform:` comment of a text states.
///
/// ```
/// use genvisa::{Platform, text};
///
/// let stated = text::stated_platform("ret (M1, 1)\n\n//Platform: DG2\n");
/// assert_eq!(stated.and_then(|stated| stated.platform()), Some(Platform::Dg2));
/// ```
pub fn stated_platform<S: AsRef<[u8]> + ?Sized>(source: &S) -> Option<StatedPlatform<'_>> {
    let source = source.as_ref();
    let mut end = source.len();
    let starts = memrchr_iter(b'\n', source).map(|at| at + 1).chain([0]);
    starts.into_iter().find_map(|start| {
        let line = &source[start..mem::replace(&mut end, start.saturating_sub(1))];
        let name = line.strip_prefix(b"//").and_then(platforms::platform)?;
        let start = start + "//".len() + platforms::PLATFORM.len();
        Some(StatedPlatform { name, span: start..start + name.len() })
    })
}

/// Returns the format of a version, in a dialect if one is requested.
pub(in crate::text) fn format_for(version: Option<(u8, u8)>, dialect: Option<Dialect>) -> Format {
    let is_in_igc = dialect.is_none_or(|dialect| dialect == Dialect::Igc2026);
    let dialect = dialect.unwrap_or_default();
    match version.map(|(major, minor)| Version::new(major, minor)) {
        Some(Some(version)) if version.has_binary_form() => Format::new(dialect, version),
        // Unknown versions after 4.2 have its grammar.
        Some(_) if version >= Some((4, 2)) && is_in_igc => Format::V4_2,
        _ => Format { dialect, ..Format::default() },
    }
}
