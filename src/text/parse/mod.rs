//! The parser of visaasm, including annotations (`//@`).

mod annotations;
pub(super) mod comments;
mod cursor;
mod declarations;
mod diagnostic;
mod file;
mod instruction_bytes;
mod interner;
mod lower;
mod operands;
mod routine;
mod rows;
mod source_map;
mod symbols;

pub(super) use cursor::{Parsed, line_len};
pub use diagnostic::{Diagnostic, Diagnostics, Errors, LineIndex, line_and_column, nearest};
pub(super) use operands::{Parse, ZEROTH_ELEMENT};
pub use source_map::SourceMap;

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use crate::format::{Dialect, Format, Version};
use crate::isa::Instruction;
use crate::object::{LabelKind, Module, RoutineKind};
use crate::operand::lsc::LscOp;
use crate::operand::{LabelId, Pred, ShortStringId};
use crate::text::charset::is_identifier;
use crate::text::directives::Directive;
use crate::wire::Wire;
use annotations::Subject;
use cursor::Cursor;
use diagnostic::{Collector, cut};
use file::FileFacts;
use interner::Interner;
use lower::has_late_ids;
use routine::{BytesAnnotation, LateInstruction, ParsedRoutine};
use symbols::Symbols;

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
/// returns them.
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
    let mut parser = Parser::new(source, format)?;
    parser.statements();
    parser.end_routine();
    let has_routines = parser.module.routines().next().is_some() || parser.file.has_no_routines;
    if parser.c.diagnostics.is_empty() && !has_routines {
        let end = source.len();
        parser.c.report(
            end..end,
            "expected `.kernel` or `.global_function`, found the end of the text",
        );
    }
    parser.end_file();
    if !parser.c.diagnostics.is_empty() {
        return Err(parser.c.diagnostics.finish(source));
    }
    let Parser { module, source_map, warnings, .. } = parser;
    Ok(Assembly { module, source_map, warnings: warnings.finish(source) })
}

/// Parses an instruction without a module: the inverse of its `Display`.
///
/// Names are ids: `V33`, `A0`, `P1`, `S0` and `T6` or predefined names such as `%null`, `L3` for a
/// label, and `#5` for a string. Comments and empty lines around the instruction are skipped.
///
/// ```
/// use genvisa::{Format, text};
///
/// let format = Format::default();
/// let add = text::parse_instruction("add (M1, 8) V34(0,0)<1> V33(0,0)<8;8,1> 0x1:d", format)?;
/// assert_eq!(add.to_string(), "add (M1, 8) V34(0,0)<1> V33(0,0)<8;8,1> 0x1:d");
///
/// let errors = text::parse_instruction("add (M1, 8) x(0,0)<1> V33(0,0)<8;8,1> 0x1:d", format);
/// assert_eq!(errors.unwrap_err()[0].to_string(), "`x` is not declared");
/// # Ok::<(), text::Errors>(())
/// ```
///
/// The inverse is not exact for an instruction with bits that its text does not contain, such as
/// those that readers ignore, and the text of a code without a name may be an error.
///
/// `Display` does not depend on the dialect. In dialect `Manual`, this function reads the text of
/// that dialect instead, as [`parse`] does.
///
/// # Errors
/// All errors in the text, or the reason why the format cannot encode the instruction.
pub fn parse_instruction(source: impl AsRef<[u8]>, format: Format) -> Result<Instruction, Errors> {
    let source = source.as_ref();
    let mut parser = Parser::new(source, format)?;
    parser.symbols = Symbols::with_ids();
    match parser.single_instruction() {
        Ok(instruction) if parser.c.diagnostics.is_empty() => Ok(instruction),
        _ => Err(parser.c.diagnostics.finish(source)),
    }
}

/// Returns the error about a source that is not a text, to judge by its first bytes.
fn not_visaasm(source: &[u8]) -> Option<&'static str> {
    match source {
        [b'C', b'I', b'S', b'A', ..] => Some("expected text, found an object file"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("expected UTF-8, found UTF-16"),
        _ => None,
    }
}

/// Returns the version of the first `.version` of a text that is not in a comment or a string.
pub(super) fn stated_version(source: &[u8]) -> Option<(u8, u8)> {
    first_version(Cursor::new(source))
}

/// Returns the version of the first `.version` after a cursor at the start of a text.
fn first_version(mut c: Cursor<'_>) -> Option<(u8, u8)> {
    c.eat_here("\u{feff}");
    while !c.is_at_end() {
        if c.is_at_line_end() {
            c.skip_line();
            c.at += 1;
        } else if c.eat_word_here(Directive::Version.text()) {
            let major = c.number("").ok()?;
            return c
                .eat_here(".")
                .then(|| c.number("").ok())
                .flatten()
                .map(|minor| (major, minor));
        } else {
            c.skip_statement();
        }
    }
    None
}

