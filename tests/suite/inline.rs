//! Inline assembly.

mod catalogue;
mod rules;
