//! The header of a file (docs/format.md, 2.1 to 2.4).
//!
//! Encoding writes zeros for offsets and sizes, which [`HeaderPatches`] replaces after the sections
//! have been written.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::body::size_u32;
use super::counted::{Entry, decode_table, encode_count, encode_table};
use super::layout::{Placed, Section};
use super::module::Module;
use super::name::Name;
use super::routine::{FileScopeVar, Function, GenBinary, Kernel, Reloc};
use super::tables::TypeAlign;
use crate::error::{Error, ErrorKind, PathSegment, Result, RoutineKind};
use crate::format::{Format, Version};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// The first bytes of a `.isa` file.
pub const MAGIC: [u8; 4] = *b"CISA";

/// The field with [`MAGIC`].
#[derive(Clone, Copy, Default)]
struct Magic;

impl core::fmt::Display for Magic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("\"CISA\"")
    }
}

impl Describe for Magic {}

impl Wire for Magic {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let (found, expected) = (r.u32()?, u32::from_le_bytes(MAGIC));
        if found == expected {
            Ok(())
        } else {
            Err(r.error_back(4, ErrorKind::BadMagic { found, expected }))
        }
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.put(&MAGIC);
        Ok(())
    }
}

/// Decodes the length of a name, and the name.
fn decode_counted_name<T: Trace>(
    r: &mut Reader<'_, T>,
    wide_len: bool,
    name: &mut Name,
) -> Result<()> {
    let start = r.offset();
    let len = if wide_len { r.u16() } else { r.u8().map(u16::from) };
    let bytes = len.and_then(|len| r.bytes(len.into()));
    *name = bytes.map_err(|error| error.within(PathSegment::Field("name")))?.into();
    let end = r.offset();
    r.part("name", start, end, name);
    Ok(())
}

fn encode_counted_name(w: &mut Writer, wide_len: bool, name: &Name) -> Result<()> {
    if wide_len {
        encode_count::<u16>(w, "name", name.len())?;
    } else {
        encode_count::<u8>(w, "name", name.len())?;
    }
    w.put(name.as_bytes());
    Ok(())
}

/// Returns the format of everything except instructions. It depends on the version only: the
/// dialects do not differ.
pub(super) fn container_format(version: Version) -> Format {
    Format::igc2022(version)
}

/// Returns whether the length of a routine's name has two bytes (since 3.7) rather than one. That
/// of a file-scope variable's name always has two.
fn has_wide_name_length(format: Format) -> bool {
    format.since(Version::V3_7)
}

impl Wire for Reloc {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("symbolic_index", &mut self.symbolic_index)?;
        r.field("resolved_index", &mut self.resolved_index)
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u16(self.symbolic_index);
        w.u16(self.resolved_index);
        Ok(())
    }
}

impl Entry for Reloc {
    const LEAST: usize = 4;
}

/// Decodes the relocations of a routine: of variables of the file, then of functions.
fn decode_relocs<T: Trace>(r: &mut Reader<'_, T>) -> Result<(Vec<Reloc>, Vec<Reloc>)> {
    let variables = decode_table::<u16, _, T>(r, "num_syms_variable", "variable reloc")?;
    Ok((variables, decode_table::<u16, _, T>(r, "num_syms_function", "function reloc")?))
}

fn encode_relocs(w: &mut Writer, variables: &[Reloc], functions: &[Reloc]) -> Result<()> {
    encode_table::<u16, _>(w, "num_syms_variable", "variable reloc", variables)?;
    encode_table::<u16, _>(w, "num_syms_function", "function reloc", functions)
}

impl Wire for FileScopeVar {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("linkage", &mut self.linkage)?;
        decode_counted_name(r, true, &mut self.name)?;
        let mut properties = TypeAlign::default();
        r.field("type", &mut properties)?;
        (self.ty, self.align) = (properties.0, properties.1);
        r.field("num_elements", &mut self.num_elements)?;
        self.attributes = decode_table::<u8, _, T>(r, "attribute_count", "attribute")?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("linkage", &self.linkage)?;
        encode_counted_name(w, true, &self.name)?;
        w.field("type", &TypeAlign(self.ty, self.align))?;
        w.field("num_elements", &self.num_elements)?;
        encode_table::<u8, _>(w, "attribute_count", "attribute", &self.attributes)
    }
}

impl Entry for FileScopeVar {
    const LEAST: usize = 7;
}

/// The offset and size of a section, as the header states them.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    /// The offset of these two fields in the header.
    pub(super) at: usize,
    pub(super) offset: u32,
    pub(super) size: u32,
}

impl Extent {
    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Extent> {
        let mut extent = Extent { at: r.offset(), ..Extent::default() };
        r.field("offset", &mut extent.offset)?;
        r.field("size", &mut extent.size)?;
        Ok(extent)
    }

