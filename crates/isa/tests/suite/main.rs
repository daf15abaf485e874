//! Tests of the data of the instruction set.

mod compiler;
mod examples;
mod odd;
