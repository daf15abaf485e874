//! Tests of the data of the instruction set.

mod compiler;
mod effects;
mod examples;
mod odd;
mod platforms;
