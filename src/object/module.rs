//! The module: a whole file.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::body::{Body, Extra, size_u32};
use super::header::{Extent, FunctionInfo, Header, HeaderPatches, KernelInfo, container_format};
use super::layout::{Section, sort_sections};
use super::routine::{FileScopeVar, Function, FunctionDefinition, Kernel, Routine};
use crate::error::{Error, ErrorKind, PathSegment, Result, RoutineKind};
use crate::format::{Dialect, Format};
use crate::platform::{Platform, RegisterSize};
use crate::wire::{Reader, Trace, Writer};

/// A vISA object file.
///
/// ```
/// use genvisa::isa::{Mov, Ret};
/// use genvisa::object::{Align, Code, Kernel, Module};
/// use genvisa::operand::{DataType, Dst, ExecSize, Imm, Pred, Vector};
/// use genvisa::{Format, Instruction, Version};
///
/// let mut kernel = Kernel::new("answer");
/// let x = kernel.body.add_variable("x", DataType::D, 8, Align::GRF);
/// let instructions: [Instruction; 2] = [
///     Mov {
///         exec: ExecSize::S8.into(),
///         pred: Pred::NONE,
///         dst: Dst::new(x),
///         src0: Imm::d(42).into(),
///     }
///     .into(),
///     Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into(),
/// ];
/// let format = Format::igc2022(Version::V3_6);
/// kernel.body.code = Code::from_instructions(&instructions, format)?;
///
/// let mut module = Module::new(format);
/// module.kernels.push(kernel);
/// let file = module.to_bytes()?;
///
/// # #[cfg(feature = "verify")]
/// # assert_eq!(genvisa::verify::Verifier::new().check_module(&module), []);
/// let read = Module::from_bytes(&file, format.dialect)?;
/// assert_eq!(read.kernels[0].name, "answer");
/// let routine = read.routines().next().unwrap();
/// assert_eq!(routine.instructions().next().unwrap()?.1, instructions[0]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'a> {
    /// The version that the file states, and the dialect that it is read in.
    pub format: Format,
    /// The kernels.
    pub kernels: Vec<Kernel<'a>>,
    /// The variables of the file, which only old files have.
    pub file_scope_vars: Vec<FileScopeVar>,
    /// The functions, also those that are defined in other files.
    pub functions: Vec<Function<'a>>,
    /// The order of the sections in the file that was read. Sections that are missing here follow
    /// in the usual order.
    sections: Vec<Section<'a>>,
}

/// Equality ignores the order of sections and the padding.
impl PartialEq for Module<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.format == other.format
            && self.kernels == other.kernels
            && self.file_scope_vars == other.file_scope_vars
            && self.functions == other.functions
    }
}

impl Eq for Module<'_> {}

impl<'a> Module<'a> {
    /// Returns an empty module.
    pub fn new(format: Format) -> Module<'static> {
        Module {
            format,
            kernels: Vec::new(),
            file_scope_vars: Vec::new(),
            functions: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Reads a file. Tables are decoded, instructions are not; see [`Routine::instructions`].
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
        let header = Header::decode(&mut Reader::new(bytes, Format::default()))?;
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

    /// Copies the parts of the file that the module borrows, unless they are owned already.
    ///
    /// ```
    /// use genvisa::object::Module;
    /// use genvisa::{Dialect, Error};
    ///
    /// fn read(file: Vec<u8>) -> Result<Module<'static>, Error> {
    ///     Ok(Module::from_bytes(&file, Dialect::Igc2022)?.into_owned())
    /// }
    ///
    /// # let file = Module::new(genvisa::Format::default()).to_bytes()?;
    /// assert_eq!(read(file.clone())?.to_bytes()?, file);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_owned(self) -> Module<'static> {
        Module {
            format: self.format,
            kernels: self.kernels.into_iter().map(Kernel::into_owned).collect(),
            file_scope_vars: self.file_scope_vars,
            functions: self.functions.into_iter().map(Function::into_owned).collect(),
            sections: self.sections.into_iter().map(Section::into_owned).collect(),
        }
    }

    /// Returns the size of a register that is assumed because the platform is not known. Returns `None` if nothing
    /// is assumed: there is a platform, or the format is not 4.2, whose modules are for one platform.
    pub fn assumed_register_size(&self, platform: Option<Platform>) -> Option<RegisterSize> {
        let is_unknown = self.format == Format::V4_2 && platform.is_none();
        let is_efficient_64bit = || self.routines().any(|routine| routine.body.efficient_64bit);
        is_unknown.then(|| {
            if is_efficient_64bit() { RegisterSize::Bytes64 } else { RegisterSize::default() }
        })
    }

    /// Returns the kernels, then the functions that this file defines.
    pub fn routines(&self) -> impl Iterator<Item = Routine<'_, 'a>> {
        let kernels = self.kernels.iter().map(|kernel| self.kernel(kernel));
        kernels.chain(self.functions.iter().filter_map(|function| self.function(function)))
    }