    /// Returns the offset of the end of the section.
    pub(super) fn end(&self) -> usize {
        (self.offset as usize).saturating_add(self.size as usize)
    }

    /// Returns the bytes of the section.
    pub(super) fn slice<'a>(&self, file: &'a [u8]) -> Result<&'a [u8]> {
        let end = u64::from(self.offset) + u64::from(self.size);
        match end.checked_sub(file.len() as u64) {
            None | Some(0) => Ok(&file[self.offset as usize..end as usize]),
            // An empty section may be after the end, too.
            Some(needed) => {
                let needed = needed as usize;
                Err(Error::new(ErrorKind::UnexpectedEof { needed }, file.len()))
            }
        }
    }

    /// Returns a section with this offset and size.
    pub(super) fn placed<'a>(&self, section: Section<'a>) -> Placed<'a> {
        Placed { offset: self.offset as usize, len: self.size as usize, section }
    }
}

/// The entry of a kernel in the header.
pub(super) struct KernelInfo<'a> {
    pub(super) kernel: Kernel<'a>,
    pub(super) extent: Extent,
    pub(super) input_offset: u32,
    pub(super) gen_extents: Vec<Extent>,
}

impl KernelInfo<'_> {
    /// The least size in bytes.
    const LEAST: usize = 18;

    /// Returns the segment for paths of errors in the kernel.
    pub(super) fn path_segment(&self) -> PathSegment {
        PathSegment::Routine { kind: RoutineKind::Kernel, name: self.kernel.name.to_string() }
    }

    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut kernel = Kernel::default();
        let wide = has_wide_name_length(r.format());
        decode_counted_name(r, wide, &mut kernel.name)?;
        let extent = Extent::decode(r)?;
        let mut input_offset = 0u32;
        r.field("input_offset", &mut input_offset)?;
        (kernel.variable_relocs, kernel.function_relocs) = decode_relocs(r)?;
        let mut count = 0u8;
        r.field("num_gen_binaries", &mut count)?;
        let mut gen_extents = Vec::new();
        for index in 0..usize::from(count) {
            let info = |r: &mut Reader<'_, T>| {
                let mut platform = 0u8;
                r.field("platform", &mut platform)?;
                Ok((platform, Extent::decode(r)?))
            };
            let (platform, extent) = r.entry("gen binary", index, info, |_| String::new())?;
            kernel.gen_binaries.push(GenBinary::new(platform, Vec::new()));
            gen_extents.push(extent);
        }
        Ok(KernelInfo { kernel, extent, input_offset, gen_extents })
    }
}

/// The entry of a function in the header.
pub(super) struct FunctionInfo<'a> {
    pub(super) function: Function<'a>,
    pub(super) extent: Extent,
}

impl FunctionInfo<'_> {
    /// The least size in bytes.
    const LEAST: usize = 14;

    /// Returns the segment for paths of errors in the function.
    pub(super) fn path_segment(&self) -> PathSegment {
        PathSegment::Routine { kind: RoutineKind::Function, name: self.function.name.to_string() }
    }

    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut function = Function::default();
        r.field("linkage", &mut function.linkage)?;
        let wide = has_wide_name_length(r.format());
        decode_counted_name(r, wide, &mut function.name)?;
        let extent = Extent::decode(r)?;
        (function.variable_relocs, function.function_relocs) = decode_relocs(r)?;
        Ok(FunctionInfo { function, extent })
    }
}

/// The header: everything before the sections.
pub(super) struct Header<'a> {
    pub(super) format: Format,
    pub(super) kernels: Vec<KernelInfo<'a>>,
    pub(super) file_scope_vars: Vec<FileScopeVar>,
    pub(super) functions: Vec<FunctionInfo<'a>>,
    pub(super) end: usize,
}

