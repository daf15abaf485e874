//! The preprocessor of C: tokens, macros and conditionals, each with its place in the file.
//!
//! A file is not preprocessed as a whole, because its headers are missing. Macros of the file are
//! expanded where a statement needs them. Code in all branches of `#if` is read, unless a condition is certain.

mod condition;
pub(super) mod expansion;
pub(super) mod keywords;
pub(super) mod lexer;
pub(super) mod literal;
pub(super) mod macros;
pub(super) mod markers;
pub(super) mod stream;
