//! Tests of the interpreter.

mod kernels;
