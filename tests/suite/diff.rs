//! Comparison of routines.
