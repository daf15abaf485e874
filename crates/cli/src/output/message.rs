//! Messages about a command: what is printed on standard error.

use std::fmt::{self, Display};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind {
    /// The command failed, at least for one input.
    Error,
    /// The result may not be what is expected.
    Warning,
    /// The result depends on an assumption, such as the size of a register.
    Assumption,
}

/// A message of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// What it is.
    pub kind: MessageKind,
    /// The message, without the name of the tool: one line, or a snippet of a text, which begins with `error` or
    /// `warning`.
    pub text: String,
    is_snippet: bool,
}

impl Message {
    /// Returns a message of one line.
    pub(crate) fn new(kind: MessageKind, text: impl Display) -> Message {
        Message { kind, text: text.to_string(), is_snippet: false }
    }

    /// Returns a message that shows a part of a text.
    pub(crate) fn snippet(kind: MessageKind, text: impl Display) -> Message {
        Message { kind, text: text.to_string(), is_snippet: true }
    }
}

/// As it is printed on standard error.
impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_snippet, self.kind) {
            (true, _) => f.write_str(&self.text),
            (false, MessageKind::Error) => write!(f, "genvisa: {}", self.text),
            (false, _) => write!(f, "genvisa: warning: {}", self.text),
        }
    }
}
