//! Tests of properties of the whole crate, on real and on random input.

mod annotations;
mod fast_path;
mod field_spans;
mod hand_built;
mod ids;
mod legal;
mod spec;
mod text_only;
mod tokens;
