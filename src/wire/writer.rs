//! The buffer that values are encoded to.

use alloc::vec::Vec;
use byteorder::{ByteOrder, LittleEndian};

use super::Wire;
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::Format;

/// A growable buffer of bytes of a [`Format`].
#[derive(Clone, Debug)]
pub struct Writer {
    buf: Vec<u8>,
    format: Format,
    wide_ids: bool,
}

impl Writer {
    /// Returns an empty buffer.
    pub fn new(format: Format) -> Writer {
        Writer::append_to(Vec::new(), format)
    }

    /// Returns a buffer that appends to the bytes in `buf`.
    pub fn append_to(buf: Vec<u8>, format: Format) -> Writer {
        Writer { buf, format, wide_ids: format.wide_ids() }
    }

    /// Returns the format that values are encoded in.
    #[inline(always)]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns whether variable and string ids have four bytes rather than two.
    #[inline(always)]
    pub(crate) fn wide_ids(&self) -> bool {
        self.wide_ids
    }

    /// Returns the bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.buf
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.buf
    }

    /// Returns the number of bytes so far.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.buf.len()
    }

    /// Returns whether the buffer is empty.
    pub fn is_empty(&self) -> bool {
        self.buf.is_empty()
    }

    /// Removes all bytes, and keeps the allocation.
    pub fn clear(&mut self) {
        self.buf.clear();
    }

    /// Removes all bytes after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.buf.truncate(len);
    }

    /// Appends bytes.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
    }

    /// Appends a byte.
    #[inline(always)]
    pub(crate) fn u8(&mut self, value: u8) {
        self.buf.push(value);
    }

    /// Appends an integer of two bytes.
    #[inline(always)]
    pub(crate) fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// Appends an integer of four bytes.
    #[inline(always)]
    pub(crate) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// Appends a `vid`: a variable or string id of two bytes before 3.4, and of four bytes since.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if the id does not fit.
    #[inline(always)]
    pub(crate) fn vid(&mut self, value: u32) -> Result<()> {
        if self.wide_ids {
            self.u32(value);
            Ok(())
        } else {
            self.narrow(value)
        }
    }

    /// Appends a value as an integer of two bytes.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if the value does not fit.
    #[inline]
    pub(crate) fn narrow(&mut self, value: u32) -> Result<()> {
        let Ok(narrow) = u16::try_from(value) else {
            return Err(self.out_of_range(value, u16::MAX));
        };
        self.u16(narrow);
        Ok(())
    }

    /// Encodes a field.
    ///
    /// # Errors
    /// Returns the error of encoding the value, with the field added to its path.
    #[inline(always)]
    pub(crate) fn field<V: Wire>(&mut self, name: &'static str, value: &V) -> Result<()> {
        value.encode(self).map_err(|error| error.within(PathSegment::Field(name)))
    }

    /// Overwrites the four bytes at `at`.
    ///
    /// # Panics
    /// Panics if fewer bytes have been written.
    pub(crate) fn patch_u32(&mut self, at: usize, value: u32) {
        LittleEndian::write_u32(&mut self.buf[at..at + 4], value);
    }

    /// Returns an error at the end of the output.
    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.len())
    }

    #[cold]
    pub(crate) fn out_of_range(&self, value: impl Into<u64>, max: impl Into<u64>) -> Error {
        let (value, max) = (value.into(), max.into());
        self.error(ErrorKind::OutOfRange { value, max, format: self.format })
    }

    #[cold]
    pub(crate) fn inexpressible(&self, what: &'static str) -> Error {
        self.error(ErrorKind::Inexpressible { what, format: self.format })
    }
}
