//! Formatting of text, and the versions that it states.

mod comments;
mod dump;
mod scan;

use crate::platform::Platform;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::mem;
use core::ops::Range;

use crate::format::{Dialect, Format, Version};
use crate::text::context;
use crate::text::cursor::line_len;
use crate::text::diagnostic::{Diagnostic, Diagnostics, Errors};
use crate::text::files::{Assembly, FileListing, assemble};
use crate::text::line::Line;
use crate::text::routines::PrintError;
use crate::text::statements::{CommentList, Place};
use crate::text::words::{Directive, RegisterSizes, platforms};
use comments::RoutineStart;
pub use dump::split_dump;
use scan::{Part, Parts};

/// Returns the version that a text states first: major and minor. It may have no binary form.
///
/// ```
/// assert_eq!(genvisa::text::stated_version(".version 4.2\n.kernel \"k\""), Some((4, 2)));
/// ```
pub fn stated_version(source: impl AsRef<[u8]>) -> Option<(u8, u8)> {
    context::stated_version(source.as_ref())
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

/// Returns the versions in which to assemble a text that states a version, or none, in this order: the
/// stated version, then, if they are newer, 3.6 (the newest version that all readers agree on) and 4.1
/// (the newest with a binary form).
///
/// ```
/// use genvisa::{Version, text};
///
/// let versions = text::versions_to_try(Some(Version::V3_8));
/// assert_eq!(versions, [Version::V3_8, Version::V4_1]);
/// ```
pub fn versions_to_try(stated: Option<Version>) -> Vec<Version> {
    let defaults = [Version::V3_6, Version::V4_1];
    let newer = defaults.into_iter().filter(|version| stated.is_none_or(|it| *version > it));
    stated.into_iter().chain(newer).collect()
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
    let mut end = source.as_ref().len();
    let mut lines = source.as_ref().rsplit(|byte| *byte == b'\n');
    lines.find_map(|line| {
        let start = end - line.len();
        end = start.saturating_sub(1);
        let name = line.strip_prefix(b"//").and_then(platforms::platform)?;
        let start = start + line.len() - line.trim_ascii_end().len();
        Some(StatedPlatform { name, span: start..start + name.len() })
    })
}

fn format_for(version: Option<(u8, u8)>, dialect: Option<Dialect>) -> Format {
    let is_today = dialect.is_none_or(|dialect| dialect == Dialect::Igc2026);
    let dialect = dialect.unwrap_or_default();
    match version.map(|(major, minor)| Version::new(major, minor)) {
        Some(Some(version)) if version.has_binary_form() => Format::new(dialect, version),
        // Unknown versions after 4.2 have its grammar.
        Some(_) if version >= Some((4, 2)) && is_today => Format::V4_2,
        _ => Format { dialect, ..Format::default() },
    }
}

/// Formats a text: prints its statements in the layout and spelling of the
/// [faithful](super::Style::Faithful) style, with its comments.
///
/// Comments in lines of their own stay before the statement that follows them, and comments at the
/// end of a line stay there. Comments within a statement move to its end, and comments in the line
/// of a brace or of an [annotation](super#annotations) to a line of their own.
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
    dialect: Option<Dialect>,
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

/// An error of [`Reformatter::write_to`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReformatError {
    /// The text has errors.
    #[error(transparent)]
    Text(#[from] Errors),
    /// The writer returned an error.
    #[error("the text cannot be written")]
    Write(#[from] fmt::Error),
}

impl Default for Reformatter {
    fn default() -> Self {
        Reformatter { numbers: true, dialect: None }
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
        Reformatter { numbers, ..self }
    }

    /// Sets the dialect in which texts are read. The default is `Igc2022`, and `Igc2026` for text of
    /// version 4.2.
    #[must_use]
    pub fn with_dialect(self, dialect: Dialect) -> Reformatter {
        Reformatter { dialect: Some(dialect), ..self }
    }

    /// Formats a text. Each routine keeps the version that the text states for it.
    ///
    /// # Errors
    /// The errors in the text.
    pub fn reformat(self, source: impl AsRef<[u8]>) -> Result<Reformatted, Errors> {
        let mut text = String::new();
        match self.write_to(source, &mut text) {
            Ok(warnings) => Ok(Reformatted { text, warnings }),
            Err(ReformatError::Text(errors)) => Err(errors),
            // A string accepts every write.
            Err(ReformatError::Write(_)) => {
                Ok(Reformatted { text, warnings: Diagnostics::default() })
            }
        }
    }

    /// Formats a text like [`reformat`](Self::reformat) and writes it in parts. Returns the
    /// warnings.
    ///
    /// # Errors
    /// [`ReformatError::Text`] if the text has errors: nothing has been written.
    /// [`ReformatError::Write`] if `out` fails.
    pub fn write_to<W: Write>(
        self,
        source: impl AsRef<[u8]>,
        out: &mut W,
    ) -> Result<Diagnostics, ReformatError> {
        let source = source.as_ref();
        let versions = stated_versions(source);
        let newest = versions.iter().map(|stated| (stated.major, stated.minor)).max();
        let Assembly { module, source_map, warnings } =
            assemble(source, format_for(newest, self.dialect))?;
        let mut listing = FileListing::new(&module).with_numbers(self.numbers);
        if let Some((major, minor)) = newest {
            listing = listing.with_text_version(major, minor);
        }
        let mut routines: Vec<_> = listing.routines().enumerate().collect();
        let header = |index| source_map.routine(index).map_or(0, |span| span.start);
        routines.sort_by_key(|(index, _)| header(*index));
        let mut starts: Vec<RoutineStart> = Vec::with_capacity(routines.len());
        let mut stated = Vec::with_capacity(routines.len());
        for (index, _) in &routines {
            let header = header(*index);
            let before = versions.partition_point(|stated| stated.span.start < header);
            let before = versions[..before].last();
            let end_of_last = starts.last().map_or(0, |last| last.header);
            let version = before.map(|stated| stated.span.start).filter(|at| *at >= end_of_last);
            starts.push(RoutineStart { version, header, index: *index });
            stated.push(before);
        }
        let comments = CommentList::new(source, &source_map, &starts);
        let not_utf8 = comments.first_not_utf8().map(|span| {
            let message = "this comment is not UTF-8; the bytes that are not are replaced";
            Diagnostic::warning(span, message.into())
        });
        let renamed = source_map.renamed().map(|span| {
            let message =
                "this name changes: another scope declares it, and scopes are not printed";
            Diagnostic::warning(span, message.into())
        });
        let warnings: Vec<_> = warnings.into_iter().chain(not_utf8).chain(renamed).collect();
        let warnings = Diagnostics::new(warnings, source);
        let mut head = comments.of_routine(0);
        if !head.is_empty() {
            let mut line = Line::default();
            head.print_before(Place::End, &mut line, false);
            line.ch('\n');
            line.flush(out)?;
        }
        printed(listing.write_head_to(out))?;
        let mut registers = RegisterSizes::default();
        for (rank, (index, mut routine)) in routines.into_iter().enumerate() {
            if rank > 0 {
                out.write_str("\n")?;
            }
            if let Some(stated) = stated[rank] {
                routine = routine.with_text_version(stated.major, stated.minor);
            }
            routine = routine.with_version(rank == 0 || starts[rank].version.is_some());
            if let Some(names) = source_map.names(index) {
                routine = routine.with_names(names);
            }
            if let Some(size) = registers.next_after(source, starts[rank].header) {
                routine = routine.with_register_size(size);
            }
            let comments = comments.of_routine(rank + 1);
            printed(routine.write_with_comments_to(out, |_, _| {}, comments))?;
        }
        Ok(warnings)
    }
}

/// Returns the error of a writer. There are no other errors in a module that was just encoded.
fn printed(result: Result<(), PrintError>) -> fmt::Result {
    match result {
        Err(PrintError::Write(error)) => Err(error),
        Ok(()) | Err(PrintError::Code(_)) => Ok(()),
    }
}
