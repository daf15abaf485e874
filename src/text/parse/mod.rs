//! The parser of visaasm, including annotations (`//@`).

mod annotations;
pub(super) mod comments;
mod cursor;
mod diagnostic;
mod directives;
mod file;
mod functions;
mod instruction_bytes;
mod interner;
mod labels;
mod lower;
mod not_encodable;
mod operands;
mod partial;
mod routine;
mod rows;
mod single_instruction;
mod source_map;
mod statements;
mod symbols;
mod version;

pub(super) use cursor::{Parsed, line_len};
pub use diagnostic::{Diagnostic, Diagnostics, Errors, LineIndex, line_and_column, nearest};
pub(super) use operands::{Parse, ZEROTH_ELEMENT};
pub use partial::{OmittedRoutine, PartialAssembly, assemble_partial};
pub use single_instruction::parse_instruction;
pub use source_map::SourceMap;
pub(super) use version::stated_version;

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::Severity;
use crate::format::Format;
use crate::object::{Module, Name, RoutineKind};
use crate::operand::Pred;
use crate::operand::lsc::LscOp;
use cursor::Cursor;
use diagnostic::Collector;
use file::FileFacts;
use interner::Interner;
use partial::ParsedFile;
use routine::{ParsedRoutine, ReadRoutine};
use symbols::Symbols;
use version::first_version;

/// Parses text to a module, and encodes its instructions in a format.
///
/// The version that the text states selects the grammar, the format that of the bytes.
/// [`format_of`](super::format_of) returns the format that fits the text, such as
/// [`Format::V4_2`] for that of today's compiler.
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
/// returns them. [`assemble_partial`] also returns the routines without errors.
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

/// Returns the error about a source that is not a text, to judge by its first bytes.
fn not_visaasm(source: &[u8]) -> Option<&'static str> {
    match source {
        [b'C', b'I', b'S', b'A', ..] => Some("expected text, found an object file"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("expected UTF-8, found UTF-16"),
        _ => None,
    }
}

/// The state of the parser.
pub(super) struct Parser<'t> {
    pub(super) c: Cursor<'t>,
    pub(super) format: Format,
    /// The major and minor version of the last `.version`.
    text_version: Option<(u8, u8)>,
    /// The first version of the text, for the annotations that precede it.
    first_version: Option<(u8, u8)>,
    /// The start of the last `.version`, if no routine has started since.
    open_version: Option<usize>,
    /// Whether the last `.version` has an error, or the text has none.
    is_version_wrong: bool,
    pub(super) symbols: Symbols<'t>,
    /// The first word of the instruction, or the operation of its family.
    word: Range<usize>,
    /// The operation of the LSC message.
    pub(super) lsc: LscOp,
    /// The predicate of the instruction, until an item takes it.
    pred: Option<(Pred, Range<usize>)>,
    /// Whether `.sat` was parsed, until a destination takes it.
    pub(super) sat: bool,
    /// The strings of the routine's instructions.
    strings: Interner,
    routine: Option<ParsedRoutine<'t>>,
    /// The routines that have been parsed.
    routines: Vec<ReadRoutine>,
    /// Their kinds and names.
    routine_names: BTreeSet<(RoutineKind, Name)>,
    /// The names in `.funcdecl`.
    declared_functions: Vec<Vec<u8>>,
    file: FileFacts,
    /// The errors in the routines that have been parsed, and outside of routines.
    errors: Vec<Diagnostic>,
    /// Whether some of these errors are in no routine.
    is_unreadable: bool,
    duplicates: Vec<Diagnostic>,
    /// The warnings about the current routine.
    warnings: Collector,
    file_warnings: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    /// Returns a parser at the start of a text.
    ///
    /// # Errors
    /// The source is an object file or UTF-16.
    fn new(source: &'t [u8], format: Format) -> Result<Parser<'t>, Errors> {
        let c = Cursor::new(source);
        let first_version = first_version(c.at_start());
        let mut parser = Parser {
            c,
            format,
            text_version: None,
            first_version,
            open_version: None,
            is_version_wrong: false,
            symbols: Symbols::new(),
            word: 0..0,
            lsc: LscOp::default(),
            pred: None,
            sat: false,
            strings: Interner::default(),
            routine: None,
            routines: Vec::new(),
            routine_names: BTreeSet::new(),
            declared_functions: Vec::new(),
            file: FileFacts::default(),
            errors: Vec::new(),
            is_unreadable: false,
            duplicates: Vec::new(),
            warnings: Collector::default(),
            file_warnings: Vec::new(),
        };
        if let Some(message) = not_visaasm(source) {
            parser.c.report(0..source.len().min(4), message);
            return Err(parser.c.diagnostics.finish(source));
        }
        parser.c.has_short_decimals = parser.is_strict();
        // Skip a byte order mark.
        parser.c.eat_here("\u{feff}");
        Ok(parser)
    }

    /// Returns the first word of the instruction, or the operation of its family.
    pub(super) fn word(&self) -> &'t str {
        self.c.str(self.word.clone())
    }

    /// Returns the span of [`word`](Self::word).
    pub(super) fn word_span(&self) -> Range<usize> {
        self.word.clone()
    }

    /// Returns whether constructs of older versions are rejected: in version 4.2, unless the
    /// instruction has its bytes in an annotation.
    pub(super) fn is_strict(&self) -> bool {
        self.format == Format::V4_2 && !self.symbols.is_trial
    }

    pub(super) fn warn(&mut self, span: &Range<usize>, message: String) {
        self.warnings.push(Diagnostic::warning(span.clone(), message));
    }
}
