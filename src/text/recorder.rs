//! A recording of what the parser reads, and of what it would accept at the end of a text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use crate::isa::{FieldSpec, Id};
use crate::object::RoutineKind;

/// A word, a number, a string or a comment that the parser has read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// A comment.
    Comment,
    /// A word, a number or a byte of an [annotation](crate::text#annotations).
    Annotation,
    /// A directive with its dot, such as `.decl`.
    Directive,
    /// The name of a property or an attribute, such as `num_elts`.
    Key,
    /// The first word of an instruction.
    Mnemonic,
    /// Another word of the language: a modifier, a mask or a code.
    Word,
    /// A type.
    Type,
    /// A number.
    Number,
    /// A string, with its quotes.
    String,
    /// A name where it is declared.
    Definition(Referent),
    /// A name where it is used.
    Reference(Referent),
}

/// What a name refers to. Two names of a text are the same if their referents are equal, and for
/// labels, functions and kernels also their [bare texts](Token::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Referent {
    /// A variable, sampler or surface that a routine declares.
    Declared {
        /// The index of the routine in [`Recorded::routines`](crate::text::Recorded::routines).
        routine: u32,
        /// Its id.
        id: Id,
    },
    /// A predefined variable, sampler or surface.
    Predefined(Id),
    /// A label.
    Label {
        /// The index of the routine in [`Recorded::routines`](crate::text::Recorded::routines).
        routine: u32,
    },
    /// A kernel.
    Kernel,
    /// A function.
    Function,
    /// Nothing that the text declares.
    Unknown,
}

impl Token {
    /// Returns what the token refers to, if it is a name.
    pub fn referent(&self) -> Option<Referent> {
        match self.kind {
            TokenKind::Definition(referent) | TokenKind::Reference(referent) => Some(referent),
            _ => None,
        }
    }

    /// Returns whether a name is declared here.
    pub fn is_definition(&self) -> bool {
        matches!(self.kind, TokenKind::Definition(_))
    }

    /// Returns the bytes of a name without its quotes.
    pub fn name(&self, text: &[u8]) -> Range<usize> {
        let Range { start, end } = self.span;
        match text.get(start..end) {
            Some([b'"', .., b'"']) => start + 1..end - 1,
            _ => start..end,
        }
    }
}

/// The text of a row of the instruction table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowText {
    /// The name of the struct.
    pub name: &'static str,
    /// The documentation of the row.
    pub doc: &'static str,
    /// The parts of its text, in their order.
    pub parts: &'static [SyntaxPart],
    /// The fields, in the order of their bytes.
    pub fields: &'static [FieldSpec],
}

/// The syntax of a row of the instruction table, for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Syntax {
    /// The text, such as `mov.sat (exec) dst src0`.
    pub text: String,
    /// The parts that are operands, with their bytes.
    pub operands: Vec<(SyntaxPart, Range<usize>)>,
}

/// A part of the text of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxPart {
    /// The predicate, which is optional.
    Predicate,
    /// The mnemonic.
    Mnemonic,
    /// `.sat`, which is optional.
    Saturation,
    /// A fixed text.
    Text(&'static str),
    /// An operand, which a blank precedes.
    Operand(&'static str),
    /// A suffix, which a dot precedes.
    Suffix(&'static str),
    /// An operand, which nothing precedes.
    Joined(&'static str),
    /// Operands with a text of their own.
    Item {
        /// The names of their fields, each followed by a blank.
        fields: &'static str,
        /// The syntax, in which `{}` is the names of the fields.
        syntax: &'static str,
    },
}

impl SyntaxPart {
    /// Returns the names of the fields that the part contains.
    pub fn fields(self) -> impl Iterator<Item = &'static str> {
        let names = match self {
            SyntaxPart::Predicate => "pred",
            SyntaxPart::Operand(names)
            | SyntaxPart::Suffix(names)
            | SyntaxPart::Joined(names)
            | SyntaxPart::Item { fields: names, .. } => names,
            SyntaxPart::Mnemonic | SyntaxPart::Saturation | SyntaxPart::Text(_) => "",
        };
        names.split_ascii_whitespace()
    }
}

/// A kernel or function of a text. It may have errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedRoutine {
    /// Whether it is a kernel or a function.
    pub kind: RoutineKind,
    /// The bytes of its name, with quotes; empty if it has none.
    pub name: Range<usize>,
    /// The bytes of the directive that starts it, and of its name.
    pub header: Range<usize>,
    /// The bytes from its `.version`, if it has its own, up to the next routine.
    pub span: Range<usize>,
}

/// An instruction of a text. It may have errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedInstruction {
    /// The bytes from the mnemonic to the last operand that was read.
    pub span: Range<usize>,
    /// The bytes of the mnemonic.
    pub mnemonic: Range<usize>,
    /// Its row. `None` if the mnemonic is unknown.
    pub row: Option<&'static RowText>,
    /// The operands that were read, as indices into
    /// [`Recorded::operands`](crate::text::Recorded::operands).
    pub operands: Range<usize>,
    /// The fields within operands, as indices into [`Recorded::parts`](crate::text::Recorded::parts).
    pub(in crate::text) parts: Range<usize>,
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedOperand {
    /// The names of the fields of its row, separated by blanks.
    pub fields: &'static str,
    /// The bytes of the text.
    pub span: Range<usize>,
}

/// What the parser accepts at a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Completion {
    /// The kind.
    pub kind: CompletionKind,
    /// The text that completes what precedes the position.
    pub text: String,
}

