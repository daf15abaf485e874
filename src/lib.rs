//! FRONT PAGE
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(feature = "analysis")]
pub mod analysis;
#[cfg(all(feature = "build", target_has_atomic = "ptr"))]
pub mod build;
pub mod docs;
pub mod error;
pub mod format;
#[cfg(feature = "proptest")]
mod generate;
pub mod isa;
pub mod object;
pub mod operand;
#[cfg(feature = "serde")]
mod serde_impls;
#[cfg(feature = "proptest")]
pub mod strategy;
#[cfg(feature = "text")]
pub mod text;
#[cfg(feature = "verify")]
pub mod verify;
pub mod wire;

pub use error::{Error, ErrorKind, Result};
pub use format::{Dialect, Format, Version};
pub use isa::{Boundaries, Instruction, Instructions};
pub use object::Module;
