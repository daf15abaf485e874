//! Analysis of routines.

mod accesses;
mod chains;
mod graph;
mod liveness;
mod overwrites;
pub mod payloads;
mod statistics;
mod targets;
