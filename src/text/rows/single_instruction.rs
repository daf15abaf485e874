//! Parsing of an instruction without a module.

use alloc::format;

use super::mnemonics::RESERVED;
use crate::format::Format;
use crate::isa::Instruction;
use crate::text::context::Parser;
use crate::text::cursor::{Parsed, line_len};
use crate::text::diagnostic::{Errors, cut};
use crate::text::names::Symbols;
use crate::text::operands::label_instruction;
use crate::text::words::Directive;
use crate::text::words::annotations::item;

/// Parses an instruction without a module: the inverse of [`Instruction::display`].
///
/// Names are ids: `V33`, `A0`, `P1`, `S0` and `T6` or predefined names such as `%null`, `L3` for a
/// label, and `#5` for a string. The bytes of the instruction can follow in an annotation. Comments
/// and empty lines around the instruction are skipped.
///
/// ```
/// use genvisa::{Format, text};
///
/// let format = Format::default();
/// let add = text::parse_instruction("add (M1, 8) V34(0,0)<1> V33(0,0)<8;8,1> 0x1:d", format)?;
/// assert_eq!(text::parse_instruction(add.display(format).to_string(), format)?, add);
///
/// let errors = text::parse_instruction("add (M1, 8) x(0,0)<1> V33(0,0)<8;8,1> 0x1:d", format);
/// assert_eq!(errors.unwrap_err()[0].to_string(), "`x` is not declared");
/// # Ok::<(), text::Errors>(())
/// ```
///
/// The grammar is that of the format's dialect, as in [`parse`](fn@crate::text::parse). Sampler messages
/// have a paired surface in all versions.
///
/// # Errors
/// All errors in the text, or the reason why the format cannot encode the instruction.
pub fn parse_instruction(source: impl AsRef<[u8]>, format: Format) -> Result<Instruction, Errors> {
    let source = source.as_ref();
    let mut parser = Parser::new(source, format, &RESERVED)?;
    parser.symbols = Symbols::with_ids();
    match parser.single_instruction() {
        Ok(instruction) if parser.c.diagnostics.is_empty() => Ok(instruction),
        _ => Err(parser.c.diagnostics.finish(source)),
    }
}

impl Parser<'_> {
    /// Parses a text that contains a single instruction.
    fn single_instruction(&mut self) -> Parsed<Instruction> {
        self.skip_empty_lines()?;
        let start = self.c.at;
        if self.c.is_at_end() {
            let message = "expected an instruction, found the end of the text";
            return Err(self.c.fail(start..start, message));
        }
        let annotation = self.c.comment("//@");
        let bytes = annotation.filter(|(at, _)| !self.is_paired_annotation(*at));
        let instruction = if let Some((bytes_at, line_end)) = bytes {
            self.single_instruction_with_bytes(start, bytes_at, line_end)?
        } else if self.c.peek() == Some(b'.') {
            self.subroutine()?
        } else if let Some((name, span)) = self.label_definition() {
            label_instruction(self.label(name, span)?, false)
        } else {
            self.instruction()?
        };
        let end = self.c.at;
        if !self.c.is_at_line_end() {
            return Err(self.c.expected("the end of the line"));
        }
        self.c.at = annotation.map_or(self.c.at, |(_, line_end)| line_end);
        self.skip_empty_lines()?;
        if !self.c.is_at_end() {
            return Err(self.c.expected("the end of the text"));
        }
        match instruction.to_bytes(self.format) {
            Ok(_) => Ok(instruction),
            Err(error) => Err(self.not_encodable(&instruction, &error, start..end)),
        }
    }

    /// Parses `.function "L3"` and the label that follows.
    fn subroutine(&mut self) -> Parsed<Instruction> {
        let start = self.c.at;
        self.c.at += 1;
        let word = self.c.word_here();
        if Directive::of(word) != Some(Directive::Function) {
            let message = format!("expected an instruction, found `.{}`", cut(word));
            return Err(self.c.fail(start..self.c.at, &message));
        }
        let (function, at) = self.subroutine_name()?;
        self.skip_empty_lines()?;
        let Some((name, span)) = self.label_definition() else {
            return Err(self.c.expected("the label of the subroutine"));
        };
        if function != name {
            let message = format!("the label of `.function \"{}\"` must follow it", cut(function));
            return Err(self.c.fail(at, &message));
        }
        Ok(label_instruction(self.label(name, span)?, true))
    }

    fn skip_empty_lines(&mut self) -> Parsed<()> {
        while !self.c.is_at_end() && self.c.is_at_line_end() {
            if self.c.rest().starts_with(b"//@") {
                let span = self.c.at..self.c.at + 3;
                return Err(self.c.fail(span, "annotations are allowed only in routines"));
            }
            self.c.skip_line();
            self.c.at = self.c.text.len().min(self.c.at + 1);
        }
        Ok(())
    }

    /// Returns whether an annotation states that the message has a paired surface.
    pub(in crate::text) fn is_paired_annotation(&self, at: usize) -> bool {
        let annotation = self.c.text.get(at + 3..).unwrap_or_default();
        annotation[..line_len(annotation)].trim_ascii() == item::PAIRED.as_bytes()
    }
}
