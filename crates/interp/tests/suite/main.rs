//! The tests of the interpreter.

mod arithmetic;
mod support;
