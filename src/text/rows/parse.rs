//! Parsing of instructions by the rows of the instruction table, whose items are also printed.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::mnemonics;
use super::row_items::row_items;
use super::syntax;
use crate::format::Format;
use crate::isa::Layout;
use crate::isa::lsc::{self, lsc_typed_table, lsc_untyped_table};
use crate::isa::prefix;
use crate::isa::svm::svm_table;
use crate::isa::va::va_table;
use crate::isa::va_skl_plus::va_skl_plus_table;
use crate::isa::*;
use crate::operand::Pred;
use crate::operand::lsc::LscOp;
use crate::text::context::{Parse, Parser, RowState};
use crate::text::cursor::{Failed, Parsed};
use crate::text::diagnostic::{cut, nearest};
use crate::text::items::{self, Item, Word};
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::Directive;

/// The predicate of an instruction, which some formats may not have.
pub(in crate::text) trait SetPred {
    fn set(&mut self, pred: Pred);
}

impl SetPred for Pred {
    fn set(&mut self, pred: Pred) {
        *self = pred;
    }
}

impl SetPred for Option<Pred> {
    fn set(&mut self, pred: Pred) {
        // If the format does not have the field, encoding reports it.
        *self = (self.is_some() || !pred.is_none()).then_some(pred);
    }
}

/// Parses the items of a row. The word has been parsed already to find the row.
macro_rules! parse_items {
    ([$p:ident $i:ident] $($item:tt)*) => {
        $(parse_item!($p, $i, $item);)*
    };
}

macro_rules! parse_item {
    ($p:ident, $i:ident, [pred]) => {
        $i.pred.set($p.take_pred())
    };
    ($p:ident, $i:ident, [mnemonic $(!)?]) => {};
    ($p:ident, $i:ident, [word $word:literal]) => {};
    ($p:ident, $i:ident, [word_of $word:ident $($field:ident)?]) => {
        $($p.c.record_field(stringify!($field), $p.word_span());)?
        <items::$word as Word<_>>::parse($p, &mut $i$(.$field)?)
    };
    ($p:ident, $i:ident, [sat]) => {
        $p.c.skip_blanks_before_dot();
        $p.state.sat = $p.c.eat_here(".sat")
    };
    ($p:ident, $i:ident, [operand $field:ident]) => {
        $p.c.record_operand(stringify!($field));
        $i.$field.parse($p)?
    };
    ($p:ident, $i:ident, [suffix $field:ident]) => {
        $p.c.record_operand_end();
        $p.dot()?;
        parse_item!($p, $i, [operand $field])
    };
    ($p:ident, $i:ident, [joined $field:ident]) => {
        parse_item!($p, $i, [operand $field])
    };
    ($p:ident, $i:ident, [item $item:ident $($field:ident)?]) => {
        $p.c.record_operand(concat!("", $(stringify!($field))?));
        <items::$item as Item<_>>::parse($p, &mut $i$(.$field)?)?
    };
    ($p:ident, $i:ident, [item $item:ident $($field:ident)+]) => {
        $p.c.record_operand(concat!($(stringify!($field), " "),+));
        let mut parts = ($($i.$field),+);
        <items::$item as Item<_>>::parse($p, &mut parts)?;
        ($($i.$field),+) = parts
    };
    ($p:ident, $i:ident, [text $text:literal]) => {
        $p.c.record_operand_end();
        $p.literal($text)?
    };
}

macro_rules! parse_row {
    ($p:ident, $default:expr, (family)) => {
        Err($p.c.expected("an operation"))
    };
    ($p:ident, $default:expr, $body:tt $(, $text:tt)?) => {{
        #[allow(unused_mut)]
        let mut i = $default;
        row_items!(parse_items [$p i] $body $($text)?);
        Ok(i.into())
    }};
}

macro_rules! instruction_parser {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt [$($text:tt)?] [$($manual:tt)?]
    })*) => {
        impl Parser<'_> {
            /// Parses an instruction of a row after its mnemonic.
            pub(in crate::text) fn row(&mut self, opcode: u8) -> Parsed<Instruction> {
                let is_manual = self.format.is_manual();
                self.c.record_row(|| syntax::of_opcode(opcode, is_manual));
                match opcode {
                    $($op => {
                        $(if self.format.is_manual() {
                            return parse_row!(self, $name::for_format(self.format), $body, $manual);
                        })?
                        parse_row!(self, $name::for_format(self.format), $body $(, $text)?)
                    })*
                    _ => Err(self.c.expected("an instruction")),
                }
            }
        }
    };
}

