//! Tests of the interpreter.

mod arithmetic;
mod binary;
mod dispatch;
mod faults;
mod flow;
mod generated;
mod image;
mod kernels;
mod mistakes;
mod modelled;
mod scratch;
mod support;
mod undefined;

#[path = "../../../../fuzz/bodies/interp.rs"]
mod fuzz;
