//! Byte vectors.
