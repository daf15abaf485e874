//! The buffer that bytes are written to.

use alloc::vec::Vec;
use byteorder::{ByteOrder, LittleEndian};

use super::Wire;
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::Format;

/// A growing buffer of bytes of one [`Format`].
#[derive(Clone, Debug)]
pub struct Writer {
    buf: Vec<u8>,
    format: Format,
    wide_ids: bool,
}

impl Writer {
    /// An empty buffer.
    pub fn new(format: Format) -> Writer {
        Writer::append_to(Vec::new(), format)
    }

    /// Writes behind what `buf` already holds.
    pub fn append_to(buf: Vec<u8>, format: Format) -> Writer {
        Writer { buf, format, wide_ids: format.wide_ids() }
    }

    /// The format written.
    #[inline(always)]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether variable and string ids take four bytes.
    #[inline(always)]
    pub fn wide_ids(&self) -> bool {
        self.wide_ids
    }

    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.buf
    }

    /// The bytes, giving up the writer.
    pub fn into_bytes(self) -> Vec<u8> {
        self.buf
    }

    /// How many bytes there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.buf.len()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.buf.is_empty()
    }

    /// Forgets the bytes and keeps their memory.
    pub fn clear(&mut self) {
        self.buf.clear();
    }

    /// Forgets all bytes from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.buf.truncate(len);
    }

    /// Appends bytes as they are.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
    }

    /// Appends a byte.
    #[inline(always)]
    pub fn u8(&mut self, value: u8) {
        self.buf.push(value);
    }

    /// Appends two bytes.
    #[inline(always)]
    pub fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// Appends four bytes.
    #[inline(always)]
    pub fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// Appends a `vid`: a variable or string id, two bytes wide before 3.4 and four since.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] when it does not fit.
    #[inline(always)]
    pub fn vid(&mut self, value: u32) -> Result<()> {
        if self.wide_ids {
            self.u32(value);
            Ok(())
        } else {
            self.narrow(value)
        }
    }

    /// Appends two bytes if the value fits into them.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] when it does not.
    #[inline]
    pub fn narrow(&mut self, value: u32) -> Result<()> {
        let Ok(narrow) = u16::try_from(value) else {
            return Err(self.out_of_range(value, u16::MAX));
        };
        self.u16(narrow);
        Ok(())
    }

    /// Encodes a field; an error inside it names it.
    ///
    /// # Errors
    /// Those of the field.
    #[inline(always)]
    pub fn field<V: Wire>(&mut self, name: &'static str, value: &V) -> Result<()> {
        value.encode(self).map_err(|error| error.within(PathSegment::Field(name)))
    }

    /// Overwrites four bytes that were written before, at `at`.
    ///
    /// # Panics
    /// Where there are none: the caller passes a place that it wrote to.
    pub(crate) fn patch_u32(&mut self, at: usize, value: u32) {
        LittleEndian::write_u32(&mut self.buf[at..at + 4], value);
    }

    /// An error at the end of the output.
    #[cold]
    pub fn error(&self, kind: ErrorKind) -> Error {
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
