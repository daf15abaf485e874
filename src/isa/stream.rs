//! Walking the instruction area of a routine.

use core::iter::FusedIterator;

use super::Instruction;
use crate::error::{Error, PathSegment, Result};
use crate::format::Format;
use crate::wire::{Reader, Wire};

/// Decodes an instruction area lazily, one instruction after the other.
///
/// Items are the instructions with their offsets; an error names the instruction and is the last
/// item, since nothing tells where the next instruction would begin.
///
/// ```
/// use genvisa::{Format, Instructions};
///
/// let code = [0x52, 7, 0, 0, 0, 0x59, 0x3b]; // loc 7, barrier, a retired opcode
/// let mut instructions = Instructions::new(&code, Format::default());
/// assert_eq!(instructions.next().unwrap().unwrap().1.mnemonic(), "loc");
/// assert_eq!(instructions.next().unwrap().unwrap().0, 5);
/// let error = instructions.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "instruction 2: opcode 0x3b (scatter_atomic) is retired (offset 0x6)"
/// );
/// assert!(instructions.next().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    reader: Reader<'a>,
    index: usize,
    failed: bool,
}

impl<'a> Instructions<'a> {
    /// The instructions of `code`, whose offsets count from its start.
    pub fn new(code: &'a [u8], format: Format) -> Self {
        Instructions::with_base(code, 0, format)
    }

    /// The instructions of `code`, which lies at the offset `base` of something larger.
    pub fn with_base(code: &'a [u8], base: usize, format: Format) -> Self {
        let reader = Reader::with_base(code, base, format);
        Instructions { reader, index: 0, failed: false }
    }

    /// The offset of the next instruction.
    pub fn offset(&self) -> usize {
        self.reader.offset()
    }

    /// Decodes the next instruction in place, which is faster than [`next`](Iterator::next), and
    /// returns its offset; `None` at the end, and after an error.
    ///
    /// # Errors
    /// Whatever the bytes do not say legally.
    #[inline]
    pub fn next_into(&mut self, instruction: &mut Instruction) -> Result<Option<usize>> {
        if self.failed || self.reader.is_empty() {
            return Ok(None);
        }
        let (offset, rest) = (self.reader.offset(), self.reader.rest());
        match instruction.decode_into(&mut self.reader) {
            Ok(()) => {
                self.index += 1;
                Ok(Some(offset))
            }
            Err(error) => {
                self.failed = true;
                Err(error.within(place(self.index, rest.first().copied())))
            }
        }
    }
}

impl Iterator for Instructions<'_> {
    type Item = Result<(usize, Instruction)>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut instruction = Instruction::default();
        match self.next_into(&mut instruction) {
            Ok(offset) => offset.map(|offset| Ok((offset, instruction))),
            Err(error) => Some(Err(error)),
        }
    }
}

impl FusedIterator for Instructions<'_> {}

/// Where an instruction lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Boundary {
    /// The absolute offset of its opcode.
    pub offset: usize,
    /// Its length in bytes.
    pub len: usize,
    /// Its opcode.
    pub opcode: u8,
}

/// Finds the instructions of an area without building them.
///
/// It looks only at what decides lengths, so it is faster than [`Instructions`] and accepts a
/// little more: reserved bits go unseen. Where both succeed they agree.
///
/// ```
/// use genvisa::{Boundaries, Format};
///
/// let code = [0x52, 7, 0, 0, 0, 0x59]; // loc 7, barrier
/// let mut opcodes = Vec::new();
/// for boundary in Boundaries::new(&code, Format::default()) {
///     let boundary = boundary?;
///     opcodes.push((boundary.offset, boundary.len, boundary.opcode));
/// }
/// assert_eq!(opcodes, [(0, 5, 0x52), (5, 1, 0x59)]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boundaries<'a> {
    /// At its end after an error.
    reader: Reader<'a>,
    index: usize,
}

impl<'a> Boundaries<'a> {
    /// The boundaries in `code`, whose offsets count from its start.
    pub fn new(code: &'a [u8], format: Format) -> Self {
        Boundaries::with_base(code, 0, format)
    }

    /// The boundaries in `code`, which lies at the offset `base` of something larger.
    pub fn with_base(code: &'a [u8], base: usize, format: Format) -> Self {
        Boundaries { reader: Reader::with_base(code, base, format), index: 0 }
    }

    #[cold]
    fn end(&mut self, error: Error, opcode: u8) -> Error {
        // It cannot fail: these are the bytes that are left.
        let _ = self.reader.advance(self.reader.rest().len());
        error.within(place(self.index, Some(opcode)))
    }
}

impl Iterator for Boundaries<'_> {
    type Item = Result<Boundary>;

    // A copy for each caller, and no boundary before the end: in memory it would be stored in parts and
    // loaded as a whole, which takes longer than finding it.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (offset, opcode) = (self.reader.offset(), *self.reader.rest().first()?);
        if let Err(error) = Instruction::skip(&mut self.reader) {
            return Some(Err(self.end(error, opcode)));
        }
        self.index += 1;
        Some(Ok(Boundary { offset, len: self.reader.offset() - offset, opcode }))
    }
}

impl FusedIterator for Boundaries<'_> {}

fn place(index: usize, opcode: Option<u8>) -> PathSegment {
    let mnemonic = opcode.and_then(Instruction::mnemonic_of).unwrap_or_default();
    PathSegment::Instruction { index, mnemonic }
}
