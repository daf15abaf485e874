//! Reading an instruction by its row: the same items that printing it goes through.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::declarations::DIRECTIVES;
use super::diagnostic::{cut, nearest};
use super::irregular;
use super::operands::Parse;
use crate::isa::svm::{self, svm_table};
use crate::isa::va::{self, va_table};
use crate::isa::va_skl_plus::{self, va_skl_plus_table};
use crate::isa::*;
use crate::operand::lsc::LscOp;
use crate::operand::{CmpDst, Dst, Modifier, Pred, Raw};
use crate::text::irregular::{GATHERS, LOADS, OTHER_WORDS};

/// A destination that `.sat` may stand for.
pub(super) trait Saturate {
    /// Whether it can saturate.
    fn saturate(&mut self) -> bool;
}

impl Saturate for Dst {
    fn saturate(&mut self) -> bool {
        self.0.modifier = Modifier::SAT;
        true
    }
}

impl Saturate for CmpDst {
    fn saturate(&mut self) -> bool {
        self.0.modifier = Modifier::SAT;
        true
    }
}

impl Saturate for Raw {
    fn saturate(&mut self) -> bool {
        false
    }
}

/// A predicate that is there in every format, or in some.
pub(super) trait SetPred {
    fn set(&mut self, pred: Pred, is_there: bool);
}

impl SetPred for Pred {
    fn set(&mut self, pred: Pred, _: bool) {
        *self = pred;
    }
}

impl SetPred for Option<Pred> {
    fn set(&mut self, pred: Pred, is_there: bool) {
        // Given where the format has no room for it, encoding says so.
        *self = (is_there || !pred.is_none()).then_some(pred);
    }
}

/// What stands before and directly behind the mnemonic, until the row's items use it.
pub(super) struct Head {
    pub(super) pred: Option<(Pred, Range<usize>)>,
    pub(super) saturates: bool,
}

impl Head {
    pub(super) fn pred(&mut self) -> Pred {
        self.pred.take().map_or(Pred::NONE, |(pred, _)| pred)
    }
}

macro_rules! pred_item {
    ($p:ident, $i:ident, $head:ident, pred) => {
        let newest = $p.format.dialect == crate::format::Dialect::Igc2026;
        $i.pred.set($head.pred(), newest);
    };
    ($p:ident, $i:ident, $head:ident, $other:ident) => {};
}

macro_rules! sat_item {
    ($p:ident, $i:ident, $head:ident, dst) => {
        $head.saturates = $p.c.eat_here(".sat");
    };
    ($p:ident, $i:ident, $head:ident, $other:ident) => {};
}

macro_rules! exec_item {
    ($p:ident, $i:ident, exec) => {
        $i.exec.parse($p)?
    };
    ($p:ident, $i:ident, $other:ident) => {};
}

macro_rules! operand_item {
    ($p:ident, $i:ident, pred) => {};
    ($p:ident, $i:ident, exec) => {};
    ($p:ident, $i:ident, $field:ident) => {
        $i.$field.parse($p)?
    };
}

macro_rules! saturate_item {
    ($i:ident, $head:ident, dst) => {
        if $head.saturates {
            $head.saturates = !$i.dst.saturate();
        }
    };
    ($i:ident, $head:ident, $other:ident) => {};
}

/// The items of an `as [..]`, as in `print`. `@` was read already, to find the row.
macro_rules! items {
    ($p:ident, $i:ident, $head:ident;) => {};
    ($p:ident, $i:ident, $head:ident; pred $($rest:tt)*) => {
        pred_item!($p, $i, $head, pred);
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; @ $($rest:tt)*) => {
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; sat $($rest:tt)*) => {
        $head.saturates = $p.c.eat_here(".sat");
        items!($p, $i, $head; $($rest)*);
        saturate_item!($i, $head, dst);
    };
    ($p:ident, $i:ident, $head:ident; . $field:ident $($rest:tt)*) => {
        $p.dot()?;
        $i.$field.parse($p)?;
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; ($field:ident) $($rest:tt)*) => {
        $i.$field.parse($p)?;
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; {$function:ident $field:ident} $($rest:tt)*) => {
        irregular::$function($p, &mut $i.$field, $head)?;
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; {$function:ident} $($rest:tt)*) => {
        irregular::$function($p, &mut $i, $head)?;
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; $text:literal $($rest:tt)*) => {
        $p.literal($text)?;
        items!($p, $i, $head; $($rest)*);
    };
    ($p:ident, $i:ident, $head:ident; $field:ident $($rest:tt)*) => {
        $i.$field.parse($p)?;
        items!($p, $i, $head; $($rest)*);
    };
}

