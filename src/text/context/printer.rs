//! The printer, which items print to.

use crate::format::Format;
use crate::platform::RegisterSize;
use crate::text::line::Line;
use crate::text::names::Names;
use crate::text::words::{Directive, Quirk, Style};

/// A printer of instructions.
pub(in crate::text) struct Printer<'n> {
    pub(in crate::text) line: Line,
    /// Whether the text omits part of the instruction, so that the line needs its bytes.
    pub(in crate::text) is_incomplete: bool,
    /// Whether `.sat` was printed and belongs to the next destination.
    pub(in crate::text) has_pending_sat: bool,
    /// Whether the current LSC message has digits in upper case.
    pub(in crate::text) is_upper_case: bool,
    /// Whether the paired surface of a sampler message was printed.
    pub(in crate::text) has_paired_surface: bool,
    /// Whether an annotation refers to the string pool by index.
    pub(in crate::text) needs_string_pool: bool,
    pub(in crate::text) style: Style,
    pub(in crate::text) format: Format,
    /// The size of a register, which determines the offsets of addresses before 4.2.
    pub(in crate::text) registers: RegisterSize,
    /// The names of the routine. Without them, ids are printed.
    pub(in crate::text) names: Option<&'n Names<'n>>,
}

/// A field that can be printed.
pub(in crate::text) trait Print {
    /// Prints the field.
    fn print(&self, p: &mut Printer<'_>);

    /// Prints a space and the field.
    #[inline]
    fn operand(&self, p: &mut Printer<'_>) {
        p.line.ch(' ');
        self.print(p);
    }

    /// Returns whether this is a destination that saturates.
    fn saturates(&self) -> bool {
        false
    }
}

/// An absent field prints nothing.
impl<T: Print> Print for Option<T> {
    fn print(&self, p: &mut Printer<'_>) {
        if let Some(field) = self {
            field.print(p);
        }
    }

    fn operand(&self, p: &mut Printer<'_>) {
        if let Some(field) = self {
            field.operand(p);
        }
    }
}

impl<'n> Printer<'n> {
    pub(in crate::text) fn new(style: Style, format: Format, names: Option<&'n Names<'n>>) -> Self {
        Printer {
            line: Line::default(),
            is_incomplete: false,
            has_pending_sat: false,
            is_upper_case: false,
            has_paired_surface: false,
            needs_string_pool: false,
            style,
            format,
            registers: RegisterSize::default(),
            names,
        }
    }

    /// Returns whether the style has a quirk.
    #[inline]
    pub(in crate::text) fn has(&self, _: Quirk) -> bool {
        self.style == Style::GenXIr
    }

    /// Returns whether the text has version 4.2.
    pub(in crate::text) fn is_v4_2(&self) -> bool {
        self.format == Format::V4_2
    }

    /// Marks the text as incomplete if it omits part of the instruction.
    #[inline]
    pub(in crate::text) fn omit_if(&mut self, is_omitted: bool) {
        self.is_incomplete |= is_omitted;
    }

    /// Prints an id with the letter of its class.
    pub(in crate::text) fn id(&mut self, prefix: char, id: impl Into<u64>) {
        self.line.ch(prefix);
        self.line.dec(id);
    }

    /// Prints a directive and a space.
    #[inline]
    pub(in crate::text) fn directive(&mut self, directive: Directive) {
        self.line.push(directive.text());
        self.line.ch(' ');
    }

    /// Returns whether a word cannot be a name in the grammar of IGC.
    pub(in crate::text) fn is_reserved(&self, word: &[u8]) -> bool {
        self.names.is_some_and(|names| names.reserved.is_in_igc(word))
    }
}
