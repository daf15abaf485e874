//! The contents of errors.

use crate::abi::genvisa_bytes;
use crate::error::{genvisa_error, genvisa_status};

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
