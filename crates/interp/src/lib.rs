//! A reference interpreter for GEN vISA.

#![forbid(unsafe_code)]

pub mod binary;
