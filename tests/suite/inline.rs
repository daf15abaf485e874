//! Inline assembly.

pub mod catalogue;
mod rules;
