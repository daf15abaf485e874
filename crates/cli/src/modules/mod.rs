//! Modules of files and texts.

pub mod assemble;
pub mod lines;
pub mod load;
pub mod names;
pub mod omitted;
pub mod routines;
