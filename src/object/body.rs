//! The body of a kernel or function: tables, attributes and code (docs/format.md, 2.5).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::attribute::Attribute;
use super::counted::{Entry, decode_table, encode_table};
use super::name::Name;
use super::string_pool::StringPool;
use super::tables::{Align, Input, LabelInfo, LabelKind, SimpleVariable, Variable};
use crate::error::{Error, ErrorKind, PathSegment, Result};
use crate::format::{Format, Version};
use crate::isa::IdClass;
use crate::isa::{Boundaries, Instruction, Instructions};
use crate::operand::{AddrId, DataType, LabelId, PredId, SamplerId, StringId, SurfaceId, VarId};
use crate::platform::{Platform, RegisterSize};
use crate::wire::{Reader, Trace, Wire, Writer};

/// The tables, attributes and code of a kernel or function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body<'a> {
    /// The string pool. Its first string should be empty, but in some files it is the name.
    pub strings: StringPool,
    /// The name of the routine, in the pool.
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
    /// The attributes of the routine.
    pub attributes: Vec<Attribute>,
    /// Whether the compiler uses efficient 64-bit addressing (its option `-enableEfficient64b`),
    /// which changes the operands and cache controls of messages. The default of the compiler since
    /// Xe3P. Text of 4.2 contains it in a comment; files do not.
    pub efficient_64bit: bool,
    /// The instructions.
    pub code: Code<'a>,
}

/// The instruction area of a routine. Equality ignores its offset.
///
/// Parsed and built code is bytes, too: an instruction has 15 to 31 bytes on average and an
/// [`Instruction`] 188, and encoding and decoding it once takes 5 % of the time of parsing it
/// (`docs/evidence/code-as-instructions.md` in the repository).
#[derive(Clone, Debug)]
pub enum Code<'a> {
    /// The bytes of the instructions.
    Present {
        /// The bytes, in the module's format.
        bytes: Cow<'a, [u8]>,
        /// Their offset in the file that they were read from.
        offset: usize,
    },
    /// The area of a stripped kernel, which has no bytes. Its size and offset are kept.
    Stripped {
        /// The size that the file states, in bytes.
        size: u32,
        /// The offset that the file states, from the start of the body.
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
    /// Encodes instructions.
    ///
    /// # Errors
    /// Returns an error if the format cannot express an instruction, with its index.
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

    /// Copies the bytes, unless they are owned already.
    pub fn into_owned(self) -> Code<'static> {
        match self {
            Code::Present { bytes, offset } => {
                Code::Present { bytes: Cow::Owned(bytes.into_owned()), offset }
            }
            Code::Stripped { size, entry } => Code::Stripped { size, entry },
        }
    }

    /// Returns the bytes; none for a stripped kernel.
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

    /// Returns the instructions. Offsets are those in the file that the code was read from.
    pub fn instructions(&self, format: Format) -> Instructions<'_> {
        Instructions::with_base(self.bytes(), self.base(), format)
    }

    /// Returns the offsets and lengths of the instructions in the file that the code was read from.
    pub fn boundaries(&self, format: Format) -> Boundaries<'_> {
        Boundaries::with_base(self.bytes(), self.base(), format)
    }
}

impl Body<'_> {
    /// Returns the size of a register on a platform. If it is unknown, returns the size that is assumed: 64 bytes
    /// with [efficient 64-bit addressing](Self::efficient_64bit), which only newer platforms have, and otherwise 32.
    pub fn register_size(&self, platform: Option<Platform>) -> RegisterSize {
        match platform {
            Some(platform) => platform.register_size(),
            None if self.efficient_64bit => RegisterSize::Bytes64,
            None => RegisterSize::default(),
        }
    }

    /// Copies the code, unless it is owned already.
    pub fn into_owned(self) -> Body<'static> {
        Body { code: self.code.into_owned(), ..self }
    }

    /// Returns the number of lanes for which the compiler compiled a kernel, if attribute `SimdSize` states
    /// it.
    pub fn simd_size(&self) -> Option<i32> {
        let is_named = |attribute: &&Attribute| {
            self.strings.get(attribute.name.0 as usize).is_some_and(|name| *name == *"SimdSize")
        };
        self.attributes.iter().rfind(is_named)?.as_integer()
    }
}

