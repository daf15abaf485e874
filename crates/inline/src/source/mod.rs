//! Inline assembly in source files: LLVM IR, MLIR, SPIR-V, Python, and C with its dialects.

mod c;
mod call;
mod constraints;
mod cpp;
mod evidence;
mod kernels;
mod llvm;
mod mlir;
mod nested;
#[cfg(feature = "python")]
mod python;
mod results;
mod search;
mod spirv;
mod text;
mod tokens;
mod varying;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::checker::Checker;
use super::context::Context;
use super::finding::{Finding, Place};
use super::report::Report;
use super::rules::{self, SYNTAX};
use super::statement::{Lanes, Path, Statement};
pub use cpp::lexer::{TokenKind, Tokens};
use evidence::UNKNOWN;
pub use search::Search;

/// A kind of source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, C++ or SYCL, preprocessed or not. OpenCL C is recognized by its kernels.
    C,
    /// OpenCL C, preprocessed or not. All inline assembly that may be vISA is vISA.
    OpenCl,
    /// CM, a dialect of C++ for the vector compiler.
    Cm,
    /// LLVM IR as text.
    Llvm,
    /// MLIR as text, with operations of its LLVM dialect.
    Mlir,
    /// Python, with inline assembly of Triton kernels, or with source code in strings.
    #[cfg(feature = "python")]
    Python,
    /// SPIR-V.
    Spirv,
}

/// The suffixes of C and its dialects.
const C_SUFFIXES: [&str; 15] = [
    "c", "h", "hpp", "cpp", "cxx", "cc", "hh", "hxx", "ipp", "inl", "i", "ii", "sycl", "cu", "cuh",
];

impl Language {
    /// Returns the language of files with a suffix such as `cl`, without regard to case.
    pub fn of_suffix(suffix: &str) -> Option<Language> {
        let suffix = suffix.to_ascii_lowercase();
        match &*suffix {
            "ll" => Some(Language::Llvm),
            "cl" | "clh" | "clcpp" => Some(Language::OpenCl),
            "cm" => Some(Language::Cm),
            "mlir" => Some(Language::Mlir),
            "spv" => Some(Language::Spirv),
            #[cfg(feature = "python")]
            "py" | "pyi" => Some(Language::Python),
            suffix => C_SUFFIXES.contains(&suffix).then_some(Language::C),
        }
    }

    /// Returns whether files of the language are C, or may contain C in strings. The macros and headers
    /// of a [`Search`] have no effect on others.
    pub fn may_contain_c(self) -> bool {
        match self {
            Language::C | Language::OpenCl | Language::Cm => true,
            #[cfg(feature = "python")]
            Language::Python => true,
            Language::Llvm | Language::Mlir | Language::Spirv => false,
        }
    }
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
    /// The number of the function that contains the statement, if it is known.
    function_index: Option<u32>,
    /// The number of the sequence of statements that contains it: if one of them is executed, all are.
    sequence: Option<u32>,
    /// Whether only other statements can tell whether it is vISA.
    is_undecided: bool,
    context: Context,
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
            content: Content::Other(UNKNOWN),
            template_map: Vec::new(),
            constraint_spans: Vec::new(),
            clobber_spans: Vec::new(),
            expansion: None,
            function_index: None,
            sequence: None,
            is_undecided: false,
            context: Context::default(),
        }
    }

    /// Checks the statement together with the other statements of its function, with which it shares
    /// variables and labels. Returns `None` if it is not vISA or cannot be read.
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
        let mut report = checker.check_in(statement, &self.context);
        self.find_missing_line_ends(&mut report);
        if self.is_file_scope {
            let place = Place::Template(0..0);
            let message = "the compiler drops inline assembly outside of functions";
            let finding = Finding::new(&rules::FILE_SCOPE, place, message);
            report.findings.splice(0..0, checker.with_severity(finding));
        }
        Some(report)
    }
}

impl Block {
    /// Moves syntax errors that a missing line end between two literals causes to this place.
    fn find_missing_line_ends(&self, report: &mut Report) {
        for finding in report.findings.iter_mut().filter(|finding| finding.rule == SYNTAX) {
            let Place::Template(span) = &mut finding.place else { continue };
            // The text after the first literal is not expected, or a word consists of both.
            let is_unexpected = finding.message.starts_with("expected the end of the line");
            let first = if is_unexpected { span.start } else { span.start + 1 };
            let mut offsets = first..span.end;
            if let Some(at) = offsets.find(|&at| self.is_between_literals(at)) {
                *span = at - 1..at;
                finding.message = "a line end is missing between two literals".into();
                finding.help = Some("append `\\n` to the first literal".into());
            }
        }
    }

    /// Returns whether a byte of the template begins a literal.
    fn is_between_literals(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|last| self.template_map.get(last));
        let Some((before, after)) = before.zip(self.template_map.get(at)) else { return false };
        // At least two quotes are between literals.
        after.start < before.end || after.start >= before.end + 2
    }
}

impl Block {
    /// Replaces places before an offset with the use of the macro that the statement comes from.
    fn move_from_prefix(&mut self, len: usize) {
        let Some(usage) = self.expansion.clone().filter(|usage| usage.start >= len) else { return };
        if self.span.start < len {
            self.span = usage.clone();
            self.expansion = None;
        }
        let place = usage.start as u32..usage.end as u32;
        for span in self.template_map.iter_mut().filter(|span| (span.start as usize) < len) {
            *span = place.clone();
        }
        for span in self.constraint_spans.iter_mut().chain(&mut self.clobber_spans) {
            if span.start < len {
                *span = usage.clone();
            }
        }
    }
}

/// The contents of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// It is vISA.
    Visa(Statement),
    /// It is assembly for another machine, for a reason such as "its constraints are not constraints of
    /// vISA".
    Other(&'static str),
    /// A part of the template is unknown, for a reason such as "macro `OP` is not defined in this
    /// file".
    Unreadable(String),
}

impl Source {
    /// Removes bytes at the start of the file, which are not its own.
    fn remove_prefix(&mut self, len: usize) {
        for block in &mut self.blocks {
            block.move_from_prefix(len);
        }
        self.blocks.retain(|block| block.span.start >= len);
        self.markers.retain(|marker| marker.offset >= len);
        self.hint_errors.retain(|(span, _)| span.start >= len);
        let shift = |offset: &mut usize| *offset = offset.saturating_sub(len);
        let shift_range = |range: &mut Range<usize>| {
            shift(&mut range.start);
            shift(&mut range.end);
        };
        for block in &mut self.blocks {
            shift_range(&mut block.span);
            block.expansion.iter_mut().for_each(shift_range);
            block.constraint_spans.iter_mut().chain(&mut block.clobber_spans).for_each(shift_range);
            for span in &mut block.template_map {
                let len = len as u32;
                *span = span.start.saturating_sub(len)..span.end.saturating_sub(len);
            }
        }
        self.markers.iter_mut().for_each(|marker| shift(&mut marker.offset));
        self.error.iter_mut().for_each(|error| shift(&mut error.offset));
        self.hint_errors.iter_mut().for_each(|(span, _)| shift_range(span));
    }
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

/// Finds the inline assembly in a file of which nothing else is known: see [`Search::find`].
pub fn find(source: &[u8], language: Language) -> Source {
    Search::new(language).find(source)
}
