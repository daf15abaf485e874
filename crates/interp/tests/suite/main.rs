//! Tests of the interpreter.

mod arithmetic;
mod faults;
mod flow;
mod kernels;
mod modelled;
mod support;
