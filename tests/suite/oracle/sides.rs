//! Where the reference's verifier and this crate's disagree: the side taken, and why.

/// Whose side is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The manual's: it demands what the reference does not check.
    Manual,
    /// That of kernels in the field, or of the manual, which allow what the reference refuses: here it
    /// is a warning.
    Field,
    /// The reference refuses what just keeps the rule, for another reason than the rule's.
    Stricter,
}

/// Rule, side and reason.
#[rustfmt::skip]
pub const SIDES: &[(&str, Side, &str)] = &[
];
