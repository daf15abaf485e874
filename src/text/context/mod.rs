//! The printer and the parser that items print to and parse from.

mod grammar;
mod parser;
mod printer;
mod version;

pub(super) use parser::{Parse, Parser, RowState};
pub(super) use printer::{Print, Printer};
pub(super) use version::version_of_statement;
