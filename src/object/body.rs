//! The body of a kernel or function: tables, attributes, code (format-facts 2.5).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::attribute::Attribute;
use super::name::Name;
use super::tables::{
    Align, Entry, Input, LabelInfo, LabelKind, SimpleVariable, Variable, decode_table, encode_table,
};
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::{Format, Version};
use crate::isa::{Boundaries, Instruction, Instructions};
use crate::operand::{AddrId, DataType, LabelId, PredId, SamplerId, StringId, SurfaceId, VarId};
use crate::wire::{Reader, Trace, Wire, Writer};

/// What kernels and functions have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body<'a> {
    /// The string pool. Its first string should be empty, but files exist where it is the name.
    pub strings: Vec<Name>,
    /// The routine's own name, in the pool.
    pub name: StringId,
    /// General variables; the first has the id 32.
    pub variables: Vec<Variable>,
    /// Address variables; the first has the id 0.
    pub addresses: Vec<SimpleVariable>,
    /// Predicates; the first has the id 1.
    pub predicates: Vec<SimpleVariable>,
    /// Labels; the first has the id 0.
    pub labels: Vec<LabelInfo>,
    /// Samplers; the first has the id 0.
    pub samplers: Vec<SimpleVariable>,
    /// Surfaces; the first has the id 6.
    pub surfaces: Vec<SimpleVariable>,
    /// Attributes of the routine.
    pub attributes: Vec<Attribute>,
    /// The instructions.
    pub code: Code<'a>,
}

/// The instruction area of a routine. Equality is of what it holds, not of where it lay.
#[derive(Clone, Debug)]
pub enum Code<'a> {
    /// The bytes of the instructions.
    Present {
        /// The bytes, in the module's format.
        bytes: Cow<'a, [u8]>,
        /// Where they lay in the file that they were read from.
        offset: usize,
    },
    /// A stripped kernel: there are no bytes, only the numbers that once described them.
    Stripped {
        /// The length that the area had.
        size: u32,
        /// Where it began, from the start of the body.
        entry: u32,
    },
}

impl PartialEq for Code<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Code::Present { bytes, .. }, Code::Present { bytes: others, .. }) => bytes == others,
            (Code::Stripped { size, entry }, Code::Stripped { size: s, entry: e }) => {
                (size, entry) == (s, e)
            }
            _ => false,
        }
    }
}

impl Eq for Code<'_> {}

impl Default for Code<'_> {
    fn default() -> Self {
        Code::Present { bytes: Cow::Borrowed(&[]), offset: 0 }
    }
}

impl Code<'_> {
    /// Code made of instructions.
    ///
    /// # Errors
    /// What an instruction says and the format cannot, with the instruction's index.
    pub fn from_instructions<'i>(
        instructions: impl IntoIterator<Item = &'i Instruction>,
        format: Format,
    ) -> Result<Code<'static>> {
        let mut w = Writer::new(format);
        for (index, instruction) in instructions.into_iter().enumerate() {
            instruction.encode(&mut w).map_err(|error| {
                let mnemonic = instruction.mnemonic();
                error.within(PathSegment::Instruction { index, mnemonic })
            })?;
        }
        Ok(Code::Present { bytes: Cow::Owned(w.into_bytes()), offset: 0 })
    }

    /// The bytes; none for a stripped kernel.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Code::Present { bytes, .. } => bytes,
            Code::Stripped { .. } => &[],
        }
    }

    fn base(&self) -> usize {
        match self {
            Code::Present { offset, .. } => *offset,
            Code::Stripped { .. } => 0,
        }
    }

    /// The instructions. Offsets are those of the file that the code was read from.
    pub fn instructions(&self, format: Format) -> Instructions<'_> {
        Instructions::with_base(self.bytes(), self.base(), format)
    }

    /// Where the instructions lie, in the file that the code was read from.
    pub fn boundaries(&self, format: Format) -> Boundaries<'_> {
        Boundaries::with_base(self.bytes(), self.base(), format)
    }
}

