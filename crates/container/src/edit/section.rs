//! The header of a section of an ELF file, and its edits.

use std::mem::offset_of;
use std::ops::Range;

use object::elf::{FileHeader32, FileHeader64, SHT_NULL, SectionHeader32, SectionHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endian, Endianness, FileKind};

use super::{EditError, Section};

/// A replacement of bytes of the file.
type Edit = (Range<usize>, Vec<u8>);

/// The header of a section.
pub struct Header {
    /// The offset of the header in the file.
    start: usize,
    /// The contents in the file, which may have NULs after the text.
    pub contents: Range<usize>,
    endian: Endianness,
    fields: Fields,
    /// The alignment of the contents.
    alignment: u64,
    /// What else contains bytes of the contents.
    sharing: Option<String>,
}

/// The places of fields in a header, which depend on the class of the file.
struct Fields {
    offset: usize,
    size: usize,
    width: usize,
}

impl Header {
    /// Reads the header of a section.
    pub fn read(file: &[u8], section: &Section) -> Result<Header, EditError> {
        let elf = file.get(section.elf.clone()).unwrap_or_default();
        match FileKind::parse(elf) {
            Ok(FileKind::Elf32) => {
                type Header = SectionHeader32<Endianness>;
                let fields = Fields {
                    offset: offset_of!(Header, sh_offset),
                    size: offset_of!(Header, sh_size),
                    width: size_of::<u32>(),
                };
                read::<FileHeader32<Endianness>>(elf, section, fields)
            }
            Ok(FileKind::Elf64) => {
                type Header = SectionHeader64<Endianness>;
                let fields = Fields {
                    offset: offset_of!(Header, sh_offset),
                    size: offset_of!(Header, sh_size),
                    width: size_of::<u64>(),
                };
                read::<FileHeader64<Endianness>>(elf, section, fields)
            }
            _ => Err(EditError::NoElf),
        }
    }

    /// Fails if something else contains bytes of the section too.
    pub fn check_alone(&self) -> Result<(), EditError> {
        match &self.sharing {
            Some(other) => Err(EditError::Shared(other.clone())),
            None => Ok(()),
        }
    }

    /// Returns the alignment of the contents, if it is plausible.
    pub fn alignment(&self) -> Result<usize, EditError> {
        match self.alignment {
            0 => Ok(1),
            alignment @ 1..=0x10000 if alignment.is_power_of_two() => Ok(alignment as usize),
            alignment => Err(EditError::Alignment(alignment)),
        }
    }

    /// Returns the edit that sets the offset of the contents in the ELF file.
    pub fn with_offset(&self, offset: usize) -> Result<Edit, EditError> {
        self.with_field(self.fields.offset, offset)
    }

    /// Returns the edit that sets the size of the contents.
    pub fn with_size(&self, size: usize) -> Result<Edit, EditError> {
        self.with_field(self.fields.size, size)
    }

    fn with_field(&self, field: usize, value: usize) -> Result<Edit, EditError> {
        let bytes = match self.fields.width {
            width if width == size_of::<u32>() => {
                let value = u32::try_from(value).map_err(|_| EditError::Elf32)?;
                self.endian.write_u32_bytes(value).to_vec()
            }
            _ => self.endian.write_u64_bytes(value as u64).to_vec(),
        };
        let start = self.start + field;
        Ok((start..start + bytes.len(), bytes))
    }
}

fn read<Elf: FileHeader<Endian = Endianness>>(
    elf: &[u8],
    section: &Section,
    fields: Fields,
) -> Result<Header, EditError> {
    let error = |error: object::Error| EditError::Headers(error.to_string());
    let file_header = Elf::parse(elf).map_err(error)?;
    let endian = file_header.endian().map_err(error)?;
    let headers = file_header.section_headers(endian, elf).map_err(error)?;
    let segments = file_header.program_headers(endian, elf).map_err(error)?;
    let table: u64 = file_header.e_shoff(endian).into();
    let start = section.elf.start;
    let offset = section.header.checked_sub(start).and_then(|it| (it as u64).checked_sub(table));
    let offset = offset.ok_or(EditError::Moved)?;
    let own = offset as usize / size_of::<Elf::SectionHeader>();
    let header = headers.get(own).ok_or(EditError::Moved)?;
    let (first, size) = header.file_range(endian).ok_or(EditError::Moved)?;
    let end =
        first.checked_add(size).filter(|end| *end <= elf.len() as u64).ok_or(EditError::Moved)?;
    let contents = start + first as usize..start + end as usize;
    if contents.start != section.data.start || contents.end < section.data.end {
        return Err(EditError::Moved);
    }
    let shares = |(other, size): (u64, u64)| {
        first < end && size > 0 && other < end && first < other.saturating_add(size)
    };
    let tables = [
        (0, size_of::<Elf>()),
        (table, size_of_val(headers)),
        (file_header.e_phoff(endian).into(), size_of_val(segments)),
    ];
    let sharing = if tables.iter().any(|(other, size)| shares((*other, *size as u64))) {
        Some("a table of headers".into())
    } else if let Some(index) = segments.iter().position(|at| shares(at.file_range(endian))) {
        Some(format!("segment {index}"))
    } else {
        let mut others = headers
            .iter()
            .enumerate()
            .filter(|(index, header)| *index != own && header.sh_type(endian) != SHT_NULL);
        let other = others.find(|(_, header)| header.file_range(endian).is_some_and(shares));
        other.map(|(index, _)| format!("section {index}"))
    };
    let alignment = header.sh_addralign(endian).into();
    Ok(Header { start: section.header, contents, endian, fields, alignment, sharing })
}
