//! Places of objects and texts in files.

use std::ops::Range;

use crate::array::Array;

/// The place of an object or text in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the file.
    Bytes(Range<usize>),
    /// The lines of a text among others.
    Lines(Range<usize>),
    /// The contents of a section of an ELF file.
    Section(Section),
    /// The elements of a C array: the array, and the bytes of its value.
    Array(Array, Range<usize>),
}

/// A section of an ELF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The contents in the file, without NULs at the end.
    pub data: Range<usize>,
    /// The bytes of the ELF file. This is the whole file if it begins with the ELF file.
    pub elf: Range<usize>,
    /// The offset of the header of the section in the file.
    pub header: usize,
}

impl Place {
    /// Returns the offset in the file.
    pub fn offset(&self) -> usize {
        self.range().start
    }

    /// Returns a key that orders the places of a file. A section that is moved keeps its key.
    pub(crate) fn order(&self) -> (usize, usize) {
        match self {
            Place::Bytes(range) | Place::Lines(range) => (range.start, 0),
            Place::Section(section) => (section.elf.start, section.header),
            Place::Array(array, bytes) => (array.span().start, bytes.start),
        }
    }

    /// Returns the bytes of the file that contain it.
    pub fn range(&self) -> Range<usize> {
        match self {
            Place::Bytes(range) | Place::Lines(range) => range.clone(),
            Place::Section(section) => section.data.clone(),
            Place::Array(array, _) => array.span(),
        }
    }
}

/// Where a text begins in its file: the numbers of lines before it, and of characters before it in its
/// first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The number of lines before the text.
    pub lines: usize,
    /// The number of characters before the text in its first line.
    pub columns: usize,
}

impl Start {
    /// Moves the start over bytes.
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', bytes).count();
        let line = memchr::memrchr(b'\n', bytes).map_or(bytes, |at| &bytes[at + 1..]);
        let columns = String::from_utf8_lossy(line).chars().count();
        self.columns = if lines == 0 { self.columns + columns } else { columns };
        self.lines += lines;
    }
}
