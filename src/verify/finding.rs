//! What the verifier found.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::rule::{Rule, Severity};
use crate::error::Place;

/// A rule that is broken, and where.
///
/// ```text
/// error[info-dst-type]: kernel `k`, instruction 3 info_3d, dst: d, not ud (offset 0x1b4)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    #[cfg_attr(feature = "serde", serde(serialize_with = "name"))]
    pub rule: &'static Rule,
    /// The rule's severity in the dialect, or an error if the verifier denies the rule.
    pub severity: Severity,
    /// The routine's position among the module's; `None` for a single instruction.
    pub routine: Option<usize>,
    /// The way to the place, outermost first.
    #[cfg_attr(feature = "serde", serde(serialize_with = "texts"))]
    pub path: Vec<Place>,
    /// The instruction's position in its routine, if the finding is about one.
    pub instruction: Option<usize>,
    /// The instruction's offset in the file, if the finding is about one.
    pub offset: Option<usize>,
    /// What is there.
    pub found: String,
    /// What should be.
    pub expected: String,
}

impl Finding {
    /// The most bytes of a name, and of what is there or should be; what is longer is cut off and ends
    /// with an ellipsis.
    pub const LONGEST_TEXT: usize = 200;
}

/// A rule is known by its name.
#[cfg(feature = "serde")]
fn name<S: serde::Serializer>(rule: &Rule, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(rule.name)
}

/// Places are for people, and written as they read them.
#[cfg(feature = "serde")]
fn texts<S: serde::Serializer>(path: &[Place], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(path.iter().map(alloc::string::ToString::to_string))
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity, self.rule.name)?;
        for (i, place) in self.path.iter().enumerate() {
            write!(f, "{}{place}", if i == 0 { "" } else { ", " })?;
        }
        let separator = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{separator}{}, not {}", self.found, self.expected)?;
        match self.offset {
            Some(offset) => write!(f, " (offset {offset:#x})"),
            None => Ok(()),
        }
    }
}
