//! The tests of the interpreter.

mod arithmetic;
mod image;
mod support;
