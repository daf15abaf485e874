//! The cursor that bytes are read from.

use alloc::string::{String, ToString};
use byteorder::{ByteOrder, LittleEndian};

use super::{Describe, Trace, Wire};
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::Format;

/// A cursor over bytes of one [`Format`].
///
/// All integers are little-endian; nothing is padded or aligned.
#[derive(Clone, Debug)]
pub struct Reader<'a, T = ()> {
    rest: &'a [u8],
    /// The absolute offset behind the last byte.
    end: usize,
    format: Format,
    wide_ids: bool,
    trace: T,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`, whose offsets count from there.
    pub fn new(bytes: &'a [u8], format: Format) -> Self {
        Reader::with_base(bytes, 0, format)
    }

    /// A reader at the start of `bytes`, which lie at the offset `base` of something larger.
    pub fn with_base(bytes: &'a [u8], base: usize, format: Format) -> Self {
        Reader::traced(bytes, base, format, ())
    }
}

impl<'a, T: Trace> Reader<'a, T> {
    /// A reader that reports every field to `trace`.
    pub fn traced(bytes: &'a [u8], base: usize, format: Format, trace: T) -> Self {
        Reader {
            rest: bytes,
            end: base.saturating_add(bytes.len()),
            format,
            wide_ids: format.wide_ids(),
            trace,
        }
    }

    /// The trace, with all that it was told.
    pub fn into_trace(self) -> T {
        self.trace
    }

    /// The trace, to tell it what no field says.
    pub fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }

    /// The format the bytes are read as.
    #[inline(always)]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Changes the format from here on: a file states its version after it has begun.
    pub fn set_format(&mut self, format: Format) {
        self.format = format;
        self.wide_ids = format.wide_ids();
    }

    /// Whether variable and string ids take four bytes.
    #[inline(always)]
    pub fn wide_ids(&self) -> bool {
        self.wide_ids
    }

    /// The absolute offset of the next byte.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// The bytes not yet read.
    #[inline(always)]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all bytes are read.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `N` bytes without passing over them. Where fewer are left, they are copied to `end`,
    /// which has zeros for the rest.
    #[inline(always)]
    pub fn peek<'b, const N: usize>(&self, end: &'b mut [u8; N]) -> &'b [u8; N]
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

    /// The next `N` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there are fewer.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Result<&'a [u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.eof(N)),
        }
    }

    /// The next `len` bytes, not copied.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there are fewer.
    #[inline]
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(len) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.eof(len)),
        }
    }

    /// Passes over `len` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there are fewer.
    #[inline(always)]
    pub fn advance(&mut self, len: usize) -> Result<()> {
        match self.rest.get(len..) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.eof(len)),
        }
    }

    /// Passes over `len` bytes, if there are as many.
    #[inline(always)]
    pub(crate) fn try_advance(&mut self, len: usize) -> Option<()> {
        self.rest = self.rest.get(len..)?;
        Some(())
    }

    /// The next byte.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there is none.
    #[inline(always)]
    pub fn u8(&mut self) -> Result<u8> {
        self.array().map(|&[byte]| byte)
    }

    /// The next byte, some of whose bits must be zero.
    ///
    /// # Errors
    /// [`ErrorKind::ReservedBits`] when they are not, [`ErrorKind::UnexpectedEof`] when there is none.
    #[inline(always)]
    pub fn byte_without(&mut self, reserved: u8) -> Result<u8> {
        let byte = self.u8()?;
        match byte & reserved {
            0 => Ok(byte),
            bits => Err(self.error_back(1, ErrorKind::ReservedBits { bits: bits.into() })),
        }
    }

    /// The next two bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there are fewer.
    #[inline(always)]
    pub fn u16(&mut self) -> Result<u16> {
        self.array::<2>().map(|bytes| u16_at(bytes, 0))
    }

    /// The next four bytes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when there are fewer.
    #[inline(always)]
    pub fn u32(&mut self) -> Result<u32> {
        self.array::<4>().map(|bytes| u32_at(bytes, 0))
    }

    /// A `vid`: a variable or string id, two bytes wide before 3.4 and four since.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] when the bytes run out.
    #[inline(always)]
    pub fn vid(&mut self) -> Result<u32> {
        if self.wide_ids { self.u32() } else { self.u16().map(u32::from) }
    }

    /// Decodes a field in place; an error inside it names it.
    ///
    /// # Errors
    /// Those of the field.
    #[inline(always)]
    pub fn field<V: Wire + Describe>(&mut self, name: &'static str, value: &mut V) -> Result<()> {
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

    /// Runs `body` as one entry of a table: its fields are nested there, and errors name it. For the
    /// trace, `as_text` turns the entry into text, if it is more than a group of fields.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn entry<V>(
        &mut self,
        table: &'static str,
        index: usize,
        body: impl FnOnce(&mut Self) -> Result<V>,
        as_text: impl FnOnce(&V) -> String,
    ) -> Result<V> {
        let place = PathSegment::Entry { table, index };
        if T::ENABLED {
            let start = self.offset();
            self.trace.enter(&place.to_string(), start);
        }
        match body(self) {
            Ok(value) => {
                if T::ENABLED {
                    self.trace.leave(self.offset(), &&*as_text(&value), self.format);
                }
                Ok(value)
            }
            Err(error) => Err(error.within(place)),
        }
    }

    /// Tells the trace about a part of a field that was read in one go. Costs nothing otherwise.
    #[inline(always)]
    pub fn part(&mut self, name: &'static str, from: usize, to: usize, value: &dyn Describe) {
        if T::ENABLED {
            self.trace.enter(name, from);
            self.trace.leave(to, value, self.format);
        }
    }

    /// An error at the next byte.
    #[cold]
    pub fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    /// An error `back` bytes before the next one.
    #[cold]
    pub fn error_back(&self, back: usize, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset() - back)
    }

    #[cold]
    fn eof(&self, needed: usize) -> Error {
        Error::new(ErrorKind::UnexpectedEof { needed: needed - self.rest.len() }, self.end)
    }

    /// Checks a count of table entries, which was just read from `count_len` bytes, against the bytes
    /// that are left, so that no count makes us allocate more than the input could fill.
    ///
    /// # Errors
    /// [`ErrorKind::CountTooLarge`].
    pub fn check_count(&self, count: usize, count_len: usize, entry_size: usize) -> Result<()> {
        let remaining = self.rest.len();
        if count <= remaining / entry_size.max(1) {
            return Ok(());
        }
        let kind = ErrorKind::CountTooLarge { count, entry_size, remaining };
        Err(self.error_back(count_len, kind))
    }
}

/// The two bytes at a place that is known to be within.
#[inline(always)]
pub(crate) fn u16_at<const N: usize>(bytes: &[u8; N], at: usize) -> u16 {
    LittleEndian::read_u16(&bytes[at..])
}

/// The four bytes at a place that is known to be within.
#[inline(always)]
pub(crate) fn u32_at<const N: usize>(bytes: &[u8; N], at: usize) -> u32 {
    LittleEndian::read_u32(&bytes[at..])
}

/// The eight bytes at a place that is known to be within.
#[inline(always)]
pub(crate) fn u64_at<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    LittleEndian::read_u64(&bytes[at..])
}