/// Methods that add entries to the tables. Each returns the id that operands use.
impl Body<'_> {
    /// Returns a body that contains only its name.
    pub fn new(name: &str) -> Body<'static> {
        let mut body = Body::default();
        body.name = body.intern(name);
        body
    }

    /// Returns the id of a string in the pool, and adds the string if the pool does not contain it; see
    /// [`StringPool::intern`].
    pub fn intern(&mut self, string: &str) -> StringId {
        self.strings.intern(string)
    }

    /// Adds a name without searching the pool for it.
    pub(super) fn add_string(&mut self, string: &str) -> StringId {
        if string.is_empty() { StringId(0) } else { self.strings.add(string) }
    }

    /// Declares a general variable. `name` may be empty.
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
    /// [`ErrorKind::TableFull`] if there are 65535 address variables.
    pub fn add_address(&mut self, name: &str, num_elements: u16) -> Result<AddrId> {
        let id = next_id(self.addresses.len(), 0, LAST_COUNTED)?;
        let variable = self.new_simple_variable(name, num_elements);
        self.addresses.push(variable);
        Ok(AddrId(id))
    }

    /// Declares a predicate.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`] if there are 4095 predicates: ids in operands have 12 bits.
    pub fn add_predicate(&mut self, name: &str, num_elements: u16) -> Result<PredId> {
        let id = next_id(self.predicates.len(), PredId::FIRST_DECLARED.0, 4095)?;
        let variable = self.new_simple_variable(name, num_elements);
        self.predicates.push(variable);
        Ok(PredId(id))
    }

    /// Declares a sampler.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`] if there are 31 samplers: id 31 is the bindless
    /// sampler.
    pub fn add_sampler(&mut self, name: &str) -> Result<SamplerId> {
        let id = next_id(self.samplers.len(), 0, SamplerId::BINDLESS.0 as usize - 1)?;
        let variable = self.new_simple_variable(name, 1);
        self.samplers.push(variable);
        Ok(SamplerId(id as u8))
    }

    /// Declares a surface.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`] if there are 250 surfaces.
    pub fn add_surface(&mut self, name: &str) -> Result<SurfaceId> {
        let first = SurfaceId::FIRST_DECLARED.0.into();
        let id = next_id(self.surfaces.len(), first, u8::MAX.into())?;
        let variable = self.new_simple_variable(name, 1);
        self.surfaces.push(variable);
        Ok(SurfaceId(id as u8))
    }

    /// Declares a label.
    ///
    /// # Errors
    /// [`ErrorKind::TableFull`] if there are 65535 labels.
    pub fn add_label(&mut self, name: &str, kind: LabelKind) -> Result<LabelId> {
        let id = next_id(self.labels.len(), 0, LAST_COUNTED)?;
        let label = LabelInfo { name: self.add_string(name), kind, attributes: Vec::new() };
        self.labels.push(label);
        Ok(LabelId(id))
    }

    fn new_simple_variable(&mut self, name: &str, num_elements: u16) -> SimpleVariable {
        SimpleVariable { name: self.add_string(name), num_elements, ..SimpleVariable::default() }
    }
}

/// The last id of a table whose count has two bytes and whose first id is 0.
const LAST_COUNTED: usize = u16::MAX as usize - 1;

/// Returns the id of the next entry of a table with `len` entries and ids from `first` to `last`.
fn next_id(len: usize, first: u16, last: usize) -> Result<u16> {
    match u16::try_from(len + usize::from(first)) {
        Ok(id) if usize::from(id) <= last => Ok(id),
        _ => {
            let max = last + 1 - usize::from(first);
            Err(Error::new(ErrorKind::TableFull { max }, 0))
        }
    }
}

/// The fields that only a kernel or only a function has. `I` is a list of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Extra<I> {
    Kernel { inputs: I },
    Function { input_size: u8, return_value_size: u8 },
}

/// Decodes a table whose count is as wide as variable and string ids.
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

/// Returns whether the number of inputs has four bytes (since 3.5) rather than one.
fn has_wide_input_count(format: Format) -> bool {
    format.since(Version::V3_5)
}

/// Reads the number of entries of the retired VME table, which must be 0.
fn decode_vme_count<T: Trace>(r: &mut Reader<'_, T>) -> Result<()> {
    let mut vmes = 0u8;
    r.field("vme_count", &mut vmes)?;
    if vmes != 0 {
        let (value, expected) = (vmes.into(), "a VME count of 0");
        let error = r.error_back(1, ErrorKind::InvalidValue { value, expected });
        return Err(error.within(PathSegment::Field("vme_count")));
    }
    Ok(())
}