/// The kind of a [`Completion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CompletionKind {
    /// The name of a variable, sampler or surface, of this class.
    Name(Id),
    /// The names of labels that the routine may define later.
    Label,
    /// The names of functions that another file may define.
    Function,
    /// A region.
    Region,
    /// A type.
    Type,
    /// Another word.
    Word,
    /// A mnemonic.
    Mnemonic,
    /// A directive.
    Directive,
    /// Punctuation.
    Punctuation,
}

/// Records what the parser reads.
#[derive(Default)]
pub(in crate::text) struct Recorder {
    /// The tokens by their position. Only the parts of the text that were read last are in it.
    pub(in crate::text) tokens: Vec<Token>,
    pub(in crate::text) routines: Vec<RecordedRoutine>,
    pub(in crate::text) instructions: Vec<RecordedInstruction>,
    pub(in crate::text) operands: Vec<RecordedOperand>,
    /// The fields within operands and in mnemonics.
    pub(in crate::text) parts: Vec<RecordedOperand>,
    /// What the words of coded fields mean, by the positions of the words.
    pub(in crate::text) meanings: Vec<(usize, &'static str)>,
    /// The index of the current routine.
    pub(in crate::text) routine: u32,
    /// Whether the last operand may be followed by other tokens.
    is_operand_open: bool,
    /// If set, only the operands of instructions in these parts of the text are recorded.
    only: Option<Vec<Range<usize>>>,
    /// Whether the current instruction is not recorded.
    is_skipping: bool,
    /// The number of lanes of the current instruction, if it is known.
    pub(in crate::text) lanes: Option<usize>,
    /// If the parser is asked for completions, what it would accept at the end of the text.
    pub(in crate::text) completions: Option<Vec<Completion>>,
}

impl Recorder {
    /// Returns a recorder of completions.
    pub(in crate::text) fn of_completions() -> Recorder {
        Recorder { completions: Some(Vec::new()), ..Recorder::default() }
    }

    /// Returns a recorder of the operands of instructions in parts of the text, in ascending order.
    #[cfg(feature = "verify")]
    pub(in crate::text) fn of_instructions(only: Vec<Range<usize>>) -> Recorder {
        Recorder { only: Some(only), is_skipping: true, ..Recorder::default() }
    }

    /// Starts a routine, whose name begins at `name`.
    pub(in crate::text) fn start_routine(
        &mut self,
        kind: RoutineKind,
        start: usize,
        header: Range<usize>,
        name: usize,
    ) {
        let referent = match kind {
            RoutineKind::Kernel => Referent::Kernel,
            RoutineKind::Function => Referent::Function,
        };
        self.classify(&(name..header.end), TokenKind::Definition(referent));
        if let Some(last) = self.routines.last_mut() {
            last.span.end = start;
        }
        self.routine = self.routines.len() as u32;
        self.routines.push(RecordedRoutine {
            kind,
            name: name..header.end,
            header,
            span: start..start,
        });
    }

    /// Adds a token. Removes the tokens that the parser read before it went back.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn token(&mut self, span: Range<usize>, kind: TokenKind) {
        if span.is_empty() || self.completions.is_some() || self.only.is_some() {
            return;
        }
        while self.tokens.last().is_some_and(|last| last.span.end > span.start) {
            self.tokens.pop();
        }
        self.tokens.push(Token { span, kind });
    }

