//! The tests of the interpreter.

mod arithmetic;
mod faults;
mod flow;
mod modelled;
mod support;
