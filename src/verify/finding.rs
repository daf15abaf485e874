//! Findings of the verifier.

#[cfg(feature = "text")]
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::rule::Rule;
#[cfg(feature = "text")]
use super::written;
use crate::error::{PathSegment, Severity};
#[cfg(feature = "text")]
use crate::text::{Diagnostic, SourceMap};

/// A broken rule and its place in a module.
///
/// `Display` prints one line:
///
/// ```text
/// error[dst-type]: kernel `k`, instruction 3 lzd, dst: expected ud, found d (offset 0x1b4)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The broken rule.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_rule"))]
    pub rule: &'static Rule,
    /// The rule's severity in the dialect, unless the verifier changes it.
    pub severity: Severity,
    /// The index of the routine in the module; `None` for a single instruction.
    pub routine: Option<usize>,
    /// The place, outermost segment first.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_path"))]
    pub path: Vec<PathSegment>,
    /// The name of the table entry that the finding is about, such as a variable or a label.
    pub name: Option<String>,
    /// The index of the instruction in its routine, if the finding is about an instruction.
    pub instruction: Option<usize>,
    /// The offset of the instruction in the file, if the finding is about an instruction.
    pub offset: Option<usize>,
    /// The problem: `expected ud, found d`, or a statement such as "`dp4a` is not available on
    /// SKL: it exists since TGLLP".
    pub message: String,
    /// What the rule requires; `None` if the message is a statement.
    pub expected: Option<String>,
    /// What the place contains instead; `None` if the message is a statement.
    pub found: Option<String>,
}

impl Finding {
    /// The maximum length in bytes of a name, of `expected` and of `found`. Longer texts are cut
    /// off and end with an ellipsis.
    pub const LONGEST_TEXT: usize = 200;
}

/// Serializes a rule as its name.
#[cfg(feature = "serde")]
fn serialize_rule<S: serde::Serializer>(rule: &Rule, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(rule.name)
}

/// Serializes a path as a list of strings.
#[cfg(feature = "serde")]
fn serialize_path<S: serde::Serializer>(path: &[PathSegment], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(path.iter().map(alloc::string::ToString::to_string))
}

impl Finding {
    /// Returns the finding as a diagnostic about the text that the module was assembled from. It
    /// refers to the operand, if the text shows which one it is, and uses the mnemonic of the text:
    /// `lsc_load` instead of `lsc_untyped`.
    ///
    /// Diagnostics are printed with the line that they refer to, so the message omits the routine
    /// and the index of the instruction. The hint is the statement of the rule.
    ///
    /// ```text
    /// lzd, dst: expected ud, found d
    /// ```
    #[cfg(feature = "text")]
    pub fn to_diagnostic(&self, source_map: &SourceMap, source: &[u8]) -> Diagnostic {
        let span = self.routine.and_then(|routine| source_map.span_of(routine, &self.path));
        let mut span = span.unwrap_or_default();
        let mut message = self.short_message();
        let mnemonic = self.path.iter().find_map(|segment| match segment {
            PathSegment::Instruction { mnemonic, .. } => Some(*mnemonic),
            _ => None,
        });
        if let Some(mnemonic) = mnemonic {
            let written = written::mnemonic(source, &span);
            if !written.is_empty() && written != mnemonic && !mnemonic.is_empty() {
                message = message.replace(&format!("`{mnemonic}`"), &format!("`{written}`"));
                let rest = message.strip_prefix(mnemonic).filter(|rest| rest.starts_with(", "));
                if let Some(rest) = rest {
                    message = format!("{written}{rest}");
                }
            }
            if let Some(PathSegment::Field(field)) = self.path.last() {
                span = written::operand(source, &span, field).unwrap_or(span);
            }
        }
        let mut diagnostic = Diagnostic::new(span, message);
        diagnostic.severity = self.severity;
        diagnostic.rule = Some(self.rule.name);
        diagnostic.help = Some(self.rule.statement.into());
        diagnostic
    }

    /// Returns the message with the place within its line.
    #[cfg(feature = "text")]
    fn short_message(&self) -> String {
        let mut message = String::new();
        let has_field = matches!(self.path.last(), Some(PathSegment::Field(_)));
        for segment in &self.path {
            let (segment, name) = match segment {
                PathSegment::Entry { table, .. } => (*table, self.name.as_deref()),
                PathSegment::Field(field) => (*field, None),
                // A message about a whole instruction contains the mnemonic where it matters.
                PathSegment::Instruction { mnemonic, .. } if has_field && !mnemonic.is_empty() => {
                    (*mnemonic, None)
                }
                _ => continue,
            };
            if !message.is_empty() {
                message += ", ";
            }
            message += segment;
            if let Some(name) = name {
                message += &format!(" `{name}`");
            }
        }
        if !message.is_empty() {
            message += ": ";
        }
        message + &self.message
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity, self.rule.name)?;
        for (i, segment) in self.path.iter().enumerate() {
            write!(f, "{}{segment}", if i == 0 { "" } else { ", " })?;
            if let (PathSegment::Entry { .. }, Some(name)) = (segment, &self.name) {
                write!(f, " `{name}`")?;
            }
        }
        let separator = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{separator}{}", self.message)?;
        match self.offset {
            Some(offset) => write!(f, " (offset {offset:#x})"),
            None => Ok(()),
        }
    }
}