impl Header<'_> {
    pub(super) fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        r.field("magic", &mut Magic)?;
        let (mut major, mut minor) = (0u8, 0u8);
        r.field("major_version", &mut major)?;
        r.field("minor_version", &mut minor)?;
        let version =
            Version::new(major, minor).ok_or(ErrorKind::UnsupportedVersion { major, minor });
        let format = version.map(container_format).and_then(ErrorKind::check_binary);
        let format = format.map_err(|kind| r.error_back(2, kind))?;
        r.set_format(format);
        let kernels = decode_infos(r, "num_kernels", "kernel info", KernelInfo::LEAST, |r| {
            KernelInfo::decode(r)
        })?;
        let file_scope_vars =
            decode_table::<u16, _, T>(r, "num_filescope_vars", FileScopeVar::TABLE)?;
        let functions =
            decode_infos(r, "num_functions", "function info", FunctionInfo::LEAST, |r| {
                FunctionInfo::decode(r)
            })?;
        Ok(Header { format, kernels, file_scope_vars, functions, end: r.offset() })
    }

    /// Returns the sections with their offsets and sizes.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if a section extends past the end of the file.
    pub(super) fn sections<'f>(&self, file: &'f [u8]) -> Result<Vec<Placed<'f>>> {
        let mut placed = Vec::new();
        for (index, info) in self.kernels.iter().enumerate() {
            let within = |error: Error| error.within(info.path_segment());
            info.extent.slice(file).map_err(within)?;
            placed.push(info.extent.placed(Section::Kernel(index)));
            for (i, extent) in info.gen_extents.iter().enumerate().filter(|(_, e)| e.size > 0) {
                let entry = PathSegment::Entry { table: "gen binary", index: i };
                extent.slice(file).map_err(|error| within(error.within(entry)))?;
                placed.push(extent.placed(Section::GenBinary { kernel: index, index: i }));
            }
        }
        for (index, info) in self.functions.iter().enumerate().filter(|(_, f)| f.extent.size > 0) {
            info.extent.slice(file).map_err(|error| error.within(info.path_segment()))?;
            placed.push(info.extent.placed(Section::Function(index)));
        }
        Ok(placed)
    }
}

fn decode_infos<V, T: Trace>(
    r: &mut Reader<'_, T>,
    counter: &'static str,
    table: &'static str,
    least: usize,
    mut decode: impl FnMut(&mut Reader<'_, T>) -> Result<V>,
) -> Result<Vec<V>> {
    let mut count = 0u16;
    r.field(counter, &mut count)?;
    r.check_count(count.into(), 2, least)
        .map_err(|error| error.within(PathSegment::Field(counter)))?;
    (0..usize::from(count))
        .map(|index| r.entry(table, index, &mut decode, |_| String::new()))
        .collect()
}

impl Module<'_> {
    /// Encodes the header, with zeros for offsets and sizes.
    pub(super) fn encode_header(&self, w: &mut Writer) -> Result<HeaderPatches> {
        let mut patches = HeaderPatches::default();
        Magic.encode(w)?;
        w.u8(self.format.version.major());
        w.u8(self.format.version.minor());
        let wide = has_wide_name_length(w.format());
        encode_count::<u16>(w, "num_kernels", self.kernels.len())?;
        for kernel in &self.kernels {
            let within = |error: Error| error.within(kernel.path_segment());
            encode_counted_name(w, wide, &kernel.name).map_err(within)?;
            patches.kernels.push(w.len());
            w.put(&[0; 12]);
            encode_relocs(w, &kernel.variable_relocs, &kernel.function_relocs).map_err(within)?;
            let count = kernel.gen_binaries.len();
            encode_count::<u8>(w, "num_gen_binaries", count).map_err(within)?;
            let mut binaries = Vec::new();
            for binary in &kernel.gen_binaries {
                w.u8(binary.platform);
                binaries.push(w.len());
                let empty = binary.bytes.is_empty();
                w.u32(if empty { binary.offset_if_empty } else { 0 });
                w.u32(0);
            }
            patches.gen_binaries.push(binaries);
        }
        let variables = &self.file_scope_vars;
        encode_table::<u16, _>(w, "num_filescope_vars", FileScopeVar::TABLE, variables)?;
        encode_count::<u16>(w, "num_functions", self.functions.len())?;
        for function in &self.functions {
            let within = |error: Error| error.within(function.path_segment());
            w.field("linkage", &function.linkage).map_err(within)?;
            encode_counted_name(w, wide, &function.name).map_err(within)?;
            patches.functions.push(w.len());
            w.put(&[0; 8]);
            encode_relocs(w, &function.variable_relocs, &function.function_relocs)
                .map_err(within)?;
        }
        Ok(patches)
    }
}

/// The positions of offsets and sizes in an encoded header, and the values to write there.
#[derive(Default)]
pub(super) struct HeaderPatches {
    /// The position of the offset of each kernel. Its size and the offset of its inputs follow.
    pub(super) kernels: Vec<usize>,
    /// The position of the offset of each GEN binary of each kernel. Its size follows.
    pub(super) gen_binaries: Vec<Vec<usize>>,
    /// The position of the offset of each function. Its size follows.
    pub(super) functions: Vec<usize>,
    /// The positions and values to write.
    pub(super) values: Vec<(usize, u32)>,
}

impl HeaderPatches {
    /// Sets the offset and size at `at` of the bytes written since `start`.
    pub(super) fn set_extent(&mut self, w: &Writer, at: usize, start: usize) -> Result<()> {
        self.values.push((at, size_u32(w, start)?));
        self.values.push((at + 4, size_u32(w, w.len() - start)?));
        Ok(())
    }
}
