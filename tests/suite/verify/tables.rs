//! Declarations, labels, inputs, attributes.

use super::Case;

pub fn cases() -> Vec<Case> {
    Vec::new()
}
