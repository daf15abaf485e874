//! GEN vISA, the instruction set between Intel's GPU compilers and their finalizer: a codec for `.isa`
//! object files, a printer and a parser of `.visaasm` text, a builder, a verifier and analyses.
//!
//! Each instruction is a struct, which encodes to bytes and decodes from them:
//!
//! ```
//! use genvisa::isa::Info;
//! use genvisa::operand::{ChannelMask, ExecSize, SurfaceId, VarId};
//! use genvisa::{Format, Instruction};
//!
//! let (surface, dst) = (SurfaceId(6).into(), VarId(33).into());
//! let info = Info { exec: ExecSize::S8.into(), channels: ChannelMask::RGBA, surface, lod: None, dst };
//! let bytes = Instruction::from(info).to_bytes(Format::default())?;
//! assert_eq!(bytes, [0x70, 0x0b, 0x03, 0x0f, 0x06, 0x21, 0, 0, 0, 0, 0]);
//! assert_eq!(Instruction::from_bytes(&bytes, Format::default())?, Instruction::Info(info));
//! # Ok::<(), genvisa::Error>(())
//! ```
//!
//! [`Info`](isa::Info), [`MediaLd`](isa::MediaLd), [`RtWrite`](isa::RtWrite),
//! [`Gather4Typed`](isa::Gather4Typed) and [`Sample3d`](isa::Sample3d) describe the five instructions whose pages
//! dialect [`Manual`](Dialect::Manual) follows, each with an example in both dialects and with its usual mistakes.
//!
//! A file is a [`Module`] with kernels and functions. It borrows the code from the input, and decodes each
//! [`Instruction`] on demand to a struct with typed operands:
//!
//! ```
//! use genvisa::operand::SurfaceId;
//! use genvisa::{Dialect, Instruction, Module};
//!
//! let file = std::fs::read("tests/data/tour.isa")?;
//! let module = Module::from_bytes(&file, Dialect::Igc2022)?;
//! let mut surfaces = Vec::new();
//! for routine in module.routines() {
//!     for item in routine.instructions() {
//!         let (_offset, instruction) = item?;
//!         if let Instruction::MediaLd(load) = instruction {
//!             surfaces.push(load.surface);
//!         }
//!     }
//! }
//! assert_eq!(surfaces, [SurfaceId(7)]);
//! assert_eq!(module.to_bytes()?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every byte string that decodes encodes to the same bytes. A [`Format`] is the version of the bytes together
//! with the [`Dialect`] of their reader. An [`Error`] has the offset and the path of the field. No input causes
//! a panic.
//!
//! A [`Builder`] has a method for each instruction. The [`Verifier`] checks the rules of the language, and
//! [`FileListing`] and [`text::parse`] convert modules to text and back:
//!
//! ```
//! # #[cfg(all(feature = "build", feature = "text", feature = "verify"))] {
//! use genvisa::build::Builder;
//! use genvisa::object::Align;
//! use genvisa::operand::{DataType, ExecSize::*};
//! use genvisa::text::{self, FileListing};
//! use genvisa::verify::Verifier;
//! use genvisa::{Format, Module};
//!
//! let mut k = Builder::new("double", Format::default());
//! let x = k.add_variable("x", DataType::F, 8, Align::GRF);
//! k.add_input(x, 32);
//! k.add(S8, x, x.region(8, 8, 1), x.region(8, 8, 1));
//! k.ret(S1);
//! let mut module = Module::new(k.format());
//! module.kernels.push(k.into_kernel()?);
//! assert_eq!(Verifier::new().check_module(&module), []);
//!
//! let listing = FileListing::new(&module).to_text()?;
//! assert!(listing.contains("    add (M1, 8) x(0,0)<1> x(0,0)<8;8,1> x(0,0)<8;8,1>"));
//! assert_eq!(text::parse(&listing, module.format)?, module);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The codec is always available: [`Module`] reads and writes files, [`Instruction::from_bytes`] and
//! [`Instruction::to_bytes`] convert an instruction, and [`object::Code::from_instructions`] encodes the code
//! of a routine. [`Module`] has an example that needs no feature. `std`, `text`, `build` and `verify` are on by
//! default; `analysis`, `explanations`, `serde` and `proptest` are off.
//! [`docs::library`](docs::library#features) describes them.
//!
//! # Where to go
//!
//! - [`docs::library`] is a guide with an example for each task.
//! - A compiler backend builds kernels ([`Builder`]), changes them (`Module::edit`), checks them
//!   ([`Verifier`]), asks where values are defined and used (`Analysis::chains`), and tests its passes with
//!   generated programs (`strategy::legal`).
//! - [`docs::formats`] helps to choose the version and the dialect, and [`docs::limits`] describes errors and
//!   limits.
//! - [`isa`] has a struct per instruction, [`operand`] their operands, [`object`] the parts of a file, and
//!   [`wire`] reads and writes bytes.
//! - [`docs::format`] is the binary format, and [`docs::text`] the text of IGC.
//!
//! The packages `genvisa-inline` and `genvisa-diff` check inline assembly and compare modules,
//! `genvisa-interp` runs kernels, `genvisa-equiv` compares what they compute, `genvisa-container` finds vISA in
//! other files, and `genvisa-cli` is the command-line tool.
//!
#![cfg_attr(feature = "build", doc = "[`Builder`]: build::Builder")]
#![cfg_attr(feature = "text", doc = "[`FileListing`]: text::FileListing")]
#![cfg_attr(feature = "text", doc = "[`text::parse`]: fn@text::parse")]
#![cfg_attr(feature = "verify", doc = "[`Verifier`]: verify::Verifier")]
//! [`Builder`]: #features
//! [`FileListing`]: #features
//! [`Verifier`]: #features
//! [`text::parse`]: #features
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(feature = "analysis")]
pub mod analysis;
#[cfg(all(feature = "build", target_has_atomic = "ptr"))]
pub mod build;
// Compiled crates do not contain the documents.
#[cfg(doc)]
pub mod docs;
pub mod error;
pub mod format;
#[cfg(feature = "proptest")]
mod generate;
pub mod isa;
pub mod object;
pub mod operand;
pub mod platform;
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
pub use platform::{Platform, RegisterSize};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
