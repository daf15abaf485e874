//! `Display` of instructions without a module: ids for names, nothing but the text.

use core::fmt;

use super::Style;
use super::print::{Printer, Token};
use crate::format::Format;
use crate::isa::Instruction;

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::new(Style::Faithful, Format::default(), None);
        self.print(&mut printer);
        f.write_str(printer.line.as_str())
    }
}
