//! Finds GEN vISA in other files: libraries, programs, archives, device binaries, C sources and the output of
//! compilers.
//!
//! [`FileKind`] tells what any bytes are. With feature `find`, a [`Container`] has the objects and texts in a file,
//! and [`Edits`] replace them in place. With feature `device`, a [`DeviceBinary`] has the kernels of a program
//! for one device, as `.ze_info` describes them.
//!
#![cfg_attr(feature = "find", doc = "[`Container`]: Container\n[`Edits`]: Edits")]
#![cfg_attr(not(feature = "find"), doc = "[`Container`]: #\n[`Edits`]: #")]
#![cfg_attr(feature = "device", doc = "[`DeviceBinary`]: device::DeviceBinary")]
#![cfg_attr(not(feature = "device"), doc = "[`DeviceBinary`]: #")]
#![forbid(unsafe_code)]

#[cfg(feature = "find")]
mod archive;
#[cfg(feature = "find")]
mod array;
#[cfg(feature = "find")]
mod budget;
#[cfg(feature = "find")]
mod compressed;
#[cfg(feature = "device")]
pub mod device;
#[cfg(feature = "find")]
mod edit;
#[cfg(feature = "find")]
mod elf;
#[cfg(feature = "find")]
mod find;
mod kind;
#[cfg(feature = "find")]
mod patch_tokens;
#[cfg(feature = "find")]
mod place;
mod zebin;

#[cfg(feature = "find")]
pub use array::{Array, arrays};
#[cfg(feature = "find")]
pub use edit::{EditError, Edits};
#[cfg(feature = "find")]
pub use find::{
    Broken, Container, EmbeddedBinaries, EmbeddedBinary, Found, Kind, Limited, MachineCode,
};
pub use kind::{FileKind, is_text, is_visa_text};
#[cfg(feature = "find")]
pub use place::{Place, Section, Start};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
