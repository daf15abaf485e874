#![cfg_attr(
    all(feature = "text", feature = "build", feature = "verify", feature = "inline", feature = "analysis"),
    doc = include_str!("../README.md")
)]
#![cfg_attr(
    not(all(
        feature = "text",
        feature = "build",
        feature = "verify",
        feature = "inline",
        feature = "analysis"
    )),
    doc = "An exact codec for the GEN Virtual ISA (vISA). The documentation of all features is longer."
)]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "diff")]
extern crate std;

#[cfg(feature = "analysis")]
pub mod analysis;
#[cfg(all(feature = "build", target_has_atomic = "ptr"))]
pub mod build;
#[cfg(feature = "diff")]
pub mod diff;
pub mod docs;
pub mod error;
pub mod format;
#[cfg(feature = "inline")]
pub mod inline;
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
