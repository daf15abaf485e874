//! Inline assembly in source files: LLVM IR, SPIR-V, and C with its dialects.

mod c;
mod constraints;
mod llvm;
mod spirv;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use memchr::memmem;

use super::checker::Checker;
use super::constraint;
use super::report::{Finding, Place, Report};
use super::rules;
use super::statement::{Lanes, Path, Statement};

/// A kind of source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, C++, OpenCL C or SYCL, preprocessed or not.
    C,
    /// LLVM IR as text.
    Llvm,
    /// SPIR-V.
    Spirv,
}

/// The inline assembly in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The blocks in the order of the file.
    pub blocks: Vec<Block>,
    /// The line markers in the order of the file.
    pub markers: Vec<Marker>,
    /// The error that ended the search before the end of the file. Blocks after it are missing.
    pub error: Option<SourceError>,
    /// The hints (`// genvisa: %0=float8, lanes=16`) that cannot be applied: bytes of the file and
    /// the problem.
    pub hint_errors: Vec<(Range<usize>, String)>,
}

/// An error in a source file that makes the rest of the file unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceError {
    /// The offset in the file.
    pub offset: usize,
    /// The problem.
    pub message: String,
    /// A hint.
    pub help: Option<&'static str>,
}

impl SourceError {
    fn new(offset: usize, message: impl Into<String>) -> SourceError {
        SourceError { offset, message: message.into(), help: None }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (offset {:#x})", self.message, self.offset)
    }
}

impl core::error::Error for SourceError {}

/// An inline assembly statement in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The bytes of the file from the keyword `asm` to the end of the statement. In SPIR-V, the bytes of
    /// the instruction that contains the template.
    pub span: Range<usize>,
    /// The name of the function that contains the statement, if it is known.
    pub function: Option<Arc<str>>,
    /// Whether the statement is outside of functions.
    pub is_file_scope: bool,
    /// The number of lanes that an attribute of the function or a hint states.
    pub lanes: Option<Lanes>,
    /// The part of the compiler that attributes of the function choose.
    pub path: Option<Path>,
    /// The statement, if it is vISA and can be read.
    pub content: Content,
    /// For each byte of the template, the bytes of the file that it is written as. It is empty in
    /// SPIR-V, as are the other spans of parts.
    pub template_map: Vec<Range<u32>>,
    /// For each operand, the bytes of its constraint in the file.
    pub constraint_spans: Vec<Range<usize>>,
    /// For each clobber, its bytes in the file.
    pub clobber_spans: Vec<Range<usize>>,
    /// The bytes of the use of the macro that the statement comes from. `span` and the maps may then
    /// be in the macro's definition. If only literals of the template come from macros, this is the
    /// first of their uses.
    pub expansion: Option<Range<usize>>,
}

impl Block {
    /// Returns a block with a span; everything else is unknown.
    fn new(span: Range<usize>) -> Block {
        Block {
            span,
            function: None,
            is_file_scope: false,
            lanes: None,
            path: None,
            content: Content::Other,
            template_map: Vec::new(),
            constraint_spans: Vec::new(),
            clobber_spans: Vec::new(),
            expansion: None,
        }
    }

    /// Checks the statement. Returns `None` if it is not vISA or cannot be read.
    ///
    /// If the block states the number of lanes or the part of the compiler, they have precedence
    /// over the checker's.
    pub fn check(&self, checker: &Checker) -> Option<Report> {
        let Content::Visa(statement) = &self.content else { return None };
        let mut checker = checker.clone();
        if let Some(lanes) = self.lanes {
            checker = checker.with_lanes(lanes);
        }
        if let Some(path) = self.path {
            checker = checker.with_path(path);
        }
        let mut report = checker.check(statement);
        if self.is_file_scope {
            let place = Place::Template(0..0);
            let message = "the compiler drops inline assembly outside of functions";
            let finding = Finding::new(&rules::FILE_SCOPE, place, message);
            report.findings.splice(0..0, checker.with_severity(finding));
        }
        Some(report)
    }
}

/// The contents of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// It is vISA.
    Visa(Statement),
    /// It is assembly for another machine.
    Other,
    /// A part of the template is unknown, for a reason such as "macro `OP` is not defined in this
    /// file".
    Unreadable(String),
}

/// A line marker of the preprocessor: `# 12 "kernel.cl"` or `#line 12 "kernel.cl"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The offset of the line after the marker.
    pub offset: usize,
    /// The number of that line.
    pub line: usize,
    /// The file, if the marker names one.
    pub file: Option<String>,
}

/// Finds the inline assembly in a file.
///
/// If the file cannot be read to its end, [`Source::error`] contains the reason, and the blocks
/// before the error are returned.
pub fn find(source: &[u8], language: Language) -> Source {
    match language {
        Language::C => c::find(source),
        Language::Llvm => llvm::find(source),
        Language::Spirv => spirv::find(source),
    }
}

/// Returns whether a statement is vISA: whether a constraint or a part of its text exists only in
/// vISA.
fn is_visa(statement: &Statement) -> bool {
    if statement.operands.iter().any(|operand| constraint::is_visa(&operand.constraint)) {
        return true;
    }
    let text: &[u8] = &statement.template;
    let contains = |part: &[u8]| memmem::find(text, part).is_some();
    let is_mask = |bytes: &[u8]| matches!(bytes, [b'(', b'M', b'1'..=b'8']);
    let mut without_operands = [&b"barrier"[..], b"fence_", b"lsc_fence"].into_iter();
    [&b".decl"[..], b"v_type=", b"(NoMask"].into_iter().any(contains)
        || text.windows(3).any(is_mask)
        || without_operands.any(|mnemonic| text.trim_ascii_start().starts_with(mnemonic))
}
