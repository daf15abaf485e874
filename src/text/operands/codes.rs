//! Printing and parsing of numbers and coded fields (docs/format.md, 6.4).

use alloc::format;
use core::ops::Range;

use crate::operand::lsc::{LscCacheOp, LscCacheSize, LscFenceOp, LscScope, LscSfid};
use crate::operand::va::{
    AvsExecMode, ErodeDilateMode, HdcPixelSize, LbpMode, MinMaxEnable, OutputFormat,
};
use crate::operand::*;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::{Failed, Parsed};
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::{Quirk, WordMap, Words};

/// Implements decimal numbers.
macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Print for $ty {
            #[inline]
            fn print(&self, p: &mut Printer<'_>) {
                p.line.dec(*self);
                // The compiler reads decimal numbers of up to 31 bits.
                p.omit_if(u64::from(*self) > i32::MAX as u64 && p.is_v4_2());
            }
        }

        impl Parse for $ty {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                *self = p.c.number("a number")?;
                Ok(())
            }
        }
    )*};
}

numbers!(u8, u16, u32);

impl Printer<'_> {
    /// Prints the name of a code. A code without a name is printed as a number, which cannot be
    /// parsed.
    pub(in crate::text) fn code(&mut self, name: Option<&str>, bits: u8) {
        match name {
            Some(name) => self.line.push(name),
            None => {
                self.line.hex(bits);
                self.is_incomplete = true;
            }
        }
    }
}

impl Parser<'_> {
    /// Parses the name of a code. A diagnostic refers to the text from `start`.
    pub(in crate::text) fn code<C: Copy>(
        &mut self,
        start: usize,
        what: &str,
        codes: &[C],
        name: fn(C) -> Option<&'static str>,
        meaning: fn(C) -> &'static str,
    ) -> Parsed<C> {
        let word = self.c.word_here();
        match codes.iter().find(|code| name(**code) == Some(word)) {
            Some(code) => {
                self.c.record_meaning(start, || meaning(*code));
                Ok(*code)
            }
            None => {
                self.c.at = start;
                Err(self.expected_word(what, codes.iter().filter_map(|code| name(*code))))
            }
        }
    }
}

/// Implements the parsing of codes by name, with an optional prefix.
macro_rules! parsed {
    ($($name:ident $(($prefix:literal))? $what:literal;)*) => {$(
        impl Parse for $name {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                p.c.skip_blanks();
                let start = p.c.at;
                $(p.c.eat_here($prefix);)?
                *self = p.code(start, $what, $name::NAMED, $name::name, $name::meaning)?;
                Ok(())
            }
        }
    )*};
}

/// Implements codes that are printed as their names, possibly with a prefix. A quirk replaces the
/// text of codes that match its pattern.
macro_rules! named {
    ($(
        $name:ident $(($prefix:literal))? $what:literal
        $(($quirk:ident: $pattern:pat => $text:literal))?;
    )*) => {
        $(
            impl Print for $name {
                fn print(&self, p: &mut Printer<'_>) {
                    $(p.line.push($prefix);)?
                    match (*self, self.name()) {
                        $($pattern if p.has(Quirk::$quirk) => p.line.push($text),)?
                        (_, name) => p.code(name, self.bits()),
                    }
                }
            }
        )*

        parsed! { $($name $(($prefix))? $what;)* }
    };
}

named! {
    MediaModifier "a media modifier";
    OwordNum "a number of owords";
    BlockNum "a number of blocks";
    Precision "a precision" (
        NewerPrecisions: (Precision::HF8 | Precision::E2M1, _) => "?"
    );
    LfsrOp "an operation of LFSR";
    DnsclConversion "a conversion";
    DnsclMode "a mode";
    DnsclRounding "a rounding";
    LscFenceOp "a fence operation" (UnknownFenceCodes: (_, None) => "???");
    LscScope "a fence scope" (UnknownFenceCodes: (_, None) => "???");
    LscCacheOp "`reset` or `set`";
    LscCacheSize "a number of bytes, such as `64B`";
    AvsExecMode("AVS_") "an AVS mode" (AvsModeInvalid: (AvsExecMode::B8X4, _) => "INVALID");
    ErodeDilateMode("VA_ED_") "an erosion or dilation mode";
    AtomicOp "an atomic operation" (PredecUnnamed: (AtomicOp::PREDEC, _) => "");
}

parsed! {
    LscSfid "a shared function";
    BarrierMode "`wait` or `signal`";
}

/// Readers treat any code except the code of `wait` as `signal`.
impl Print for BarrierMode {
    fn print(&self, p: &mut Printer<'_>) {
        let named = if *self == BarrierMode::WAIT { *self } else { BarrierMode::SIGNAL };
        p.code(named.name(), named.bits());
        p.omit_if(*self != named);
    }
}

