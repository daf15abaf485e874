//! Printing and parsing of instructions by the rows of the instruction table, which run the items.

mod bytes;
mod display;
mod mnemonics;
mod not_encodable;
mod parse;
mod print;
mod row_items;
mod single_instruction;
mod syntax;
mod words;
mod written;

pub(super) use bytes::{BytesAnnotation, InstructionBytes, print_instruction_bytes};
pub(super) use mnemonics::RESERVED;
pub use single_instruction::parse_instruction;
pub use syntax::{row_text, row_texts};
pub use words::words_of;
pub use written::as_igc_writes;
