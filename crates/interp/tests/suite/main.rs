//! Tests of the interpreter.

mod addresses;
mod arithmetic;
mod binary;
mod dispatch;
mod faults;
mod flow;
mod generated;
mod groups;
mod image;
mod kernels;
mod lanes;
mod media;
mod messages;
mod mistakes;
mod modelled;
mod modifiers;
mod odd;
mod printf;
mod races;
mod scratch;
mod support;
mod undefined;

#[path = "../../../../fuzz/bodies/interp.rs"]
mod fuzz;
