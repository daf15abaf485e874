//! Device binaries of IGC: kernels with their texts and their `.ze_info`.

mod elf;
mod entry;
mod error;
mod info;
mod node;
mod overview;
mod spirv;
mod target;

use std::collections::BTreeMap;

use genvisa::Platform;
use genvisa::text::{self, StatedPlatform};

use object::{Object, ObjectSection};

use crate::zebin::SYMBOL_TABLE_KERNEL;

pub use entry::{Entry, Members};
pub use error::BinaryError;
pub use info::{
    AddressMode, AddressSpace, ArgumentInfo, Execution, InlineSampler, Kernel, MemoryUsage,
    PayloadArgument, PayloadKind, ThreadMemory, ThreadMemoryKind,
};
pub use overview::{KernelArgument, KernelOverview, Measure, Overview};
pub use target::Target;

/// A device binary (zebin): an ELF file with the kernels of a program for one device.
///
/// ocloc writes it with the texts of the kernels if it is called with
/// `-internal_options "-ze-emit-zebin-visa-sections"`.
#[derive(Clone, Debug, Default)]
pub struct DeviceBinary {
    /// The texts of kernels and functions, each in a section `.visaasm` or `.visaasm.NAME`.
    pub texts: Vec<Vec<u8>>,
    /// The kernels that `.ze_info` describes, without the one that only owns symbols.
    pub kernels: Vec<Kernel>,
    /// The sections of data: constants, strings and variables of the program.
    pub data: Vec<DataSection>,
    /// The symbols that are in a data section.
    pub symbols: BTreeMap<String, Symbol>,
}

/// A section of data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataSection {
    /// The name, such as `.data.const`.
    pub name: String,
    /// The contents, with the zeros of `.bss.const` or `.bss.global` at the end.
    pub bytes: Vec<u8>,
    /// The places that contain the address of a symbol.
    pub relocations: Vec<Relocation>,
}

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The index of the section in [`DeviceBinary::data`].
    pub section: usize,
    /// The offset in it.
    pub offset: u64,
}

/// A place in a section of data that contains the address of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The offset in the section.
    pub offset: u64,
    /// The name of the symbol.
    pub symbol: String,
    /// What is added to the address.
    pub addend: i64,
    /// The bytes of the address that are stored.
    pub part: AddressPart,
}

/// A part of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressPart {
    /// All eight bytes.
    Whole,
    /// The lower four bytes.
    Low,
    /// The upper four bytes.
    High,
}

impl DeviceBinary {
    /// Reads an ELF file, or an archive that contains one.
    ///
    /// # Errors
    /// The file is not a device binary, or has no `.ze_info`, or one that does not follow the format. The
    /// error names the entry.
    pub fn from_bytes(bytes: &[u8]) -> Result<DeviceBinary, BinaryError> {
        if bytes.starts_with(&object::archive::MAGIC) {
            let binary = elf::member_of_archive(bytes)?;
            return DeviceBinary::from_bytes(binary);
        }
        let mut binary = elf::read(bytes)?;
        binary.kernels.retain(|kernel| !kernel.name.starts_with(SYMBOL_TABLE_KERNEL));
        Ok(binary)
    }

    /// Returns the kernels of texts, and of a document like `.ze_info`: what the compiler dumps to files
    /// with `IGC_ShaderDumpEnable` and `IGC_DumpZEInfoToFile`. There is no data.
    ///
    /// # Errors
    /// The document does not follow the format.
    pub fn from_texts(
        info: &str,
        texts: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<DeviceBinary, BinaryError> {
        let mut kernels = info::kernels(info)?;
        kernels.retain(|kernel| !kernel.name.starts_with(SYMBOL_TABLE_KERNEL));
        let texts = texts.into_iter().collect();
        Ok(DeviceBinary { texts, kernels, ..DeviceBinary::default() })
    }

    /// Returns a kernel.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// Returns the platform that the texts state.
    pub fn stated_platform(&self) -> Option<StatedPlatform<'_>> {
        self.texts.iter().find_map(text::stated_platform)
    }

    /// Returns the platform that the texts state.
    ///
    /// # Errors
    /// They state none, or one that is unknown.
    pub fn platform(&self) -> Result<Platform, BinaryError> {
        let error =
            |problem: String| BinaryError::new("", format!("the text in the binary: {problem}"));
        let stated = self
            .stated_platform()
            .ok_or_else(|| error("no platform is stated; give it with the kernel".into()))?;
        stated.platform().ok_or_else(|| error(format!("platform `{}` is unknown", stated.name)))
    }

    /// Returns the text of a kernel.
    pub fn text(&self, kernel: &str) -> Option<&[u8]> {
        let is_text_of = |text: &&Vec<u8>| defined_kernels(text).any(|it| it == kernel.as_bytes());
        self.texts.iter().find(is_text_of).map(Vec::as_slice)
    }

    /// Returns the texts of functions, which all kernels may call.
    pub fn functions(&self) -> impl Iterator<Item = &[u8]> {
        let is_function = |text: &&Vec<u8>| defined_kernels(text).next().is_none();
        self.texts.iter().filter(is_function).map(Vec::as_slice)
    }
}

/// Returns the machine code of the kernels and functions of a device binary, by their names, in the order of its
/// sections.
///
/// # Errors
/// The file is not a device binary, or a section is not in it.
pub fn machine_code(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, BinaryError> {
    let elf = elf::open(bytes)?;
    let mut code = Vec::new();
    for section in elf.sections() {
        let name = section.name().unwrap_or_default();
        let kernel = name.strip_prefix(".text.").unwrap_or_default();
        if !kernel.is_empty() && !kernel.starts_with(SYMBOL_TABLE_KERNEL) {
            let bytes =
                section.data().map_err(|error| BinaryError::new(name, error.to_string()))?;
            code.push((kernel.into(), bytes));
        }
    }
    Ok(code)
}

/// Returns the names of the kernels that a text defines.
fn defined_kernels(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter_map(|line| line.strip_prefix(b".kernel \"")?.strip_suffix(b"\""))
}
