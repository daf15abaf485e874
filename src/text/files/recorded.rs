//! Parsing for editors: recordings of what the parser reads and accepts.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::document::Document;
use super::partial::read_recorded;
use crate::format::Format;
use crate::text::cursor::is_name_byte;
use crate::text::options::ParseOptions;
use crate::text::recorder::{
    Completion, RecordedInstruction, RecordedOperand, RecordedRoutine, Recorder, Referent, Token,
    TokenKind,
};
use crate::text::statements::SourceMap;

/// A text that was parsed, with what each part of it is: words, names and what they refer to, instructions and
/// their operands. Routines with errors are recorded, too.
///
/// ```
/// use genvisa::text::{Recorded, TokenKind};
/// use genvisa::Format;
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     mov (M1, 8) x(0,0)<1> 0x2a:d
/// ";
/// let recorded = Recorded::parse(source, Format::default());
/// let names = recorded.tokens.iter().filter(|token| &source[token.span.clone()] == "x");
/// let names: Vec<_> = names.collect();
/// assert!(names[0].is_definition());
/// assert_eq!(names[0].referent(), names[1].referent());
///
/// let mov = &recorded.instructions[0];
/// assert_eq!(mov.row.expect("a known mnemonic").name, "Mov");
/// let dst = &recorded.operands[mov.operands.clone()][1];
/// assert_eq!((dst.fields, &source[dst.span.clone()]), ("dst", "x(0,0)<1>"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recorded {
    /// What was parsed.
    pub document: Document,
    /// What the parser has read, by position. Tokens do not overlap. In the rest of a statement after
    /// an error, the tokens are names, numbers, strings and comments.
    pub tokens: Vec<Token>,
    /// The routines.
    pub routines: Vec<RecordedRoutine>,
    /// The instructions, by position.
    pub instructions: Vec<RecordedInstruction>,
    /// The operands of the instructions.
    pub operands: Vec<RecordedOperand>,
    /// The fields within operands and mnemonics, such as the cache controls of `lsc_load.ugm.ca.ca`.
    pub(in crate::text) parts: Vec<RecordedOperand>,
    /// What the words of coded fields mean, such as cache controls, by the position of the word.
    pub meanings: Vec<(usize, &'static str)>,
}

impl SourceMap {
    /// Parses the text again, and records the instructions in some parts of it, in ascending order, and
    /// their operands.
    #[cfg(feature = "verify")]
    pub(crate) fn record(&self, source: &[u8], instructions: Vec<Range<usize>>) -> Recorded {
        record(source, self.format.into(), &|| Recorder::of_instructions(instructions.clone()))
    }
}

fn record(source: &[u8], options: ParseOptions, recorder: &dyn Fn() -> Recorder) -> Recorded {
    let (mut document, recorder) = Document::choose(source, options, Some(recorder));
    document.add_platform(source);
    let Recorder { tokens, mut routines, instructions, operands, parts, mut meanings, .. } =
        recorder;
    if let Some(last) = routines.last_mut() {
        last.span.end = source.len();
    }
    meanings.sort_unstable_by_key(|(start, _)| *start);
    meanings.dedup_by_key(|(start, _)| *start);
    let mut recorded =
        Recorded { document, tokens, routines, instructions, operands, parts, meanings };
    recorded.trim_operands(source);
    recorded.resolve_names(source);
    recorded.mark_annotations(source);
    recorded
}

impl Recorded {
    /// Parses and records a text.
    pub fn parse(source: impl AsRef<[u8]>, options: impl Into<ParseOptions>) -> Recorded {
        record(source.as_ref(), options.into(), &Recorder::default)
    }

    /// Removes the blanks around operands.
    fn trim_operands(&mut self, source: &[u8]) {
        for RecordedOperand { span, .. } in self.operands.iter_mut().chain(&mut self.parts) {
            let text = source.get(span.clone()).unwrap_or_default();
            let start = text.len() - text.trim_ascii_start().len();
            *span = span.start + start..span.start + start + text.trim_ascii().len();
        }
    }

