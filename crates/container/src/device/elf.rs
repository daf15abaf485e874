//! The sections of a device binary.

use std::collections::BTreeMap;

use object::endian::Endianness;
use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget};

use super::error::BinaryError;
use super::info;
use super::node::SECTION;
use super::{AddressPart, DataSection, DeviceBinary, Relocation, Symbol};
use crate::zebin::{EM_INTELGT, is_text_section};

/// More than programs have, so that a damaged binary does not allocate without bound.
const MAX_ZEROS: usize = 1 << 28;

pub type Elf<'d> = ElfFile64<'d, Endianness>;

/// Returns the only device binary in an archive, which ocloc writes for several devices.
pub fn member_of_archive(bytes: &[u8]) -> Result<&[u8], BinaryError> {
    let problem = |error: object::Error| BinaryError::new("", format!("the archive: {error}"));
    let archive = ArchiveFile::parse(bytes).map_err(problem)?;
    let mut found = Vec::new();
    for member in archive.members() {
        let member = member.map_err(problem)?;
        let data = member.data(bytes).map_err(problem)?;
        if is_device_binary(data) {
            found.push((String::from_utf8_lossy(member.name()).into_owned(), data));
        }
    }
    match &found[..] {
        [(_, data)] => Ok(data),
        [] => Err(BinaryError::new("", "the archive contains no device binary")),
        _ => {
            let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
            let message =
                format!("the archive contains several device binaries: {}", names.join(", "));
            Err(BinaryError::new("", message))
        }
    }
}

fn is_device_binary(bytes: &[u8]) -> bool {
    Elf::parse(bytes).is_ok_and(|elf| machine(&elf) == EM_INTELGT)
}

fn machine(elf: &Elf<'_>) -> u16 {
    elf.elf_header().e_machine.get(elf.endian())
}

/// Reads the headers of a device binary.
pub fn open(bytes: &[u8]) -> Result<Elf<'_>, BinaryError> {
    let elf = Elf::parse(bytes)
        .map_err(|error| BinaryError::new("", format!("not an ELF file of 64 bits: {error}")))?;
    if machine(&elf) != EM_INTELGT {
        let message = format!("an ELF file for machine {}, not a device binary", machine(&elf));
        return Err(BinaryError::new("", message));
    }
    Ok(elf)
}

/// Returns the contents of the section `.ze_info`.
pub fn ze_info<'d>(elf: &Elf<'d>) -> Result<&'d str, BinaryError> {
    let mut sections = elf.sections().filter(|section| section.name() == Ok(SECTION));
    let none = || BinaryError::new("", format!("there is no section `{SECTION}`"));
    let section = sections.next().ok_or_else(none)?;
    if sections.next().is_some() {
        return Err(BinaryError::new("", format!("there are several sections `{SECTION}`")));
    }
    let error = |error: String| BinaryError::new(SECTION, error);
    let contents = section.data().map_err(|problem| error(problem.to_string()))?;
    std::str::from_utf8(contents).map_err(|problem| error(problem.to_string()))
}

/// Reads the sections.
pub fn read(bytes: &[u8]) -> Result<DeviceBinary, BinaryError> {
    let elf = open(bytes)?;
    let mut binary = DeviceBinary::default();
    let mut data_index = BTreeMap::new();
    let mut zeros = Vec::new();
    for section in elf.sections() {
        let name = section.name().map_err(|error| BinaryError::new("", error.to_string()))?;
        let contents = || section.data().map_err(|error| BinaryError::new(name, error.to_string()));
        match name {
            _ if is_text_section(name.as_bytes()) => binary.texts.push(contents()?.into()),
            _ if name.starts_with(".data.") => {
                data_index.insert(section.index().0, binary.data.len());
                let relocations = relocations(&elf, &section, name)?;
                let bytes = contents()?.to_vec();
                binary.data.push(DataSection { name: name.into(), bytes, relocations });
            }
            _ => zeros.extend(name.strip_prefix(".bss.").map(|of| (of, section))),
        }
    }
    let mut rest = MAX_ZEROS;
    for (of, section) in zeros {
        let name = format!(".data.{of}");
        let size = usize::try_from(section.size()).ok().filter(|size| *size <= rest);
        let size = size.ok_or_else(|| {
            let message = format!("the sections `.bss.*` have more than {MAX_ZEROS} bytes");
            BinaryError::new(format!(".bss.{of}"), message)
        })?;
        rest -= size;
        let index = binary.data.iter().position(|data| data.name == name).unwrap_or_else(|| {
            binary.data.push(DataSection { name, ..DataSection::default() });
            binary.data.len() - 1
        });
        // Offsets of symbols are those in the whole buffer, whichever section they name.
        data_index.insert(section.index().0, index);
        let bytes = &mut binary.data[index].bytes;
        bytes.resize(bytes.len() + size, 0);
    }
    for symbol in elf.symbols() {
        let section = symbol.section_index().and_then(|index| data_index.get(&index.0));
        if let (Ok(name), Some(section)) = (symbol.name(), section) {
            let symbol = Symbol { section: *section, offset: symbol.address() };
            binary.symbols.insert(name.into(), symbol);
        }
    }
    binary.kernels = info::kernels(ze_info(&elf)?)?;
    Ok(binary)
}

/// Returns the relocations of a section of data.
fn relocations<'d>(
    elf: &Elf<'d>,
    section: &impl ObjectSection<'d>,
    name: &str,
) -> Result<Vec<Relocation>, BinaryError> {
    let error = |message: String| BinaryError::new(name, message);
    section
        .relocations()
        .map(|(offset, relocation)| {
            let RelocationTarget::Symbol(symbol) = relocation.target() else {
                return Err(error(format!("the relocation at {offset:#x} has no symbol")));
            };
            let symbol = elf.symbol_by_index(symbol).and_then(|symbol| symbol.name());
            let symbol = symbol.map_err(|problem| error(problem.to_string()))?.to_owned();
            // The types R_ZE_SYM_ADDR, R_ZE_SYM_ADDR_32 and R_ZE_SYM_ADDR_32_HI.
            let part = match relocation.flags() {
                RelocationFlags::Elf { r_type: 1 } => AddressPart::Whole,
                RelocationFlags::Elf { r_type: 2 } => AddressPart::Low,
                RelocationFlags::Elf { r_type: 3 } => AddressPart::High,
                flags => return Err(error(format!("the relocation at {offset:#x} is {flags:?}"))),
            };
            let addend = relocation.addend();
            Ok(Relocation { offset, symbol, addend, part })
        })
        .collect()
}
