//! Errors.

use std::any::Any;

use visa::text::{Errors, PrintError};

use crate::abi::genvisa_bytes;

/// The result of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum genvisa_status {
    /// The function succeeded.
    GENVISA_OK = 0,
    /// There is no such item: no routine, variable or field, or no further instruction.
    GENVISA_END = 1,
    /// Bytes cannot be decoded in the format, or the format cannot express an instruction or module.
    GENVISA_ERROR_BINARY = 2,
    /// A text has errors.
    GENVISA_ERROR_TEXT = 3,
    /// An argument is wrong: null, not UTF-8, an unknown dialect or platform, a number of lanes or types that
    /// is not allowed, or a struct with a field that has no meaning.
    GENVISA_ERROR_ARGUMENT = 4,
    /// A defect of this library. A decoder that was an argument may only be freed. All other handles may be
    /// used and freed as before.
    GENVISA_ERROR_PANIC = 5,
}

/// The result of a part of a function. Errors are boxed, so that successful calls are fast.
pub type Fallible<T> = Result<T, Box<genvisa_error>>;

/// An error. The caller frees it with `genvisa_error_free`.
pub struct genvisa_error {
    pub(crate) status: genvisa_status,
    message: String,
    path: String,
    offset: Option<usize>,
    position: (usize, usize),
}

/// The contents of an error.
#[repr(C)]
pub struct genvisa_error_info {
    /// The kind of error.
    pub status: genvisa_status,
    /// The message. For a text, it lists all errors, in several lines.
    pub message: genvisa_bytes,
    /// The path to the wrong field; empty if there is none. For a field of a struct, it is the name, such as
    /// "x_offset.region". Otherwise it is meant for people: "kernel `k`: instruction 417 mad: src1".
    pub path: genvisa_bytes,
    /// The offset of the wrong bytes in the file or argument, or in the code as in `genvisa_instruction`; `SIZE_MAX` if
    /// there is none.
    pub offset: usize,
    /// The line of the first error in a text, from 1; 0 if there is none.
    pub line: usize,
    /// The column of the first error in a text, in characters from 1; 0 if there is none.
    pub column: usize,
}

impl genvisa_error {
    fn new(status: genvisa_status, message: impl Into<String>) -> Box<genvisa_error> {
        let message = message.into();
        Box::new(genvisa_error {
            status,
            message,
            path: String::new(),
            offset: None,
            position: (0, 0),
        })
    }

    pub fn argument(message: impl Into<String>) -> Box<genvisa_error> {
        genvisa_error::new(genvisa_status::GENVISA_ERROR_ARGUMENT, message)
    }

    /// A field of a struct of the caller, by its path.
    pub fn field(path: &str, message: &str) -> Box<genvisa_error> {
        let mut error = genvisa_error::argument(format!("`{path}`: {message}"));
        error.path = path.into();
        error
    }

    pub fn panic(panic: &(dyn Any + Send)) -> Box<genvisa_error> {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = format!("a defect of genvisa: {}", text.unwrap_or_default());
        genvisa_error::new(genvisa_status::GENVISA_ERROR_PANIC, message)
    }
}

impl From<visa::Error> for Box<genvisa_error> {
    fn from(error: visa::Error) -> Box<genvisa_error> {
        let path: Vec<String> = error.path().map(ToString::to_string).collect();
        let mut result =
            genvisa_error::new(genvisa_status::GENVISA_ERROR_BINARY, error.to_string());
        (result.path, result.offset) = (path.join(": "), Some(error.offset()));
        result
    }
}

impl From<PrintError> for Box<genvisa_error> {
    fn from(error: PrintError) -> Box<genvisa_error> {
        match error {
            PrintError::Code(error) => error.into(),
            other => genvisa_error::new(genvisa_status::GENVISA_ERROR_BINARY, other.to_string()),
        }
    }
}

impl From<Errors> for Box<genvisa_error> {
    fn from(errors: Errors) -> Box<genvisa_error> {
        let first = errors.iter().find_map(|error| error.line_and_column());
        let mut result = genvisa_error::new(genvisa_status::GENVISA_ERROR_TEXT, errors.to_string());
        result.position = first.unwrap_or((1, 1));
        result
    }
}

/// Returns the contents of an error, which are valid until it is freed. For null, the status is `GENVISA_OK`,
/// the texts are empty, the offset is `SIZE_MAX`, and the line and the column are 0.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_error_get(error: Option<&genvisa_error>) -> genvisa_error_info {
    match error {
        Some(error) => genvisa_error_info {
            status: error.status,
            message: genvisa_bytes::of(&error.message),
            path: genvisa_bytes::of(&error.path),
            offset: error.offset.unwrap_or(usize::MAX),
            line: error.position.0,
            column: error.position.1,
        },
        None => genvisa_error_info {
            status: genvisa_status::GENVISA_OK,
            message: genvisa_bytes::NONE,
            path: genvisa_bytes::NONE,
            offset: usize::MAX,
            line: 0,
            column: 0,
        },
    }
}

/// Frees an error. Does nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_error_free(error: Option<Box<genvisa_error>>) {
    drop(error);
}