    /// Resolves the names that were unknown when they were read: in statements with errors, and in
    /// annotations.
    fn resolve_names(&mut self, source: &[u8]) {
        for index in 0..self.routines.len() {
            let tokens = self.tokens_in(&self.routines[index].span);
            let is_unknown = |token: &&Token| token.referent() == Some(Referent::Unknown);
            let unknown: Vec<usize> =
                tokens.clone().filter(|index| is_unknown(&&self.tokens[*index])).collect();
            if unknown.is_empty() {
                continue;
            }
            let mut defined = BTreeMap::new();
            for token in self.tokens[tokens].iter().filter(|token| token.is_definition()) {
                if let Some(referent) = token.referent() {
                    // Labels have a namespace of their own.
                    let is_label = matches!(referent, Referent::Label { .. });
                    let entry = defined.entry((&source[token.name(source)], is_label));
                    entry.and_modify(|found| *found = None).or_insert(Some(referent));
                }
            }
            for index in unknown {
                let name = &source[self.tokens[index].name(source)];
                let found = defined.get(&(name, false)).or_else(|| defined.get(&(name, true)));
                if let Some(Some(referent)) = found {
                    self.tokens[index].kind = TokenKind::Reference(*referent);
                }
            }
        }
    }

    /// Sets the kind of the tokens in annotations.
    fn mark_annotations(&mut self, source: &[u8]) {
        let mut end = 0;
        for Token { span, kind } in &mut self.tokens {
            if *kind == TokenKind::Annotation {
                // The line is searched once, not for each of its tokens.
                if span.end <= end {
                    continue;
                }
                let rest = source.get(span.end..).unwrap_or_default();
                end = span.end + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            } else if span.start < end {
                // Names keep what they refer to.
                match kind {
                    TokenKind::Reference(referent) if *referent != Referent::Unknown => {}
                    kind => *kind = TokenKind::Annotation,
                }
            }
        }
    }

    /// Returns the indices of the tokens that begin in a part of the text.
    pub fn tokens_in(&self, span: &Range<usize>) -> Range<usize> {
        let index = |at: usize| self.tokens.partition_point(|token| token.span.start < at);
        index(span.start)..index(span.end)
    }

    /// Returns the token that contains a position, or ends there.
    pub fn token_at(&self, at: usize) -> Option<&Token> {
        let next = self.tokens.partition_point(|token| token.span.start <= at);
        let last = self.tokens.get(next.checked_sub(1)?)?;
        (at <= last.span.end).then_some(last)
    }

    /// Returns the index of the routine that contains a position.
    pub fn routine_at(&self, at: usize) -> Option<usize> {
        let next = self.routines.partition_point(|routine| routine.span.start <= at);
        next.checked_sub(1)
    }

    /// Returns the bytes of a field of an instruction, such as `dst`. Returns `None` if the field has no
    /// text.
    ///
    /// ```
    /// use genvisa::text::Recorded;
    /// use genvisa::Format;
    ///
    /// let source = "\
    /// .version 4.2
    /// .kernel \"k\"
    /// .decl a v_type=G type=uq num_elts=16 align=GRF
    /// .decl x v_type=G type=ud num_elts=16 align=GRF
    ///     lsc_load.ugm.ca.uc (M1, 16) x:d32 flat[a+0x40]:a64
    /// ";
    /// let recorded = Recorded::parse(source, Format::V4_2);
    /// let load = &recorded.instructions[0];
    /// let text = |field| recorded.field(load, field).map(|span| &source[span]);
    /// assert_eq!(text("l3"), Some(".uc"));
    /// assert_eq!(text("dst"), Some("x"));
    /// assert_eq!(text("addr_offset"), Some("+0x40"));
    /// assert_eq!(text("src1"), None);
    /// ```
    pub fn field(&self, instruction: &RecordedInstruction, field: &str) -> Option<Range<usize>> {
        let operands = self.operands.get(instruction.operands.clone()).unwrap_or_default();
        let parts = self.parts.get(instruction.parts.clone()).unwrap_or_default();
        let is_written = |one: &&RecordedOperand| !one.span.is_empty();
        let is_alone = |one: &&RecordedOperand| one.fields == field;
        let contains =
            |one: &&RecordedOperand| one.fields.split_ascii_whitespace().any(|name| name == field);
        // An item with several fields may have no text for one of them.
        let mut alone = operands.iter().rev().chain(parts.iter().rev()).filter(is_written);
        let found = alone.find(is_alone);
        let found = found.or_else(|| operands.iter().rev().filter(is_written).find(contains));
        found.map(|one| one.span.clone())
    }

