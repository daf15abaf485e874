//! Coded fields, the inverse of `text::codes`.

use alloc::format;
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::diagnostic::nearest;
use super::operands::Parse;
use crate::operand::lsc::{LscFenceOp, LscScope, LscSfid};
use crate::operand::va::{
    AvsExecMode, ErodeDilateMode, HdcPixelSize, LbpMode, MinMaxEnable, OutputFormat,
};
use crate::operand::*;
use crate::text::codes::Renamed;

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Parse for $ty {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                *self = p.c.number("a number")?;
                Ok(())
            }
        }
    )*};
}

numbers!(u8, u16, u32);

/// Codes that are written as their names, behind a prefix or not.
macro_rules! named {
    ($($name:ident $(($prefix:literal))? $what:literal;)*) => {$(
        impl Parse for $name {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                p.c.skip_blanks();
                let start = p.c.at;
                $(p.c.eat_here($prefix);)?
                let word = p.c.word_here();
                match $name::NAMED.iter().find(|code| code.name() == Some(word)) {
                    Some(code) => *self = *code,
                    None => {
                        p.c.at = start;
                        let names = $name::NAMED.iter().filter_map(|code| code.name());
                        return Err(p.expected_word($what, names));
                    }
                }
                Ok(())
            }
        }
    )*};
}

named! {
    MediaModifier "a media modifier";
    OwordNum "a number of owords";
    BlockNum "a number of blocks";
    Precision "a precision";
    LscSfid "a shared function";
    LscFenceOp "a fence operation";
    LscScope "a fence scope";
    AvsExecMode("AVS_") "an AVS mode";
    ErodeDilateMode("VA_ED_") "a mode";
    BarrierMode "`wait` or `signal`";
    AtomicOp "an atomic operation";
}

/// Codes whose text has other words than their names.
macro_rules! renamed {
    ($($name:ident $what:literal;)*) => {$(
        impl Parse for $name {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                *self = p.word_of($what, <$name as Renamed>::WORDS)?;
                Ok(())
            }
        }
    )*};
}

renamed! {
    ElementSize "an element size";
    BlockType "a block size";
    OutputFormat "an output format";
    MinMaxEnable "a mode";
    HdcPixelSize "a pixel size";
    LbpMode "a mode";
}

/// It is the mnemonic.
impl Parse for MinMaxOp {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = if p.word_is("max") { MinMaxOp::MAX } else { MinMaxOp::MIN };
        Ok(())
    }
}

impl Parse for Relation {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.c.at;
        let word = p.c.word_here().to_ascii_lowercase();
        match RelOp::NAMED.iter().find(|op| op.name() == Some(&*word)) {
            Some(op) => {
                *self = (*op).into();
                Ok(())
            }
            None => {
                p.c.at = start;
                let names = RelOp::NAMED.iter().filter_map(|op| op.name());
                Err(p.expected_word("a relation", names))
            }
        }
    }
}

impl Parse for Atomic {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let mut op = AtomicOp::default();
        op.parse(p)?;
        let start = p.c.at;
        let width =
            if p.c.eat_here(".") { p.c.number::<u8>("a width of 16, 32 or 64")? } else { 32 };
        match Atomic::new(op, width) {
            Some(atomic) => *self = atomic,
            None => return Err(p.c.fail(start..p.c.at, "an atomic is 16, 32 or 64 bits wide")),
        }
        Ok(())
    }
}

impl Parse for ChannelMask {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.c.at;
        let word = p.c.word_here();
        let masks = (0..16).map(ChannelMask::from_bits_truncate);
        match masks.clone().find(|mask| mask.name().eq_ignore_ascii_case(word)) {
            Some(mask) => *self = mask,
            None => {
                p.c.at = start;
                return Err(p.expected_word("channels, such as RGBA", masks.map(ChannelMask::name)));
            }
        }
        Ok(())
    }
}

impl Parse for Exec {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (mask, lanes, span) = p.mask_and_lanes()?;
        match ExecSize::ALL.into_iter().find(|size| size.lanes() as u64 == lanes) {
            Some(size) => *self = Exec::new(size, mask),
            None => {
                let message = "an execution size is 1, 2, 4, 8, 16 or 32";
                return Err(p.c.fail(span, message));
            }
        }
        Ok(())
    }
}

impl Parse for NumElts {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (mask, lanes, span) = p.mask_and_lanes()?;
        self.mask = mask;
        self.count = match lanes {
            1 => NumEltsCount::N1,
            8 => NumEltsCount::N8,
            16 => NumEltsCount::N16,
            _ => return Err(p.c.fail(span, "1, 8 or 16 elements are gathered or scattered")),
        };
        Ok(())
    }
}

impl Parser<'_> {
    /// `(M1, 8)`, or `(8)`, which means the same.
    fn mask_and_lanes(&mut self) -> Parsed<(ExecMask, u64, Range<usize>)> {
        if !self.c.eat("(") {
            return Err(self.c.expected("an execution size, such as `(M1, 8)`"));
        }
        let mut mask = ExecMask::M1;
        if let Some((name, span)) = self.c.name() {
            let mut masks = (0..16).filter_map(ExecMask::from_bits);
            mask = match masks.find(|mask| mask.name() == name) {
                Some(mask) => mask,
                None if name == "NoMask" => ExecMask::M1_NM,
                None => {
                    self.c.at = span.start;
                    return Err(self.c.expected("a mask: M1 to M8, M1_NM to M8_NM or NoMask"));
                }
            };
            self.c.expect(",")?;
        }
        self.c.skip_blanks();
        let start = self.c.at;
        let lanes = self.c.number("an execution size")?;
        let span = start..self.c.at;
        self.c.expect(")")?;
        Ok((mask, lanes, span))
    }

    /// Reads one of several words and returns its meaning.
    pub(super) fn word_of<V: Copy>(&mut self, what: &str, words: &[(V, &str)]) -> Parsed<V> {
        self.c.skip_blanks();
        match words.iter().find(|(_, word)| self.c.eat_word_here(word)) {
            Some((value, _)) => Ok(*value),
            None => Err(self.expected_word(what, words.iter().map(|(_, word)| *word))),
        }
    }

    /// One of some words was expected; says which of them is near.
    pub(super) fn expected_word<'w>(
        &mut self,
        what: &str,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Failed {
        let start = self.c.at;
        let word = self.c.word_here();
        let help = nearest(word, words);
        self.c.at = start;
        let failed = self.c.expected(what);
        if let (Some(help), Some(last)) = (help, self.c.diagnostics.0.last_mut()) {
            last.help = Some(format!("did you mean `{help}`?"));
        }
        failed
    }
}
