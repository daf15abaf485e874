//! The instruction set of GEN vISA as data.
//!
//! Nothing is listed here. Names, fields and documentation are those of the table of [`genvisa`]; lengths, values and
//! bits are observed by decoding; examples, types, platforms and rules are found by the verifier. [`instruction_set`]
//! returns everything, and [`instruction`] the data of a [`Row`].

#![forbid(unsafe_code)]

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod data;
mod example;
mod observed;
mod row;

pub use data::{
    ExampleData, Field, InstructionData, InstructionSet, Value, example, instruction,
    instruction_set, values,
};
pub use observed::{Code, Condition, Type, VectorOperands, summary};
pub use row::{Row, decode_recorded, find, names, rows};
