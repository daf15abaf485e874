//! Formatting of text.

mod comments;
mod dump;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::format::Dialect;
use crate::text::diagnostic::{Diagnostic, Diagnostics, Errors};
use crate::text::files::{Document, FileListing};
use crate::text::line::Line;
use crate::text::routines::PrintError;
use crate::text::stated::{self, stated_versions};
use crate::text::statements::{CommentList, Place};
use crate::text::words::RegisterSizes;
use comments::RoutineStart;
pub use dump::split_dump;

/// Formats a text: prints its statements in the layout and spelling of the
/// [complete](super::Style::Complete) style, with its comments.
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
    /// The warnings of [`Document`]. Ignored annotations are not in the text.
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

    /// Sets the dialect, if there is one, in which texts are read. The default is `Igc2022`, and `Igc2026` for text of
    /// version 4.2.
    #[must_use]
    pub fn with_dialect(self, dialect: impl Into<Option<Dialect>>) -> Reformatter {
        Reformatter { dialect: dialect.into(), ..self }
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
        let format = stated::format_for(newest, self.dialect);
        let Document { module, source_map, warnings, .. } =
            Document::parse(source, format).into_result()?;
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
