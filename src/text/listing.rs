//! A routine's text as a whole.

use alloc::string::String;
use core::fmt::{self, Write};

use super::Style;
use super::annotations::{self, RoutineAnnotations};
use super::header;
use super::line::Line;
use super::names::Names;
use super::print::{Printer, Token};
use super::quirk::Quirk;
use crate::error::Error;
use crate::isa::Instruction;
use crate::object::Routine;

/// The text of a kernel or function.
///
/// ```
/// use genvisa::text::{Listing, Style};
/// use genvisa::{Dialect, Module};
///
/// let file = include_bytes!("../../tests/data/tour.isa");
/// let module = Module::from_bytes(file, Dialect::Igc2022)?;
/// for routine in module.routines() {
///     let listing = Listing::new(routine).with_style(Style::Reference);
///     let text = listing.to_text()?;
///     assert!(text.starts_with(".version "));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Listing<'m, 'a> {
    routine: Routine<'m, 'a>,
    style: Style,
    offsets: bool,
    numbers: bool,
    text_version: Option<(u8, u8)>,
    /// The `Target` of the routines before this one, if it was looked for.
    target_before: Option<Option<i32>>,
    /// Whether an earlier routine of the same text has the same name.
    is_again: bool,
}

/// Why a listing is not complete. What came before was printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrintError {
    /// An instruction cannot be decoded.
    #[error(transparent)]
    Code(#[from] Error),
    /// The text found no room where it was written to.
    #[error("the text cannot be written")]
    Write(#[from] fmt::Error),
}

impl<'m, 'a> Listing<'m, 'a> {
    /// Returns the faithful listing of a routine.
    pub fn new(routine: Routine<'m, 'a>) -> Self {
        Listing {
            routine,
            style: Style::default(),
            offsets: false,
            numbers: true,
            text_version: None,
            target_before: None,
            is_again: false,
        }
    }

    /// The same in another style.
    #[must_use]
    pub fn with_style(self, style: Style) -> Self {
        Listing { style, ..self }
    }

    /// The same with the offset and the bytes of each instruction before it.
    #[must_use]
    pub fn with_offsets(self, offsets: bool) -> Self {
        Listing { offsets, ..self }
    }

    /// The same with or without the number of each instruction, `/// $n`, at the end of its line.
    ///
    /// Numbers are on by default. Without them, a change to one instruction changes no other line.
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Self {
        Listing { numbers, ..self }
    }

    /// The same with another version in its first line than that of the module: text of today
    /// states 4.2, of which there are no bytes.
    #[must_use]
    pub fn with_text_version(self, major: u8, minor: u8) -> Self {
        Listing { text_version: Some((major, minor)), ..self }
    }

    /// The same, knowing the last `Target` before the routine: to look for it takes as long as there
    /// are routines.
    pub(super) fn with_target_before(self, target: Option<i32>) -> Self {
        Listing { target_before: Some(target), ..self }
    }

    /// The same for a routine whose name an earlier routine of the text has, or has not.
    pub(super) fn with_name_again(self, is_again: bool) -> Self {
        Listing { is_again, ..self }
    }

    /// Returns the text.
    ///
    /// # Errors
    /// [`PrintError::Code`] if an instruction cannot be decoded. [`write_to`](Self::write_to) also
    /// writes what precedes it.
    pub fn to_text(&self) -> Result<String, PrintError> {
        let mut text = String::new();
        self.write_to(&mut text)?;
        Ok(text)
    }

    /// Writes the text, some lines at a time. They are made in a buffer that is used again: nothing is
    /// allocated for an instruction.
    ///
    /// # Errors
    /// [`PrintError::Code`] where the instructions cannot be decoded any further: what came before
    /// is written. [`PrintError::Write`] if `out` fails.
    pub fn write_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        let (body, format) = (self.routine.body, self.routine.format());
        let names = Names::new(body, self.routine.name.as_bytes(), self.style);
        let mut p = Printer::new(self.style, format, Some(&names));
        let version = (format.version.major(), format.version.minor());
        let version = self.text_version.unwrap_or(version);
        let is_wanted = p.has(Quirk::TargetAdded);
        let target = match self.target_before {
            Some(target) => target,
            None if is_wanted => header::target_before(self.routine.module(), self.routine.body),
            None => None,
        };
        header::print(
            &mut p,
            self.routine.module(),
            &self.routine,
            version,
            target,
            self.is_again,
            out,
        )?;
        let mut trailer = RoutineAnnotations::new(body, &names);
        let mut instructions = body.code.instructions(format);
        let (code, base) = (body.code.bytes(), instructions.offset());
        let mut instruction = Instruction::default();
        for index in 0u32.. {
            let at = match instructions.next_into(&mut instruction) {
                Ok(Some(at)) => at,
                Ok(None) => break,
                Err(error) => {
                    if index == 0 && p.has(Quirk::JoinedAttributeLine) {
                        p.line.ch('\n');
                    }
                    p.line.flush(out)?;
                    return Err(error.within(self.routine.path_segment()).into());
                }
            };
            let bytes = code.get(at - base..instructions.offset() - base).unwrap_or_default();
            p.lossy = self.style == Style::Faithful && trailer.defines_again(&instruction);
            lead(&mut p, &instruction);
            if self.offsets {
                place(&mut p.line, at, bytes);
            }
            line(&mut p, &instruction, self.numbers.then_some(index));
            if self.style == Style::Faithful {
                if p.lossy {
                    trailer.hide(&instruction);
                    annotations::bytes(&mut p, &instruction, bytes);
                } else {
                    trailer.see(&instruction);
                }
            }
            p.line.ch('\n');
            p.line.flush_some(out)?;
        }
        if self.style == Style::Faithful {
            trailer.print(&mut p, out)?;
        }
        Ok(p.line.flush(out)?)
    }
}

/// What stands before an instruction's line: labels are set apart.
fn lead(p: &mut Printer<'_>, instruction: &Instruction) {
    match instruction {
        Instruction::Subroutine(_) if p.has(Quirk::SubroutineIndented) => p.line.push("    \n"),
        Instruction::Subroutine(_) | Instruction::Label(_) => p.line.ch('\n'),
        _ => {}
    }
}

/// An instruction's line without its end: labels at its beginning, all others indented and, except
/// for FILE and LOC, numbered if there is a number.
fn line(p: &mut Printer<'_>, instruction: &Instruction, number: Option<u32>) {
    /// Where the numbers begin.
    const COLUMN: usize = 80;
    match instruction {
        Instruction::Subroutine(_) | Instruction::Label(_) => instruction.print(p),
        Instruction::File(_) | Instruction::Loc(_) => {
            p.line.push("    ");
            instruction.print(p);
        }
        _ => {
            let start = p.line.len();
            p.line.push("    ");
            instruction.print(p);
            if let Some(number) = number {
                p.line.pad_to(start + COLUMN);
                p.line.push(" /// $");
                p.line.dec(number);
            }
        }
    }
}

/// The offset of an instruction, and its bytes in a column that holds most of them.
fn place(line: &mut Line, offset: usize, bytes: &[u8]) {
    const COLUMN: usize = 10 + 3 * 28;
    let start = line.len();
    line.push("0x");
    line.hex_digits(offset as u64, 6);
    line.hex_bytes(bytes);
    line.pad_to(start + COLUMN);
    line.push("  ");
}
