//! Tests of properties of the whole crate, on real and on random input.

mod annotations;
mod fast_path;
mod ids;
mod spec;
mod text_only;
mod tokens;

use crate::oracle::differential::number_from;

/// Returns the seed of all random edits in these tests.
pub fn seed() -> u64 {
    number_from("GENVISA_PROPERTY_SEED", 0x5eed)
}

/// Returns the number of random cases, given the number in a default run.
fn cases(default: u64) -> u64 {
    (default * number_from("GENVISA_PROPERTY_CASES", 100)).div_ceil(100)
}
