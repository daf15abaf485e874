//! Comparisons of kernels.

mod edits;
mod elsewhere;
mod given;
mod kernels;
mod odd;
