//! What other statements of the same kernel contribute to the check of a statement.

use alloc::string::String;
use alloc::vec::Vec;

use super::finding::Unknown;

/// The names and braces of other statements that a statement refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    /// The declarations of variables that the template uses, in the order of the file.
    pub(super) declarations: Vec<Declaration>,
    /// The labels that other templates define.
    pub(super) labels: Vec<String>,
    /// The names among them whose meaning is not certain.
    pub(super) unknown: Vec<Unknown>,
    /// The offsets of braces in the template whose other braces are in other templates.
    pub(super) braces: Vec<usize>,
}

/// A declaration in another template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The line with its end.
    pub(super) text: String,
    /// Whether the type or the size is not known.
    pub(super) is_unknown: bool,
}