    /// Adds the words and numbers in a fixed text.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn text(&mut self, start: usize, text: &str) {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'%';
        let mut start = start;
        for part in text.split(['(', ')', '[', ']', '<', '>', ',', ';']) {
            let first = part.bytes().position(is_word);
            let last = part.bytes().rposition(is_word);
            if let (Some(first), Some(last)) = (first, last) {
                let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
                let kind = if is_number { TokenKind::Number } else { TokenKind::Word };
                self.token(start + first..start + last + 1, kind);
            }
            start += part.len() + 1;
        }
    }

    /// Sets the kind of a token that was read before.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn classify(&mut self, span: &Range<usize>, kind: TokenKind) {
        let found = self.tokens.binary_search_by_key(&span.start, |token| token.span.start);
        if let Some(token) = found.ok().and_then(|index| self.tokens.get_mut(index)) {
            token.kind = kind;
        }
    }

    /// Starts an instruction.
    pub(in crate::text) fn instruction(&mut self, mnemonic: Range<usize>) {
        self.is_operand_open = false;
        self.lanes = None;
        if let Some(only) = &self.only {
            let next = only.partition_point(|part| part.start <= mnemonic.start);
            let part = next.checked_sub(1).and_then(|index| only.get(index));
            self.is_skipping = part.is_none_or(|part| part.end <= mnemonic.start);
            if self.is_skipping {
                return;
            }
        }
        self.token(mnemonic.clone(), TokenKind::Mnemonic);
        let is_undone = |last: &&RecordedInstruction| last.mnemonic.end > mnemonic.start;
        while let Some(last) = self.instructions.last().filter(is_undone) {
            self.operands.truncate(last.operands.start);
            self.parts.truncate(last.parts.start);
            self.instructions.pop();
        }
        let operands = self.operands.len()..self.operands.len();
        let parts = self.parts.len()..self.parts.len();
        let span = mnemonic.clone();
        self.instructions.push(RecordedInstruction { span, mnemonic, row: None, operands, parts });
    }

    /// Sets the row of the current instruction.
    pub(in crate::text) fn row(&mut self, row: Option<&'static RowText>) {
        if let (false, Some(last)) = (self.is_skipping, self.instructions.last_mut()) {
            last.row = row;
        }
    }

    /// Ends the last operand, and starts the next.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn operand(&mut self, at: usize, fields: &'static str) {
        if self.is_skipping {
            return;
        }
        self.end_operand(at);
        self.operands.push(RecordedOperand { fields, span: at..at });
        self.is_operand_open = true;
        if let Some(last) = self.instructions.last_mut() {
            last.operands.end = self.operands.len();
        }
    }

    /// Adds a field of the current instruction.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn field(&mut self, span: Range<usize>, name: &'static str) {
        if self.is_skipping {
            return;
        }
        self.parts.push(RecordedOperand { fields: name, span });
        if let Some(last) = self.instructions.last_mut() {
            last.parts.end = self.parts.len();
        }
    }

    /// Adds a field of the current operand, by its index in the names of the fields.
    #[cold]
    #[inline(never)]
    pub(in crate::text) fn part(&mut self, span: Range<usize>, index: usize) {
        let operand = self.operands.last().filter(|_| self.is_operand_open);
        if let Some(name) = operand.and_then(|one| one.fields.split_ascii_whitespace().nth(index)) {
            self.field(span, name);
        }
    }

    /// Ends the last operand and the instruction.
    pub(in crate::text) fn end_operand(&mut self, at: usize) {
        if self.is_skipping {
            return;
        }
        if let (true, Some(last)) = (self.is_operand_open, self.operands.last_mut()) {
            last.span.end = at.max(last.span.start);
        }
        if let Some(last) = self.instructions.last_mut() {
            last.span.end = at.max(last.span.end);
        }
        self.is_operand_open = false;
    }

    /// Adds a completion.
    pub(in crate::text) fn complete(&mut self, kind: CompletionKind, text: &str) {
        if let Some(completions) = &mut self.completions {
            completions.push(Completion { kind, text: text.to_string() });
        }
    }

    /// Returns whether the parser is asked for completions.
    pub(in crate::text) fn is_completing(&self) -> bool {
        self.completions.is_some()
    }
}
