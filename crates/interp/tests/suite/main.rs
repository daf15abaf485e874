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
mod support;
