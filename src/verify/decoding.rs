//! That instructions can be decoded at all.

use core::fmt;

use super::rule::rules;
use crate::error::{Error, PathSegment};

/// What an error says within its instruction.
struct Within<'e>(&'e Error);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields =
            self.0.path().filter(|place| !matches!(place, PathSegment::Instruction { .. }));
        for (i, place) in fields.enumerate() {
            write!(f, "{}{place}", if i == 0 { "" } else { ", " })?;
        }
        let has_field =
            self.0.path().any(|place| !matches!(place, PathSegment::Instruction { .. }));
        write!(f, "{}{}", if has_field { ": " } else { "" }, self.0.kind())
    }
}

rules! { decoding for Error;
    /// The bytes of a routine are instructions of its format.
    fn decodes "code-decodes" (Error, ANY, "6_instructions") |e, c| {
        c.fail("", format_args!("{} at {:#x}", Within(e), e.offset()), "an instruction");
    }
}
