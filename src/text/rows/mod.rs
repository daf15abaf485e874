//! Printing and parsing of instructions by the rows of the instruction table, which run the items.

mod bytes;
mod display;
mod mnemonics;
mod not_encodable;
mod parse;
mod print;
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

/// Turns the fields of a row without `as [..]` into items, and passes them to the macro `$items`.
#[rustfmt::skip]
macro_rules! usual_items {
    ($items:ident ($($args:tt)*) [$($pred:tt)?] [$($sat:tt)?] [$($exec:tt)?] [$($rest:tt)*]) => {
        $items! { $($args)*; $($pred)? @ $($sat)? $($exec)? $($rest)* }
    };
    ($items:ident $args:tt [] $sat:tt $exec:tt $rest:tt pred $($more:tt)*) => {
        usual_items! { $items $args [pred] $sat $exec $rest $($more)* }
    };
    ($items:ident $args:tt $pred:tt $sat:tt [] $rest:tt exec $($more:tt)*) => {
        usual_items! { $items $args $pred $sat [exec] $rest $($more)* }
    };
    ($items:ident $args:tt $pred:tt [] $exec:tt [$($rest:tt)*] dst $($more:tt)*) => {
        usual_items! { $items $args $pred [sat] $exec [$($rest)* dst] $($more)* }
    };
    ($items:ident $args:tt $pred:tt $sat:tt $exec:tt [$($rest:tt)*] $field:ident $($more:tt)*) => {
        usual_items! { $items $args $pred $sat $exec [$($rest)* $field] $($more)* }
    };
}

use usual_items;
