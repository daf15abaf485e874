//! Places of objects and texts in containers, and the edits that replace them.

use std::ops::Range;

use anyhow::{Context, bail};

use super::array::Array;
use super::edit::Edit;
use super::section::{Header, Section};

/// The place of an object or text in a container.
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

/// Edits of a file.
pub struct Edits<'b> {
    file: &'b [u8],
    /// Replacements in the file.
    edits: Vec<Edit>,
    /// The bytes that follow the file.
    appended: Vec<u8>,
}

impl Place {
    /// Returns the offset in the file.
    pub fn offset(&self) -> usize {
        self.range().start
    }

    /// Returns a key that orders the places of a file. A section that is moved keeps its key.
    pub fn order(&self) -> (usize, usize) {
        match self {
            Place::Bytes(range) | Place::Lines(range) => (range.start, 0),
            Place::Section(section) => (section.elf.start, section.header),
            Place::Array(array, bytes) => (array.span.start, bytes.start),
        }
    }

    /// Returns the bytes of the file that contain it.
    pub fn range(&self) -> Range<usize> {
        match self {
            Place::Bytes(range) | Place::Lines(range) => range.clone(),
            Place::Section(section) => section.data.clone(),
            Place::Array(array, _) => array.span.clone(),
        }
    }
}

impl<'b> Edits<'b> {
    /// Returns no edits of a file.
    pub fn new(file: &'b [u8]) -> Edits<'b> {
        Edits { file, edits: Vec::new(), appended: Vec::new() }
    }

    /// Adds the edits that replace the object or text at a place.
    ///
    /// Fails if it does not fit. Only a section of an ELF file at the end of the file can grow: other
    /// places have other data after them, also if it is zero.
    pub fn replace(&mut self, place: &Place, new: &[u8]) -> anyhow::Result<()> {
        match place {
            Place::Bytes(range) => {
                let bytes = padded(new, range.len())?;
                self.edits.push(Edit { range: range.clone(), bytes });
            }
            Place::Lines(range) => {
                self.edits.push(Edit { range: range.clone(), bytes: new.to_vec() });
            }
            Place::Array(array, bytes) => {
                check_size(new, bytes.len())?;
                self.edits.extend(array.replace(self.file, bytes.clone(), new));
            }
            Place::Section(section) => self.replace_section(section, new)?,
        }
        Ok(())
    }

    fn replace_section(&mut self, section: &Section, new: &[u8]) -> anyhow::Result<()> {
        let header = Header::read(self.file, section)?;
        header.check_alone()?;
        let old = &section.data;
        // The section keeps its terminator, if it has one.
        let size = new.len() + header.contents.len() - old.len();
        if new.len() <= old.len() {
            self.edits.push(Edit { range: old.clone(), bytes: padded(new, old.len())? });
        } else {
            if section.elf != (0..self.file.len()) {
                check_size(new, old.len()).context("the ELF file is part of another file")?;
            }
            let end = self.file.len() + self.appended.len();
            let offset = end.next_multiple_of(header.alignment()?);
            self.appended.resize(self.appended.len() + offset - end, 0);
            self.appended.extend(padded(new, size)?);
            self.edits.push(header.with_offset(offset)?);
        }
        if new.len() != old.len() {
            self.edits.push(header.with_size(size)?);
        }
        Ok(())
    }

    /// Returns the bytes of the edited file.
    ///
    /// Fails if edits overlap.
    pub fn apply(mut self) -> anyhow::Result<Vec<u8>> {
        self.edits.sort_by_key(|edit| edit.range.start);
        let mut edited = Vec::with_capacity(self.file.len() + self.appended.len());
        let mut position = 0;
        for Edit { range, bytes } in self.edits {
            let Some(unchanged) = self.file.get(position..range.start) else {
                bail!("two replacements change the same bytes, at {:#x}", range.start);
            };
            edited.extend(unchanged);
            edited.extend(bytes);
            position = range.end;
        }
        edited.extend(&self.file[position..]);
        edited.extend(self.appended);
        Ok(edited)
    }
}

/// Returns an object or text with zeros up to the size of its place.
fn padded(new: &[u8], size: usize) -> anyhow::Result<Vec<u8>> {
    check_size(new, size)?;
    let mut bytes = new.to_vec();
    bytes.resize(size, 0);
    Ok(bytes)
}

fn check_size(new: &[u8], size: usize) -> anyhow::Result<()> {
    match new.len() <= size {
        true => Ok(()),
        false => bail!("the new object has {} bytes; the place has room for {size}", new.len()),
    }
}
