//! The file: its header, and the sections that it points to (format-facts 2.1 to 2.4).

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::attribute::{Attribute, decode_attributes, encode_attributes};
use super::body::{Body, Extra, size_u32};
use super::layout::{Placed, Section, in_order};
use super::name::Name;
use super::tables::{Align, Entry, Input, TypeAlign, decode_table, encode_count, encode_table};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::format::{Dialect, Format, Version};
use crate::isa::Instruction;
use crate::operand::{DataType, code};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A vISA object file.
///
/// ```
/// use genvisa::isa::{Mov, Ret};
/// use genvisa::object::{Align, Code, Kernel, Module};
/// use genvisa::operand::{DataType, Dst, ExecSize, Imm, Pred, Vector};
/// use genvisa::{Format, Instruction, Version};
///
/// let mut kernel = Kernel::new("answer");
/// let x = kernel.body.variable("x", DataType::D, 8, Align::GRF);
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
/// let read = Module::parse(&file, format.dialect)?;
/// assert_eq!(read.kernels[0].name, "answer");
/// let routine = read.routines().next().unwrap();
/// assert_eq!(routine.instructions().next().unwrap()?.1, instructions[0]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module<'a> {
    /// The version that the file states, and the dialect that it is read in.
    pub format: Format,
    /// Kernels.
    pub kernels: Vec<Kernel<'a>>,
    /// Variables of the file, which only old files have.
    pub file_scope_vars: Vec<FileScopeVar>,
    /// Functions.
    pub functions: Vec<Function<'a>>,
    /// The order of the sections in the file that was read; of those in a new one, nothing is said.
    sections: Vec<Section<'a>>,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel<'a> {
    /// The name in the file's header.
    pub name: Name,
    /// References to variables of the file.
    pub variable_relocs: Vec<Reloc>,
    /// References to functions of the file.
    pub function_relocs: Vec<Reloc>,
    /// Machine code for particular platforms.
    pub gen_binaries: Vec<GenBinary<'a>>,
    /// What is set when the kernel starts.
    pub inputs: Vec<Input>,
    /// Tables and code.
    pub body: Body<'a>,
}

impl Kernel<'_> {
    /// An empty kernel.
    pub fn new(name: &str) -> Kernel<'static> {
        Kernel { name: name.into(), body: Body::new(name), ..Kernel::default() }
    }
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function<'a> {
    /// Who sees it.
    pub linkage: Linkage,
    /// The name in the file's header.
    pub name: Name,
    /// References to variables of the file.
    pub variable_relocs: Vec<Reloc>,
    /// References to functions of the file.
    pub function_relocs: Vec<Reloc>,
    /// Its definition; `None` for one that stands in another file, which has neither offset nor
    /// size.
    pub definition: Option<FunctionDefinition<'a>>,
}

impl Function<'_> {
    /// A function that is yet empty.
    pub fn new(name: &str) -> Function<'static> {
        let body = Body::new(name);
        let definition = Some(FunctionDefinition { body, ..FunctionDefinition::default() });
        Function { name: name.into(), definition, ..Function::default() }
    }
}

/// What a function does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDefinition<'a> {
    /// The size of its arguments, in registers.
    pub input_size: u8,
    /// The size of its result, in registers.
    pub return_value_size: u8,
    /// Tables and code.
    pub body: Body<'a>,
}

/// A kernel or a function, for those who treat both alike.
#[derive(Clone, Copy, Debug)]
pub struct Routine<'m, 'a> {
    /// `kernel` or `function`.
    pub kind: &'static str,
    /// The name in the file's header.
    pub name: &'m Name,
    /// Tables and code.
    pub body: &'m Body<'a>,
    format: Format,
}

impl<'m> Routine<'m, '_> {
    /// Where errors inside this routine happen.
    pub fn place(&self) -> Place {
        Place::Routine { kind: self.kind, name: self.name.to_string() }
    }

    /// The instructions with their offsets in the file. An error names the routine and is the last
    /// item.
    pub fn instructions(&self) -> impl Iterator<Item = Result<(usize, Instruction)>> + use<'m, '_> {
        let routine = *self;
        let instructions = routine.body.code.instructions(self.format);
        instructions.map(move |item| item.map_err(|error| error.within(routine.place())))
    }
}

