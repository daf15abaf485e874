//! The parser of items: the cursor, and what every item needs to know.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::version::first_version;
use crate::format::Format;
use crate::isa::{Add, field_name};
use crate::object::MAGIC;
use crate::operand::Pred;
use crate::text::cursor::{Cursor, Failed, Parsed};
use crate::text::diagnostic::{Collector, Diagnostic, Errors, cut, nearest};
use crate::text::names::{Interner, Symbol, Symbols};
use crate::text::recorder::{CompletionKind, Referent, TokenKind};
use crate::text::words::Reserved;

/// A part of an instruction.
pub(in crate::text) trait Parse {
    /// Parses it from the text.
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()>;
}

/// An optional operand is parsed if an earlier item has set it to `Some`.
impl<T: Parse> Parse for Option<T> {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if let Some(operand) = self { operand.parse(p) } else { Ok(()) }
    }
}

/// What items need to know about their instruction. Each instruction starts with a new state.
#[derive(Default)]
pub(in crate::text) struct RowState {
    /// The first word of the instruction, or the operation of its family.
    pub(in crate::text) word: Range<usize>,
    /// The predicate of the instruction, until an item takes it.
    pub(in crate::text) pred: Option<(Pred, Range<usize>)>,
    /// Whether `.sat` was parsed, until a destination takes it.
    pub(in crate::text) sat: bool,
    /// Whether an annotation states that the sampler message has a paired surface.
    pub(in crate::text) is_paired: bool,
}

/// The state of the parser that items need.
pub(in crate::text) struct Parser<'t> {
    pub(in crate::text) c: Cursor<'t>,
    pub(in crate::text) format: Format,
    /// The major and minor version of the last `.version`.
    pub(in crate::text) text_version: Option<(u8, u8)>,
    /// The first version of the text, for the annotations that precede it.
    pub(super) first_version: Option<(u8, u8)>,
    pub(in crate::text) reserved: &'static Reserved,
    pub(in crate::text) symbols: Symbols<'t>,
    /// The state of the instruction that was started last.
    pub(in crate::text) state: RowState,
    /// Whether a warning about the paired surface of a sampler message has been reported in this
    /// routine.
    pub(super) is_pair_reported: bool,
    /// The strings of the routine's instructions.
    pub(in crate::text) strings: Interner,
    /// The warnings about the current routine.
    pub(in crate::text) warnings: Collector,
}

/// Returns the error about a source that is not a text, to judge by its first bytes.
fn not_visaasm(source: &[u8]) -> Option<&'static str> {
    match source {
        _ if source.starts_with(&MAGIC) => Some("expected text, found an object file"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("expected UTF-8, found UTF-16"),
        _ => None,
    }
}

impl<'t> Parser<'t> {
    /// Returns a parser at the start of a text. `reserved` are the words that cannot be names.
    ///
    /// # Errors
    /// The source is an object file or UTF-16.
    pub(in crate::text) fn new(
        source: &'t [u8],
        format: Format,
        reserved: &'static Reserved,
    ) -> Result<Parser<'t>, Errors> {
        let c = Cursor::new(source);
        let first_version = first_version(c.at_start());
        let mut parser = Parser {
            c,
            format,
            text_version: None,
            first_version,
            reserved,
            symbols: Symbols::new(),
            state: RowState::default(),
            is_pair_reported: false,
            strings: Interner::default(),
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

    /// Forgets the names of the last routine.
    pub(in crate::text) fn start_routine(&mut self) {
        self.symbols.start_routine();
        self.c.builtins.clear();
        self.strings.clear();
        self.is_pair_reported = false;
    }

    /// Returns the first word of the instruction, or the operation of its family.
    pub(in crate::text) fn word(&self) -> &'t str {
        self.c.str(self.state.word.clone())
    }

    /// Returns the span of [`word`](Self::word).
    pub(in crate::text) fn word_span(&self) -> Range<usize> {
        self.state.word.clone()
    }

    /// Returns whether constructs of older versions are rejected: in version 4.2, unless the
    /// instruction has its bytes in an annotation.
    pub(in crate::text) fn is_strict(&self) -> bool {
        self.format == Format::V4_2 && !self.symbols.is_trial
    }

    pub(in crate::text) fn warn(&mut self, span: &Range<usize>, message: String) {
        self.warnings.push(Diagnostic::warning(span.clone(), message));
    }

