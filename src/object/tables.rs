//! The entries of the tables of a routine (docs/format.md, 2.6 and 2.8).

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::attribute::Attribute;
use super::counted::{Entry, decode_table, encode_count, encode_table};
use crate::error::{PathSegment, Result};
use crate::format::Format;
use crate::isa::{Id, IdClass};
use crate::operand::{DataType, StringId, VarId, code};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

code! {
    /// The alignment of a general variable: bits 4 to 7 of a byte whose lower bits are the type.
    pub struct Align(max 15) {
        /// 1 byte.
        BYTE = 0 "byte",
        /// 2 bytes.
        WORD = 1 "word",
        /// 4 bytes.
        DWORD = 2 "dword",
        /// 8 bytes.
        QWORD = 3 "qword",
        /// 16 bytes.
        OWORD = 4 "oword",
        /// A register.
        GRF = 5 "GRF",
        /// Two registers.
        GRFX2 = 6 "GRFx2",
        /// 32 bytes.
        HWORD = 7 "hword",
        /// 64 bytes.
        WORDX32 = 8 "wordx32",
        /// 128 bytes.
        WORDX64 = 9 "wordx64",
    }
}

#[cfg(feature = "verify")]
impl Align {
    /// Returns the number of bytes for a size of a register; `None` for an unknown code.
    pub(crate) const fn bytes(self, register: u32) -> Option<u32> {
        Some(match self {
            Align::GRF => register,
            Align::GRFX2 => 2 * register,
            Align::HWORD => 32,
            Align::WORDX32 => 64,
            Align::WORDX64 => 128,
            Align(bits @ 0..=4) => 1 << bits,
            _ => return None,
        })
    }

    /// Returns the alignment of a number of bytes for a size of a register. Registers have precedence.
    pub(crate) fn of_bytes(bytes: u32, register: u32) -> Option<Align> {
        Align::NAMED.iter().copied().find(|align| align.bytes(register) == Some(bytes))
    }
}

code! {
    /// The table that contains the variable of an alias.
    pub struct AliasScope(max 255) {
        /// The variables of the routine.
        LOCAL = 0 "local",
        /// The variables of the file.
        FILE = 1 "file",
    }
}

code! {
    /// The kind of a label.
    pub struct LabelKind(max 255) {
        /// A basic block.
        BLOCK = 0 "block",
        /// A subroutine.
        SUBROUTINE = 1 "subroutine",
        /// A composable function.
        FC = 2 "fc",
        /// A function.
        FUNCTION = 3 "function",
        /// A loop over divergent resources.
        DIVERGENT_RESOURCE_LOOP = 4 "divergent_resource_loop",
    }
}

/// A general variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variable {
    /// The name, in the string pool of the routine; 0 for none.
    pub name: StringId,
    /// The type of the elements.
    pub ty: DataType,
    /// The alignment.
    pub align: Align,
    /// The number of elements. The binary form has at most 65535, text may have more.
    pub num_elements: u32,
    /// The variable whose storage it shares; 0 for none.
    pub alias: VarId,
    /// The offset into that storage, in bytes.
    pub alias_offset: u16,
    /// The table that `alias` refers to.
    pub alias_scope: AliasScope,
    /// Whether it is an alias of `%null`, which `alias` cannot express. Only text has this property.
    pub is_null: bool,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// An address, predicate, sampler or surface variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SimpleVariable {
    /// The name, in the string pool of the routine; 0 for none.
    pub name: StringId,
    /// The number of elements.
    pub num_elements: u16,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// What text calls this sampler or surface, if that is not its number, such as `T6`. Only text has
    /// this property; it calls addresses and predicates by their names. A symbol that is no free name
    /// in the text is not printed.
    pub symbol: Option<Box<str>>,
}

/// A label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LabelInfo {
    /// The name, in the string pool of the routine.
    pub name: StringId,
    /// The kind.
    pub kind: LabelKind,
    /// The attributes. Readers support none.
    pub attributes: Vec<Attribute>,
}

/// A variable, surface or sampler that is set when a kernel starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Input {
    /// The table that contains it, and who supplies the value.
    pub kind: InputKind,
    /// Its id in that table, as in operands: the first declared general variable is 32.
    pub index: u32,
    /// The offset in the payload of the thread, in bytes.
    pub offset: i16,
    /// The size in bytes.
    pub size: u16,
}

impl Input {
    /// Returns the entry that is set; `None` if the class is unknown.
    pub fn id(&self) -> Option<Id> {
        let class = match self.kind.class() {
            InputClass::GENERAL => IdClass::Variable,
            InputClass::SAMPLER => IdClass::Sampler,
            InputClass::SURFACE => IdClass::Surface,
            _ => return None,
        };
        Some(Id { class, number: self.index })
    }
}

/// The kind of an input. One byte: bits 0 to 2 the class, bits 3 to 7 the implicit kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InputKind(u8);

