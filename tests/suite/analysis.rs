//! Analysis of routines.

mod accesses;
mod graph;
mod liveness;
pub mod payloads;
mod statistics;
mod targets;