    /// Takes the predicate of the instruction. One that is not taken is an error.
    pub(in crate::text) fn take_pred(&mut self) -> Pred {
        let Some((pred, span)) = self.state.pred.take() else { return Pred::NONE };
        self.c.record_field(field_name!(Add.pred), span);
        pred
    }

    /// Adds a hint to the last diagnostic if what comes next is a separator of other languages.
    pub(in crate::text) fn with_help_on_separator(&mut self, failed: Failed) -> Failed {
        let help = match self.c.peek() {
            Some(b',') => "operands are separated by blanks",
            Some(b';') => "instructions end at the end of a line, and comments begin with `//`",
            Some(b'#') => "comments begin with `//`",
            _ => return failed,
        };
        self.with_help(failed, help)
    }

    /// Returns whether two words are equal, ignoring case in dialect `Manual`.
    pub(in crate::text) fn is_same(&self, word: &str, other: &str) -> bool {
        word == other || self.format.is_manual() && word.eq_ignore_ascii_case(other)
    }

    /// Skips a text if it comes next, ignoring case in dialect `Manual`. Returns whether it does.
    pub(in crate::text) fn eat_cased(&mut self, text: &str) -> bool {
        let next = self.c.rest().get(..text.len());
        let next = next.and_then(|next| core::str::from_utf8(next).ok());
        let is_next = next.is_some_and(|next| self.is_same(next, text));
        if is_next {
            self.c.at += text.len();
        }
        is_next
    }

    /// Adds a hint to the last diagnostic.
    pub(in crate::text) fn with_help(&mut self, failed: Failed, help: &str) -> Failed {
        self.c.diagnostics.set_last_help(Some(help.into()));
        failed
    }

    /// Parses the dot of a suffix.
    pub(in crate::text) fn dot(&mut self) -> Parsed<()> {
        if self.c.eat_dot() { Ok(()) } else { Err(self.c.expected("`.`")) }
    }

    /// Parses one of several words, and returns its value.
    pub(in crate::text) fn value_of<V: Copy>(
        &mut self,
        what: &str,
        words: &[(V, &str)],
    ) -> Parsed<V> {
        self.c.skip_blanks();
        match words.iter().find(|(_, word)| self.c.eat_word_here(word)) {
            Some((value, _)) => Ok(*value),
            None => Err(self.expected_word(what, words.iter().map(|(_, word)| *word))),
        }
    }

    /// Reports that one of several words was expected, and suggests the most similar.
    pub(in crate::text) fn expected_word<'w>(
        &mut self,
        what: &str,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Failed {
        let words: Vec<&str> = words.into_iter().collect();
        self.c.complete_words(CompletionKind::Word, words.iter().copied());
        let start = self.c.at;
        let word = self.c.word_here();
        let near = nearest(word, words);
        self.c.at = start;
        let failed = self.c.expected(what);
        self.c.diagnostics.suggest(near.map(String::from));
        failed
    }

    /// Records what a name refers to.
    #[inline]
    pub(in crate::text) fn record_symbol(
        &mut self,
        span: &Range<usize>,
        symbol: Symbol,
        kind: fn(Referent) -> TokenKind,
    ) {
        if let Some(recorder) = &mut self.c.recorder {
            let referent = match symbol.id() {
                Some(id) if id.is_predefined() => Referent::Predefined(id),
                Some(id) => Referent::Declared { routine: recorder.routine, id },
                None => Referent::Unknown,
            };
            recorder.classify(span, kind(referent));
        }
    }

    /// Records a label.
    #[inline]
    pub(in crate::text) fn record_label(
        &mut self,
        span: &Range<usize>,
        kind: fn(Referent) -> TokenKind,
    ) {
        if let Some(recorder) = &mut self.c.recorder {
            recorder.classify(span, kind(Referent::Label { routine: recorder.routine }));
        }
    }

    /// Records the names that fit as completions.
    pub(in crate::text) fn complete_names(&mut self, fits: fn(Symbol) -> bool) {
        if self.c.is_completing() {
            for (name, symbol) in self.symbols.visible().filter(|(_, symbol)| fits(*symbol)) {
                if let Some(id) = symbol.id() {
                    self.c.complete(CompletionKind::Name(id), name);
                }
            }
        }
    }

    /// Returns a part of the text for a diagnostic.
    pub(in crate::text) fn shown(&self, span: Range<usize>) -> String {
        cut(self.c.str(span)).to_string()
    }
}
