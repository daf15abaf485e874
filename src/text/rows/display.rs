//! Display of single instructions and operands, with ids for names.

use core::fmt;

use super::bytes::print_instruction_bytes;
use crate::format::Format;
use crate::isa::Instruction;
use crate::operand::{AddressOf, CmpDst, Dst, Raw, Vector};
use crate::text::context::{Print, Printer};
use crate::text::words::Style;

impl Instruction {
    /// Displays the instruction as the text of a format, with ids for names such as `V33`. In dialect
    /// `Manual`, this is the syntax of the manual. Only with the feature `text`.
    ///
    /// The bytes follow in an annotation if the text does not determine the instruction: for example, if
    /// a code has no name. [`parse_instruction`](crate::text::parse_instruction) of the text in the same format
    /// returns the instruction. If the format cannot encode the instruction, there are no bytes.
    ///
    /// ```
    /// use genvisa::isa::MediaLd;
    /// use genvisa::operand::{Imm, MediaModifier, Vector};
    /// use genvisa::{Format, Instruction, text};
    ///
    /// let zero: Vector = Imm::ud(0).into();
    /// let modifiers = MediaModifier::TOP;
    /// let load = MediaLd { modifiers, x_offset: zero, y_offset: zero, ..MediaLd::default() };
    /// let load = Instruction::from(load);
    /// for (format, expected) in [
    ///     (Format::default(), "media_ld.top (0,0) %slm 0 0x0:ud 0x0:ud %null.0"),
    ///     (Format::MANUAL, "MEDIA_LD.2 (0, 0) %slm 0 0x0:ud 0x0:ud %null.0"),
    /// ] {
    ///     let text = load.display(format).to_string();
    ///     assert_eq!(text, expected);
    ///     assert_eq!(text::parse_instruction(text, format)?, load);
    /// }
    /// # Ok::<(), text::Errors>(())
    /// ```
    pub fn display(&self, format: Format) -> impl fmt::Display {
        Displayed(self, format)
    }
}

struct Displayed<'i>(&'i Instruction, Format);

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Displayed(instruction, format) = *self;
        let mut printer = Printer::new(Style::Complete, format, None);
        instruction.print(&mut printer);
        if let (true, Ok(bytes)) = (printer.is_incomplete, instruction.to_bytes(format)) {
            print_instruction_bytes(&mut printer, instruction, &bytes);
        }
        f.pad(&printer.line.as_str())
    }
}

macro_rules! display {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut printer = Printer::new(Style::Complete, Format::default(), None);
                self.print(&mut printer);
                f.pad(&printer.line.as_str())
            }
        }
    )*};
}

display!(Instruction, Vector, Dst, CmpDst, AddressOf, Raw);