/// Making tables from scratch. Every method returns the id that operands use.
impl Body<'_> {
    /// A body with nothing but its name.
    pub fn new(name: &str) -> Body<'static> {
        let mut body = Body::default();
        body.name = body.intern(name);
        body
    }

    /// The string of the pool, which is searched for it and extended if need be. The empty string
    /// is always 0, which stands for no name, whatever the pool has there.
    pub fn intern(&mut self, string: &str) -> StringId {
        let mut named = self.strings.iter().enumerate().skip(1);
        match named.find(|(_, other)| **other == string) {
            _ if string.is_empty() => StringId(0),
            Some((index, _)) => StringId(index as u32),
            None => self.add_string(string),
        }
    }

    /// A string that is not looked for, so that declarations take the same time each.
    pub(crate) fn add_string(&mut self, string: &str) -> StringId {
        if string.is_empty() {
            return StringId(0);
        }
        if self.strings.is_empty() {
            self.strings.push(Name::default());
        }
        self.strings.push(string.into());
        StringId(self.strings.len() as u32 - 1)
    }

    /// Declares a general variable; `name` may be empty.
    pub fn add_variable(
        &mut self,
        name: &str,
        ty: DataType,
        num_elements: u16,
        align: Align,
    ) -> VarId {
        let (name, num_elements) = (self.add_string(name), num_elements.into());
        let id = VarId(VarId::FIRST_DECLARED.0 + self.variables.len() as u32);
        self.variables.push(Variable { name, ty, num_elements, align, ..Variable::default() });
        id
    }

    /// Declares an address variable.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`], as for all that follow.
    pub fn add_address(&mut self, name: &str, num_elements: u16) -> Result<AddrId> {
        let id = next_id(self.addresses.len(), 0, LAST_COUNTED)?;
        let variable = self.simple(name, num_elements);
        self.addresses.push(variable);
        Ok(AddrId(id))
    }

    /// Declares a predicate. Operands hold ids up to 4095.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`].
    pub fn add_predicate(&mut self, name: &str, num_elements: u16) -> Result<PredId> {
        let id = next_id(self.predicates.len(), PredId::FIRST_DECLARED.0, 4095)?;
        let variable = self.simple(name, num_elements);
        self.predicates.push(variable);
        Ok(PredId(id))
    }

    /// Declares a sampler.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`]: the id 31 is that of the bindless sampler.
    pub fn add_sampler(&mut self, name: &str) -> Result<SamplerId> {
        let id = next_id(self.samplers.len(), 0, SamplerId::BINDLESS.0 as usize - 1)?;
        let variable = self.simple(name, 1);
        self.samplers.push(variable);
        Ok(SamplerId(id as u8))
    }

    /// Declares a surface.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`].
    pub fn add_surface(&mut self, name: &str) -> Result<SurfaceId> {
        let first = SurfaceId::FIRST_DECLARED.0.into();
        let id = next_id(self.surfaces.len(), first, u8::MAX.into())?;
        let variable = self.simple(name, 1);
        self.surfaces.push(variable);
        Ok(SurfaceId(id as u8))
    }

    /// Declares a label.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`].
    pub fn add_label(&mut self, name: &str, kind: LabelKind) -> Result<LabelId> {
        let id = next_id(self.labels.len(), 0, LAST_COUNTED)?;
        let label = LabelInfo { name: self.add_string(name), kind, attributes: Vec::new() };
        self.labels.push(label);
        Ok(LabelId(id))
    }

    fn simple(&mut self, name: &str, num_elements: u16) -> SimpleVariable {
        SimpleVariable { name: self.add_string(name), num_elements, attributes: Vec::new() }
    }
}

/// The last id of a table that is counted in two bytes from 0 on.
const LAST_COUNTED: usize = u16::MAX as usize - 1;

/// The id of the next entry of a table with `len` entries, whose ids go from `first` to `last`.
fn next_id(len: usize, first: u16, last: usize) -> Result<u16> {
    match u16::try_from(len + usize::from(first)) {
        Ok(id) if usize::from(id) <= last => Ok(id),
        _ => {
            let max = last + 1 - usize::from(first);
            Err(Error::new(ErrorKind::TableFull { max }, 0))
        }
    }
}

