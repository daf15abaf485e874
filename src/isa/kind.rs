//! What instructions do.

/// What an instruction does, as the reference's table sorts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A move or a selection.
    Mov,
    /// Arithmetic.
    Arith,
    /// Logic, a shift or a bit field.
    Logic,
    /// A comparison: CMP.
    Compare,
    /// Arithmetic of addresses: ADDR_ADD.
    Address,
    /// A jump, a call or a label.
    Flow,
    /// A message to the data port.
    DataPort,
    /// A message to the sampler or to a video unit.
    Sampler,
    /// An access to shared virtual memory.
    Svm,
    /// A message to the load-store cache.
    Lsc,
    /// A barrier or a fence.
    Sync,
    /// Any other instruction.
    Misc,
}

impl Kind {
    /// Whether the instruction computes, moves or compares, rather than sends a message or jumps.
    pub const fn is_arithmetic(self) -> bool {
        use Kind::{Address, Arith, Compare, Logic, Mov};
        matches!(self, Mov | Arith | Logic | Compare | Address)
    }
}
