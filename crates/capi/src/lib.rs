//! The C interface of the crate `genvisa`.
//!
//! `include/genvisa.h` is generated from this package, and documents every function for C. All unsafe
//! code of the project is here, mostly in the module `abi`: it converts the pointers of callers, and
//! stops panics.

mod abi;
mod decoder;
mod error;
mod inline;
mod module;
mod verify;