/// A reference to a variable or function of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reloc {
    /// The index that the routine uses.
    pub symbolic_index: u16,
    /// The index in the file's table.
    pub resolved_index: u16,
}

/// Machine code of a kernel: opaque bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenBinary<'a> {
    /// The platform: 3 BDW, 5 SKL, 6 BXT, 10 ICLLP, 12 TGLLP, and others that the documents do not
    /// list.
    pub platform: u8,
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
    /// Of an empty binary the file still gives an offset, which nothing else tells.
    offset_if_empty: u32,
}

impl<'a> GenBinary<'a> {
    /// Machine code for a platform.
    pub fn new(platform: u8, bytes: impl Into<Cow<'a, [u8]>>) -> GenBinary<'a> {
        GenBinary { platform, bytes: bytes.into(), offset_if_empty: 0 }
    }
}

code! {
    /// Who sees a function or a variable of the file.
    pub struct Linkage(max 255) {
        /// It stands in another file.
        EXTERN = 0 "extern",
        /// This file.
        STATIC = 1 "static",
        /// All files.
        GLOBAL = 2 "global",
    }
}

/// A variable of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileScopeVar {
    /// Who sees it.
    pub linkage: Linkage,
    /// Its name.
    pub name: Name,
    /// The type of its elements.
    pub ty: DataType,
    /// Its alignment.
    pub align: Align,
    /// How many elements it has.
    pub num_elements: u16,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// The first four bytes, "CISA".
#[derive(Clone, Copy, Default)]
struct Magic;

impl Magic {
    const BYTES: [u8; 4] = *b"CISA";
}

impl core::fmt::Display for Magic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("\"CISA\"")
    }
}

impl Describe for Magic {}

impl Wire for Magic {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let (found, expected) = (r.u32()?, u32::from_le_bytes(Self::BYTES));
        if found == expected {
            Ok(())
        } else {
            Err(r.error_back(4, ErrorKind::BadMagic { found, expected }))
        }
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.put(&Self::BYTES);
        Ok(())
    }
}

/// A name behind its length.
fn decode_counted_name<T: Trace>(
    r: &mut Reader<'_, T>,
    wide_len: bool,
    name: &mut Name,
) -> Result<()> {
    let start = r.offset();
    let len = if wide_len { r.u16() } else { r.u8().map(u16::from) };
    let bytes = len.and_then(|len| r.bytes(len.into()));
    *name = bytes.map_err(|error| error.within(Place::Field("name")))?.into();
    let end = r.offset();
    r.part("name", start, end, name);
    Ok(())
}

fn encode_counted_name(w: &mut Writer, wide_len: bool, name: &Name) -> Result<()> {
    let counted = if wide_len {
        encode_count::<u16>(w, name.len())
    } else {
        encode_count::<u8>(w, name.len())
    };
    counted.map_err(|error| error.within(Place::Field("name")))?;
    w.put(name.as_bytes());
    Ok(())
}

/// The container depends on the version alone: no dialect changes it, and the manual's five pages do
/// not speak of it.
fn container_format(version: Version) -> Format {
    Format::igc2022(version)
}

