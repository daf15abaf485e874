//! Tests of the interpreter.

mod arithmetic;
mod faults;
mod flow;
mod generated;
mod image;
mod kernels;
mod modelled;
mod support;
