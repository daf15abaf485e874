//! Parsing of files.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::annotations::FileFacts;
use super::document::Document;
use super::routines::ReadRoutine;
use crate::format::Format;
use crate::object::{Module, Name, RoutineKind};
use crate::text::context::Parser;
use crate::text::diagnostic::{Diagnostic, Errors};
use crate::text::options::ParseOptions;
use crate::text::rows::RESERVED;
use crate::text::statements::ParsedRoutine;

/// Parses text to a module, and encodes its instructions in a format.
///
/// The version in the text selects the grammar, and the format selects the encoding. With
/// [`ParseOptions::new`], the format follows from the text.
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
/// Those of [`Document::into_result`]. Warnings are dropped; [`Document`] has them, and the routines without
/// errors.
pub fn parse(
    source: impl AsRef<[u8]>,
    options: impl Into<ParseOptions>,
) -> Result<Module<'static>, Errors> {
    let (document, _) = Document::choose(source.as_ref(), options.into(), None);
    document.into_result().map(|document| document.module)
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
