//! Reading an instruction by its row: the same items that printing it goes through.

use alloc::format;
use core::ops::Range;

use super::Parser;
use super::cursor::Parsed;
use super::diagnostic::nearest;
use super::irregular;
use super::operands::Parse;
use crate::isa::svm::{self, svm_table};
use crate::isa::va::{self, va_table};
use crate::isa::va_skl_plus::{self, va_skl_plus_table};
use crate::isa::*;
use crate::operand::{CmpDst, Dst, Modifier, Pred, Raw};

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

/// The opcodes of words that stand for a row without being its mnemonic.
fn other_word(word: &str) -> Option<u8> {
    Some(match word {
        "min" | "max" => 0x45,
        "fence_global" | "fence_local" | "fence_sw" => 0x5c,
        "raw_sendc" => 0x5d,
        "raw_sendsc" => 0x7a,
        "raw_sendg_eot" | "raw_sendgc" | "raw_sendgc_eot" => 0x93,
        "fccall" => 0x33,
        "resinfo" | "sampleinfo" => 0x70,
        "FILE" => 0x51,
        "LOC" => 0x52,
        _ if SampleOp::NAMED.iter().any(|op| op.name() == Some(word) && word != "sample") => 0x6d,
        "load_3d" | "load_lz" | "load_2dms_w" | "load_mcs" => 0x6e,
        "sample4" | "sample4_c" | "sample4_po" | "sample4_po_c" => 0x6f,
        _ => return None,
    })
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
            return Err(self.c.fail(span, &format!("`{word}` takes no predicate")));
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
            let message = format!("`{word}` does not saturate");
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
                    Err(self.c.expected("an operation of video analytics"))
                }
            };
        }
        // The one mnemonic with a dot.
        let dotted = word == "add3" && self.c.eat_word_here(".o");
        let mnemonic = if dotted { "add3.o" } else { word };
        let spec = SPEC.iter().find(|spec| spec.mnemonic == mnemonic && is_written(spec));
        let opcode = other_word(word).or(spec.map(|spec| spec.opcode));
        match opcode {
            Some(opcode) => self.row(opcode, head),
            None => {
                let words = SPEC.iter().filter(|spec| is_written(spec)).map(|spec| spec.mnemonic);
                let others = ["min", "max", "resinfo", "sampleinfo", "lsc_load", "lsc_store"];
                let sampling = SampleOp::NAMED.iter().filter_map(|op| op.name());
                let near = nearest(word, words.chain(others).chain(sampling));
                let help = near.map(|word| format!("did you mean `{word}`?"));
                let message = format!("there is no instruction `{word}`");
                Err(self.c.fail_with_help(start..start + word.len(), &message, help))
            }
        }
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
