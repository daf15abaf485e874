//! Routines: their listings, and the lowering of parsed routines to tables and bytes.

mod annotations;
mod line_printer;
mod listing;
mod lower;

pub use line_printer::{LineNames, LinePrinter, complete_text};
pub use listing::{Listing, PrintError};
pub(super) use lower::LoweredRoutine;