/// From 3.7 on, the length of a routine's name takes two bytes rather than one. The names of the
/// file's variables always have two.
fn wide_names(format: Format) -> bool {
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

fn decode_relocs<T: Trace>(
    r: &mut Reader<'_, T>,
    counter: &'static str,
    table: &'static str,
) -> Result<Vec<Reloc>> {
    let mut count = 0u16;
    r.field(counter, &mut count)?;
    decode_table(r, table, count.into())
}

fn encode_relocs(w: &mut Writer, table: &'static str, relocs: &[Reloc]) -> Result<()> {
    encode_count::<u16>(w, relocs.len()).map_err(|error| error.within(Place::Field(table)))?;
    encode_table(w, table, relocs)
}

impl Wire for FileScopeVar {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("linkage", &mut self.linkage)?;
        decode_counted_name(r, true, &mut self.name)?;
        let mut properties = TypeAlign::default();
        r.field("type", &mut properties)?;
        (self.ty, self.align) = (properties.0, properties.1);
        r.field("num_elements", &mut self.num_elements)?;
        decode_attributes(r, &mut self.attributes)
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("linkage", &self.linkage)?;
        encode_counted_name(w, true, &self.name)?;
        w.field("type", &TypeAlign(self.ty, self.align))?;
        w.field("num_elements", &self.num_elements)?;
        encode_attributes(w, &self.attributes)
    }
}

impl Entry for FileScopeVar {
    const LEAST: usize = 7;
}

/// A place in the file, as the header gives it.
#[derive(Clone, Copy, Default)]
struct Extent {
    offset: u32,
    size: u32,
}

impl Extent {
    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Extent> {
        let mut extent = Extent::default();
        r.field("offset", &mut extent.offset)?;
        r.field("size", &mut extent.size)?;
        Ok(extent)
    }

    /// The bytes there.
    fn slice<'a>(&self, file: &'a [u8]) -> Result<&'a [u8]> {
        let rest = file.get(self.offset as usize..).unwrap_or_default();
        rest.get(..self.size as usize).ok_or_else(|| {
            let end = u64::from(self.offset) + u64::from(self.size);
            let needed = (end - file.len() as u64) as usize;
            Error::new(ErrorKind::UnexpectedEof { needed }, file.len())
        })
    }

    fn place<'a>(&self, section: Section<'a>) -> Placed<'a> {
        Placed { offset: self.offset as usize, len: self.size as usize, section }
    }
}

/// The header's words on a kernel.
struct KernelInfo<'a> {
    kernel: Kernel<'a>,
    extent: Extent,
    input_offset: u32,
    gen_extents: Vec<Extent>,
}

impl KernelInfo<'_> {
    /// The fewest bytes it takes.
    const LEAST: usize = 18;

    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut kernel = Kernel::default();
        let wide = wide_names(r.format());
        decode_counted_name(r, wide, &mut kernel.name)?;
        let extent = Extent::decode(r)?;
        let mut input_offset = 0u32;
        r.field("input_offset", &mut input_offset)?;
        kernel.variable_relocs = decode_relocs(r, "num_syms_variable", "variable reloc")?;
        kernel.function_relocs = decode_relocs(r, "num_syms_function", "function reloc")?;
        let mut count = 0u8;
        r.field("num_gen_binaries", &mut count)?;
        let mut gen_extents = Vec::new();
        for index in 0..usize::from(count) {
            let (platform, extent) = r.entry("gen binary", index, |r| {
                let mut platform = 0u8;
                r.field("platform", &mut platform)?;
                Ok((platform, Extent::decode(r)?))
            })?;
            kernel.gen_binaries.push(GenBinary::new(platform, Vec::new()));
            gen_extents.push(extent);
        }
        Ok(KernelInfo { kernel, extent, input_offset, gen_extents })
    }
}

/// The header's words on a function.
struct FunctionInfo<'a> {
    function: Function<'a>,
    extent: Extent,
}

impl FunctionInfo<'_> {
    /// The fewest bytes it takes.
    const LEAST: usize = 14;

    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut function = Function::default();
        r.field("linkage", &mut function.linkage)?;
        let wide = wide_names(r.format());
        decode_counted_name(r, wide, &mut function.name)?;
        let extent = Extent::decode(r)?;
        function.variable_relocs = decode_relocs(r, "num_syms_variable", "variable reloc")?;
        function.function_relocs = decode_relocs(r, "num_syms_function", "function reloc")?;
        Ok(FunctionInfo { function, extent })
    }
}

