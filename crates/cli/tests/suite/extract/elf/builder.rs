//! ELF files and archives for tests.

use object::Endianness;
use object::elf::{ET_DYN, SHT_PROGBITS, STT_OBJECT};
use object::write::StringId;
use object::write::elf::{FileHeader, SectionHeader, SectionIndex, Sym, Writer};

/// The machine of device binaries.
pub const DEVICE: u16 = 205;

/// An ELF file with sections and symbols.
#[derive(Clone)]
pub struct Elf {
    pub is_64: bool,
    pub endian: Endianness,
    pub kind: u16,
    pub machine: u16,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
}

#[derive(Clone)]
pub struct Section {
    pub name: String,
    pub kind: u32,
    pub address: u64,
    pub data: Vec<u8>,
}

#[derive(Clone)]
pub struct Symbol {
    pub name: String,
    /// The index in the sections of this file, without the null section.
    pub section: usize,
    pub kind: u8,
    pub value: u64,
    pub size: u64,
}

impl Elf {
    /// Returns a shared library of 64 bits without sections.
    pub fn library() -> Elf {
        let (endian, machine) = (Endianness::Little, object::elf::EM_X86_64);
        Elf { is_64: true, endian, kind: ET_DYN, machine, sections: vec![], symbols: vec![] }
    }

    /// Returns a device binary with the machine code of a kernel.
    pub fn device() -> Elf {
        let device = Elf { machine: DEVICE, kind: object::elf::ET_REL, ..Elf::library() };
        device.section(".text.k", &[0x90; 32])
    }

    /// Adds a section. It has an address that is not its offset, unless the file is relocatable.
    pub fn section(self, name: &str, data: &[u8]) -> Elf {
        self.section_of_kind(name, SHT_PROGBITS, data)
    }

    pub fn section_of_kind(mut self, name: &str, kind: u32, data: &[u8]) -> Elf {
        let is_loaded = self.kind != object::elf::ET_REL;
        let address = if is_loaded { 0x1000 * (1 + self.sections.len() as u64) } else { 0 };
        self.sections.push(Section { name: name.into(), kind, address, data: data.to_vec() });
        self
    }

    /// Adds a symbol of data at an offset in the last section.
    pub fn symbol(self, name: &str, offset: u64, size: u64) -> Elf {
        self.symbol_of_kind(name, STT_OBJECT, offset, size)
    }

    pub fn symbol_of_kind(mut self, name: &str, kind: u8, offset: u64, size: u64) -> Elf {
        let section = self.sections.len() - 1;
        let value = self.sections[section].address + offset;
        self.symbols.push(Symbol { name: name.into(), section, kind, value, size });
        self
    }

    /// Returns the bytes. The contents of the sections are not aligned.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(self.endian, self.is_64, &mut bytes);
        writer.reserve_file_header();
        let offsets: Vec<usize> =
            self.sections.iter().map(|section| writer.reserve(section.data.len(), 1)).collect();
        writer.reserve_null_section_index();
        let indices: Vec<(SectionIndex, StringId)> = (self.sections.iter())
            .map(|section| {
                let name = writer.add_section_name(section.name.as_bytes());
                (writer.reserve_section_index(), name)
            })
            .collect();
        writer.reserve_null_symbol_index();
        let names: Vec<StringId> = (self.symbols.iter())
            .map(|symbol| {
                writer.reserve_symbol_index(Some(indices[symbol.section].0));
                writer.add_string(symbol.name.as_bytes())
            })
            .collect();
        writer.reserve_symtab_section_index();
        if writer.symtab_shndx_needed() {
            writer.reserve_symtab_shndx_section_index();
        }
        writer.reserve_strtab_section_index();
        writer.reserve_shstrtab_section_index();
        writer.reserve_symtab();
        writer.reserve_symtab_shndx();
        writer.reserve_strtab();
        writer.reserve_shstrtab();
        writer.reserve_section_headers();
        let (e_type, e_machine) = (self.kind, self.machine);
        let header =
            FileHeader { os_abi: 0, abi_version: 0, e_type, e_machine, e_entry: 0, e_flags: 0 };
        writer.write_file_header(&header).expect("a small file");
        for section in &self.sections {
            writer.write(&section.data);
        }
        writer.write_null_symbol();
        for (symbol, name) in self.symbols.iter().zip(names) {
            writer.write_symbol(&Sym {
                name: Some(name),
                section: Some(indices[symbol.section].0),
                st_info: symbol.kind,
                st_other: 0,
                st_shndx: 0,
                st_value: symbol.value,
                st_size: symbol.size,
            });
        }
        writer.write_symtab_shndx();
        writer.write_strtab();
        writer.write_shstrtab();
        writer.write_null_section_header();
        for ((section, offset), (_, name)) in self.sections.iter().zip(offsets).zip(indices) {
            writer.write_section_header(&SectionHeader {
                name: Some(name),
                sh_type: section.kind,
                sh_flags: 0,
                sh_addr: section.address,
                sh_offset: offset as u64,
                sh_size: section.data.len() as u64,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: 1,
                sh_entsize: 0,
            });
        }
        writer.write_symtab_section_header(1);
        writer.write_symtab_shndx_section_header();
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
        bytes
    }
}

/// Returns an archive with these files, in the format of GNU.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    let mut add = |name: &str, data: &[u8]| {
        let header = format!("{name:16}{:12}{:6}{:6}{:8}{:<10}`\n", 0, 0, 0, 644, data.len());
        bytes.extend(header.bytes());
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(2), b'\n');
    };
    let long = |name: &str| name.len() > 15;
    let names: String = members
        .iter()
        .filter(|(name, _)| long(name))
        .map(|(name, _)| format!("{name}/\n"))
        .collect();
    if !names.is_empty() {
        add("//", names.as_bytes());
    }
    for (name, data) in members {
        match names.find(&format!("{name}/\n")) {
            Some(offset) if long(name) => add(&format!("/{offset}"), data),
            _ => add(&format!("{name}/"), data),
        }
    }
    bytes
}
