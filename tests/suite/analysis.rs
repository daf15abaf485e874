//! Analysis of routines.

mod accesses;
mod graph;
mod liveness;
mod payloads;
mod statistics;