/// Everything before the sections.
struct Header<'a> {
    format: Format,
    kernels: Vec<KernelInfo<'a>>,
    file_scope_vars: Vec<FileScopeVar>,
    functions: Vec<FunctionInfo<'a>>,
    end: usize,
}

impl Header<'_> {
    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        r.field("magic", &mut Magic)?;
        let (mut major, mut minor) = (0u8, 0u8);
        r.field("major_version", &mut major)?;
        r.field("minor_version", &mut minor)?;
        let version = Version::new(major, minor).map_err(|kind| r.error_back(2, kind))?;
        let format = container_format(version);
        r.set_format(format);
        let kernels =
            infos(r, "num_kernels", "kernel info", KernelInfo::LEAST, |r| KernelInfo::decode(r))?;
        let mut count = 0u16;
        r.field("num_filescope_vars", &mut count)?;
        let file_scope_vars = decode_table(r, "file-scope variable", count.into())?;
        let functions = infos(r, "num_functions", "function info", FunctionInfo::LEAST, |r| {
            FunctionInfo::decode(r)
        })?;
        Ok(Header { format, kernels, file_scope_vars, functions, end: r.offset() })
    }
}

fn infos<V, T: Trace>(
    r: &mut Reader<'_, T>,
    counter: &'static str,
    table: &'static str,
    least: usize,
    mut decode: impl FnMut(&mut Reader<'_, T>) -> Result<V>,
) -> Result<Vec<V>> {
    let mut count = 0u16;
    r.field(counter, &mut count)?;
    let count =
        r.check_count(count.into(), least).map_err(|error| error.within(Place::Field(counter)))?;
    (0..count).map(|index| r.entry(table, index, &mut decode)).collect()
}

impl<'a> Module<'a> {
    /// An empty module.
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
    /// Whatever the bytes do not say legally, and any layout that [`to_bytes`](Self::to_bytes)
    /// would not reproduce.
    pub fn parse(file: &'a [u8], dialect: Dialect) -> Result<Module<'a>> {
        Module::parse_traced(file, dialect, &mut ())
    }

    /// Reads a file and tells `trace` about every field of its header and tables.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_traced<T: Trace>(
        file: &'a [u8],
        dialect: Dialect,
        trace: &mut T,
    ) -> Result<Module<'a>> {
        let mut r = Reader::traced(file, 0, Format::default(), &mut *trace);
        let header = Header::decode(&mut r)?;
        let format = Format { dialect, ..header.format };
        let container = header.format;
        let mut placed = Vec::new();
        let mut kernels = Vec::with_capacity(header.kernels.len());
        for (index, info) in header.kernels.into_iter().enumerate() {
            let place = Place::Routine { kind: "kernel", name: info.kernel.name.to_string() };
            placed.push(info.extent.place(Section::Kernel(index)));
            for (i, extent) in info.gen_extents.iter().enumerate().filter(|(_, e)| e.size > 0) {
                placed.push(extent.place(Section::GenBinary { kernel: index, index: i }));
            }
            let kernel = read_kernel(file, info, container, trace);
            kernels.push(kernel.map_err(|error| error.within(place))?);
        }
        let mut functions = Vec::with_capacity(header.functions.len());
        for (index, info) in header.functions.into_iter().enumerate() {
            let place = Place::Routine { kind: "function", name: info.function.name.to_string() };
            if info.extent.size > 0 {
                placed.push(info.extent.place(Section::Function(index)));
            }
            let function = read_function(file, info, container, trace);
            functions.push(function.map_err(|error| error.within(place))?);
        }
        let sections = in_order(file, header.end, placed)?;
        let file_scope_vars = header.file_scope_vars;
        Ok(Module { format, kernels, file_scope_vars, functions, sections })
    }

    /// The kernels, then the functions that this file defines.
    pub fn routines(&self) -> impl Iterator<Item = Routine<'_, 'a>> {
        let format = self.format;
        let kernels = self.kernels.iter().map(move |kernel| Routine {
            kind: "kernel",
            name: &kernel.name,
            body: &kernel.body,
            format,
        });
        let functions = self.functions.iter().filter_map(move |function| {
            let definition = function.definition.as_ref()?;
            Some(Routine { kind: "function", name: &function.name, body: &definition.body, format })
        });
        kernels.chain(functions)
    }

    /// The file's bytes, in [`format`](Self::format). Code is written as it is: it must be in that
    /// format.
    ///
    /// The sections of a file that was read keep their order and padding; new ones follow.
    ///
    /// # Errors
    /// What the module says and the format cannot, such as a name that is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut w = Writer::new(container_format(self.format.version));
        let mut places = self.encode_header(&mut w)?;
        let mut missing: Vec<Section<'_>> = Vec::new();
        missing.extend((0..self.functions.len()).map(Section::Function));
        for (kernel, k) in self.kernels.iter().enumerate() {
            missing.push(Section::Kernel(kernel));
            let indices = 0..k.gen_binaries.len();
            missing.extend(indices.map(|index| Section::GenBinary { kernel, index }));
        }
        missing.retain(|section| !self.sections.contains(section));
        for section in self.sections.iter().chain(&missing) {
            self.encode_section(&mut w, section, &mut places)?;
        }
        for (at, value) in places.patches {
            w.patch_u32(at, value);
        }
        Ok(w.into_bytes())
    }

    fn encode_header(&self, w: &mut Writer) -> Result<Places> {
        let mut places = Places::default();
        Magic.encode(w)?;
        w.u8(self.format.version.major());
        w.u8(self.format.version.minor());
        let wide = wide_names(w.format());
        encode_count::<u16>(w, self.kernels.len())
            .map_err(|error| error.within(Place::Field("num_kernels")))?;
        for kernel in &self.kernels {
            encode_counted_name(w, wide, &kernel.name)?;
            places.kernels.push(w.len());
            w.put(&[0; 12]);
            encode_relocs(w, "variable reloc", &kernel.variable_relocs)?;
            encode_relocs(w, "function reloc", &kernel.function_relocs)?;
            encode_count::<u8>(w, kernel.gen_binaries.len())
                .map_err(|error| error.within(Place::Field("num_gen_binaries")))?;
            let mut binaries = Vec::new();
            for binary in &kernel.gen_binaries {
                w.u8(binary.platform);
                binaries.push(w.len());
                let empty = binary.bytes.is_empty();
                w.u32(if empty { binary.offset_if_empty } else { 0 });
                w.u32(0);
            }
            places.gen_binaries.push(binaries);
        }
        encode_count::<u16>(w, self.file_scope_vars.len())
            .map_err(|error| error.within(Place::Field("num_filescope_vars")))?;
        encode_table(w, "file-scope variable", &self.file_scope_vars)?;
        encode_count::<u16>(w, self.functions.len())
            .map_err(|error| error.within(Place::Field("num_functions")))?;
        for function in &self.functions {
            w.field("linkage", &function.linkage)?;
            encode_counted_name(w, wide, &function.name)?;
            places.functions.push(w.len());
            w.put(&[0; 8]);
            encode_relocs(w, "variable reloc", &function.variable_relocs)?;
            encode_relocs(w, "function reloc", &function.function_relocs)?;
        }
        Ok(places)
    }

    /// Encodes a section, and notes what the header must say of it. Sections that are no longer in
    /// the module are left out.
    fn encode_section(
        &self,
        w: &mut Writer,
        section: &Section<'_>,
        places: &mut Places,
    ) -> Result<()> {
        let start = w.len();
        match section {
            Section::Gap(bytes) => w.put(bytes),
            Section::Kernel(index) => {
                let Some(kernel) = self.kernels.get(*index) else {
                    return Ok(());
                };
                let extra = Extra::Kernel { inputs: kernel.inputs.clone() };
                let name = || Place::Routine { kind: "kernel", name: kernel.name.to_string() };
                let positions =
                    kernel.body.encode(w, &extra).map_err(|error| error.within(name()))?;
                let at = places.kernels[*index];
                places.extent(w, at, start)?;
                places.patches.push((at + 8, size_u32(w, positions.inputs)?));
            }
            Section::Function(index) => {
                let Some(function) = self.functions.get(*index) else {
                    return Ok(());
                };
                let Some(definition) = &function.definition else {
                    return Ok(());
                };
                let FunctionDefinition { input_size, return_value_size, ref body } = *definition;
                let extra = Extra::Function { input_size, return_value_size };
                let name = || Place::Routine { kind: "function", name: function.name.to_string() };
                body.encode(w, &extra).map_err(|error| error.within(name()))?;
                places.extent(w, places.functions[*index], start)?;
            }
            Section::GenBinary { kernel, index } => {
                let binary = self.kernels.get(*kernel).and_then(|k| k.gen_binaries.get(*index));
                if let Some(binary) = binary.filter(|binary| !binary.bytes.is_empty()) {
                    w.put(&binary.bytes);
                    places.extent(w, places.gen_binaries[*kernel][*index], start)?;
                }
            }
        }
        Ok(())
    }
}

