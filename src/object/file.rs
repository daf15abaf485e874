//! Reading and writing of files: the header, then the sections.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::body::{Body, Extra, size_u32};
use super::header::{Extent, FunctionInfo, Header, HeaderPatches, KernelInfo, container_format};
use super::layout::{Section, sort_sections};
use super::module::Module;
use super::routine::{Function, FunctionDefinition, Kernel};
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::{Dialect, Format};
use crate::wire::{Reader, Trace, Writer};

impl<'a> Module<'a> {
    /// Reads a file. Tables are decoded, instructions are not; see
    /// [`Routine::instructions`](super::Routine::instructions).
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid, or if [`to_bytes`](Self::to_bytes) would not
    /// reproduce them ([`ErrorKind::Layout`], [`ErrorKind::Overlap`]).
    pub fn from_bytes(file: &'a [u8], dialect: Dialect) -> Result<Module<'a>> {
        Module::from_bytes_traced(file, dialect, &mut ())
    }

    /// Reads the file at the start of some bytes, such as an object inside a library. Returns also the
    /// size of the file, which ends after its last section.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    pub fn from_prefix(bytes: &'a [u8], dialect: Dialect) -> Result<(Module<'a>, usize)> {
        let header = Header::decode(&mut Reader::traced(bytes, 0, Format::default(), &mut ()))?;
        let ends = header.sections(bytes)?.into_iter().map(|placed| placed.offset + placed.len);
        let size = ends.fold(header.end, usize::max);
        Ok((Module::from_bytes(&bytes[..size], dialect)?, size))
    }

    /// Reads a file, and reports every field of its header and tables to `trace`, in the order of
    /// the header: a group `header`, then a group for each kernel and each function that the file
    /// defines.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_traced<T: Trace>(
        file: &'a [u8],
        dialect: Dialect,
        trace: &mut T,
    ) -> Result<Module<'a>> {
        if T::ENABLED {
            trace.enter("header", 0);
        }
        let mut r = Reader::traced(file, 0, Format::default(), &mut *trace);
        let header = Header::decode(&mut r)?;
        if T::ENABLED {
            trace.leave(header.end, &"", header.format);
        }
        let format = Format { dialect, ..header.format };
        let container = header.format;
        // Checked before decoding: sections that do not overlap cannot decode to much more than the
        // size of the file.
        let sections = sort_sections(file, header.end, header.sections(file)?)?;
        let mut kernels = Vec::with_capacity(header.kernels.len());
        for info in header.kernels {
            let (segment, extent) = (info.path_segment(), info.extent);
            let kernel = read_traced(trace, &segment, extent, container, |trace| {
                read_kernel(file, info, container, trace)
            });
            kernels.push(kernel.map_err(|error| error.within(segment))?);
        }
        let mut functions = Vec::with_capacity(header.functions.len());
        for info in header.functions {
            let (segment, extent) = (info.path_segment(), info.extent);
            let function = if extent.size == 0 {
                read_declaration(info)
            } else {
                read_traced(trace, &segment, extent, container, |trace| {
                    read_function(file, info, container, trace)
                })
            };
            functions.push(function.map_err(|error| error.within(segment))?);
        }
        let file_scope_vars = header.file_scope_vars;
        Ok(Module { format, kernels, file_scope_vars, functions, sections })
    }

    /// Returns the bytes of the file, in [`format`](Self::format). Code is copied: it must already
    /// be in that format.
    ///
    /// The sections of a file that was read keep their order and padding; new sections follow.
    ///
    /// # Errors
    /// Returns an error if the format cannot express the module, for example if a name is too long,
    /// and [`ErrorKind::TextOnly`] if the version has no binary form.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut w = Writer::new(container_format(self.format.version));
        // Also in dialect `Manual`: no reader accepts a file of such a version.
        let version = self.format.version;
        if !version.has_binary_form() {
            return Err(w.error(ErrorKind::TextOnly { version }));
        }
        let mut patches = self.encode_header(&mut w)?;
        for section in &self.sections {
            self.encode_section(&mut w, section, &mut patches)?;
        }
        // Sections that were added since the file was read.
        let mut placed = BTreeSet::new();
        placed.extend(self.sections.iter().filter_map(Section::key));
        for section in self.sections_in_usual_order() {
            if section.key().is_none_or(|key| !placed.contains(&key)) {
                self.encode_section(&mut w, &section, &mut patches)?;
            }
        }
        for (at, value) in patches.values {
            w.patch_u32(at, value);
        }
        Ok(w.into_bytes())
    }

    /// Encodes a section, and records its offset and size for the header. Sections that have been
    /// removed from the module are skipped.
    fn encode_section(
        &self,
        w: &mut Writer,
        section: &Section<'_>,
        patches: &mut HeaderPatches,
    ) -> Result<()> {
        let start = w.len();
        match section {
            Section::Gap(bytes) => w.put(bytes),
            Section::Kernel(index) => {
                let Some(kernel) = self.kernels.get(*index) else {
                    return Ok(());
                };
                let extra = Extra::Kernel { inputs: &kernel.inputs[..] };
                let inputs_at = kernel.body.encode(w, extra);
                let inputs_at = inputs_at.map_err(|error| error.within(kernel.path_segment()))?;
                let at = patches.kernels[*index];
                patches.set_extent(w, at, start)?;
                patches.values.push((at + 8, size_u32(w, inputs_at)?));
            }
            Section::Function(index) => {
                let Some(function) = self.functions.get(*index) else {
                    return Ok(());
                };
                let Some(definition) = &function.definition else {
                    return Ok(());
                };
                let FunctionDefinition { input_size, return_value_size, ref body } = **definition;
                let extra = Extra::Function { input_size, return_value_size };
                let encoded = body.encode(w, extra);
                encoded.map_err(|error| error.within(function.path_segment()))?;
                patches.set_extent(w, patches.functions[*index], start)?;
            }
            Section::GenBinary { kernel, index } => {
                let binary = self.kernels.get(*kernel).and_then(|k| k.gen_binaries.get(*index));
                if let Some(binary) = binary.filter(|binary| !binary.bytes.is_empty()) {
                    w.put(&binary.bytes);
                    patches.set_extent(w, patches.gen_binaries[*kernel][*index], start)?;
                }
            }
        }
        Ok(())
    }
}

