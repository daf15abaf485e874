//! Iterators over the instructions of a routine.

use core::iter::FusedIterator;

use super::{Instruction, simple_layout};
use crate::error::{Error, PathSegment, Result};
use crate::format::Format;
use crate::wire::{Reader, Wire};

/// An iterator that decodes the instructions of a routine on demand.
///
/// Items are offsets and instructions. An error contains the index of the instruction. It is the
/// last item, because the offset of the next instruction is unknown.
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
    /// Returns the instructions of `code`. Offsets count from its start.
    pub fn new(code: &'a [u8], format: Format) -> Self {
        Instructions::with_base(code, 0, format)
    }

    /// Returns the instructions of `code`, which is at offset `base` of a file. Offsets count from
    /// the start of the file.
    pub fn with_base(code: &'a [u8], base: usize, format: Format) -> Self {
        let reader = Reader::with_base(code, base, format);
        Instructions { reader, index: 0, failed: false }
    }

    /// Returns the offset of the next instruction.
    pub fn offset(&self) -> usize {
        self.reader.offset()
    }

    /// Decodes the next instruction into `instruction`, and returns its offset; `None` at the end
    /// and after an error. This is faster than [`next`](Iterator::next).
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid instruction.
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
                Err(error.within(path_segment(self.index, rest.first().copied())))
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

/// The offset and the length of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Boundary {
    /// The absolute offset of its opcode.
    pub offset: usize,
    /// The length in bytes.
    pub len: usize,
    /// The opcode.
    pub opcode: u8,
}

/// An iterator over the offsets and lengths of the instructions of a routine.
///
/// vISA instructions have no length field. For most instructions, this iterator reads only the fields
/// that determine the length, so it is faster than [`Instructions`], and accepts some invalid
/// instructions, such as those with reserved bits set. It decodes the others. If both succeed, they
/// agree.
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
    /// At the end of its bytes after an error.
    reader: Reader<'a>,
    index: usize,
}

impl<'a> Boundaries<'a> {
    /// Returns the boundaries in `code`. Offsets count from its start.
    pub fn new(code: &'a [u8], format: Format) -> Self {
        Boundaries::with_base(code, 0, format)
    }

    /// Returns the boundaries in `code`, which is at offset `base` of a file. Offsets count from
    /// the start of the file.
    pub fn with_base(code: &'a [u8], base: usize, format: Format) -> Self {
        Boundaries { reader: Reader::with_base(code, base, format), index: 0 }
    }

    #[cold]
    fn stop(&mut self, error: Error, opcode: u8) -> Error {
        // This cannot fail: so many bytes remain.
        let _ = self.reader.advance(self.reader.rest().len());
        error.within(path_segment(self.index, Some(opcode)))
    }
}

impl Iterator for Boundaries<'_> {
    type Item = Result<Boundary>;

    // Inlined, so that the boundary stays in registers: storing it in parts and loading it as a
    // whole takes longer than finding it.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (offset, opcode) = (self.reader.offset(), *self.reader.rest().first()?);
        let skipped = match simple_layout::skip(&mut self.reader) {
            Some(()) => Ok(()),
            None => skip_by_decoding(&mut self.reader),
        };
        if let Err(error) = skipped {
            return Some(Err(self.stop(error, opcode)));
        }
        self.index += 1;
        Some(Ok(Boundary { offset, len: self.reader.offset() - offset, opcode }))
    }
}

impl FusedIterator for Boundaries<'_> {}

/// Skips an instruction whose length is not found by [`simple_layout::skip`].
#[inline(never)]
fn skip_by_decoding(r: &mut Reader<'_>) -> Result<()> {
    Instruction::default().decode_into(r)
}

fn path_segment(index: usize, opcode: Option<u8>) -> PathSegment {
    let mnemonic = opcode.and_then(Instruction::mnemonic_of).unwrap_or_default();
    PathSegment::Instruction { index, mnemonic }
}
