//! The table of all results in `docs/run-kernels.md`.

use super::Outcome;

/// Compares the table with the results.
pub fn check(outcomes: &[Outcome]) {
    let _ = outcomes;
}