macro_rules! parse_row {
    ($p:ident, $ty:ty, $head:ident, $body:tt, [$($items:tt)*]) => {{
        let mut i = <$ty>::default();
        items!($p, i, $head; $($items)*);
        Ok(i.into())
    }};
    ($p:ident, $ty:ty, $head:ident, (family)) => {
        Err($p.c.expected("an operation"))
    };
    ($p:ident, $ty:ty, $head:ident, {
        $($field:ident: $field_ty:ty $([$($gate:tt)+])?),* $(,)?
    }) => {{
        #[allow(unused_mut)]
        let mut i = <$ty>::default();
        $(pred_item!($p, i, $head, $field);)*
        $(sat_item!($p, i, $head, $field);)*
        $(exec_item!($p, i, $field);)*
        $(operand_item!($p, i, $field);)*
        $(saturate_item!(i, $head, $field);)*
        Ok(i.into())
    }};
}

macro_rules! instruction_parser {
    ($(
        $(#[$doc:meta])*
        $op:literal $([$existence:ident])? $name:ident $($mnemonic:literal)? $method:ident $body:tt
        is $kind:ident $(($signature:ident))?
        $(as $text:tt)?
    )*) => {
        impl Parser<'_> {
            /// Reads what follows a row's mnemonic.
            pub(super) fn row(&mut self, opcode: u8, head: &mut Head) -> Parsed<Instruction> {
                match opcode {
                    $($op => parse_row!(self, $name, head, $body $(, $text)?),)*
                    _ => Err(self.c.expected("an instruction")),
                }
            }
        }
    };
}

instruction_table!(instruction_parser);

macro_rules! family_parser {
    ($module:ident $function:ident
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $($(#[$row_doc:meta])* $op:literal $name:ident $method:ident $mnemonic:literal $body:tt $(as $text:tt)?)*
        }
    ) => {
        impl Parser<'_> {
            /// Reads what follows the mnemonic of a family's operation.
            fn $function(&mut self, op: &str, head: &mut Head) -> Option<Parsed<Instruction>> {
                match op {
                    $($mnemonic => Some((|| {
                        parse_row!(self, $module::$name, head, $body $(, $text)?)
                    })()),)*
                    _ => None,
                }
            }
        }
    };
}

macro_rules! svm_parser { ($($rows:tt)*) => { family_parser! { svm svm $($rows)* } }; }
macro_rules! va_parser { ($($rows:tt)*) => { family_parser! { va va $($rows)* } }; }
macro_rules! va_skl_plus_parser {
    ($($rows:tt)*) => { family_parser! { va_skl_plus va_skl_plus $($rows)* } };
}

svm_table!(svm_parser);
va_table!(va_parser);
va_skl_plus_table!(va_skl_plus_parser);

/// The opcode of a word that begins an instruction without being the mnemonic of its row.
fn other_word(word: &str) -> Option<u8> {
    let is_sampling = |op: &SampleOp| op.name() == Some(word) && *op != SampleOp::SAMPLE;
    let is_named = |op: &SamplerOp| op.name() == Some(word);
    match OTHER_WORDS.iter().find(|(other, _)| *other == word) {
        Some((_, opcode)) => Some(*opcode),
        None if SampleOp::NAMED.iter().any(is_sampling) => Some(0x6d),
        None if LOADS.iter().any(is_named) => Some(0x6e),
        None if GATHERS.iter().any(is_named) => Some(0x6f),
        None => None,
    }
}

/// Every word that begins an instruction, for those who mistype one.
fn all_words() -> Vec<String> {
    let rows = SPEC.iter().filter(|spec| is_written(spec)).map(|spec| spec.mnemonic);
    let others = OTHER_WORDS.iter().map(|(word, _)| *word);
    let sampling = SampleOp::NAMED.iter().filter(|op| **op != SampleOp::SAMPLE);
    let sampling = sampling.filter_map(|op| op.name());
    let loads = LOADS.iter().chain(&GATHERS).filter_map(|op| op.name());
    let words = rows.chain(others).chain(sampling).chain(loads).map(String::from);
    let svm = Svm::SPEC.iter().map(|layout| format!("svm_{}", layout.mnemonic));
    let lsc = LscOp::NAMED.iter().filter_map(|op| op.name()).map(|name| format!("lsc_{name}"));
    words.chain(svm).chain(lsc).collect()
}

