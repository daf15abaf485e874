//! Errors.

use std::any::Any;

use visa::text::{Errors, PrintError};

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
    pub(crate) message: String,
    pub(crate) path: String,
    pub(crate) offset: Option<usize>,
    pub(crate) position: (usize, usize),
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
