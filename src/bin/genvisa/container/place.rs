//! Places of objects and texts in containers, and the edits that replace them.

use std::ops::Range;

use anyhow::bail;

use super::Container;
use super::array::Array;
use super::elf::Section;

/// The place of an object or text in a container.
pub enum Place {
    /// Bytes of the file.
    Bytes(Range<usize>),
    /// The contents of a section of an ELF file.
    Section(Section),
    /// The elements of a C array: the array, and the bytes of its value.
    Array(Array, Range<usize>),
}

/// A replacement of bytes of a file by others. An empty range at the end of the file appends.
#[derive(Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub bytes: Vec<u8>,
}

impl Place {
    /// Returns the offset in the file.
    pub fn offset(&self) -> usize {
        self.range().start
    }

    /// Returns the bytes of the file that contain it.
    pub fn range(&self) -> Range<usize> {
        match self {
            Place::Bytes(range) => range.clone(),
            Place::Section(section) => section.data.clone(),
            Place::Array(array, _) => array.span.clone(),
        }
    }

    /// Returns the edits that replace the object or text.
    ///
    /// Fails if it does not fit.
    pub fn replace(&self, container: &Container, new: &[u8]) -> anyhow::Result<Vec<Edit>> {
        let _ = (container, new);
        bail!("not yet")
    }
}

/// Returns the bytes of a file after edits.
///
/// Fails if edits overlap.
pub fn apply(bytes: &[u8], edits: Vec<Edit>) -> anyhow::Result<Vec<u8>> {
    let _ = edits;
    Ok(bytes.to_vec())
}