/// Where the header's offsets and sizes stand, and what they must become.
#[derive(Default)]
struct Places {
    kernels: Vec<usize>,
    gen_binaries: Vec<Vec<usize>>,
    functions: Vec<usize>,
    patches: Vec<(usize, u32)>,
}

impl Places {
    /// Notes offset and size of what was written from `start` on.
    fn extent(&mut self, w: &Writer, at: usize, start: usize) -> Result<()> {
        self.patches.push((at, size_u32(w, start)?));
        self.patches.push((at + 4, size_u32(w, w.len() - start)?));
        Ok(())
    }
}

fn read_kernel<'a, T: Trace>(
    file: &'a [u8],
    info: KernelInfo<'a>,
    format: Format,
    trace: &mut T,
) -> Result<Kernel<'a>> {
    let KernelInfo { mut kernel, extent, input_offset, gen_extents } = info;
    let bytes = extent.slice(file)?;
    let mut r = Reader::traced(bytes, extent.offset as usize, format, trace);
    let (body, extra, positions) = Body::decode(&mut r, true)?;
    if input_offset as usize != positions.inputs {
        let (found, expected) = (input_offset.into(), positions.inputs as u64);
        let what = "the offset of the inputs";
        return Err(r.error(ErrorKind::Layout { what, found, expected }));
    }
    kernel.body = body;
    if let Extra::Kernel { inputs } = extra {
        kernel.inputs = inputs;
    }
    for (index, (binary, extent)) in kernel.gen_binaries.iter_mut().zip(gen_extents).enumerate() {
        if extent.size == 0 {
            binary.offset_if_empty = extent.offset;
            continue;
        }
        let place = Place::Entry { table: "gen binary", index };
        let bytes = extent.slice(file).map_err(|error| error.within(place))?;
        binary.bytes = Cow::Borrowed(bytes);
    }
    Ok(kernel)
}

fn read_function<'a, T: Trace>(
    file: &'a [u8],
    info: FunctionInfo<'a>,
    format: Format,
    trace: &mut T,
) -> Result<Function<'a>> {
    let FunctionInfo { mut function, extent } = info;
    if extent.size == 0 {
        if extent.offset != 0 {
            let what = "the offset of a function without a definition";
            let kind = ErrorKind::Layout { what, found: extent.offset.into(), expected: 0 };
            return Err(Error::new(kind, 0));
        }
        return Ok(function);
    }
    let bytes = extent.slice(file)?;
    let mut r = Reader::traced(bytes, extent.offset as usize, format, trace);
    let (body, extra, _) = Body::decode(&mut r, false)?;
    let mut definition = FunctionDefinition { body, ..FunctionDefinition::default() };
    if let Extra::Function { input_size, return_value_size } = extra {
        definition.input_size = input_size;
        definition.return_value_size = return_value_size;
    }
    function.definition = Some(definition);
    Ok(function)
}
