//! Printing of routines.

use alloc::string::String;
use core::fmt::{self, Write};

use super::annotations::RoutineAnnotations;
use crate::error::{Error, ErrorKind, PathSegment, Result, RoutineKind};
use crate::format::Format;
use crate::isa::{IdClass, Instruction};
use crate::object::{Body, Routine};
use crate::platform::RegisterSize;
use crate::text::context::{Print, Printer};
use crate::text::line::Line;
use crate::text::names::{Names, TextNames};
use crate::text::rows::{RESERVED, print_instruction_bytes};
use crate::text::statements::{Comments, Place, annotations, header};
use crate::text::words::annotations::item;
use crate::text::words::platforms::{BUILD_OPTIONS, EFFICIENT_64BIT};
use crate::text::words::{Quirk, Style};

/// The text of a kernel or function.
///
/// ```
/// use genvisa::text::{Listing, Style};
/// use genvisa::{Dialect, Module};
///
/// let file = std::fs::read("tests/data/tour.isa").expect("it is there");
/// let module = Module::from_bytes(&file, Dialect::Igc2022)?;
/// for routine in module.routines() {
///     let listing = Listing::new(routine).with_style(Style::GenXIr);
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
    states_version: bool,
    /// The last `Target` before this routine. The outer `None` means that it is not known yet.
    target_before: Option<Option<i32>>,
    /// Whether an earlier routine of the same file has the same name.
    has_repeated_name: bool,
    /// Whether the text of the file contains the functions that relocations refer to.
    is_in_file: bool,
    registers: RegisterSize,
    /// The names of the text that the routine was parsed from.
    names: Option<&'m TextNames>,
}

