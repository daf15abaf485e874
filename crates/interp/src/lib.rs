//! A reference interpreter for GEN vISA, which runs kernels without a GPU.
//!
//! A [`Program`] has the routines of modules, a [`Machine`] runs groups of its threads, and a [`Fault`] is
//! what stops them: behaviour that is not defined, and instructions that are not modelled.

#![forbid(unsafe_code)]

mod context;
mod coverage;
mod device;
pub mod dispatch;
mod fault;
mod machine;
mod memory;
mod message;
mod number;
mod program;
mod reports;
mod semantics;
mod shared;
mod state;
mod surface;
mod value;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use coverage::Executed;
pub use device::Device;
pub use fault::{Fault, FaultKind, Place, Site, Source};
pub use genvisa_container::device as binary;
pub use machine::{Counts, Group, Lane, Machine, State, Thread, ThreadStart, Write};
pub use memory::Memory;
pub use number::{elements, nearest, number, to_f64};
pub use program::{Code, Program};
pub use surface::{
    AddressMode, Compare, Dimensions, Filter, Image, Layout, PixelFormat, Plane, RenderTargets,
    Sampler, Surface, Surfaces,
};
