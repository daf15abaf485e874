//! The `.isa` container: a header, routines with their tables and code, and GEN binaries
//! (format-facts 2).
//!
//! [`Module`] is a whole file. Reading keeps everything, and [`Module::to_bytes`] gives the same
//! bytes back; code, GEN binaries and padding are borrowed from the input. Offsets and sizes are
//! not part of the model: they are derived on writing, and a file whose own would come out
//! otherwise is refused on reading.

mod attribute;
mod body;
mod header;
mod layout;
mod module;
mod name;
mod routine;
mod tables;

pub use crate::error::RoutineKind;
pub use attribute::{Attribute, AttributeKind};
pub use body::{Body, Code};
#[cfg(feature = "text")]
pub(crate) use layout::Section;
pub use module::Module;
pub use name::Name;
pub use routine::{
    FileScopeVar, Function, FunctionDefinition, GenBinary, Kernel, Linkage, Reloc, Routine,
};
pub use tables::{
    AliasScope, Align, Input, InputClass, InputKind, LabelInfo, LabelKind, SimpleVariable, Variable,
};