/// What a kernel's body has and a function's has not, and the reverse. `I` holds the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Extra<I> {
    Kernel { inputs: I },
    Function { input_size: u8, return_value_size: u8 },
}

/// A table with a count as wide as the format's ids.
fn decode_id_table<V: Entry, T: Trace>(
    r: &mut Reader<'_, T>,
    counter: &'static str,
    table: &'static str,
) -> Result<Vec<V>> {
    if r.wide_ids() {
        decode_table::<u32, V, T>(r, counter, table)
    } else {
        decode_table::<u16, V, T>(r, counter, table)
    }
}

fn encode_id_table<V: Wire>(
    w: &mut Writer,
    counter: &'static str,
    table: &'static str,
    entries: &[V],
) -> Result<()> {
    if w.wide_ids() {
        encode_table::<u32, V>(w, counter, table, entries)
    } else {
        encode_table::<u16, V>(w, counter, table, entries)
    }
}

/// From 3.5 on, a kernel's inputs are counted in four bytes rather than one.
fn wide_input_count(format: Format) -> bool {
    format.since(Version::V3_5)
}

/// The count of VMEs, a table that was given up: always 0.
fn check_no_vme<T: Trace>(r: &mut Reader<'_, T>) -> Result<()> {
    let mut vmes = 0u8;
    r.field("vme_count", &mut vmes)?;
    if vmes != 0 {
        let (value, expected) = (vmes.into(), "0, the only VME count");
        let error = r.error_back(1, ErrorKind::InvalidValue { value, expected });
        return Err(error.within(PathSegment::Field("vme_count")));
    }
    Ok(())
}

impl<'a> Body<'a> {
    /// Decodes a body that fills all of `r`, and says where the count of inputs stands.
    pub(super) fn decode<T: Trace>(
        r: &mut Reader<'a, T>,
        is_kernel: bool,
    ) -> Result<(Body<'a>, Extra<Vec<Input>>, usize)> {
        let (start, len) = (r.offset(), r.rest().len());
        let strings = decode_id_table(r, "string_count", "string")?;
        let mut name = StringId::default();
        r.field("name", &mut name)?;
        let variables = decode_id_table(r, "variable_count", "variable")?;
        let addresses = decode_table::<u16, _, T>(r, "address_count", "address")?;
        let predicates = decode_table::<u16, _, T>(r, "predicate_count", "predicate")?;
        let labels = decode_table::<u16, _, T>(r, "label_count", "label")?;
        let samplers = decode_table::<u8, _, T>(r, "sampler_count", "sampler")?;
        let surfaces = decode_table::<u8, _, T>(r, "surface_count", "surface")?;
        check_no_vme(r)?;
        let inputs_at = r.offset();
        let mut extra = if !is_kernel {
            Extra::Function { input_size: 0, return_value_size: 0 }
        } else if wide_input_count(r.format()) {
            Extra::Kernel { inputs: decode_table::<u32, _, T>(r, "input_count", "input")? }
        } else {
            Extra::Kernel { inputs: decode_table::<u8, _, T>(r, "input_count", "input")? }
        };
        let mut extent = CodeExtent { at: r.offset(), start, len, ..CodeExtent::default() };
        let CodeExtent { size, entry, .. } = &mut extent;
        r.field("size", size)?;
        r.field("entry", entry)?;
        if let Extra::Function { input_size, return_value_size } = &mut extra {
            r.field("input_size", input_size)?;
            r.field("return_value_size", return_value_size)?;
        }
        let attributes = decode_table::<u16, _, T>(r, "attribute_count", "attribute")?;
        let code = Code::decode(r, extent)?;
        let body = Body {
            strings,
            name,
            variables,
            addresses,
            predicates,
            labels,
            samplers,
            surfaces,
            attributes,
            code,
        };
        Ok((body, extra, inputs_at))
    }