    /// Returns the names of the fields that a position of an instruction belongs to, separated by blanks. There are
    /// several if the parser has not recorded the parts of the operand.
    pub fn fields_at(&self, instruction: &RecordedInstruction, at: usize) -> Option<&'static str> {
        let operands = self.operands.get(instruction.operands.clone()).unwrap_or_default();
        let parts = self.parts.get(instruction.parts.clone()).unwrap_or_default();
        let contains = |one: &&RecordedOperand| one.span.start <= at && at < one.span.end;
        let found = parts.iter().rev().chain(operands.iter().rev()).filter(contains);
        found.min_by_key(|one| one.fields.split_ascii_whitespace().count()).map(|one| one.fields)
    }

    /// Returns the instruction that begins in a part of the text.
    pub fn instruction_in(&self, part: &Range<usize>) -> Option<&RecordedInstruction> {
        let index = self.instructions.partition_point(|one| one.mnemonic.start < part.start);
        self.instructions.get(index).filter(|one| one.mnemonic.start < part.end)
    }

    /// Returns the instruction whose line contains a position after its mnemonic.
    pub fn instruction_at(&self, source: &[u8], at: usize) -> Option<&RecordedInstruction> {
        let next = self.instructions.partition_point(|found| found.mnemonic.start <= at);
        let last = self.instructions.get(next.checked_sub(1)?)?;
        let between = source.get(last.span.end..at).unwrap_or_default();
        (!between.contains(&b'\n')).then_some(last)
    }
}

/// What [`completions`] returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completions {
    /// The bytes of the text that a completion replaces: the word before the position.
    pub replaced: Range<usize>,
    /// What the parser accepts, without repetitions.
    pub items: Vec<Completion>,
}

/// Returns what the parser accepts at a position, in place of the word that ends there. It does not
/// depend on the text after the position.
///
/// Labels and functions may follow the position, so the result only states that their names are
/// accepted.
///
/// ```
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     mov (M1, 8) x(0,0)<1> 0x2a:u";
/// let completions = text::completions(source, Format::default(), source.len());
/// assert_eq!(&source[completions.replaced], "u");
/// assert!(completions.items.iter().any(|item| item.text == "ud"));
/// ```
pub fn completions(source: impl AsRef<[u8]>, format: Format, at: usize) -> Completions {
    let source = source.as_ref();
    let before = &source[..at.min(source.len())];
    let word = before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let replaced = before.len() - word..before.len();
    let recorder = Some(Box::new(Recorder::of_completions()));
    let parsed = read_recorded(&source[..replaced.start], format, recorder);
    let recorder = parsed.ok().and_then(|mut file| file.recorder.take());
    let mut items = recorder.and_then(|recorder| recorder.completions).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let is_key = |text: &str| text.strip_suffix('=').map(alloc::string::String::from);
    let keys: BTreeSet<_> = items.iter().filter_map(|item| is_key(&item.text)).collect();
    items.retain(|item| !keys.contains(&item.text) && seen.insert(item.text.clone()));
    Completions { replaced, items }
}
