//! Kernels and functions, and what belongs to them or to the file as a whole.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::attribute::Attribute;
use super::body::Body;
use super::module::Module;
use super::name::Name;
use super::tables::{Align, Input};
use crate::error::{PathSegment, Result, RoutineKind};
use crate::format::Format;
use crate::isa::{Boundary, Instruction};
use crate::operand::{DataType, code};

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
    pub definition: Option<Box<FunctionDefinition<'a>>>,
}

impl Function<'_> {
    /// A function that is yet empty.
    pub fn new(name: &str) -> Function<'static> {
        let body = Body::new(name);
        let definition = Box::new(FunctionDefinition { body, ..FunctionDefinition::default() });
        Function { name: name.into(), definition: Some(definition), ..Function::default() }
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
#[derive(Clone, Copy)]
pub struct Routine<'m, 'a> {
    /// Whether it is a kernel or a function.
    pub kind: RoutineKind,
    /// The name in the file's header.
    pub name: &'m Name,
    /// Tables and code.
    pub body: &'m Body<'a>,
    /// What is set when it starts; functions have none.
    pub inputs: &'m [Input],
    /// The sizes of a function's arguments and result, in registers; kernels have none.
    pub stack_sizes: Option<(u8, u8)>,
    /// The linkage of a function; kernels have none.
    pub linkage: Option<Linkage>,
    /// References to variables of the file.
    pub variable_relocs: &'m [Reloc],
    /// References to functions of the file.
    pub function_relocs: &'m [Reloc],
    pub(super) module: &'m Module<'a>,
}

impl fmt::Debug for Routine<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Routine");
        debug.field("kind", &self.kind).field("name", self.name).field("body", self.body);
        debug.field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

impl<'m, 'a> Routine<'m, 'a> {
    /// Returns the module that contains the routine.
    pub fn module(&self) -> &'m Module<'a> {
        self.module
    }

    /// The format of its tables and instructions.
    pub fn format(&self) -> Format {
        self.module.format
    }

    /// Where the instructions lie in the file, without building them. An error names the routine and
    /// is the last item.
    pub fn boundaries(&self) -> impl Iterator<Item = Result<Boundary>> + use<'m, 'a> {
        let routine = *self;
        let boundaries = routine.body.code.boundaries(self.format());
        boundaries.map(move |item| item.map_err(|error| error.within(routine.place())))
    }

    /// Where errors inside this routine happen.
    pub fn place(&self) -> PathSegment {
        PathSegment::Routine { kind: self.kind, name: self.name.to_string() }
    }

    /// The instructions with their offsets in the file. An error names the routine and is the last
    /// item.
    pub fn instructions(&self) -> impl Iterator<Item = Result<(usize, Instruction)>> + use<'m, 'a> {
        let routine = *self;
        let instructions = routine.body.code.instructions(self.format());
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
    pub(super) offset_if_empty: u32,
}

impl<'a> GenBinary<'a> {
    /// Machine code for a platform.
    pub fn new(platform: u8, bytes: impl Into<Cow<'a, [u8]>>) -> GenBinary<'a> {
        GenBinary { platform, bytes: bytes.into(), offset_if_empty: 0 }
    }

    /// The name of the platform, for those that the documents list.
    pub const fn platform_name(&self) -> Option<&'static str> {
        match self.platform {
            3 => Some("BDW"),
            5 => Some("SKL"),
            6 => Some("BXT"),
            10 => Some("ICLLP"),
            12 => Some("TGLLP"),
            _ => None,
        }
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