/// An error in printing. The text before the error has been written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrintError {
    /// An instruction cannot be decoded, or text of the format cannot express the routine.
    #[error(transparent)]
    Code(#[from] Error),
    /// The writer returned an error.
    #[error("the text cannot be written")]
    Write(#[from] fmt::Error),
}

impl<'m, 'a> Listing<'m, 'a> {
    /// Creates a listing of a routine in the complete style.
    pub fn new(routine: Routine<'m, 'a>) -> Self {
        Listing {
            routine,
            style: Style::default(),
            offsets: false,
            numbers: true,
            text_version: None,
            states_version: true,
            target_before: None,
            has_repeated_name: false,
            is_in_file: false,
            registers: RegisterSize::default(),
            names: None,
        }
    }

    /// Sets the size of a register. The default is 32. Before 4.2, it determines the offsets of
    /// addresses, such as `&V32[64]`, because the code contains rows of registers.
    #[must_use]
    pub fn with_register_size(self, registers: RegisterSize) -> Self {
        Listing { registers, ..self }
    }

    /// Sets the style.
    #[must_use]
    pub fn with_style(self, style: Style) -> Self {
        Listing { style, ..self }
    }

    /// Prints the offset and the bytes of each instruction before it. The default is `false`.
    #[must_use]
    pub fn with_offsets(self, offsets: bool) -> Self {
        Listing { offsets, ..self }
    }

    /// Prints the number of each instruction, `/// $n`, at the end of its line. The default is
    /// `true`.
    ///
    /// Without numbers, a change to one instruction changes no other line.
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Self {
        Listing { numbers, ..self }
    }

    /// Sets the version that the first line states. The default is the version of the module.
    ///
    /// Text of current compilers states 4.2, a version without a binary form.
    #[must_use]
    pub fn with_text_version(self, major: u8, minor: u8) -> Self {
        Listing { text_version: Some((major, minor)), ..self }
    }

    /// Sets whether the text begins with its version. The default is `true`.
    ///
    /// In a text of several routines, compilers read a version before the first one only.
    #[must_use]
    pub fn with_version(self, states_version: bool) -> Self {
        Listing { states_version, ..self }
    }

    /// Sets the last `Target` before the routine. Without it, printing searches all earlier
    /// routines.
    pub(in crate::text) fn with_target_before(self, target: Option<i32>) -> Self {
        Listing { target_before: Some(target), ..self }
    }

    /// States that the text is a part of a file's text, and whether an earlier routine of the file has the
    /// same name.
    pub(in crate::text) fn in_file(self, has_repeated_name: bool) -> Self {
        Listing { has_repeated_name, is_in_file: true, ..self }
    }

    /// Sets the names of the text that the routine was parsed from, which the printer may avoid.
    pub(in crate::text) fn with_names(self, names: &'m TextNames) -> Self {
        Listing { names: Some(names), ..self }
    }

    /// Returns the text.
    ///
    /// # Errors
    /// [`PrintError::Code`] if an instruction cannot be decoded. Use [`write_to`](Self::write_to)
    /// for the text before that instruction.
    pub fn to_text(&self) -> Result<String, PrintError> {
        let mut text = String::new();
        self.write_to(&mut text)?;
        Ok(text)
    }

    /// Writes the text, several lines at a time. The buffer is reused, so that printing an
    /// instruction does not allocate.
    ///
    /// # Errors
    /// [`PrintError::Code`] if an instruction cannot be decoded: the text before it has been
    /// written. [`PrintError::Write`] if `out` fails.
    pub fn write_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        self.write_with_margin_to(out, |_, _| {})
    }

    /// Writes the text like [`write_to`](Self::write_to), with a margin to the left of the
    /// instructions.
    ///
    /// The function appends the margin of an instruction, whose index it gets, to an empty buffer.
    /// The text remains correct if the margin is a comment such as `/* 37 */`. The margin of a label
    /// is in the line before it, because text of 4.2 requires that labels start their lines.
    ///
    /// # Errors
    /// Those of [`write_to`](Self::write_to).
    pub fn write_with_margin_to<W: Write>(
        &self,
        out: &mut W,
        print_margin: impl FnMut(usize, &mut String),
    ) -> Result<(), PrintError> {
        self.write_with_comments_to(out, print_margin, Comments::NONE)
    }

    /// Writes the text with the comments of the text that the routine was parsed from.
    pub(in crate::text) fn write_with_comments_to<W: Write>(
        &self,
        out: &mut W,
        mut print_margin: impl FnMut(usize, &mut String),
        mut comments: Comments<'_>,
    ) -> Result<(), PrintError> {
        let mut margin = String::new();
        let (body, format) = (self.routine.body, self.routine.format());
        check_tables(body, format).map_err(|error| error.within(self.routine.path_segment()))?;
        let mut names =
            Names::new(body, self.routine.name.as_bytes(), self.style, format, &RESERVED);
        if let Some(text) = self.names {
            names = names.with_text(text);
        }
        let mut p = Printer::new(self.style, format, Some(&names));
        p.registers = self.registers;
        if self.style == Style::Complete {
            if body.efficient_64bit && format != Format::V4_2 {
                let what = "efficient 64-bit addressing";
                let error = Error::new(ErrorKind::Inexpressible { what, format }, 0);
                return Err(error.within(self.routine.path_segment()).into());
            }
            // A kernel declares all functions in its header.
            if !self.is_in_file && self.routine.kind == RoutineKind::Function {
                annotations::called_functions(&mut p.line, &self.routine);
            }
        }
        let version = (format.version.major(), format.version.minor());
        let version = self.states_version.then(|| self.text_version.unwrap_or(version));
        let target = match self.target_before {
            Some(target) => target,
            None if p.has(Quirk::TargetAdded) => {
                header::target_before(self.routine.module(), self.routine.body)
            }
            None => None,
        };
        header::print(
            &mut p,
            &self.routine,
            version,
            target,
            self.has_repeated_name,
            &mut comments,
            out,
        )?;
        let mut routine_annotations = RoutineAnnotations::new(body, &names);
        let mut instructions = body.code.instructions(format);
        let (code, base) = (body.code.bytes(), instructions.offset());
        let mut instruction = Instruction::default();
        for index in 0u32.. {
            let offset = match instructions.next_into(&mut instruction) {
                Ok(Some(offset)) => offset,
                Ok(None) => break,
                Err(error) => {
                    if index == 0 && p.has(Quirk::JoinedAttributeLine) {
                        p.line.ch('\n');
                    }
                    p.line.flush(out)?;
                    return Err(error.within(self.routine.path_segment()).into());
                }
            };
            let bytes = code.get(offset - base..instructions.offset() - base).unwrap_or_default();
            p.is_incomplete =
                self.style == Style::Complete && routine_annotations.redefines_label(&instruction);
            margin.clear();
            print_margin(index as usize, &mut margin);
            let place = Place::Instruction(index);
            if is_label(&instruction) && !margin.is_empty() {
                p.line.push(margin.trim_end());
                p.line.ch('\n');
            } else {
                print_separator(&mut p, &instruction);
                let keeps_empty_line = index > 0 && !is_label(&instruction);
                comments.print_before(place, &mut p.line, keeps_empty_line);
                p.line.push(&margin);
            }
            let start = p.line.len();
            if self.offsets {
                print_offset_and_bytes(&mut p.line, offset, bytes);
            }
            let column = p.line.len();
            p.has_paired_surface = false;
            print_line(&mut p, &instruction);
            let is_complete = self.style == Style::Complete;
            // Compilers differ in whether older text has this operand.
            let has_pair = is_complete && p.has_paired_surface && !p.is_v4_2();
            let is_annotated = p.is_incomplete || has_pair;
            let in_line = comments.in_line(place);
            if !is_annotated {
                in_line.push_blocks(&mut p.line);
            }
            if self.numbers {
                print_number(&mut p.line, column, &instruction, index);
            }
            if is_annotated {
                in_line.insert(&mut p.line, start);
            } else {
                in_line.push_line_end(&mut p.line);
            }
            if is_complete {
                if p.is_incomplete {
                    routine_annotations.record_as_bytes(&instruction);
                    print_instruction_bytes(&mut p, &instruction, bytes);
                } else {
                    routine_annotations.record(&instruction);
                    if has_pair {
                        p.line.push(" //@ ");
                        p.line.push(item::PAIRED);
                    }
                }
            }
            p.line.ch('\n');
            p.line.flush_if_large(out)?;
        }
        if self.style == Style::Complete {
            routine_annotations.print(&mut p, out)?;
            comments.print_before(Place::End, &mut p.line, !code.is_empty());
            if body.efficient_64bit && !comments.are_kept() {
                for part in ["\n//", BUILD_OPTIONS, EFFICIENT_64BIT, "\"\n"] {
                    p.line.push(part);
                }
            }
        }
        Ok(p.line.flush(out)?)
    }
}

