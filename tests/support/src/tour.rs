//! The module of `examples/tour.rs`.

#[path = "../../../examples/tour.rs"]
mod example;

pub use example::module;
