//! What a builder was told wrongly.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::error::PathSegment;

/// Everything that was wrong with a routine that was built: one error or more.
#[derive(Clone, PartialEq, Eq)]
pub struct Errors(pub(super) Vec<Error>);

impl Errors {
    /// The errors, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Error> {
        self.0.iter()
    }
}

/// A line for each error.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Errors {}

/// One thing that a builder was told wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The instruction and its field, or what else it is about, outermost first.
    pub path: Vec<PathSegment>,
    /// What is wrong.
    pub kind: ErrorKind,
    /// The caller's line that said it.
    pub caller: &'static Location<'static>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.caller)?;
        for place in &self.path {
            write!(f, "{place}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl core::error::Error for Error {}

/// What a builder can be told wrongly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The handle was made by another builder.
    #[error("the handle belongs to another routine")]
    ForeignHandle,
    /// An operand that cannot be.
    #[error("{0}")]
    Operand(&'static str),
    /// A label that instructions name and that stands nowhere.
    #[error("the label `{name}` is used here and placed nowhere")]
    UnplacedLabel {
        /// Its name.
        name: String,
    },
    /// A label that stands at two places.
    #[error("the label `{name}` is placed a second time")]
    LabelPlacedTwice {
        /// Its name.
        name: String,
    },
    /// An attribute whose value is of another kind than readers expect.
    #[error("the attribute `{name}` takes {expected}")]
    AttributeValue {
        /// Its name.
        name: String,
        /// What its value must be.
        expected: &'static str,
    },
    /// What the format cannot say, or a table that is full.
    #[error("{}", .0.kind())]
    Encoding(crate::Error),
}
