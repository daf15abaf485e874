//! Values that cross the boundary.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use crate::error::{Fallible, genvisa_error, genvisa_status};

/// Bytes, or text in UTF-8. Text is not terminated by a zero.
///
/// Bytes that a function returns belong to a handle. `data` may be null if `len` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct genvisa_bytes {
    /// The first byte.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

impl genvisa_bytes {
    /// Borrows bytes.
    pub fn of(bytes: &(impl AsRef<[u8]> + ?Sized)) -> genvisa_bytes {
        let bytes = bytes.as_ref();
        genvisa_bytes { data: bytes.as_ptr(), len: bytes.len() }
    }

    /// No bytes.
    pub const NONE: genvisa_bytes = genvisa_bytes { data: ptr::null(), len: 0 };

    /// Returns the bytes of a caller.
    ///
    /// # Safety
    /// If `len` is not 0, `data` is null or points to `len` bytes that do not change during the call.
    pub unsafe fn get<'a>(self) -> Fallible<&'a [u8]> {
        match (self.data.is_null(), self.len) {
            (_, 0) => Ok(&[]),
            (true, _) => Err(genvisa_error::argument("bytes with a length are null")),
            (false, len) if isize::try_from(len).is_err() => {
                Err(genvisa_error::argument(format!("bytes have an impossible length, {len}")))
            }
            // SAFETY: the caller promises that they are readable, and the length is possible.
            (false, len) => Ok(unsafe { slice::from_raw_parts(self.data, len) }),
        }
    }

    /// Returns the text of a caller.
    ///
    /// # Safety
    /// As [`get`](Self::get).
    pub unsafe fn text<'a>(self) -> Fallible<&'a str> {
        // SAFETY: the same promise.
        let bytes = unsafe { self.get() }?;
        std::str::from_utf8(bytes).map_err(|_| genvisa_error::argument("a text is not UTF-8"))
    }
}

/// Returns the version of the library, which is valid forever. It is equal to `GENVISA_VERSION` if the program was
/// compiled with the header of the same version.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_version() -> genvisa_bytes {
    genvisa_bytes::of(env!("CARGO_PKG_VERSION"))
}

/// Bytes or text that the caller frees with `genvisa_buffer_free`.
pub struct genvisa_buffer {
    bytes: Vec<u8>,
}

impl genvisa_buffer {
    pub fn new(bytes: impl Into<Vec<u8>>) -> genvisa_buffer {
        genvisa_buffer { bytes: bytes.into() }
    }
}

/// Returns the bytes of a buffer, which are valid until it is freed. Returns no bytes for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_buffer_bytes(buffer: Option<&genvisa_buffer>) -> genvisa_bytes {
    buffer.map_or(genvisa_bytes::NONE, |buffer| genvisa_bytes::of(&buffer.bytes))
}

/// Frees a buffer. Does nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_buffer_free(buffer: Option<Box<genvisa_buffer>>) {
    drop(buffer);
}

/// Runs a function of the interface: converts its error, and stops panics.
#[inline]
pub fn call(
    error: Option<&mut *mut genvisa_error>,
    function: impl FnOnce() -> Fallible<genvisa_status>,
) -> genvisa_status {
    let result = match catch_unwind(AssertUnwindSafe(function)) {
        Ok(result) => result,
        Err(panic) => Err(genvisa_error::panic(&*panic)),
    };
    let (status, value) = match result {
        Ok(status) => (status, ptr::null_mut()),
        Err(value) if error.is_some() => (value.status, Box::into_raw(value)),
        Err(value) => (value.status, ptr::null_mut()),
    };
    if let Some(error) = error {
        *error = value;
    }
    status
}

/// Gives a handle to the caller.
pub fn give<T>(out: &mut *mut T, value: T) {
    *out = Box::into_raw(Box::new(value));
}

/// Returns an argument that must not be null.
pub fn required<T>(argument: Option<T>, name: &str) -> Fallible<T> {
    argument.ok_or_else(|| genvisa_error::argument(format!("`{name}` is null")))
}
