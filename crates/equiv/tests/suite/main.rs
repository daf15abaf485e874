//! Comparisons of kernels.

mod edits;
mod given;
mod kernels;
mod odd;
