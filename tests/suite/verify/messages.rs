//! Messages, control flow and the rest.

use super::Case;

pub fn cases() -> Vec<Case> {
    Vec::new()
}
