//! The tests of the interpreter.

mod arithmetic;
mod faults;
mod flow;
mod generated;
mod modelled;
mod support;
