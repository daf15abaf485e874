//! Analysis of routines.

mod accesses;
mod chains;
mod graph;
mod liveness;
pub mod payloads;
mod statistics;
mod targets;
