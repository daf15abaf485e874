//! The reference as oracle.
