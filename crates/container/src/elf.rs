//! Headers of ELF files of both sizes and byte orders, which may be damaged or embedded in other files: the readers
//! of `object` refuse files of which a part is damaged.

mod intervals;
mod symbols;

use std::ops::Range;

use object::elf::{
    ELFCLASS32, ELFCLASS64, ET_REL, FileHeader32, FileHeader64, SHT_NOBITS, SHT_NULL, SHT_PROGBITS,
};
use object::endian::Endianness;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader as _};

use crate::budget::Budget;
use crate::zebin::{EM_INTELGT, SYMBOL_TABLE_KERNEL, is_text_section};
pub use symbols::Names;

/// The type of the sections with the text of a kernel or module in device binaries.
const SHT_ZEBIN_VISAASM: u32 = 0xff00_0013;

/// An ELF file in the bytes of a file. All offsets are in these bytes.
pub struct ElfFile {
    pub range: Range<usize>,
    pub is_64: bool,
    pub endian: Endianness,
    /// Whether the addresses of symbols are relative to their sections.
    pub is_relocatable: bool,
    machine: u16,
    pub sections: Vec<SectionHeader>,
    /// The index of the section with the names of the sections.
    names: usize,
    /// The index of the first section whose contents are not in the file.
    first_outside: Option<usize>,
}

/// The header of a section.
pub struct SectionHeader {
    /// The offset of the header.
    pub offset: usize,
    /// The offset of the name in the string table.
    pub name: u32,
    pub kind: u32,
    /// The contents. Empty if there are none or they are not in the file.
    pub data: Range<usize>,
    pub address: u64,
    /// The index of the string table of a symbol table.
    pub link: u32,
}

/// Why an ELF file cannot be read.
pub struct Problem {
    /// `None` if the rest is not a header of an ELF file.
    machine: Option<u16>,
    message: String,
}

impl Problem {
    /// Returns whether this is the header of a device binary.
    pub fn is_of_device_binary(&self) -> bool {
        self.machine == Some(EM_INTELGT)
    }

    pub fn message(&self, offset: usize) -> String {
        format!("the ELF file at {offset:#x} {}", self.message)
    }
}

impl ElfFile {
    /// Reads the ELF file that begins at the start of a range and ends in it. `None` if the budget is
    /// spent.
    pub fn read(
        bytes: &[u8],
        range: Range<usize>,
        budget: &Budget,
    ) -> Option<Result<ElfFile, Problem>> {
        match bytes.get(range.clone())?.get(4) {
            Some(&ELFCLASS32) => read::<FileHeader32<Endianness>>(bytes, range, budget),
            Some(&ELFCLASS64) => read::<FileHeader64<Endianness>>(bytes, range, budget),
            _ => Some(Err(Problem {
                machine: None,
                message: "is neither of 32 nor of 64 bits".into(),
            })),
        }
    }

    /// Returns whether it is a device binary (zebin).
    pub fn is_device_binary(&self) -> bool {
        self.machine == EM_INTELGT
    }

