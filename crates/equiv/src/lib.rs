//! Compares what two kernels compute, without a GPU.
//!
//! A [`Comparison`] runs both kernels with the same arguments, which it generates, and compares what they
//! write to their arguments. The first kernel is the reference: arguments with which it stops, such as an index
//! outside of a buffer, are no arguments for it, and say nothing about the second.
//!
//! Equal results are no proof: other arguments may lead to different ones. Only kernels with the same code,
//! data and description ([`Verdict::SameCode`]) are equal for all arguments.
//!
//! # What is compared
//!
//! - The bytes of buffers and images, element by element with the type that the source declares. Integers are
//!   equal if their bits are. Floats may differ by a [`Tolerance`], and NaN equals NaN.
//! - Bits that nobody wrote equal nothing, except that an element with such bits in both results is not
//!   compared.
//! - A fault that stops only the second kernel.
//!
//! Kernels that change none of their arguments in any run are not compared.
//!
//! Variables of the program, and what `printf` writes, are not compared. Results that depend on the order of
//! threads, such as places that an atomic operation assigns, may differ between builds with different widths.

#![forbid(unsafe_code)]

mod arguments;
mod case;
mod comparison;
mod difference;
mod elements;
mod other;
mod ran;
mod reduction;
mod side;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use case::Case;
pub use comparison::{Comparison, Verdict};
pub use difference::{Difference, Tolerance, Written};
pub use genvisa_interp as interp;
pub use other::Runner;
pub use ran::Author;
pub use side::Side;