code! {
    /// The table that contains an input.
    pub struct InputClass(max 7) {
        /// General variables.
        GENERAL = 0 "general",
        /// Samplers.
        SAMPLER = 1 "sampler",
        /// Surfaces.
        SURFACE = 2 "surface",
    }
}

impl InputKind {
    /// Returns the kind of an explicit input, which the caller supplies.
    pub const fn explicit(class: InputClass) -> InputKind {
        InputKind(class.bits())
    }

    /// Returns the kind with a byte.
    pub const fn from_bits(bits: u8) -> InputKind {
        InputKind(bits)
    }

    /// Returns the byte.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the table that contains the input.
    pub const fn class(self) -> InputClass {
        InputClass::from_low_bits(self.0)
    }

    /// Returns the implicit kind: 0 explicit, supplied by the caller; 1 local size; 2 group count;
    /// 3 local id; 16 pseudo input. Others occur, and have no name.
    pub const fn implicit(self) -> u8 {
        self.0 >> 3
    }
}

impl fmt::Display for InputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.implicit() {
            0 => write!(f, "{}", self.class()),
            1 => write!(f, "{}, local size", self.class()),
            2 => write!(f, "{}, group count", self.class()),
            3 => write!(f, "{}, local id", self.class()),
            16 => write!(f, "{}, pseudo input", self.class()),
            other => write!(f, "{}, implicit {other}", self.class()),
        }
    }
}

impl Describe for InputKind {}

impl Wire for InputKind {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0 = r.u8()?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.0);
        Ok(())
    }
}

/// The byte of a type and an alignment.
#[derive(Clone, Copy, Default)]
pub(super) struct TypeAlign(pub(super) DataType, pub(super) Align);

impl fmt::Display for TypeAlign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Describe for TypeAlign {
    fn meaning(&self, _: Format) -> String {
        format!("aligned to {}", self.1)
    }
}

impl Wire for TypeAlign {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.u8()?;
        *self = TypeAlign(DataType::from_low_bits(byte & 0xf), Align::from_low_bits(byte >> 4));
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        if !self.0.has_binary_form() {
            return Err(w.inexpressible("a type that only version 4.2 has"));
        }
        w.u8(self.0.bits() | self.1.bits() << 4);
        Ok(())
    }
}

impl Wire for Variable {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("name", &mut self.name)?;
        let mut properties = TypeAlign::default();
        r.field("type", &mut properties)?;
        (self.ty, self.align) = (properties.0, properties.1);
        let mut num_elements = 0u16;
        r.field("num_elements", &mut num_elements)?;
        self.num_elements = num_elements.into();
        r.field("alias", &mut self.alias)?;
        r.field("alias_offset", &mut self.alias_offset)?;
        r.field("alias_scope", &mut self.alias_scope)?;
        self.attributes = decode_table::<u8, _, T>(r, "attribute_count", "attribute")?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("name", &self.name)?;
        w.field("type", &TypeAlign(self.ty, self.align))?;
        encode_count::<u16>(w, "num_elements", self.num_elements as usize)?;
        if self.is_null {
            return Err(w.inexpressible("an alias of %null").within(PathSegment::Field("alias")));
        }
        w.field("alias", &self.alias)?;
        w.field("alias_offset", &self.alias_offset)?;
        w.field("alias_scope", &self.alias_scope)?;
        encode_table::<u8, _>(w, "attribute_count", "attribute", &self.attributes)
    }
}

impl Wire for SimpleVariable {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("name", &mut self.name)?;
        r.field("num_elements", &mut self.num_elements)?;
        self.attributes = decode_table::<u8, _, T>(r, "attribute_count", "attribute")?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("name", &self.name)?;
        w.field("num_elements", &self.num_elements)?;
        encode_table::<u8, _>(w, "attribute_count", "attribute", &self.attributes)
    }
}

impl Wire for LabelInfo {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("name", &mut self.name)?;
        r.field("kind", &mut self.kind)?;
        self.attributes = decode_table::<u8, _, T>(r, "attribute_count", "attribute")?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("name", &self.name)?;
        w.field("kind", &self.kind)?;
        encode_table::<u8, _>(w, "attribute_count", "attribute", &self.attributes)
    }
}

/// The index of an input: a `vid` for all classes.
#[derive(Default)]
struct Index(u32);

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Describe for Index {}

impl Wire for Index {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0 = r.vid()?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.vid(self.0)
    }
}

impl Wire for Input {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("kind", &mut self.kind)?;
        let mut index = Index::default();
        r.field("index", &mut index)?;
        self.index = index.0;
        r.field("offset", &mut self.offset)?;
        r.field("size", &mut self.size)
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("kind", &self.kind)?;
        w.field("index", &Index(self.index))?;
        w.field("offset", &self.offset)?;
        w.field("size", &self.size)
    }
}

impl Entry for Variable {
    const LEAST: usize = 11;
}

impl Entry for SimpleVariable {
    const LEAST: usize = 5;
}

impl Entry for LabelInfo {
    const LEAST: usize = 4;
}

impl Entry for Input {
    const LEAST: usize = 7;
}
