//! Files: parsing of whole texts, and printing of modules.

mod annotations;
mod directives;
mod document;
mod functions;
mod listing;
mod parse;
mod parser;
mod partial;
mod recorded;
mod routines;
mod statements;

pub use document::{Document, newer_version_warning};
pub use listing::FileListing;
pub use parse::parse;
pub use partial::OmittedRoutine;
pub use recorded::{Completions, Recorded, completions};
