//! Kernels, functions, relocations, GEN binaries, and variables of the file.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::attribute::Attribute;
use super::body::Body;
use super::name::Name;
use super::tables::{Align, Input};
use crate::error::{PathSegment, RoutineKind};
use crate::operand::{DataType, code};
use crate::platform::Platform;

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel<'a> {
    /// The name in the header of the file.
    pub name: Name,
    /// Relocations of variables of the file.
    pub variable_relocs: Vec<Reloc>,
    /// Relocations of functions of the file.
    pub function_relocs: Vec<Reloc>,
    /// Machine code for particular platforms.
    pub gen_binaries: Vec<GenBinary<'a>>,
    /// The variables, surfaces and samplers that are set when the kernel starts.
    pub inputs: Vec<Input>,
    /// The tables and the code.
    pub body: Body<'a>,
}

impl Kernel<'_> {
    /// Returns a kernel without instructions.
    pub fn new(name: &str) -> Kernel<'static> {
        Kernel { name: name.into(), body: Body::new(name), ..Kernel::default() }
    }

    /// Copies the code and the GEN binaries, unless they are owned already.
    pub fn into_owned(self) -> Kernel<'static> {
        let binaries = self.gen_binaries.into_iter().map(GenBinary::into_owned);
        Kernel { gen_binaries: binaries.collect(), body: self.body.into_owned(), ..self }
    }
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function<'a> {
    /// The visibility.
    pub linkage: Linkage,
    /// The name in the header of the file.
    pub name: Name,
    /// Relocations of variables of the file.
    pub variable_relocs: Vec<Reloc>,
    /// Relocations of functions of the file.
    pub function_relocs: Vec<Reloc>,
    /// The definition; `None` if it is in another file.
    pub definition: Option<Box<FunctionDefinition<'a>>>,
}

impl Function<'_> {
    /// Returns a function without instructions.
    pub fn new(name: &str) -> Function<'static> {
        let body = Body::new(name);
        let definition = Box::new(FunctionDefinition { body, ..FunctionDefinition::default() });
        Function { name: name.into(), definition: Some(definition), ..Function::default() }
    }

    /// Copies the code, unless it is owned already.
    pub fn into_owned(self) -> Function<'static> {
        let definition = self.definition.map(|definition| Box::new(definition.into_owned()));
        Function { definition, ..self }
    }
}

/// The definition of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDefinition<'a> {
    /// The size of the arguments, in registers.
    pub input_size: u8,
    /// The size of the return value, in registers.
    pub return_value_size: u8,
    /// The tables and the code.
    pub body: Body<'a>,
}

impl Kernel<'_> {
    /// Returns the segment for paths of errors in the kernel.
    pub(super) fn path_segment(&self) -> PathSegment {
        PathSegment::Routine { kind: RoutineKind::Kernel, name: self.name.to_string() }
    }
}

impl Function<'_> {
    /// Returns the segment for paths of errors in the function.
    pub(super) fn path_segment(&self) -> PathSegment {
        PathSegment::Routine { kind: RoutineKind::Function, name: self.name.to_string() }
    }
}

impl FunctionDefinition<'_> {
    /// Copies the code, unless it is owned already.
    pub fn into_owned(self) -> FunctionDefinition<'static> {
        FunctionDefinition { body: self.body.into_owned(), ..self }
    }
}

/// A relocation: the index by which a routine refers to a variable or function of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reloc {
    /// The index in the code of the routine.
    pub symbolic_index: u16,
    /// The index in the table of the file.
    pub resolved_index: u16,
}

/// A GEN binary: machine code of a kernel. Its bytes are opaque.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenBinary<'a> {
    /// The number of the platform; see [`Platform::of_gen_binary`].
    pub platform: u8,
    /// The machine code.
    pub bytes: Cow<'a, [u8]>,
    /// The offset that the file states for an empty binary, to reproduce it.
    pub(super) offset_if_empty: u32,
}

impl<'a> GenBinary<'a> {
    /// Returns machine code for a platform.
    pub fn new(platform: u8, bytes: impl Into<Cow<'a, [u8]>>) -> GenBinary<'a> {
        GenBinary { platform, bytes: bytes.into(), offset_if_empty: 0 }
    }

    /// Copies the machine code, unless it is owned already.
    pub fn into_owned(self) -> GenBinary<'static> {
        GenBinary { bytes: Cow::Owned(self.bytes.into_owned()), ..self }
    }

    /// Returns the platform, if the documents list its number.
    pub const fn known_platform(&self) -> Option<Platform> {
        Platform::of_gen_binary(self.platform)
    }
}

code! {
    /// The visibility of a function or a variable of the file.
    pub struct Linkage(max 255) {
        /// It is defined in another file.
        EXTERN = 0 "extern",
        /// It is visible in this file.
        STATIC = 1 "static",
        /// It is visible in all files.
        GLOBAL = 2 "global",
    }
}

/// A variable of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileScopeVar {
    /// The visibility.
    pub linkage: Linkage,
    /// The name.
    pub name: Name,
    /// The type of the elements.
    pub ty: DataType,
    /// The alignment.
    pub align: Align,
    /// The number of elements.
    pub num_elements: u16,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

impl FileScopeVar {
    /// The name of the table in paths of errors.
    pub(crate) const TABLE: &'static str = "file-scope variable";
}
