//! The cursor that values are decoded from.

use alloc::string::{String, ToString};
use byteorder::{ByteOrder, LittleEndian};

use super::{Describe, Trace, Wire};
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::Format;

/// A cursor over bytes of a [`Format`].
///
/// All integers are little-endian, without padding or alignment. `T` is the [`Trace`] that records
/// fields; `()` records nothing.
#[derive(Clone, Debug)]
pub struct Reader<'a, T = ()> {
    rest: &'a [u8],
    /// The absolute offset of the end of the bytes.
    end: usize,
    format: Format,
    wide_ids: bool,
    trace: T,
}

impl<'a> Reader<'a> {
    /// Returns a reader at the start of `bytes`. Offsets count from there.
    pub fn new(bytes: &'a [u8], format: Format) -> Self {
        Reader::with_base(bytes, 0, format)
    }

    /// Returns a reader at the start of `bytes`, which are at offset `base` of a file. Offsets
    /// count from the start of the file.
    pub fn with_base(bytes: &'a [u8], base: usize, format: Format) -> Self {
        Reader::traced(bytes, base, format, ())
    }
}

impl<'a, T: Trace> Reader<'a, T> {
    /// Returns a reader that reports every field to `trace`; see [`with_base`](Reader::with_base).
    pub fn traced(bytes: &'a [u8], base: usize, format: Format, trace: T) -> Self {
        Reader {
            rest: bytes,
            end: base.saturating_add(bytes.len()),
            format,
            wide_ids: format.wide_ids(),
            trace,
        }
    }

    /// Returns the trace.
    pub fn into_trace(self) -> T {
        self.trace
    }