    /// Returns the routine at an index of [`routines`](Self::routines), without a search if it is a kernel.
    pub fn routine(&self, index: usize) -> Option<Routine<'_, 'a>> {
        match index.checked_sub(self.kernels.len()) {
            None => self.kernels.get(index).map(|kernel| self.kernel(kernel)),
            Some(index) => {
                self.functions.iter().filter_map(|function| self.function(function)).nth(index)
            }
        }
    }

    fn kernel<'m>(&'m self, kernel: &'m Kernel<'a>) -> Routine<'m, 'a> {
        Routine {
            kind: RoutineKind::Kernel,
            name: &kernel.name,
            body: &kernel.body,
            inputs: &kernel.inputs,
            stack_sizes: None,
            linkage: None,
            variable_relocs: &kernel.variable_relocs,
            function_relocs: &kernel.function_relocs,
            module: self,
        }
    }

    fn function<'m>(&'m self, function: &'m Function<'a>) -> Option<Routine<'m, 'a>> {
        let definition = function.definition.as_ref()?;
        Some(Routine {
            kind: RoutineKind::Function,
            name: &function.name,
            body: &definition.body,
            inputs: &[],
            stack_sizes: Some((definition.input_size, definition.return_value_size)),
            linkage: Some(function.linkage),
            variable_relocs: &function.variable_relocs,
            function_relocs: &function.function_relocs,
            module: self,
        })
    }

    /// Takes the GEN binaries of each kernel from the kernel of the same name in
    /// another module. If several kernels have the same name, they are matched in order. A kernel
    /// without a match has no GEN binaries afterwards.
    ///
    /// Text contains no machine code; this method adds it to a module that was assembled.
    #[must_use]
    #[cfg(feature = "text")]
    pub fn with_gen_binaries_of(mut self, other: &Module<'a>) -> Module<'a> {
        use alloc::collections::{BTreeMap, VecDeque};

        let mut by_name: BTreeMap<&super::Name, VecDeque<&Kernel<'a>>> = BTreeMap::new();
        for kernel in &other.kernels {
            by_name.entry(&kernel.name).or_default().push_back(kernel);
        }
        for kernel in &mut self.kernels {
            let same = by_name.get_mut(&kernel.name).and_then(VecDeque::pop_front);
            kernel.gen_binaries = same.map(|same| same.gen_binaries.clone()).unwrap_or_default();
        }
        self
    }

    /// Returns the order of sections and padding; nothing if it is the usual order without padding.
    pub(crate) fn unusual_sections(&self) -> Vec<Section<'a>> {
        // Sections may have been removed since the file was read.
        let has_bytes = |section: &Section<'_>| match *section {
            Section::Function(index) => {
                self.functions.get(index).is_some_and(|function| function.definition.is_some())
            }
            Section::GenBinary { kernel, index } => {
                let binaries = self.kernels.get(kernel).map(|kernel| &kernel.gen_binaries);
                let binary = binaries.and_then(|binaries| binaries.get(index));
                binary.is_some_and(|binary| !binary.bytes.is_empty())
            }
            Section::Kernel(index) => index < self.kernels.len(),
            Section::Gap(_) => true,
        };
        let sections: Vec<_> = self.sections.iter().filter(|s| has_bytes(s)).cloned().collect();
        let usual = self.sections_in_usual_order().filter(has_bytes);
        if usual.eq(sections.iter().cloned()) { Vec::new() } else { sections }
    }

    /// Returns whether the file that was read has padding, or sections in another order than the
    /// usual one: functions, then each kernel followed by its GEN binaries.
    pub fn has_unusual_sections(&self) -> bool {
        !self.unusual_sections().is_empty()
    }

    /// Sets the order of sections and padding. Missing sections follow in the usual order.
    #[cfg(feature = "text")]
    pub(crate) fn set_sections(&mut self, sections: Vec<Section<'a>>) {
        self.sections = sections;
    }

    /// Returns the padding of the file that was read: its bytes that belong to no section.
    pub fn padding(&self) -> impl Iterator<Item = &[u8]> {
        self.sections.iter().filter_map(|section| match section {
            Section::Gap(bytes) => Some(&**bytes),
            _ => None,
        })
    }

    /// Returns mutable references to the bodies of [`routines`](Self::routines), in the same order.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body<'a>> {
        let kernels = self.kernels.iter_mut().map(|kernel| &mut kernel.body);
        let definitions = self.functions.iter_mut().filter_map(|f| f.definition.as_mut());
        kernels.chain(definitions.map(|definition| &mut definition.body))
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

    /// Returns the functions, then each kernel followed by its GEN binaries.
    fn sections_in_usual_order(&self) -> impl Iterator<Item = Section<'a>> {
        let functions = (0..self.functions.len()).map(Section::Function);
        let kernels = self.kernels.iter().enumerate().flat_map(|(kernel, k)| {
            let indices = 0..k.gen_binaries.len();
            let binaries = indices.map(move |index| Section::GenBinary { kernel, index });
            core::iter::once(Section::Kernel(kernel)).chain(binaries)
        });
        functions.chain(kernels)
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
