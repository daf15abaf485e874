//! The rule that the code of a routine can be decoded.

use core::fmt;

use super::rule::rules;
use crate::error::{Error, PathSegment};
use crate::verify::field::Field;

/// An error with the fields of its path, without the instruction and the offset.
struct ErrorInInstruction<'e>(&'e Error);

impl fmt::Display for ErrorInInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields =
            self.0.path().filter(|place| !matches!(place, PathSegment::Instruction { .. }));
        for (i, field) in fields.enumerate() {
            write!(f, "{}{field}", if i == 0 { "" } else { ", " })?;
        }
        let has_field =
            self.0.path().any(|place| !matches!(place, PathSegment::Instruction { .. }));
        write!(f, "{}{}", if has_field { ": " } else { "" }, self.0.kind())
    }
}

rules! { rules for Error;
    /// The code of a routine consists of instructions that exist in its format.
    fn decodes "code-decodes" (Refuses, ANY, "6_instructions") |e, c| {
        let (error, offset) = (ErrorInInstruction(e), e.offset());
        c.report(Field::WHOLE, format_args!("cannot decode this instruction: {error}, at {offset:#x}"));
    }
}