impl<'a> Body<'a> {
    /// Decodes a body that fills all of `r`. Also returns the fields of its kind of routine, and
    /// the offset of the number of inputs.
    pub(super) fn decode<T: Trace>(
        r: &mut Reader<'a, T>,
        is_kernel: bool,
    ) -> Result<(Body<'a>, Extra<Vec<Input>>, usize)> {
        let (start, len) = (r.offset(), r.rest().len());
        let strings: Vec<Name> = decode_id_table(r, "string_count", IdClass::String.name())?;
        let mut name = StringId::default();
        r.field("name", &mut name)?;
        let variables = decode_id_table(r, "variable_count", IdClass::Variable.name())?;
        let addresses = decode_table::<u16, _, T>(r, "address_count", IdClass::Address.name())?;
        let predicates =
            decode_table::<u16, _, T>(r, "predicate_count", IdClass::Predicate.name())?;
        let labels = decode_table::<u16, _, T>(r, "label_count", IdClass::Label.name())?;
        let samplers = decode_table::<u8, _, T>(r, "sampler_count", IdClass::Sampler.name())?;
        let surfaces = decode_table::<u8, _, T>(r, "surface_count", IdClass::Surface.name())?;
        decode_vme_count(r)?;
        let inputs_at = r.offset();
        let mut extra = if !is_kernel {
            Extra::Function { input_size: 0, return_value_size: 0 }
        } else if has_wide_input_count(r.format()) {
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
            strings: strings.into(),
            name,
            variables,
            addresses,
            predicates,
            labels,
            samplers,
            surfaces,
            attributes,
            efficient_64bit: false,
            code,
        };
        Ok((body, extra, inputs_at))
    }

    /// Encodes the body. Returns the offset of the number of inputs.
    pub(super) fn encode(&self, w: &mut Writer, extra: Extra<&[Input]>) -> Result<usize> {
        if self.efficient_64bit {
            return Err(w.inexpressible("efficient 64-bit addressing"));
        }
        let start = w.len();
        encode_id_table(w, "string_count", IdClass::String.name(), &self.strings)?;
        w.field("name", &self.name)?;
        encode_id_table(w, "variable_count", IdClass::Variable.name(), &self.variables)?;
        encode_table::<u16, _>(w, "address_count", IdClass::Address.name(), &self.addresses)?;
        encode_table::<u16, _>(w, "predicate_count", IdClass::Predicate.name(), &self.predicates)?;
        encode_table::<u16, _>(w, "label_count", IdClass::Label.name(), &self.labels)?;
        encode_table::<u8, _>(w, "sampler_count", IdClass::Sampler.name(), &self.samplers)?;
        encode_table::<u8, _>(w, "surface_count", IdClass::Surface.name(), &self.surfaces)?;
        w.u8(0);
        let inputs_at = w.len();
        match extra {
            Extra::Kernel { inputs } if has_wide_input_count(w.format()) => {
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
                if !extent.is_stripped(tables) {
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

/// Converts a size or offset to 32 bits.
pub(super) fn size_u32(w: &Writer, size: usize) -> Result<u32> {
    u32::try_from(size).map_err(|_| w.out_of_range(size as u64, u32::MAX))
}

/// The size and offset of the code, as a body states them.
#[derive(Clone, Copy, Default)]
struct CodeExtent {
    /// The offset in the file of the field `size`, which `entry` follows.
    at: usize,
    /// The offset of the body in the file.
    start: usize,
    /// The length of the body.
    len: usize,
    size: u32,
    entry: u32,
}

impl CodeExtent {
    /// Returns whether the body ends after its tables and the code would extend past its end. This
    /// is a stripped kernel.
    fn is_stripped(&self, tables: usize) -> bool {
        tables == self.len && u64::from(self.size) + u64::from(self.entry) > self.len as u64
    }
}

impl<'a> Code<'a> {
    /// Decodes the rest of a body, whose tables have been read.
    fn decode<T: Trace>(r: &mut Reader<'a, T>, extent: CodeExtent) -> Result<Code<'a>> {
        let CodeExtent { at, start, len, size, entry } = extent;
        let offset = r.offset();
        let tables = offset - start;
        if extent.is_stripped(tables) {
            return Ok(Code::Stripped { size, entry });
        }
        let layout_error = |at, field, what, found, expected| {
            let kind = ErrorKind::Layout { what, found, expected };
            Err(Error::new(kind, at).within(PathSegment::Field(field)))
        };
        if entry as usize != tables {
            return layout_error(
                at + 4,
                "entry",
                "the offset of the code",
                entry.into(),
                tables as u64,
            );
        }
        let rest = (len - tables) as u64;
        if u64::from(size) != rest {
            return layout_error(at, "size", "the size of the code", size.into(), rest);
        }
        Ok(Code::Present { bytes: Cow::Borrowed(r.bytes(size as usize)?), offset })
    }
}
