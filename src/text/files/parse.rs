//! Parsing of files.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::annotations::FileFacts;
use super::partial::{self, ParsedFile};
use super::routines::ReadRoutine;
use crate::error::Severity;
use crate::format::Format;
use crate::object::{Module, Name, RoutineKind};
use crate::text::context::Parser;
use crate::text::diagnostic::{Collector, Diagnostic, Diagnostics, Errors};
use crate::text::rows::RESERVED;
use crate::text::statements::{ParsedRoutine, SourceMap};

/// Parses text to a module, and encodes its instructions in a format.
///
/// The version in the text selects the grammar, and the format selects the encoding.
/// [`format_of`](crate::text::format_of) returns the format that fits the text, such as
/// [`Format::V4_2`] for text of IGC.
///
/// ```
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl V32 v_type=G type=d num_elts=8 align=GRF
/// .kernel_attr Target=\"cm\"
///     mov (M1, 8) V32(0,0)<1> 0x2a:d
///     ret (M1, 1)
/// ";
/// let module = text::parse(source, Format::default()).expect("correct text");
/// assert_eq!(module.kernels[0].body.code.bytes().len(), 19 + 4);
///
/// let wrong = source.replace("mov", "movv");
/// let diagnostics = text::parse(wrong, Format::default()).unwrap_err();
/// assert_eq!(diagnostics[0].to_string(), "unknown instruction `movv`");
/// assert_eq!(diagnostics[0].help.as_deref(), Some("did you mean `mov`?"));
/// ```
///
/// # Errors
/// The errors in the text in its order, at most a hundred. Warnings are dropped; [`assemble`]
/// returns them. [`assemble_partial`](super::assemble_partial) also returns the routines without
/// errors.
pub fn parse(source: impl AsRef<[u8]>, format: Format) -> Result<Module<'static>, Errors> {
    assemble(source, format).map(|assembly| assembly.module)
}

/// The result of [`assemble`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assembly {
    /// The module that the text describes.
    pub module: Module<'static>,
    /// The spans of its parts in the text.
    pub source_map: SourceMap,
    /// Warnings, in the order of the text: about annotations that were ignored because they do not
    /// match the text, truncated numbers, and unknown versions.
    pub warnings: Diagnostics,
}

/// Parses text like [`parse`], and also returns the warnings and the span of each part.
///
/// # Errors
/// Those of [`parse`].
pub fn assemble(source: impl AsRef<[u8]>, format: Format) -> Result<Assembly, Errors> {
    let source = source.as_ref();
    let ParsedFile { module, source_map, mut errors, duplicates, warnings, .. } =
        partial::read(source, format)?;
    errors.extend(duplicates);
    if errors.is_empty() {
        return Ok(Assembly { module, source_map, warnings: Diagnostics::new(warnings, source) });
    }
    errors.sort_by_key(|error| error.span.start);
    errors.truncate(Collector::MAX);
    errors.iter_mut().for_each(|error| error.severity = Severity::Error);
    Err(Diagnostics::new(errors, source))
}

/// The parser of a file.
pub(in crate::text) struct FileParser<'t> {
    pub(in crate::text) p: Parser<'t>,
    /// The start of the last `.version`, if no routine has started since.
    pub(super) open_version: Option<usize>,
    /// Whether the last `.version` has an error, or the text has none.
    pub(super) is_version_wrong: bool,
    /// The current routine.
    pub(in crate::text) routine: Option<ParsedRoutine<'t>>,
    /// The routines that have been parsed.
    pub(in crate::text) routines: Vec<ReadRoutine>,
    /// Their kinds and names.
    pub(super) routine_names: BTreeSet<(RoutineKind, Name)>,
    /// The names in `.funcdecl`.
    pub(super) declared_functions: Vec<Vec<u8>>,
    pub(in crate::text) file: FileFacts,
    /// The errors in the routines that have been parsed, and outside of routines.
    pub(in crate::text) errors: Vec<Diagnostic>,
    /// Whether some of these errors are in no routine.
    pub(super) is_unreadable: bool,
    pub(in crate::text) duplicates: Vec<Diagnostic>,
    pub(super) file_warnings: Vec<Diagnostic>,
}

impl<'t> FileParser<'t> {
    /// Returns a parser at the start of a text.
    ///
    /// # Errors
    /// The source is an object file or UTF-16.
    pub(in crate::text) fn new(source: &'t [u8], format: Format) -> Result<FileParser<'t>, Errors> {
        Ok(FileParser {
            p: Parser::new(source, format, &RESERVED)?,
            open_version: None,
            is_version_wrong: false,
            routine: None,
            routines: Vec::new(),
            routine_names: BTreeSet::new(),
            declared_functions: Vec::new(),
            file: FileFacts::default(),
            errors: Vec::new(),
            is_unreadable: false,
            duplicates: Vec::new(),
            file_warnings: Vec::new(),
        })
    }
}
