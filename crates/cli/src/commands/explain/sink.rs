//! The receivers of explanations.

use std::fmt::Display;
use std::io::Write;

use genvisa::Instruction;
use genvisa::object::Routine;
use genvisa::wire::TracedField;

use super::view::View;
use crate::output::Output;

/// An instruction, which may be incomplete.
pub struct Decoded<'i> {
    pub index: usize,
    /// Empty if the opcode is unknown.
    pub mnemonic: &'static str,
    pub offset: usize,
    /// `None` if an error ended it.
    pub len: Option<usize>,
    pub fields: &'i [TracedField],
    /// The instruction; unspecified if it is incomplete.
    pub instruction: &'i Instruction,
}

/// Receives the parts of an explanation, in the order in which they are read.
pub trait Sink {
    /// Begins a group of fields: the header or a routine.
    fn heading(&mut self, name: &str, offset: usize) -> anyhow::Result<()>;

    /// Receives a field of the current group, with the fields that are nested in it.
    fn fields(&mut self, fields: &[TracedField]) -> anyhow::Result<()>;

    /// Begins the instructions of a routine.
    fn code(&mut self, routine: &Routine<'_, '_>);

    fn instruction(&mut self, decoded: &Decoded<'_>) -> anyhow::Result<()>;

    /// Receives a sentence about the current group.
    fn remark(&mut self, text: &str) -> anyhow::Result<()>;

    /// Receives a part of the file that is not decoded, and what it is.
    fn opaque(&mut self, text: &str, bytes: &[u8]) -> anyhow::Result<()>;

    fn error(&mut self, message: &dyn Display) -> anyhow::Result<()>;
}

/// Prints an explanation to standard output, and its errors to standard error.
pub struct Printer<'v, 'o> {
    view: View<'v>,
    out: &'o mut Output,
    /// The text to print next.
    text: String,
}

impl<'v, 'o> Printer<'v, 'o> {
    /// Prints fields read from `bytes`.
    pub fn new(bytes: &'v [u8], parts: bool, out: &'o mut Output) -> Printer<'v, 'o> {
        Printer { view: View::new(bytes, parts, out.has_color()), out, text: String::new() }
    }

    fn write(&mut self) -> anyhow::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

impl Sink for Printer<'_, '_> {
    fn heading(&mut self, name: &str, offset: usize) -> anyhow::Result<()> {
        self.view.print_heading(name, offset, &mut self.text);
        self.write()
    }

    fn fields(&mut self, fields: &[TracedField]) -> anyhow::Result<()> {
        self.view.print_fields(fields, &mut self.text);
        self.write()
    }

    fn code(&mut self, _: &Routine<'_, '_>) {}

    fn instruction(&mut self, decoded: &Decoded<'_>) -> anyhow::Result<()> {
        let Decoded { index, mnemonic, offset, len, fields, .. } = *decoded;
        self.view.print_instruction(index, mnemonic, offset, len, fields, &mut self.text);
        self.write()
    }

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        self.view.print_remark(text, &mut self.text);
        self.write()
    }

    fn opaque(&mut self, text: &str, _: &[u8]) -> anyhow::Result<()> {
        self.remark(text)
    }

    fn error(&mut self, message: &dyn Display) -> anyhow::Result<()> {
        Ok(self.out.report_error(message)?)
    }
}