/// Returns an error if a table has entries without an id.
fn check_tables(body: &Body<'_>, format: Format) -> Result<()> {
    let tables = [
        ("address_count", IdClass::Address, body.addresses.len()),
        ("predicate_count", IdClass::Predicate, body.predicates.len()),
        ("label_count", IdClass::Label, body.labels.len()),
        ("sampler_count", IdClass::Sampler, body.samplers.len()),
        ("surface_count", IdClass::Surface, body.surfaces.len()),
    ];
    for (field, class, count) in tables {
        // These ids have at most two bytes.
        let max = u64::from(u32::from(u16::MAX) + 1 - class.first_declared());
        let value = count as u64;
        if value > max {
            let error = Error::new(ErrorKind::OutOfRange { value, max, format }, 0);
            return Err(error.within(PathSegment::Field(field)));
        }
    }
    Ok(())
}

fn is_label(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Subroutine(_) | Instruction::Label(_))
}

/// Prints an empty line before labels.
fn print_separator(p: &mut Printer<'_>, instruction: &Instruction) {
    match instruction {
        Instruction::Subroutine(_) if p.has(Quirk::SubroutineIndented) => p.line.push("    \n"),
        _ if is_label(instruction) => p.line.ch('\n'),
        _ => {}
    }
}

/// Prints an instruction without a line break.
///
/// Labels begin in the first column, all other instructions are indented.
pub(super) fn print_line(p: &mut Printer<'_>, instruction: &Instruction) {
    if !is_label(instruction) {
        p.line.push("    ");
    }
    instruction.print(p);
}

/// Prints the number of an instruction whose line starts at `start`. Labels, FILE and LOC have none.
fn print_number(line: &mut Line, start: usize, instruction: &Instruction, number: u32) {
    /// The column of the numbers.
    const COLUMN: usize = 80;
    if !is_label(instruction) && !matches!(instruction, Instruction::File(_) | Instruction::Loc(_))
    {
        line.pad_to(start + COLUMN);
        line.push(" /// $");
        line.dec(number);
    }
}

/// Prints the offset of an instruction and its bytes.
fn print_offset_and_bytes(line: &mut Line, offset: usize, bytes: &[u8]) {
    /// The column after the bytes. Most instructions have at most 28 bytes.
    const COLUMN: usize = 10 + 3 * 28;
    let start = line.len();
    line.push("0x");
    line.hex_digits(offset as u64, 6);
    line.hex_bytes(bytes);
    line.pad_to(start + COLUMN);
    line.push("  ");
}