/// A code whose words in text differ from its names.
pub(in crate::text) trait Renamed: Copy + PartialEq + 'static {
    /// The codes and their words.
    const WORDS: &'static [(Self, &'static str)];

    /// Returns the code whose word is printed, which a quirk may change.
    fn printed_as(self, _: &Printer<'_>) -> Self {
        self
    }
}

macro_rules! renamed {
    ($(
        $name:ident $what:literal { $($value:ident $text:literal),* } $(=> $printed_as:item)?
    )*) => {$(
        impl Renamed for $name {
            const WORDS: &'static [(Self, &'static str)] = &[$(($name::$value, $text)),*];

            $($printed_as)?
        }

        impl Print for $name {
            fn print(&self, p: &mut Printer<'_>) {
                let code = self.printed_as(p);
                let found = Self::WORDS.iter().find(|(other, _)| *other == code);
                p.code(found.map(|(_, word)| *word), code.bits());
            }
        }

        impl Parse for $name {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                *self = p.value_of($what, Self::WORDS)?;
                Ok(())
            }
        }
    )*};
}

renamed! {
    ElementSize "an element size" { BYTE "1", WORD "2", DWORD "4" }
    BlockType "a block size" { BYTE "1", DWORD "4", QWORD "8" }
    OutputFormat "an output format" {
        FULL_16 "AVS_16_FULL", DOWN_SAMPLE_16 "AVS_16_DOWN_SAMPLE", FULL_8 "AVS_8_FULL",
        DOWN_SAMPLE_8 "AVS_8_DOWN_SAMPLE"
    }
    MinMaxEnable "a minimum-maximum mode" {
        MIN_MAX "VA_MINMAX_ENABLE", MAX "VA_MAX_ENABLE", MIN "VA_MIN_ENABLE"
    }
    HdcPixelSize "a pixel size" { Y16 "VA_Y16_FORMAT", Y8 "VA_Y8_FORMAT" }
    LbpMode "a local binary pattern mode" {
        BOTH "VA_BOTH_mode", B3X3 "VA_3x3_mode", B5X5 "VA_5x5_mode"
    } =>
        fn printed_as(self, p: &Printer<'_>) -> Self {
            match self {
                LbpMode::BOTH if p.has(Quirk::LbpModesReversed) => LbpMode::B5X5,
                LbpMode::B5X5 if p.has(Quirk::LbpModesReversed) => LbpMode::BOTH,
                mode => mode,
            }
        }
}

impl Print for Relation {
    fn print(&self, p: &mut Printer<'_>) {
        p.code(self.op().name(), self.op().bits());
        p.omit_if(self.bits() != self.op().bits());
    }
}

impl Parse for Relation {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.c.at;
        let word = p.c.word_here();
        let is_same =
            |name: &str| name == word || !p.is_strict() && name.eq_ignore_ascii_case(word);
        match RelOp::NAMED.iter().find(|op| op.name().is_some_and(is_same)) {
            Some(op) => {
                p.c.record_meaning(start, || op.meaning());
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

/// Prints an atomic operation with a width that may differ from its own.
pub(in crate::text) fn print_atomic(p: &mut Printer<'_>, atomic: Atomic, width: u8) {
    atomic.op().print(p);
    if width != 32 {
        p.id('.', width);
    }
    p.omit_if(Atomic::new(atomic.op(), width) != Some(atomic));
}

impl Print for Atomic {
    fn print(&self, p: &mut Printer<'_>) {
        print_atomic(p, *self, self.width());
    }
}

impl Parse for Atomic {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let mut op = AtomicOp::default();
        op.parse(p)?;
        let start = p.c.at;
        let width = if p.c.eat_dot() { p.c.number::<u8>("a width of 16, 32 or 64")? } else { 32 };
        match Atomic::new(op, width) {
            Some(atomic) => *self = atomic,
            None => {
                let message = format!("expected a width of 16, 32 or 64, found `{width}`");
                return Err(p.c.fail(start..p.c.at, &message));
            }
        }
        Ok(())
    }
}

impl Print for ChannelMask {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.push(self.name());
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
                return Err(
                    p.expected_word("channels, such as `RGBA`", masks.map(ChannelMask::name))
                );
            }
        }
        Ok(())
    }
}

impl Print for Exec {
    fn print(&self, p: &mut Printer<'_>) {
        static SIZES: Words<6> = Words::new([", 1)", ", 2)", ", 4)", ", 8)", ", 16)", ", 32)"]);
        p.line.ch('(');
        p.mask(self.mask);
        p.line.word(&SIZES, self.size as u8);
    }
}

