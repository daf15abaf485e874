//! `Display` of instructions and operands, which prints ids instead of names.

use core::fmt;

use super::Style;
use super::print::{Print, Printer};
use crate::format::Format;
use crate::isa::Instruction;
use crate::operand::{AddressOf, CmpDst, Dst, Raw, Vector};

macro_rules! display {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut printer = Printer::new(Style::Faithful, Format::default(), None);
                self.print(&mut printer);
                f.pad(&printer.line.as_str())
            }
        }
    )*};
}

display!(Instruction, Vector, Dst, CmpDst, AddressOf, Raw);
