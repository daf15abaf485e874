#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(target_has_atomic = "ptr")]
pub mod build;
pub mod error;
pub mod format;
pub mod isa;
pub mod object;
pub mod operand;
#[cfg(feature = "serde")]
mod serde_impls;
#[cfg(feature = "proptest")]
pub mod strategy;
pub mod text;
pub mod verify;
pub mod wire;

pub use error::{Error, ErrorKind, Result};
pub use format::{Dialect, Format, Version};
pub use isa::{Boundaries, Instruction, Instructions};
pub use object::Module;
