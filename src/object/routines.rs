//! The routines of a module: what kernels and functions have in common.

use alloc::string::ToString;
use core::fmt;

use super::body::Body;
use super::module::Module;
use super::name::Name;
use super::routine::{Function, Kernel, Linkage, Reloc};
use super::tables::Input;
use crate::error::{PathSegment, Result, RoutineKind};
use crate::format::Format;
use crate::isa::{Boundary, Instruction};

/// A kernel or a function: the parts that both have in common.
///
/// [`Module::routines`] returns these.
#[derive(Clone, Copy)]
pub struct Routine<'m, 'a> {
    /// Whether it is a kernel or a function.
    pub kind: RoutineKind,
    /// The name in the header of the file.
    pub name: &'m Name,
    /// The tables and the code.
    pub body: &'m Body<'a>,
    /// The variables, surfaces and samplers that are set when a kernel starts. Functions have none.
    pub inputs: &'m [Input],
    /// The sizes of the arguments and of the return value of a function, in registers; `None` for a
    /// kernel.
    pub stack_sizes: Option<(u8, u8)>,
    /// The visibility of a function; `None` for a kernel.
    pub linkage: Option<Linkage>,
    /// Relocations of variables of the file.
    pub variable_relocs: &'m [Reloc],
    /// Relocations of functions of the file.
    pub function_relocs: &'m [Reloc],
    module: &'m Module<'a>,
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

    /// Returns the format of the tables and instructions.
    pub fn format(&self) -> Format {
        self.module.format
    }

    /// Returns the offsets and lengths of the instructions in the file, without decoding them. An
    /// error contains the path to the routine, and is the last item.
    pub fn boundaries(&self) -> impl Iterator<Item = Result<Boundary>> + use<'m, 'a> {
        let routine = *self;
        let boundaries = routine.body.code.boundaries(self.format());
        boundaries.map(move |item| item.map_err(|error| error.within(routine.path_segment())))
    }

    /// Returns the segment for paths of errors in this routine.
    pub fn path_segment(&self) -> PathSegment {
        PathSegment::Routine { kind: self.kind, name: self.name.to_string() }
    }

    /// Returns the instructions with their offsets in the file. An error contains the path to the
    /// routine, and is the last item.
    pub fn instructions(&self) -> impl Iterator<Item = Result<(usize, Instruction)>> + use<'m, 'a> {
        let routine = *self;
        let instructions = routine.body.code.instructions(self.format());
        instructions.map(move |item| item.map_err(|error| error.within(routine.path_segment())))
    }
}

impl<'a> Module<'a> {
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
}