    /// Returns the name of a section.
    pub fn name_of(&self, bytes: &[u8], section: &SectionHeader) -> Option<String> {
        let name = string_at(bytes, self.names(), section.name)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Returns the string table of the names of the sections.
    pub fn names(&self) -> &Range<usize> {
        self.sections.get(self.names).map_or(&(0..0), |section| &section.data)
    }

    /// Returns the sections of a device binary with text.
    pub fn visa_texts<'e>(&'e self, bytes: &'e [u8]) -> impl Iterator<Item = &'e SectionHeader> {
        let is_text = |section: &&SectionHeader| {
            let name = string_at(bytes, self.names(), section.name).unwrap_or_default();
            section.kind == SHT_ZEBIN_VISAASM || is_text_section(name)
        };
        let sections = if self.is_device_binary() { &*self.sections } else { &[] };
        sections.iter().filter(is_text)
    }

    /// Returns the number of the kernels in a device binary that have machine code.
    pub fn kernels(&self, bytes: &[u8]) -> usize {
        let is_kernel = |section: &&SectionHeader| {
            let name = string_at(bytes, self.names(), section.name).unwrap_or_default();
            let kernel = name.strip_prefix(b".text.").unwrap_or_default();
            section.kind == SHT_PROGBITS
                && !kernel.is_empty()
                && !kernel.starts_with(SYMBOL_TABLE_KERNEL.as_bytes())
        };
        let sections = if self.is_device_binary() { &*self.sections } else { &[] };
        sections.iter().filter(is_kernel).count()
    }

    /// Returns what is wrong if the contents of sections are not in the file.
    pub fn problem_of_sections(&self, bytes: &[u8]) -> Option<String> {
        let first = self.sections.get(self.first_outside?)?;
        let name = self.name_of(bytes, first).unwrap_or_default();
        let offset = self.range.start;
        Some(format!("the ELF file at {offset:#x} ends before its section `{name}` does"))
    }
}

/// Reads an ELF file of one size.
fn read<Elf: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    range: Range<usize>,
    budget: &Budget,
) -> Option<Result<ElfFile, Problem>> {
    let data = bytes.get(range.clone())?;
    let Ok((header, endian)) = Elf::parse(data).and_then(|header| Ok((header, header.endian()?)))
    else {
        return Some(Err(Problem { machine: None, message: "has no readable header".into() }));
    };
    let machine = header.e_machine(endian);
    let problem = |what: &str, error: object::read::Error| Problem {
        machine: Some(machine),
        message: format!("has no readable {what}: {error}"),
    };
    let segments = match header.program_headers(endian, data) {
        Ok(segments) => segments,
        Err(error) => return Some(Err(problem("program headers", error))),
    };
    let headers = match header.section_headers(endian, data) {
        Ok(headers) => headers,
        Err(error) => return Some(Err(problem("section headers", error))),
    };
    let (segments_size, headers_size) = (size_of_val(segments), size_of_val(headers));
    if !budget.take(segments_size.saturating_add(headers_size)) {
        return None;
    }
    if segments.is_empty() && headers.is_empty() {
        let message = "has neither program headers nor section headers".into();
        return Some(Err(Problem { machine: Some(machine), message }));
    }
    // Both tables are in the file, thus these sums do not overflow.
    let offset_of_headers = usize::try_from(header.e_shoff(endian).into()).unwrap_or(0);
    let offset_of_segments = usize::try_from(header.e_phoff(endian).into()).unwrap_or(0);
    let mut end = size_of_val(header);
    if !headers.is_empty() {
        end = end.max(offset_of_headers + headers_size);
    }
    if !segments.is_empty() {
        end = end.max(offset_of_segments + segments_size);
    }
    let in_file = |offset: u64, size: u64| {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        (end <= data.len()).then_some(start..end)
    };
    for segment in segments {
        let (offset, size) = segment.file_range(endian);
        end = end.max(in_file(offset, size).map_or(0, |segment| segment.end));
    }
    let mut first_outside = None;
    let mut sections = Vec::with_capacity(headers.len());
    for (index, section) in headers.iter().enumerate() {
        let kind = section.sh_type(endian);
        let contents = match kind {
            SHT_NULL | SHT_NOBITS => Some(0..0),
            _ => in_file(section.sh_offset(endian).into(), section.sh_size(endian).into()),
        };
        if contents.is_none() && first_outside.is_none() {
            first_outside = Some(index);
        }
        let contents = contents.unwrap_or(0..0);
        end = end.max(contents.end);
        sections.push(SectionHeader {
            offset: range.start + offset_of_headers + index * size_of::<Elf::SectionHeader>(),
            name: section.sh_name(endian),
            kind,
            data: range.start + contents.start..range.start + contents.end,
            address: section.sh_addr(endian).into(),
            link: section.sh_link(endian),
        });
    }
    Some(Ok(ElfFile {
        // Bytes after an ELF file belong to it if the file begins with it.
        range: if range.start == 0 { range } else { range.start..range.start + end },
        is_64: header.is_type_64(),
        endian,
        is_relocatable: header.e_type(endian) == ET_REL,
        machine,
        sections,
        names: header.shstrndx(endian, data).map_or(0, |index| index as usize),
        first_outside,
    }))
}

/// Returns a string of a string table, which is a range of the bytes. Strings that are longer than in
/// real files are truncated.
fn string_at<'b>(bytes: &'b [u8], table: &Range<usize>, offset: u32) -> Option<&'b [u8]> {
    const LONGEST: usize = 4096;
    let rest = bytes.get(table.clone())?.get(usize::try_from(offset).ok()?..)?;
    let rest = &rest[..rest.len().min(LONGEST)];
    Some(memchr::memchr(0, rest).map_or(rest, |end| &rest[..end]))
}

/// Returns a string of a string table as text, or `None` if it is empty or the budget is spent.
fn name_at(bytes: &[u8], table: &Range<usize>, offset: u32, budget: &Budget) -> Option<String> {
    let name = string_at(bytes, table, offset).filter(|name| !name.is_empty())?;
    budget.take(name.len()).then(|| String::from_utf8_lossy(name).into_owned())
}
