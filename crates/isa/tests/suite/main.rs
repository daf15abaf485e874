//! Tests of the data of the instruction set.

mod examples;
mod odd;
