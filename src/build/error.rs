//! Builder errors.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::error::{PathSegment, error_list};
use crate::isa::Param;
use crate::object::LabelKind;

/// The errors of a routine that could not be built, in the order in which they were found. It is
/// not empty.
///
/// `Display` and `Debug` both print one line per error.
///
/// ```
/// use genvisa::Format;
/// use genvisa::build::Builder;
/// use genvisa::operand::ExecSize::S1;
///
/// let mut k = Builder::new("k", Format::default());
/// let end = k.add_label("end");
/// k.jmp(S1, end); // the label is never defined
/// let errors = k.into_kernel().unwrap_err();
/// assert_eq!(errors.len(), 1);
/// assert_eq!(errors[0].kind.to_string(), "label `end` is used but never defined");
/// for error in &errors {
///     eprintln!("{}:{}: {}", error.caller.file(), error.caller.line(), error.kind);
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Errors(pub(super) Vec<Error>);

error_list!(Errors(Error));

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

/// An error of a [`Builder`](super::Builder).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The instruction and the field that the error refers to, outermost first. For a declaration,
    /// the name of the table or the field alone.
    pub path: Vec<PathSegment>,
    /// What is wrong.
    pub kind: ErrorKind,
    /// The source line that called the builder.
    pub caller: &'static Location<'static>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.caller)?;
        for segment in &self.path {
            write!(f, "{segment}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl core::error::Error for Error {}

/// The kinds of builder errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A handle that was made by another builder.
    #[error("the handle belongs to another routine")]
    ForeignHandle,
    /// An operand that is not valid.
    #[error("{0}")]
    Operand(&'static str),
    /// A label that instructions refer to and that was never defined.
    #[error("label `{name}` is used but never defined")]
    UndefinedLabel {
        /// The name of the label.
        name: String,
    },
    /// A label that was defined more than once.
    #[error("label `{name}` is defined twice")]
    DuplicateLabel {
        /// The name of the label.
        name: String,
    },
    /// A label where a subroutine is expected, or the reverse.
    #[error("`{name}` is not a {expected} label")]
    LabelKind {
        /// The name of the label.
        name: String,
        /// The kind of the label that the instruction takes.
        expected: LabelKind,
    },
    /// An attribute that the routine or the variable has already.
    #[error("attribute `{name}` is specified twice")]
    DuplicateAttribute {
        /// The name of the attribute.
        name: String,
    },
    /// A known attribute with a value of the wrong type.
    #[error("attribute `{name}`: expected {expected}")]
    AttributeValue {
        /// The name of the attribute.
        name: String,
        /// The type of value that it takes.
        expected: &'static str,
    },
    /// A parameter that the operation of a message requires.
    #[error("`{operation}` requires the parameter `{}`", .parameter.name())]
    MissingParameter {
        /// The operation.
        operation: String,
        /// The missing parameter.
        parameter: Param,
    },
    /// A parameter that the operation of a message does not have.
    #[error("`{operation}` has no parameter `{}`", .parameter.name())]
    UnknownParameter {
        /// The operation.
        operation: String,
        /// The parameter that was passed.
        parameter: Param,
    },
    /// An operand or a declaration that the format cannot express, or a table that is full.
    #[error("{}", .0.kind())]
    Encoding(crate::Error),
}
