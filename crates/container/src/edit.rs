//! Replacing objects and texts in place.

mod section;

use std::ops::Range;

use thiserror::Error;

use crate::place::{Place, Section};
use section::Header;

/// Replacements of objects and texts in a file. Everything else in the file stays as it is.
#[derive(Clone, Debug)]
pub struct Edits<'b> {
    file: &'b [u8],
    /// Replacements in the file.
    edits: Vec<(Range<usize>, Vec<u8>)>,
    /// The bytes that follow the file.
    appended: Vec<u8>,
}

/// Why an object or text cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// There are other bytes after the place.
    #[error("the new object has {size} bytes; the place has room for {room}")]
    TooLarge {
        /// The size of the new object.
        size: usize,
        /// The size of the place.
        room: usize,
    },
    /// A section of an ELF file that is part of another file cannot grow.
    #[error("the ELF file is part of another file")]
    Embedded(#[source] Box<EditError>),
    /// Something else contains bytes of the section.
    #[error("{0} contains bytes of the section too")]
    Shared(String),
    /// The alignment of the section is not plausible, because the file would become large.
    #[error("the section has the alignment {0}")]
    Alignment(u64),
    /// The file would have more than 4 GB, but is an ELF file of 32 bits.
    #[error("the ELF file would be too large")]
    Elf32,
    /// The section is not in an ELF file.
    #[error("the section is not in an ELF file")]
    NoElf,
    /// The headers of the ELF file cannot be read.
    #[error("cannot read the headers of the ELF file: {0}")]
    Headers(String),
    /// The header of the section has another place.
    #[error("the section is not where its header places it")]
    Moved,
    /// Two replacements change the same bytes.
    #[error("two replacements change the same bytes, at {0:#x}")]
    Overlap(usize),
    /// The place is not in the file.
    #[error("the place ends after the file, at {0:#x}")]
    Outside(usize),
}

impl<'b> Edits<'b> {
    /// Returns no edits of a file.
    pub fn new(file: &'b [u8]) -> Edits<'b> {
        Edits { file, edits: Vec::new(), appended: Vec::new() }
    }

    /// Adds the edits that replace the object or text at a place. A smaller one is followed by zeros.
    ///
    /// # Errors
    /// The new object or text does not fit. Only texts among others and the sections of an ELF file that
    /// is the whole file can grow: other places have other data after them, also if it is zero.
    pub fn replace(&mut self, place: &Place, new: &[u8]) -> Result<(), EditError> {
        let end = place.range().end;
        if end > self.file.len() {
            return Err(EditError::Outside(end));
        }
        match place {
            Place::Bytes(range) => {
                let bytes = padded(new, range.len())?;
                self.edits.push((range.clone(), bytes));
            }
            Place::Lines(range) => {
                self.edits.push((range.clone(), new.to_vec()));
            }
            Place::Array(array, bytes) => {
                check_size(new, bytes.len())?;
                self.edits.extend(array.replace(self.file, bytes.clone(), new));
            }
            Place::Section(section) => self.replace_section(section, new)?,
        }
        Ok(())
    }

    fn replace_section(&mut self, section: &Section, new: &[u8]) -> Result<(), EditError> {
        let header = Header::read(self.file, section)?;
        header.check_alone()?;
        let old = &section.data;
        // The section keeps its terminator, if it has one.
        let size = new.len() + header.contents.len() - old.len();
        if new.len() <= old.len() {
            self.edits.push((old.clone(), padded(new, old.len())?));
        } else {
            if section.elf != (0..self.file.len()) {
                let fits = check_size(new, old.len());
                fits.map_err(|error| EditError::Embedded(Box::new(error)))?;
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
    /// # Errors
    /// Edits overlap.
    pub fn apply(mut self) -> Result<Vec<u8>, EditError> {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut edited = Vec::with_capacity(self.file.len() + self.appended.len());
        let mut position = 0;
        for (range, bytes) in self.edits {
            let Some(unchanged) = self.file.get(position..range.start) else {
                return Err(EditError::Overlap(range.start));
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
fn padded(new: &[u8], size: usize) -> Result<Vec<u8>, EditError> {
    check_size(new, size)?;
    let mut bytes = new.to_vec();
    bytes.resize(size, 0);
    Ok(bytes)
}

fn check_size(new: &[u8], room: usize) -> Result<(), EditError> {
    match new.len() <= room {
        true => Ok(()),
        false => Err(EditError::TooLarge { size: new.len(), room }),
    }
}
