//! What the verifier found.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::rule::Rule;
use crate::error::{PathSegment, Severity};
use crate::text::{Diagnostic, SourceMap};

/// A rule that is broken, and where.
///
/// ```text
/// error[info-dst-type]: kernel `k`, instruction 3 info_3d, dst: expected ud, found d (offset 0x1b4)
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
    pub path: Vec<PathSegment>,
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

/// SourceMap are for people, and written as they read them.
#[cfg(feature = "serde")]
fn texts<S: serde::Serializer>(path: &[PathSegment], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(path.iter().map(alloc::string::ToString::to_string))
}

impl Finding {
    /// Returns the finding as a diagnostic about the text that the module was assembled from.
    ///
    /// The hint is the statement of the rule.
    pub fn to_diagnostic(&self, source_map: &SourceMap) -> Diagnostic {
        let span = self.routine.and_then(|routine| source_map.of(routine, &self.path));
        let mut diagnostic = Diagnostic::new(span.unwrap_or_default(), self.message().to_string());
        diagnostic.severity = self.severity;
        diagnostic.rule = Some(self.rule.name);
        diagnostic.help = Some(self.rule.statement.into());
        diagnostic
    }

    /// Returns the finding as text without severity, rule and offset.
    pub fn message(&self) -> impl fmt::Display + '_ {
        Message(self)
    }
}

/// The result of [`Finding::message`].
struct Message<'f>(&'f Finding);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { path, expected, found, .. } = self.0;
        for (i, segment) in path.iter().enumerate() {
            write!(f, "{}{segment}", if i == 0 { "" } else { ", " })?;
        }
        let separator = if path.is_empty() { "" } else { ": " };
        write!(f, "{separator}expected {expected}, found {found}")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule.name, self.message())?;
        match self.offset {
            Some(offset) => write!(f, " (offset {offset:#x})"),
            None => Ok(()),
        }
    }
}
