//! Properties of the crate as a whole, each checked on real and on random input.

mod annotations;
mod fast_path;
mod ids;
mod spec;
mod tokens;

use crate::oracle::differential::number_from;

/// The seed of all random edits here.
fn seed() -> u64 {
    number_from("GENVISA_PROPERTY_SEED", 0x5eed)
}

/// Returns how many random cases to try where a usual run tries `usual`.
fn cases(usual: u64) -> u64 {
    (usual * number_from("GENVISA_PROPERTY_CASES", 100)).div_ceil(100)
}
