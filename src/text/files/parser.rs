//! The parser of a file, and what it has read.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use crate::format::Format;
use crate::object::{FileScopeVar, Linkage, Name, RoutineKind, Section};
use crate::text::context::Parser;
use crate::text::diagnostic::{Diagnostic, Errors};
use crate::text::routines::LoweredRoutine;
use crate::text::rows::RESERVED;
use crate::text::statements::{ParsedRoutine, Relocs};

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
    /// The source is an object file or UTF-16, or the format does not exist.
    pub(in crate::text) fn new(source: &'t [u8], format: Format) -> Result<FileParser<'t>, Errors> {
        let mut p = Parser::new(source, format, &RESERVED)?;
        if !format.exists() {
            let (dialect, version) = (format.dialect, format.version);
            p.c.report(0..0, &format!("version {version} does not exist in dialect {dialect}"));
            return Err(p.c.diagnostics.finish(source));
        }
        Ok(FileParser {
            p,
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

/// A part of the text: a routine with its `.version`, or what the text has in place of one after a
/// `.version`.
pub(in crate::text) struct ReadRoutine {
    /// `None` if neither `.kernel` nor `.global_function` follows the `.version`.
    pub(in crate::text) kind: Option<RoutineKind>,
    /// `None` if it is unknown, because it has an error.
    pub(in crate::text) name: Option<Name>,
    pub(in crate::text) span: Range<usize>,
    pub(super) has_errors: bool,
    /// `None` for a routine that is omitted.
    pub(in crate::text) lowered: Option<Box<LoweredRoutine>>,
}

/// The annotations of the file.
#[derive(Default)]
pub(in crate::text) struct FileFacts {
    pub(super) has_no_routines: bool,
    pub(in crate::text) variables: Vec<FileScopeVar>,
    pub(super) externs: Vec<Extern>,
    pub(in crate::text) sections: Vec<(Section<'static>, Range<usize>)>,
}

/// A function that is defined in another file.
pub(in crate::text) struct Extern {
    pub(in crate::text) name: Vec<u8>,
    pub(in crate::text) linkage: Linkage,
    pub(in crate::text) at: Option<usize>,
    pub(in crate::text) relocs: Relocs,
    pub(in crate::text) span: Range<usize>,
}