/// The state of the parser.
pub(super) struct Parser<'t> {
    pub(super) c: Cursor<'t>,
    pub(super) format: Format,
    /// The major and minor version of the last `.version`.
    text_version: Option<(u8, u8)>,
    /// The first version of the text, for the annotations that precede it.
    first_version: Option<(u8, u8)>,
    /// Whether no routine has started since the last `.version`.
    is_version_open: bool,
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
    module: Module<'static>,
    /// The names of the kernels and functions that have been parsed.
    routine_names: BTreeSet<(RoutineKind, Vec<u8>)>,
    routine: Option<ParsedRoutine<'t>>,
    /// The names in `.funcdecl`.
    declared_functions: Vec<Vec<u8>>,
    file: FileFacts,
    source_map: SourceMap,
    warnings: Collector,
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
            is_version_open: false,
            symbols: Symbols::new(),
            word: 0..0,
            lsc: LscOp::default(),
            pred: None,
            sat: false,
            strings: Interner::default(),
            module: Module::new(format),
            routine_names: BTreeSet::new(),
            routine: None,
            declared_functions: Vec::new(),
            file: FileFacts::default(),
            source_map: SourceMap::default(),
            warnings: Collector::default(),
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

    /// Returns whether constructs of older versions are rejected: in version 4.2, unless the
    /// instruction has its bytes in an annotation.
    pub(super) fn is_strict(&self) -> bool {
        self.format == Format::V4_2 && !self.symbols.is_trial
    }

    /// Returns whether sampler messages have a paired surface in this text.
    pub(super) fn has_paired_surface(&self) -> bool {
        self.text_version.is_some_and(|version| version >= (4, 2) && version != (4, 8))
            || self.format.dialect == Dialect::Igc2026 && self.format.since(Version::V3_8)
    }

    /// Parses the name of a label, which may be defined later.
    pub(super) fn label_use(&mut self) -> Parsed<LabelId> {
        match self.c.label_name() {
            Some((name, span)) if self.is_strict() && self.lacks_quotes(name, &span) => {
                let message = format!("the label `{}` must be in quotes here", cut(name));
                Err(self.c.fail(span, &message))
            }
            Some((name, span)) => self.label(name, span),
            None => Err(self.c.expected("a label")),
        }
    }

    /// Returns whether a name requires quotes and has none.
    fn lacks_quotes(&self, name: &str, span: &Range<usize>) -> bool {
        span.len() == name.len() && !is_identifier(name.as_bytes())
    }

    /// Returns the label of a name.
    fn label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<LabelId> {
        let label = self.symbols.label(name, span.clone());
        let has_ids = self.symbols.has_ids();
        label.ok_or_else(|| match has_ids {
            true => {
                let message = format!("`{}` is not the id of a label", cut(name));
                let help = Some("ids of labels are `L0` to `L65535`".into());
                self.c.fail_with_help(span, &message, help)
            }
            false => self.c.fail(span, "a routine has at most 65535 labels"),
        })
    }

    /// Parses the id of a string, such as `#5`. Returns `None` if names are not ids.
    fn string_id<N: TryFrom<u64>>(&mut self) -> Parsed<Option<N>> {
        const WHAT: &str = "the id of a string, such as `#5`";
        if !self.symbols.has_ids() {
            return Ok(None);
        }
        if !self.c.eat("#") {
            return Err(self.c.expected(WHAT));
        }
        self.c.decimal_here(WHAT).map(Some)
    }

    /// Parses a symbol, with or without quotes.
    pub(super) fn symbol_string(&mut self) -> Parsed<ShortStringId> {
        if let Some(id) = self.string_id()? {
            return Ok(ShortStringId(id));
        }
        self.c.skip_blanks();
        let start = self.c.at;
        let bytes = match self.c.peek() {
            Some(b'"') => self.c.string()?,
            _ => match self.c.name() {
                Some((name, _)) => name.as_bytes().into(),
                None => return Err(self.c.expected("a symbol")),
            },
        };
        match u16::try_from(self.strings.intern(&bytes)) {
            Ok(id) => Ok(ShortStringId(id)),
            Err(_) => Err(self.c.fail(start..self.c.at, "a routine has at most 65536 symbols")),
        }
    }

    /// Parses a text that contains a single instruction.
    fn single_instruction(&mut self) -> Parsed<Instruction> {
        self.skip_empty_lines()?;
        let start = self.c.at;
        if self.c.is_at_end() {
            let message = "expected an instruction, found the end of the text";
            return Err(self.c.fail(start..start, message));
        }
        let instruction = if self.c.peek() == Some(b'.') {
            self.subroutine()?
        } else if let Some((name, span)) = self.label_definition() {
            crate::isa::Label { label: self.label(name, span)? }.into()
        } else {
            self.instruction()?
        };
        let end = self.c.at;
        if !self.c.is_at_line_end() {
            return Err(self.c.expected("the end of the line"));
        }
        self.skip_empty_lines()?;
        if !self.c.is_at_end() {
            return Err(self.c.expected("the end of the text"));
        }
        match instruction.to_bytes(self.format) {
            Ok(_) => Ok(instruction),
            Err(error) => Err(self.not_encodable(&instruction, &error, start..end)),
        }
    }

    /// Parses `.function "L3"` and the label that follows.
    fn subroutine(&mut self) -> Parsed<Instruction> {
        let start = self.c.at;
        self.c.at += 1;
        let word = self.c.word_here();
        if Directive::of(word) != Some(Directive::Function) {
            let message = format!("expected an instruction, found `.{}`", cut(word));
            return Err(self.c.fail(start..self.c.at, &message));
        }
        self.function(start)?;
        self.skip_empty_lines()?;
        let Some((name, span)) = self.label_definition() else {
            return Err(self.c.expected("the label of the subroutine"));
        };
        self.follows_function(name.as_bytes())?;
        Ok(crate::isa::Subroutine { label: self.label(name, span)? }.into())
    }

    fn skip_empty_lines(&mut self) -> Parsed<()> {
        while !self.c.is_at_end() && self.c.is_at_line_end() {
            if self.c.rest().starts_with(b"//@") {
                let span = self.c.at..self.c.at + 3;
                return Err(self.c.fail(span, "annotations are allowed only in routines"));
            }
            self.c.skip_line();
            self.c.at = self.c.text.len().min(self.c.at + 1);
        }
        Ok(())
    }

    fn statements(&mut self) {
        while !self.c.is_at_end() && !self.c.diagnostics.is_full() {
            if let (Some(routine), Some(comment)) =
                (&mut self.routine, self.c.rest().strip_prefix(b"//"))
            {
                comments::read(comment, routine);
            }
            if self.c.is_at_line_end() {
                if self.c.rest().starts_with(b"//@") {
                    let _ = self.annotation();
                }
                self.c.skip_line();
                self.c.at += 1;
                continue;
            }
            match self.line() {
                Ok(()) => self.c.skip_line(),
                Err(_) => self.c.skip_continued_line(),
            }
        }
    }

    /// Parses a line: braces, a statement, and an annotation.
    fn line(&mut self) -> Parsed<()> {
        let mut subject = Subject::Nothing;
        // Fast path: most lines have no braces.
        let has_braces = matches!(self.c.peek(), Some(b'{' | b'}'));
        let is_closed = has_braces && self.braces(true)?;
        if !is_closed && !self.c.is_at_line_end() {
            subject = self.statement()?;
        }
        if !self.c.is_at_line_end() {
            self.braces(false)?;
            if !self.c.is_at_line_end() {
                let failed = self.c.expected("the end of the line");
                return Err(self.with_help_on_separator(failed));
            }
        }
        if self.c.rest().starts_with(b"//@") {
            self.annotate(subject)?;
        }
        Ok(())
    }

    /// Parses braces, which open and close scopes. Scopes can only be opened if `can_open` is true,
    /// and before any is closed. Returns whether any was closed.
    fn braces(&mut self, can_open: bool) -> Parsed<bool> {
        let mut has_closed = false;
        loop {
            self.c.skip_blanks();
            let brace = self.c.at..self.c.at + 1;
            match self.c.peek() {
                Some(b'{') if self.routine.is_none() => {
                    let failed = self.c.expected("`.kernel` or `.global_function`");
                    self.c.at = self.c.text.len();
                    return Err(failed);
                }
                Some(b'{') if can_open && !has_closed => {
                    self.c.at += 1;
                    self.symbols.open(brace.start);
                    self.c.builtins.open_scope();
                    if let Some(routine) = &mut self.routine {
                        routine.has_scopes = true;
                    }
                    if self.symbols.depth() > Self::MAX_DEPTH {
                        return Err(self.c.fail(brace, "scopes are nested too deeply"));
                    }
                }
                Some(b'}') => {
                    self.c.at += 1;
                    if !self.symbols.close() {
                        return Err(self.c.fail(brace, "unexpected `}`: no scope is open"));
                    }
                    self.c.builtins.close_scope();
                    has_closed = true;
                }
                _ => return Ok(has_closed),
            }
        }
    }

    /// Parses a statement. Returns the subject of an annotation after it.
    fn statement(&mut self) -> Parsed<Subject> {
        let start = self.c.at;
        if self.c.peek() == Some(b'.') {
            let subject = self.directive()?;
            let span = start..self.c.at;
            if let Some(routine) = &mut self.routine {
                let counts = routine.counts();
                routine.source_map.record_declarations(counts, &span);
            }
            if subject == Subject::Attribute && self.c.eat_here("    ") && !self.c.is_at_line_end()
            {
                // The reference writes the first instruction into the line of the last attribute.
                return self.statement();
            }
            return Ok(subject);
        }
        if self.routine.is_none() {
            let failed = self.c.expected("`.kernel` or `.global_function`");
            // Every statement up to there would have the same error.
            self.c.at = self.c.text.len();
            return Err(failed);
        }
        // Fast path: few lines have an annotation.
        let has_annotation = self.c.may_have_annotation();
        if let Some((bytes_at, line_end)) = has_annotation.then(|| self.c.comment("//@")).flatten()
        {
            self.instruction_with_bytes(start, bytes_at, line_end)?;
        } else if let Some((name, span)) = self.label_definition() {
            let is_first = start == 0 || self.c.text[start - 1] == b'\n';
            if self.is_strict() && !is_first {
                let help = "remove what precedes it in the line, including blanks";
                let message = "in version 4.2, a label is at the start of a line";
                self.c.fail_with_help(span.clone(), message, Some(help.into()));
            }
            self.define_label(name, span)?;
        } else {
            let instruction = self.instruction()?;
            self.push(&instruction, start..self.c.at);
        }
        Ok(Subject::Nothing)
    }

    /// The largest number of nested scopes.
    const MAX_DEPTH: usize = 100;

    /// Adds an instruction to the routine.
    fn push(&mut self, instruction: &Instruction, span: Range<usize>) {
        let Some(routine) = &mut self.routine else { return };
        if has_late_ids(instruction) {
            self.push_late(*instruction, span, None);
            return;
        }
        let encoded = &mut routine.code.encoded;
        let start = encoded.len();
        routine.code.spans.push(span.clone());
        if let Err(error) = instruction.encode(encoded) {
            encoded.truncate(start);
            self.not_encodable(instruction, &error, span);
        }
    }

    /// Adds an instruction to the routine that is encoded at its end.
    fn push_late(
        &mut self,
        instruction: Instruction,
        span: Range<usize>,
        annotation: Option<Box<BytesAnnotation>>,
    ) {
        let Some(routine) = &mut self.routine else { return };
        let code = &mut routine.code;
        code.spans.push(span.clone());
        let position = code.encoded.len();
        code.late.push(LateInstruction { instruction, span, position, annotation });
    }

    /// Parses a name and a colon, if they come next.
    fn label_definition(&mut self) -> Option<(&'t str, Range<usize>)> {
        let start = self.c.at;
        let name = self.c.label_here();
        let end = self.c.at;
        if !name.is_empty() && self.c.eat_here(":") {
            return Some((name, start..end));
        }
        self.c.at = start;
        None
    }

    /// Returns whether a label follows a `.function`, whose name it must have. Takes the name of
    /// the label or its line.
    fn follows_function(&mut self, label: &[u8]) -> Parsed<bool> {
        let expected = self.routine.as_mut().and_then(|routine| routine.function.take());
        let Some((function, span)) = expected else { return Ok(false) };
        let name = label.trim_ascii_end();
        if name.strip_suffix(b":").unwrap_or(name) == function.as_bytes() {
            return Ok(true);
        }
        let function = cut(function);
        let message =
            format!("expected the label of `.function \"{function}\"`, found another label");
        Err(self.c.fail(span, &message))
    }

    fn define_label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<()> {
        let id = self.label(name, span.clone())?;
        let is_subroutine = self.follows_function(name.as_bytes())?;
        let label = &mut self.symbols.labels[usize::from(id.0)];
        if label.defined {
            let message = format!("label `{}` is already defined", cut(name));
            return Err(self.c.fail(span, &message));
        }
        label.defined = true;
        if is_subroutine {
            label.kind = LabelKind::SUBROUTINE;
        }
        let instruction = if is_subroutine {
            crate::isa::Subroutine { label: id }.into()
        } else {
            crate::isa::Label { label: id }.into()
        };
        self.push(&instruction, span);
        Ok(())
    }
}
