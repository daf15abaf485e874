//! Operands and codes, each with its printer and its parser (docs/format.md, 6.4).

mod address_of;
mod codes;
mod immediate;
mod label;
mod name;
mod predicate;
mod raw;
mod region;
mod state;
mod string;
mod types;
mod vector;

pub(super) use codes::{Renamed, print_atomic};
pub(super) use label::{Suffix, label_instruction};
