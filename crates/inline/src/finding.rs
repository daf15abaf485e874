//! Findings, and the facts that are unknown.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use genvisa::error::Severity;
use genvisa::verify::Rule;

/// A finding about a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The name of the rule: of [`verify`](genvisa::verify) or of [this module](super), or
    /// `syntax`.
    pub rule: &'static str,
    /// The part of the statement that the finding is about.
    pub place: Place,
    /// The problem.
    pub message: String,
    /// A hint.
    pub help: Option<String>,
}

impl Finding {
    pub(super) fn new(rule: &Rule, place: Place, message: impl Into<String>) -> Finding {
        let message = message.into();
        Finding { severity: rule.severity, rule: rule.name, place, message, help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(help.into()), ..self }
    }
}

/// The part of a statement that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A range of bytes of the template. It is empty if something is missing at its start.
    Template(Range<usize>),
    /// The constraint of the operand of this number.
    Operand(usize),
    /// The clobber at this index.
    Clobber(usize),
}

/// A fact that a rule needs and that is unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Unknown {
    /// The number of lanes.
    Lanes,
    /// The type of the operand of this number.
    Type(usize),
    /// The value of the constant operand of this number.
    Value(usize),
    /// A variable of the compiler, such as `V32`, or one that another function declares.
    Variable(String),
    /// A label that another function defines.
    Label(String),
    /// A part of the template.
    Text,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Lanes => f.write_str("the number of lanes"),
            Unknown::Type(number) => write!(f, "the type of operand {number}"),
            Unknown::Value(number) => write!(f, "the value of operand {number}"),
            Unknown::Variable(name) => write!(f, "the variable `{name}`"),
            Unknown::Label(name) => write!(f, "the label `{name}`"),
            Unknown::Text => f.write_str("a part of the template"),
        }
    }
}