/// Rows whose mnemonic is not written, or means something else in text.
fn is_written(spec: &Spec) -> bool {
    spec.family.is_empty()
        && !matches!(
            spec.mnemonic,
            "fminmax" | "fence" | "info_3d" | "gather4_3d" | "file" | "loc" | "label" | "func"
        )
}

impl Parser<'_> {
    /// An instruction, from its predicate to the end of its line.
    pub(super) fn instruction(&mut self) -> Parsed<Instruction> {
        let pred = self.pred_prefix()?;
        self.c.skip_blanks();
        let start = self.c.at;
        let word = self.c.word_here();
        if word.is_empty() {
            return Err(self.c.expected("an instruction"));
        }
        let mut head = Head { pred, saturates: false };
        let mut instruction = self.by_word(word, start, &mut head)?;
        if let Some((_, span)) = head.pred {
            return Err(self.c.fail(span, &format!("`{}` takes no predicate", cut(word))));
        }
        // Of two results the first saturates.
        let result = match &mut instruction {
            Instruction::Addc(addc) => Some(&mut addc.dst),
            Instruction::Subb(subb) => Some(&mut subb.dst),
            _ => None,
        };
        if let (true, Some(dst)) = (head.saturates, result) {
            head.saturates = !dst.saturate();
        }
        if head.saturates {
            let message = format!("`{}` does not saturate", cut(word));
            return Err(self.c.fail(start..start + word.len(), &message));
        }
        Ok(instruction)
    }

    fn by_word(&mut self, word: &str, start: usize, head: &mut Head) -> Parsed<Instruction> {
        self.word = start..start + word.len();
        if let Some(op) = word.strip_prefix("lsc_").filter(|op| *op != "fence") {
            return irregular::lsc(self, op, head);
        }
        if let Some(op) = word.strip_prefix("svm_") {
            if let Some(parsed) = self.svm(op, head) {
                return parsed;
            }
        }
        let family: Option<fn(&mut Self, &str, &mut Head) -> _> = match word {
            "va" => Some(Self::va),
            "va_skl_plus" => Some(Self::va_skl_plus),
            _ => None,
        };
        if let Some(family) = family {
            self.dot()?;
            let start = self.c.at;
            let op = self.c.word_here();
            self.word = start..self.c.at;
            return match family(self, op, head) {
                Some(parsed) => parsed,
                None => {
                    self.c.at = start;
                    let ops = if word == "va" { Va::SPEC } else { VaSklPlus::SPEC };
                    let ops = ops.iter().map(|layout| layout.mnemonic);
                    Err(self.expected_word("an operation of video analytics", ops))
                }
            };
        }
        // The one mnemonic with a dot.
        let dotted = word == "add3" && self.c.eat_word_here(".o");
        let mnemonic = if dotted { "add3.o" } else { word };
        let spec = SPEC.iter().find(|spec| spec.mnemonic == mnemonic && is_written(spec));
        match spec.map(|spec| spec.opcode).or_else(|| other_word(word)) {
            Some(opcode) => self.row(opcode, head),
            None => Err(self.unknown_instruction(start..start + word.len())),
        }
    }

    /// Reports an unknown mnemonic.
    pub(super) fn unknown_instruction(&mut self, span: Range<usize>) -> Failed {
        let word = core::str::from_utf8(&self.c.text[span.clone()]).unwrap_or_default();
        let words = all_words();
        let directive = DIRECTIVES.contains(&word).then(|| format!("did you mean `.{word}`?"));
        let help = directive.or_else(|| {
            nearest(word, words.iter().map(String::as_str))
                .map(|near| format!("did you mean `{near}`?"))
        });
        let message = format!("there is no instruction `{}`", cut(word));
        self.c.fail_with_help(span, &message, help)
    }

    /// The dot before a suffix.
    pub(super) fn dot(&mut self) -> Parsed<()> {
        if self.c.eat_here(".") { Ok(()) } else { Err(self.c.expected("`.`")) }
    }

    /// A literal of a row, whose blanks may be any number.
    fn literal(&mut self, text: &str) -> Parsed<()> {
        match text.trim() {
            "" => Ok(()),
            // The words were read to find the row.
            "FILE" | "LOC" => Ok(()),
            text => self.c.expect(text),
        }
    }
}
