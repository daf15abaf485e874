//! `.isa` object files: a header, kernels and functions with their tables and code, and GEN
//! binaries.
//!
//! Section 2 of [`docs::format`](crate::docs::format) describes the bytes.
//!
//! - [`Module`] is a file. It has [`Kernel`]s and [`Function`]s; [`Module::routines`] iterates over
//!   both as [`Routine`]s, whose instructions are decoded on demand.
//! - [`Body`] has the tables of a kernel or function: strings, [`Variable`]s, labels
//!   ([`LabelInfo`]), surfaces and samplers, [`Attribute`]s; and its [`Code`].
//! - [`Module::edit`] returns a [`RoutineEditor`], which changes instructions and tables together, and
//!   writes new instructions with the methods of the builder (feature `build`).
//! - [`Input`]s are the variables, surfaces and samplers that are set when a kernel starts.
//!
//! Reading preserves everything, and [`Module::to_bytes`] reproduces the bytes. Code, GEN binaries
//! and padding are borrowed from the input. Offsets and sizes are not stored: writing computes
//! them, and reading rejects a file for which the result would differ.
//!
//! ```
//! use genvisa::object::{AttributeKind, Module};
//! use genvisa::Dialect;
//!
//! let file = std::fs::read("tests/data/tour.isa")?;
//! let module = Module::from_bytes(&file, Dialect::Igc2022)?;
//! for kernel in &module.kernels {
//!     println!("{}: {} inputs", kernel.name, kernel.inputs.len());
//!     for variable in &kernel.body.variables {
//!         let name = &kernel.body.strings[variable.name.0 as usize];
//!         println!("  {name}: {} x {}", variable.num_elements, variable.ty);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attribute;
mod body;
mod counted;
#[cfg(feature = "build")]
mod edit;
mod entries;
mod file;
mod header;
mod layout;
mod module;
mod name;
#[cfg(feature = "build")]
mod references;
mod routine;
mod routines;
mod string_pool;
mod tables;

pub use crate::error::RoutineKind;
pub use attribute::{Attribute, AttributeKind};
pub use body::{Body, Code};
#[cfg(feature = "build")]
pub use edit::RoutineEditor;
pub use header::MAGIC;
#[cfg(feature = "text")]
pub(crate) use layout::Section;
pub use module::Module;
pub use name::Name;
#[cfg(feature = "build")]
pub use references::{Renumbering, Use};
pub use routine::{FileScopeVar, Function, FunctionDefinition, GenBinary, Kernel, Linkage, Reloc};
pub use routines::Routine;
pub use string_pool::StringPool;
pub use tables::{
    AliasScope, Align, Input, InputClass, InputKind, LabelInfo, LabelKind, SimpleVariable, Variable,
};