    /// Encodes the body, and says where the count of inputs stands.
    pub(super) fn encode(&self, w: &mut Writer, extra: Extra<&[Input]>) -> Result<usize> {
        let start = w.len();
        encode_id_table(w, "string_count", "string", &self.strings)?;
        w.field("name", &self.name)?;
        encode_id_table(w, "variable_count", "variable", &self.variables)?;
        encode_table::<u16, _>(w, "address_count", "address", &self.addresses)?;
        encode_table::<u16, _>(w, "predicate_count", "predicate", &self.predicates)?;
        encode_table::<u16, _>(w, "label_count", "label", &self.labels)?;
        encode_table::<u8, _>(w, "sampler_count", "sampler", &self.samplers)?;
        encode_table::<u8, _>(w, "surface_count", "surface", &self.surfaces)?;
        w.u8(0);
        let inputs_at = w.len();
        match extra {
            Extra::Kernel { inputs } if wide_input_count(w.format()) => {
                encode_table::<u32, _>(w, "input_count", "input", inputs)?;
            }
            Extra::Kernel { inputs } => encode_table::<u8, _>(w, "input_count", "input", inputs)?,
            Extra::Function { .. } => {}
        }
        let size_at = w.len();
        w.put(&[0; 8]);
        if let Extra::Function { input_size, return_value_size } = extra {
            w.u8(input_size);
            w.u8(return_value_size);
        }
        encode_table::<u16, _>(w, "attribute_count", "attribute", &self.attributes)?;
        let (size, entry) = match &self.code {
            Code::Stripped { size, entry } => {
                let tables = w.len() - start;
                let extent =
                    CodeExtent { len: tables, size: *size, entry: *entry, ..Default::default() };
                if !extent.is_stale(tables) {
                    return Err(w.inexpressible("a stripped kernel whose code would fit"));
                }
                (*size, *entry)
            }
            Code::Present { bytes, .. } => {
                let entry = size_u32(w, w.len() - start)?;
                w.put(bytes);
                (size_u32(w, bytes.len())?, entry)
            }
        };
        w.patch_u32(size_at, size);
        w.patch_u32(size_at + 4, entry);
        Ok(inputs_at)
    }
}

/// A length or offset as the format's 32 bits.
pub(super) fn size_u32(w: &Writer, size: usize) -> Result<u32> {
    u32::try_from(size).map_err(|_| w.out_of_range(size as u64, u32::MAX))
}

/// What a body says of its code.
#[derive(Clone, Copy, Default)]
struct CodeExtent {
    /// Where it says so: four bytes of size, then four of entry.
    at: usize,
    /// Where the body begins.
    start: usize,
    /// The length of the body.
    len: usize,
    size: u32,
    entry: u32,
}

impl CodeExtent {
    /// Whether code of this extent lies behind the body's end: what remains of a stripped kernel.
    fn is_stale(&self, tables: usize) -> bool {
        tables == self.len && u64::from(self.size) + u64::from(self.entry) > self.len as u64
    }
}

impl<'a> Code<'a> {
    /// The rest of a body whose tables were just read.
    fn decode<T: Trace>(r: &mut Reader<'a, T>, extent: CodeExtent) -> Result<Code<'a>> {
        let CodeExtent { at, start, len, size, entry } = extent;
        let offset = r.offset();
        let tables = offset - start;
        if extent.is_stale(tables) {
            return Ok(Code::Stripped { size, entry });
        }
        let layout = |at, field, what, found, expected| {
            let kind = ErrorKind::Layout { what, found, expected };
            Err(Error::new(kind, at).within(PathSegment::Field(field)))
        };
        if entry as usize != tables {
            return layout(at + 4, "entry", "the entry", entry.into(), tables as u64);
        }
        let rest = (len - tables) as u64;
        if u64::from(size) != rest {
            return layout(at, "size", "the size of the code", size.into(), rest);
        }
        Ok(Code::Present { bytes: Cow::Borrowed(r.bytes(size as usize)?), offset })
    }
}
