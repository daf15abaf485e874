//! Rules for what a routine declares (4_visa_header).

use super::context::Cx;
use super::rule::Rule;

/// The rules of this file.
pub(super) static RULES: &[&[&Rule]] = &[];

/// Applies them to the routine's tables.
pub(super) fn check(cx: &mut Cx<'_>) {
    let _ = cx;
}
