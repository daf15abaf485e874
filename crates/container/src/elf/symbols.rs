//! The sections and symbols of an ELF file, by their ranges in the file.

use std::ops::Range;

use object::elf::{
    FileHeader32, FileHeader64, SHN_LORESERVE, SHN_UNDEF, SHN_XINDEX, SHT_DYNSYM, SHT_SYMTAB,
    SHT_SYMTAB_SHNDX, STT_NOTYPE, STT_OBJECT,
};
use object::endian::{Endian as _, Endianness};
use object::pod;
use object::read::elf::{FileHeader, Sym as _};

use super::intervals::Intervals;
use super::{ElfFile, name_at, string_at};
use crate::budget::Budget;

/// The sections and symbols of an ELF file.
pub struct Names {
    /// The indices of the sections.
    sections: Intervals,
    /// The names of the symbols that have a size.
    symbols: Intervals,
    /// The offsets and names of the symbols without a size, in the order of the offsets.
    labels: Vec<(usize, u32)>,
    /// The string table with the names of the symbols.
    strings: Range<usize>,
}

impl Names {
    /// Reads the sections and symbols.
    pub fn read(bytes: &[u8], elf: &ElfFile, budget: &Budget) -> Names {
        let ranges = elf.sections.iter().map(|section| section.data.clone()).zip(0..);
        let sections = Intervals::new(ranges.filter(|(data, _)| !data.is_empty()).collect());
        let symbols = match elf.is_64 {
            true => symbols::<FileHeader64<Endianness>>(bytes, elf, budget),
            false => symbols::<FileHeader32<Endianness>>(bytes, elf, budget),
        };
        let (strings, symbols) = symbols.unwrap_or_default();
        let (labels, symbols): (Vec<_>, _) =
            symbols.into_iter().partition(|(range, _)| range.is_empty());
        let mut labels: Vec<(usize, u32)> =
            labels.into_iter().map(|(range, name)| (range.start, name)).collect();
        labels.sort_by_key(|(offset, _)| *offset);
        Names { sections, symbols: Intervals::new(symbols), labels, strings }
    }

    /// Returns the name of the section that contains a range.
    pub fn section_at(
        &self,
        bytes: &[u8],
        elf: &ElfFile,
        range: &Range<usize>,
        budget: &Budget,
    ) -> Option<String> {
        let section = elf.sections.get(self.sections.containing(range)? as usize)?;
        name_at(bytes, elf.names(), section.name, budget)
    }

    /// Returns the name of the symbol that contains a range, or of one without a size at its start.
    pub fn symbol_at(&self, bytes: &[u8], range: &Range<usize>, budget: &Budget) -> Option<String> {
        let name = self.symbols.containing(range).or_else(|| self.label_at(bytes, range.start))?;
        name_at(bytes, &self.strings, name, budget)
    }

    /// Returns the name of a symbol without a size. The end of other data, and the marks of code and
    /// data that some assemblers add, are no names of the data that follows.
    fn label_at(&self, bytes: &[u8], offset: usize) -> Option<u32> {
        const MOST: usize = 64;
        let first = self.labels.partition_point(|(at, _)| *at < offset);
        let here = self.labels[first..].iter().take(MOST).take_while(|(at, _)| *at == offset);
        here.map(|(_, name)| *name).find(|name| {
            let name = string_at(bytes, &self.strings, *name).unwrap_or_default();
            !name.is_empty() && !name.starts_with(b"$") && !name.ends_with(b"_end")
        })
    }
}

/// The string table of a symbol table, and the ranges and names of the symbols of data.
type Symbols = (Range<usize>, Vec<(Range<usize>, u32)>);

/// Reads the symbol table, or the one for dynamic linking of a file without the other.
fn symbols<Elf: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    elf: &ElfFile,
    budget: &Budget,
) -> Option<Symbols> {
    let find = |kind: u32| elf.sections.iter().position(|section| section.kind == kind);
    let index = find(SHT_SYMTAB).or_else(|| find(SHT_DYNSYM))?;
    let table = &elf.sections[index];
    if !budget.take(table.data.len()) {
        return None;
    }
    let data = bytes.get(table.data.clone())?;
    let count = data.len() / size_of::<Elf::Sym>();
    let (entries, _) = pod::slice_from_bytes::<Elf::Sym>(data, count).ok()?;
    let strings = elf.sections.get(usize::try_from(table.link).ok()?)?.data.clone();
    // The indices of sections that do not fit 16 bits are in a table of their own.
    let is_large = |kind: u32, link: u32| {
        kind == SHT_SYMTAB_SHNDX && usize::try_from(link).is_ok_and(|link| link == index)
    };
    let large = elf.sections.iter().find(|section| is_large(section.kind, section.link));
    let large = large.and_then(|section| bytes.get(section.data.clone())).unwrap_or_default();
    let section_of = |symbol: &Elf::Sym, number: usize| -> Option<usize> {
        match symbol.st_shndx(elf.endian) {
            SHN_XINDEX => {
                let index = large.chunks_exact(4).nth(number)?.try_into().ok()?;
                usize::try_from(elf.endian.read_u32_bytes(index)).ok()
            }
            SHN_UNDEF | SHN_LORESERVE.. => None,
            index => Some(index.into()),
        }
    };
    let range_of = |symbol: &Elf::Sym, number: usize| -> Option<Range<usize>> {
        let section = elf.sections.get(section_of(symbol, number)?)?;
        let base = if elf.is_relocatable { 0 } else { section.address };
        let offset = symbol.st_value(elf.endian).into().checked_sub(base)?;
        let start = section.data.start.checked_add(usize::try_from(offset).ok()?)?;
        let size = usize::try_from(symbol.st_size(elf.endian).into()).ok()?;
        let end = start.checked_add(size)?;
        (end <= section.data.end).then_some(start..end)
    };
    let is_data = |symbol: &Elf::Sym| matches!(symbol.st_type(), STT_OBJECT | STT_NOTYPE);
    let data = entries.iter().enumerate().filter(|(_, symbol)| is_data(symbol));
    let ranges = data.filter_map(|(number, symbol)| {
        Some((range_of(symbol, number)?, symbol.st_name(elf.endian)))
    });
    Some((strings, ranges.collect()))
}
