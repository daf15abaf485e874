//! Rules for control flow.

pub(super) mod jumps;
pub(super) mod labels;