instruction_table!(instruction_parser);

/// A family of instructions, whose words begin with a prefix.
trait Family {
    /// Parses an instruction after its operation. Returns `None` if there is no such operation.
    fn row(p: &mut Parser<'_>, op: &str) -> Option<Parsed<Instruction>>;
}

/// Returns the default of a variant of a family in a format.
fn for_format<T: Layout, F>(_: fn(T) -> F, format: Format) -> T {
    T::for_format(format)
}

macro_rules! family_parser {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt $op:tt $name:ident $method:tt $mnemonic:literal $body:tt $moves:tt
        [$($text:tt)?]
    })*) => {
        impl Family for $family {
            fn row(p: &mut Parser<'_>, op: &str) -> Option<Parsed<Instruction>> {
                match op {
                    $($mnemonic => Some((|| {
                        p.c.record_row(|| {
                            syntax::of_layout(stringify!($family), stringify!($name))
                        });
                        parse_row!(p, for_format($family::$name, p.format), $body $(, $text)?)
                    })()),)*
                    _ => None,
                }
            }
        }
    };
}

svm_table!(family_parser);
va_table!(family_parser);
va_skl_plus_table!(family_parser);

/// A family of LSC messages.
trait LscFamily {
    /// Parses an instruction after its mnemonic. Returns `None` if the family does not have the
    /// operation. An operation that the format does not have is parsed as in the newest.
    fn row(p: &mut Parser<'_>, op: LscOp) -> Option<Parsed<Instruction>>;
}

macro_rules! lsc_parser {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt $ops:tt $name:ident [] $mnemonic:literal $body:tt $moves:tt [$text:tt]
    })*) => {
        impl LscFamily for $family {
            fn row(p: &mut Parser<'_>, op: LscOp) -> Option<Parsed<Instruction>> {
                let layout = |format| $family::default_layout(op.bits(), format);
                match layout(p.format).or_else(|_| layout(Format::V4_2)).ok()? {
                    $($family::$name(_) => Some((|| {
                        p.c.record_row(|| {
                            syntax::of_layout(stringify!($family), stringify!($name))
                        });
                        parse_row!(p, lsc::$name::for_format(p.format), $body, $text)
                    })()),)*
                }
            }
        }
    };
}

lsc_untyped_table!(lsc_parser);
lsc_typed_table!(lsc_parser);