/// Calls `read` inside a group of the trace.
fn read_traced<V, T: Trace>(
    trace: &mut T,
    segment: &PathSegment,
    extent: Extent,
    format: Format,
    read: impl FnOnce(&mut T) -> Result<V>,
) -> Result<V> {
    if T::ENABLED {
        trace.enter(&segment.to_string(), extent.offset as usize);
    }
    let value = read(trace)?;
    if T::ENABLED {
        trace.leave(extent.end(), &"", format);
    }
    Ok(value)
}

fn read_kernel<'a, T: Trace>(
    file: &'a [u8],
    info: KernelInfo<'a>,
    format: Format,
    trace: &mut T,
) -> Result<Kernel<'a>> {
    let KernelInfo { mut kernel, extent, input_offset, gen_extents } = info;
    let mut r = Reader::traced(extent.slice(file)?, extent.offset as usize, format, trace);
    let (body, extra, inputs_at) = Body::decode(&mut r, true)?;
    if input_offset as usize != inputs_at {
        let (found, expected) = (input_offset.into(), inputs_at as u64);
        let what = "the offset of the inputs";
        // The field follows the offset and the size.
        let error = Error::new(ErrorKind::Layout { what, found, expected }, extent.at + 8);
        return Err(error.within(PathSegment::Field("input_offset")));
    }
    kernel.body = body;
    if let Extra::Kernel { inputs } = extra {
        kernel.inputs = inputs;
    }
    for (binary, extent) in kernel.gen_binaries.iter_mut().zip(gen_extents) {
        if extent.size == 0 {
            binary.offset_if_empty = extent.offset;
        } else {
            binary.bytes = Cow::Borrowed(extent.slice(file)?);
        }
    }
    Ok(kernel)
}

/// Reads a function that is defined in another file.
fn read_declaration(info: FunctionInfo<'_>) -> Result<Function<'_>> {
    let FunctionInfo { function, extent } = info;
    if extent.offset == 0 {
        return Ok(function);
    }
    let what = "the offset of a function without a definition";
    let kind = ErrorKind::Layout { what, found: extent.offset.into(), expected: 0 };
    Err(Error::new(kind, extent.at).within(PathSegment::Field("offset")))
}

fn read_function<'a, T: Trace>(
    file: &'a [u8],
    info: FunctionInfo<'a>,
    format: Format,
    trace: &mut T,
) -> Result<Function<'a>> {
    let FunctionInfo { mut function, extent } = info;
    let mut r = Reader::traced(extent.slice(file)?, extent.offset as usize, format, trace);
    let (body, extra, _) = Body::decode(&mut r, false)?;
    let mut definition = FunctionDefinition { body, ..FunctionDefinition::default() };
    if let Extra::Function { input_size, return_value_size } = extra {
        definition.input_size = input_size;
        definition.return_value_size = return_value_size;
    }
    function.definition = Some(Box::new(definition));
    Ok(function)
}
