//! The C and C++ interface. `include/genvisa.h` is generated from this crate by a test.
//!
//! The functions only convert arguments and results. A null pointer to a handle or to a result is `None`,
//! and the owner of a handle is a `Box`, so that most functions need no unsafe code. [`abi::call`]
//! stops panics.

// The order is that of the header. Blank lines keep it.
mod abi;

mod error;

mod error_info;

mod module;

mod edit;

mod decoder;

mod instructions;

mod verify;

mod inline;
