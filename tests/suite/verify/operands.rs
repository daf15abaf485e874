//! Operands of any instruction.

use super::Case;

pub fn cases() -> Vec<Case> {
    Vec::new()
}
