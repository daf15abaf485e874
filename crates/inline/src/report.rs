//! The results of a check.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::finding::{Finding, Place, Unknown};
use super::statement::Path;
use super::substitutes::Substitutes;

/// The result of a check of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The findings in the order of the template.
    pub findings: Vec<Finding>,
    /// The facts that are unknown. The rules that need them were skipped.
    pub unknown: Vec<Unknown>,
    /// The part of the compiler whose rules were applied.
    pub path: Path,
    /// The text that was checked: the template with its operands replaced by the names of
    /// variables or by constants.
    pub text: String,
    /// The names in `text` that the template writes in another way.
    pub substitutes: Substitutes,
    /// The text that preceded it: a kernel, and the declarations of the variables.
    pub header: String,
    /// For each byte of `text`, the bytes of the template that it comes from.
    pub origins: Vec<Range<u32>>,
}

impl Report {
    /// Returns a report without findings.
    pub(super) fn new(path: Path, substitutes: Substitutes) -> Report {
        Report {
            findings: Vec::new(),
            unknown: Vec::new(),
            path,
            text: String::new(),
            substitutes,
            header: String::new(),
            origins: Vec::new(),
        }
    }

    pub(super) fn finish(&mut self) {
        let position = |finding: &Finding| match &finding.place {
            Place::Operand(number) => (0, *number),
            Place::Clobber(index) => (1, *index),
            Place::Template(span) => (2, span.start),
        };
        self.findings.sort_by_key(position);
        self.findings.dedup();
        self.unknown.sort();
        self.unknown.dedup();
    }
}
