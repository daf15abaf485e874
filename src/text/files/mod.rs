//! Files: parsing of whole texts, and printing of modules.

mod annotations;
mod directives;
mod functions;
mod listing;
mod parse;
mod partial;
mod recorded;
mod routines;
mod statements;

pub use listing::FileListing;
pub use parse::{Assembly, assemble, parse};
pub use partial::{OmittedRoutine, PartialAssembly, assemble_partial};
pub use recorded::{Completions, Recorded, assemble_recorded, completions};