impl Parser<'_> {
    /// Parses an instruction, from its predicate to its last operand.
    pub(in crate::text) fn instruction(&mut self) -> Parsed<Instruction> {
        self.instruction_with(false)
    }

    /// Parses an instruction. `is_paired` is whether an annotation states its paired surface.
    pub(in crate::text) fn instruction_with(&mut self, is_paired: bool) -> Parsed<Instruction> {
        let pred = self.pred_prefix()?;
        self.c.skip_blanks();
        let start = self.c.at;
        let word = self.c.word_here();
        if word.is_empty() {
            self.complete_mnemonics();
            let failed = self.c.expected("an instruction");
            return Err(self.with_help_on_separator(failed));
        }
        let span = start..start + word.len();
        let state = RowState { word: span.clone(), pred, is_paired, sat: false };
        self.c.record_instruction(&span);
        let parsed = self.by_word(word, state);
        self.c.record_operand_end();
        let instruction = parsed?;
        if let Some((_, span)) = self.state.pred.take() {
            return Err(self.c.fail(span, &format!("`{}` takes no predicate", cut(word))));
        }
        if self.state.sat {
            let message = format!("`{}` does not saturate", cut(word));
            return Err(self.c.fail(span, &message));
        }
        Ok(instruction)
    }

    /// Parses an instruction after its first word.
    pub(in crate::text) fn by_word(&mut self, word: &str, state: RowState) -> Parsed<Instruction> {
        let start = state.word.start;
        self.state = state;
        if let Some(op) = word.strip_prefix(prefix!(Lsc)).and_then(items::lsc_op) {
            return self.lsc(op);
        }
        if let Some(op) = word.strip_prefix(prefix!(Svm)) {
            if let Some(parsed) = Svm::row(self, op) {
                return parsed;
            }
        }
        if prefix!(Va).strip_suffix('.') == Some(word) {
            return self.operation::<Va>(Va::SPEC);
        }
        if prefix!(VaSklPlus).strip_suffix('.') == Some(word) {
            return self.operation::<VaSklPlus>(VaSklPlus::SPEC);
        }
        // This is the only mnemonic with a dot.
        let dotted = word == "add3" && self.c.eat_word_here(".o");
        let word = if dotted { "add3.o" } else { word };
        match mnemonics::opcode_of(word, self.format.dialect) {
            Some(opcode) if self.c.has_blanks_at_dot() && mnemonics::needs_suffix(opcode) => {
                let message = format!("blanks cannot separate `{word}` from its suffix");
                Err(self.c.fail(start..start + word.len(), &message))
            }
            Some(_) if word == "LOC" && self.is_strict() && !self.is_at_decimal() => {
                Err(self.c.expected("a line number in decimal"))
            }
            Some(opcode) => {
                // The number of a line may have 32 bits.
                let has_short_decimals = self.c.has_short_decimals;
                self.c.has_short_decimals &= word != "LOC";
                let parsed = self.row(opcode);
                self.c.has_short_decimals = has_short_decimals;
                parsed
            }
            None => Err(self.unknown_instruction(start..start + word.len())),
        }
    }

    /// Records the mnemonics as completions.
    pub(in crate::text) fn complete_mnemonics(&mut self) {
        if self.c.is_completing() {
            let words = mnemonics::all(self.format.dialect);
            self.c.complete_words(CompletionKind::Mnemonic, words.iter().map(String::as_str));
        }
    }

    /// Returns whether a decimal number is next in the line.
    fn is_at_decimal(&mut self) -> bool {
        self.c.skip_blanks();
        matches!(self.c.peek(), Some(b'0'..=b'9'))
            && !matches!(self.c.rest(), [b'0', b'x' | b'X', ..])
    }

    /// Parses an LSC message after its mnemonic.
    fn lsc(&mut self, op: LscOp) -> Parsed<Instruction> {
        self.c.skip_blanks();
        let start = self.c.at;
        let is_typed = self.c.eat_word_here(".tgm");
        self.c.at = start;
        let parsed = if is_typed { LscTyped::row(self, op) } else { LscUntyped::row(self, op) };
        parsed.unwrap_or_else(|| {
            self.dot()?;
            let what = if is_typed { "`ugm`, `ugml` or `slm`" } else { "`tgm`" };
            Err(self.c.expected(what))
        })
    }

    /// Parses a dot, an operation of a family, and the rest of the instruction.
    fn operation<F: Family>(&mut self, layouts: &[SubSpec]) -> Parsed<Instruction> {
        self.dot()?;
        let start = self.c.at;
        let op = self.c.word_here();
        self.state.word = start..self.c.at;
        self.c.classify(&(start..self.c.at), TokenKind::Mnemonic);
        F::row(self, op).unwrap_or_else(|| {
            self.c.at = start;
            let ops = layouts.iter().map(|layout| layout.mnemonic);
            Err(self.expected_word("an operation of video analytics", ops))
        })
    }

    /// Reports an unknown instruction.
    pub(super) fn unknown_instruction(&mut self, span: Range<usize>) -> Failed {
        let word = self.c.str(span.clone());
        let dialect = self.format.dialect;
        let words = mnemonics::all(dialect);
        let other = || {
            let (whose, here) = mnemonics::of_other_dialect(word, dialect)?;
            Some((Some(format!("{whose}; in dialect {dialect} the word is `{here}`")), here.into()))
        };
        let near = || nearest(word, words.iter().map(String::as_str)).map(String::from);
        let directive = Directive::of(word).map(|near| (None, String::from(near.text())));
        let found = directive.or_else(other).or_else(|| Some((None, near()?)));
        let message = format!("unknown instruction `{}`", cut(word));
        let Some((help, replacement)) = found else {
            let help = self.help_on_label(word);
            return self.c.fail_with_help(span, &message, help);
        };
        let failed = self.c.fail(span, &message);
        self.c.diagnostics.suggest(Some(replacement));
        if help.is_some() {
            self.c.diagnostics.set_last_help(help);
        }
        failed
    }

    /// Returns a hint if a word without operands may be a label.
    fn help_on_label(&mut self, word: &str) -> Option<String> {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        match self.c.rest() {
            [b':', ..] if is_number => Some("names of labels begin with a letter or `_`".into()),
            _ if !is_number && self.c.is_at_line_end() => {
                Some(format!("a label has a colon: `{}:`", cut(word)))
            }
            _ => None,
        }
    }

    /// Parses a literal of a row, without the spaces around it.
    fn literal(&mut self, text: &str) -> Parsed<()> {
        match text.trim() {
            "" => Ok(()),
            text => self.c.expect(text),
        }
    }
}