    /// Returns the trace, to report fields to it directly.
    pub fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }

    /// Returns the format of the bytes.
    #[inline(always)]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Sets the format of the remaining bytes. The version of a file is only known after its first
    /// bytes.
    pub(crate) fn set_format(&mut self, format: Format) {
        self.format = format;
        self.wide_ids = format.wide_ids();
    }

    /// Returns whether variable and string ids have four bytes rather than two.
    #[inline(always)]
    pub(crate) fn wide_ids(&self) -> bool {
        self.wide_ids
    }

    /// Returns the absolute offset of the next byte.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// Returns the bytes that have not been read.
    #[inline(always)]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns whether all bytes have been read.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the next `N` bytes without advancing. If fewer remain, they are copied to the start
    /// of `end`, which the caller fills with zeros.
    #[inline(always)]
    pub(crate) fn peek<'b, const N: usize>(&self, end: &'b mut [u8; N]) -> &'b [u8; N]
    where
        'a: 'b,
    {
        match self.rest.first_chunk::<N>() {
            Some(bytes) => bytes,
            None => self.peek_at_end(end),
        }
    }

    #[cold]
    fn peek_at_end<'b, const N: usize>(&self, end: &'b mut [u8; N]) -> &'b [u8; N] {
        end.iter_mut().zip(self.rest).for_each(|(byte, read)| *byte = *read);
        end
    }

    /// Reads the next `N` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer remain.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.eof(N)),
        }
    }

    /// Reads the next `len` bytes without copying them.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer remain.
    #[inline]
    pub(crate) fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(len) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.eof(len)),
        }
    }

    /// Advances by `len` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer remain.
    #[inline(always)]
    pub(crate) fn advance(&mut self, len: usize) -> Result<()> {
        match self.rest.get(len..) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.eof(len)),
        }
    }

    /// Advances by `len` bytes. Returns `None` if fewer remain.
    #[inline(always)]
    pub(crate) fn try_advance(&mut self, len: usize) -> Option<()> {
        self.rest = self.rest.get(len..)?;
        Some(())
    }

    /// Reads the next byte.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if none remains.
    #[inline(always)]
    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.array().map(|&[byte]| byte)
    }

    /// Reads the next byte, in which the bits of the mask `reserved` must be zero.
    ///
    /// # Errors
    /// [`ErrorKind::ReservedBits`] if one of them is set, [`ErrorKind::UnexpectedEof`] if no byte
    /// remains.
    #[inline(always)]
    pub(crate) fn byte_without(&mut self, reserved: u8) -> Result<u8> {
        let byte = self.u8()?;
        match byte & reserved {
            0 => Ok(byte),
            bits => Err(self.error_back(1, ErrorKind::ReservedBits { bits: bits.into() })),
        }
    }

    /// Reads the next two bytes as an integer.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer remain.
    #[inline(always)]
    pub(crate) fn u16(&mut self) -> Result<u16> {
        self.array::<2>().map(|bytes| u16_at(bytes, 0))
    }

    /// Reads the next four bytes as an integer.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer remain.
    #[inline(always)]
    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array::<4>().map(|bytes| u32_at(bytes, 0))
    }

    /// Reads a `vid`: a variable or string id of two bytes before 3.4, and of four bytes since.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if fewer bytes remain.
    #[inline(always)]
    pub(crate) fn vid(&mut self) -> Result<u32> {
        if self.wide_ids { self.u32() } else { self.u16().map(u32::from) }
    }

    /// Decodes a field into `value`, and reports it to the trace.
    ///
    /// # Errors
    /// Returns the error of decoding the value, with the field added to its path.
    #[inline(always)]
    pub(crate) fn field<V: Wire + Describe>(
        &mut self,
        name: &'static str,
        value: &mut V,
    ) -> Result<()> {
        let start = self.offset();
        if T::ENABLED {
            self.trace.enter(name, start);
        }
        match value.decode_into(self) {
            Ok(()) => {
                if T::ENABLED {
                    self.trace.leave(self.offset(), value, self.format);
                }
                Ok(())
            }
            Err(error) => Err(error.within(PathSegment::Field(name))),
        }
    }

    /// Decodes an entry of a table by a function, and reports it to the trace. The fields that the
    /// function decodes are nested in the entry. `as_text` returns the text of the entry for the
    /// trace; it is empty if the entry is a group of fields.
    ///
    /// # Errors
    /// Returns the error of `body`, with the entry added to its path.
    pub(crate) fn entry<V>(
        &mut self,
        table: &'static str,
        index: usize,
        body: impl FnOnce(&mut Self) -> Result<V>,
        as_text: impl FnOnce(&V) -> String,
    ) -> Result<V> {
        let segment = PathSegment::Entry { table, index };
        if T::ENABLED {
            let start = self.offset();
            self.trace.enter(&segment.to_string(), start);
        }
        match body(self) {
            Ok(value) => {
                if T::ENABLED {
                    self.trace.leave(self.offset(), &&*as_text(&value), self.format);
                }
                Ok(value)
            }
            Err(error) => Err(error.within(segment)),
        }
    }

    /// Reports a part of a field to the trace: the bytes from offset `from` to `to`. Without a
    /// trace, this does nothing.
    #[inline(always)]
    pub(crate) fn part(
        &mut self,
        name: &'static str,
        from: usize,
        to: usize,
        value: &dyn Describe,
    ) {
        if T::ENABLED {
            self.trace.enter(name, from);
            self.trace.leave(to, value, self.format);
        }
    }

    /// Returns an error at the next byte.
    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    /// Returns an error at `back` bytes before the next byte.
    #[cold]
    pub(crate) fn error_back(&self, back: usize, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset().saturating_sub(back))
    }

    #[cold]
    fn eof(&self, needed: usize) -> Error {
        Error::new(ErrorKind::UnexpectedEof { needed: needed - self.rest.len() }, self.end)
    }

    /// Checks that `count` entries of at least `entry_size` bytes fit in the remaining bytes, so
    /// that a table never allocates much more than the size of the input. `count_len` is the size
    /// of the count itself, which was read last; it is the position of the error.
    ///
    /// # Errors
    /// [`ErrorKind::CountTooLarge`] if they do not fit.
    pub(crate) fn check_count(
        &self,
        count: usize,
        count_len: usize,
        entry_size: usize,
    ) -> Result<()> {
        let remaining = self.rest.len();
        if count <= remaining / entry_size.max(1) {
            return Ok(());
        }
        let kind = ErrorKind::CountTooLarge { count, entry_size, remaining };
        Err(self.error_back(count_len, kind))
    }
}

/// Returns the two bytes at an index that is known to be in bounds, as an integer.
#[inline(always)]
pub(crate) fn u16_at<const N: usize>(bytes: &[u8; N], at: usize) -> u16 {
    LittleEndian::read_u16(&bytes[at..])
}

/// Returns the four bytes at an index that is known to be in bounds, as an integer.
#[inline(always)]
pub(crate) fn u32_at<const N: usize>(bytes: &[u8; N], at: usize) -> u32 {
    LittleEndian::read_u32(&bytes[at..])
}

/// Returns the eight bytes at an index that is known to be in bounds, as an integer.
#[inline(always)]
pub(crate) fn u64_at<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    LittleEndian::read_u64(&bytes[at..])
}
