//! Arithmetic, logic, moves, comparison.

use super::Case;

pub fn cases() -> Vec<Case> {
    Vec::new()
}
