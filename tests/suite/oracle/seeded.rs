//! Random texts with IGC as oracle: it makes the same machine code of a text and of what
//! this crate prints for it.

pub mod classes;
mod lines;