impl Parse for Exec {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (mask, lanes, span) = p.mask_and_lanes()?;
        match ExecSize::ALL.into_iter().find(|size| size.lanes() as u64 == lanes) {
            Some(size) => {
                *self = Exec::new(size, mask);
                if let Some(recorder) = &mut p.c.recorder {
                    recorder.lanes = Some(size.lanes());
                }
            }
            None => {
                let message =
                    format!("expected an execution size of 1, 2, 4, 8, 16 or 32, found `{lanes}`");
                return Err(p.c.fail(span, &message));
            }
        }
        Ok(())
    }
}

impl Print for NumElts {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.ch('(');
        p.mask(self.mask);
        p.line.push(", ");
        p.code(self.count.name(), self.count.bits());
        p.line.ch(')');
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
            _ => {
                let message = format!("expected 1, 8 or 16 elements, found `{lanes}`");
                return Err(p.c.fail(span, &message));
            }
        };
        Ok(())
    }
}

impl Printer<'_> {
    fn mask(&mut self, mask: ExecMask) {
        static MASKS: Words<16> = Words::new(ExecMask::NAMES);
        self.line.word(&MASKS, mask.index());
        self.omit_if(mask.legacy_nibble().is_some());
    }
}

/// The execution masks by their names.
static MASK_BY_NAME: WordMap<ExecMask, 32> = {
    let mut entries = [("", ExecMask::M1); ExecMask::NAMES.len()];
    let mut i = 0;
    while i < entries.len() {
        if let Some(mask) = ExecMask::from_bits(i as u8) {
            entries[i] = (mask.name(), mask);
        }
        i += 1;
    }
    WordMap::new(&entries)
};

impl Parser<'_> {
    #[cold]
    fn complete_exec_sizes(&mut self) {
        for size in ExecSize::ALL {
            self.c.complete(CompletionKind::Word, &format!("{})", size.lanes()));
        }
    }

    /// Parses `(M1, 8)`, or `(8)`, which means the same.
    fn mask_and_lanes(&mut self) -> Parsed<(ExecMask, u64, Range<usize>)> {
        if !self.c.eat("(") {
            let manual = self.format.is_manual();
            let example = if manual { "`(8)`" } else { "`(M1, 8)`" };
            return Err(self.c.expected(&format!("an execution size, such as {example}")));
        }
        let mut mask = ExecMask::M1;
        self.c.skip_blanks();
        if self.c.is_completing() {
            self.c.complete_words(CompletionKind::Word, ExecMask::NAMES);
            self.complete_exec_sizes();
        }
        if let Some((name, span)) = self.c.name() {
            self.c.classify(&span, TokenKind::Word);
            let mut masks = (0..16).filter_map(ExecMask::from_bits);
            let mut find = || masks.find(|mask| self.is_same(name, mask.name()));
            mask = match MASK_BY_NAME.get(name).or_else(&mut find) {
                Some(mask) => mask,
                None if self.is_same(name, "NoMask") => ExecMask::M1_NM,
                None => {
                    self.c.at = span.start;
                    let what = "a mask (`M1` to `M8`, `M1_NM` to `M8_NM` or `NoMask`)";
                    return Err(self.c.expected(what));
                }
            };
            self.c.expect(",")?;
        }
        self.c.skip_blanks();
        if self.c.is_completing() {
            self.complete_exec_sizes();
        }
        let start = self.c.at;
        let lanes = self.c.decimal("an execution size")?;
        let span = start..self.c.at;
        self.c.skip_blanks();
        if self.c.peek() == Some(b'|') {
            return Err(self.channels_of_final_assembly(lanes, start));
        }
        self.c.expect(")")?;
        Ok((mask, lanes, span))
    }

    /// Reports `(16|M8)`, the lanes and the first channel in the assembly that the finalizer writes.
    #[cold]
    fn channels_of_final_assembly(&mut self, lanes: u64, start: usize) -> Failed {
        let end = self.c.at;
        let is_first = self.c.eat("|") && self.c.eat("M");
        let first = if is_first { self.c.decimal_here::<usize>("a channel").ok() } else { None };
        let mut masks = (0..ExecMask::M1_NM.code()).filter_map(ExecMask::from_bits);
        let Some(mask) = first.and_then(|first| masks.find(|mask| mask.first_lane() == first))
        else {
            self.c.at = end;
            return self.c.expected("`)`");
        };
        let span = start..self.c.at;
        let (written, replacement) =
            (self.shown(span.clone()), format!("{}, {lanes}", mask.name()));
        let message = format!("`({written})` is assembly of the hardware, not vISA");
        let help = format!("vISA writes `({replacement})`");
        let failed = self.c.fail_with_help(span, &message, Some(help));
        self.c.diagnostics.set_last_replacement(&replacement);
        failed
    }
}
