//! The facts about devices that kernels depend on.

use genvisa::RegisterSize;

/// A device, or what is assumed about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The size of a register: the rows of operands.
    pub registers: RegisterSize,
}
