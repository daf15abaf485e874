//! How numbers and coded fields are written (format-facts 6.4).

use super::print::{Printer, Token};
use super::quirk::Quirk;
use crate::operand::lsc::{LscFenceOp, LscScope};
use crate::operand::va::{
    AvsExecMode, ErodeDilateMode, HdcPixelSize, LbpMode, MinMaxEnable, OutputFormat,
};
use crate::operand::*;

impl Token for u8 {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.dec(*self);
    }
}

impl Token for u16 {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.dec(*self);
    }
}

/// The whole numbers of 32 bits are the line number of LOC, in decimal, and descriptors.
impl Token for u32 {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.dec(*self);
    }
}

/// Prints the names of codes; a code without a name is printed as its number, which no reader takes.
macro_rules! named {
    ($($name:ident $(($prefix:literal))?),*) => {$(
        impl Token for $name {
            fn print(&self, p: &mut Printer<'_>) {
                $(p.line.push($prefix);)?
                match self.name() {
                    Some(name) => p.line.push(name),
                    None => {
                        p.line.hex(self.bits());
                        p.lossy = true;
                    }
                }
            }
        }
    )*};
}

named!(
    MediaModifier,
    MinMaxOp,
    OwordNum,
    BlockNum,
    Precision,
    NumEltsCount,
    ErodeDilateMode("VA_ED_")
);

/// Codes of LSC_FENCE.
macro_rules! of_fences {
    ($($name:ident),*) => {$(
        impl Token for $name {
            fn print(&self, p: &mut Printer<'_>) {
                match self.name() {
                    Some(name) => p.line.push(name),
                    None if p.has(Quirk::UnknownFenceCodes) => p.line.push("???"),
                    None => {
                        p.line.hex(self.bits());
                        p.lossy = true;
                    }
                }
            }
        }
    )*};
}

of_fences!(LscFenceOp, LscScope);

impl Token for AtomicOp {
    fn print(&self, p: &mut Printer<'_>) {
        match self.name() {
            Some(_) if *self == AtomicOp::PREDEC && p.has(Quirk::PredecUnnamed) => {}
            Some(name) => p.line.push(name),
            None => {
                p.line.hex(self.bits());
                p.lossy = true;
            }
        }
    }
}

/// A code whose text has other words than its names.
pub(super) trait Renamed: Sized + 'static {
    /// The words.
    const WORDS: &'static [(Self, &'static str)];
}

macro_rules! renamed {
    ($($name:ident { $($value:ident $text:literal),* })*) => {$(
        impl Renamed for $name {
            const WORDS: &'static [(Self, &'static str)] = &[$(($name::$value, $text)),*];
        }

        impl Token for $name {
            fn print(&self, p: &mut Printer<'_>) {
                match *self {
                    $($name::$value => p.line.push($text),)*
                    other => {
                        p.line.hex(other.bits());
                        p.lossy = true;
                    }
                }
            }
        }
    )*};
}

renamed! {
    ElementSize { BYTE "1", WORD "2", DWORD "4" }
    BlockType { BYTE "1", DWORD "4", QWORD "8" }
    OutputFormat {
        FULL_16 "AVS_16_FULL", DOWN_SAMPLE_16 "AVS_16_DOWN_SAMPLE", FULL_8 "AVS_8_FULL",
        DOWN_SAMPLE_8 "AVS_8_DOWN_SAMPLE"
    }
    MinMaxEnable { MIN_MAX "VA_MINMAX_ENABLE", MAX "VA_MAX_ENABLE", MIN "VA_MIN_ENABLE" }
    HdcPixelSize { Y16 "VA_Y16_FORMAT", Y8 "VA_Y8_FORMAT" }
}

impl Renamed for LbpMode {
    const WORDS: &'static [(Self, &'static str)] = &[
        (LbpMode::BOTH, "VA_BOTH_mode"),
        (LbpMode::B3X3, "VA_3x3_mode"),
        (LbpMode::B5X5, "VA_5x5_mode"),
    ];
}

impl Token for AvsExecMode {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.push("AVS_");
        match self.name() {
            Some(_) if *self == AvsExecMode::B8X4 && p.has(Quirk::AvsModeInvalid) => {
                p.line.push("INVALID");
            }
            Some(name) => p.line.push(name),
            None => {
                p.line.hex(self.bits());
                p.lossy = true;
            }
        }
    }
}

impl Token for LbpMode {
    fn print(&self, p: &mut Printer<'_>) {
        let mode = match *self {
            LbpMode::BOTH if p.has(Quirk::LbpModesReversed) => LbpMode::B5X5,
            LbpMode::B5X5 if p.has(Quirk::LbpModesReversed) => LbpMode::BOTH,
            mode => mode,
        };
        match Self::WORDS.iter().find(|(other, _)| *other == mode) {
            Some((_, word)) => p.line.push(word),
            None => {
                p.line.hex(mode.bits());
                p.lossy = true;
            }
        }
    }
}

impl Token for BarrierMode {
    fn print(&self, p: &mut Printer<'_>) {
        p.line.push(if *self == BarrierMode::WAIT { "wait" } else { "signal" });
        p.omit_if(self.name().is_none());
    }
}

impl Token for Relation {
    fn print(&self, p: &mut Printer<'_>) {
        match self.op().name() {
            Some(name) => p.line.push(name),
            None => p.line.hex(self.op().bits()),
        }
        p.omit_if(self.op().name().is_none() || self.bits() != self.op().bits());
    }
}

impl Token for Atomic {
    fn print(&self, p: &mut Printer<'_>) {
        atomic(p, *self, self.width());
    }
}

/// An atomic operation on elements of a width.
pub(super) fn atomic(p: &mut Printer<'_>, atomic: Atomic, width: u8) {
    atomic.op().print(p);
    if width != 32 {
        p.id('.', width);
    }
    p.omit_if(Atomic::new(atomic.op(), width) != Some(atomic));
}
