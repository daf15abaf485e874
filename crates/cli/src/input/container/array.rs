//! Arrays of integers in C and C++ sources.

mod source;

use std::ops::Range;

use super::edit::Edit;
pub use source::{List, Lists};

/// The initializer of an array: integers in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The text between the braces.
    pub span: Range<usize>,
    /// The name of the variable.
    pub name: Option<String>,
    /// The size of an element in bytes: 1, 2, 4 or 8, the least that the values fit.
    ///
    /// This is the size in the program if the array contains an object: in any element size, the
    /// magic and the version after it are an element that does not fit a smaller size.
    pub element: usize,
}

impl Array {
    /// Returns the edits of a source that change bytes of the value of an array to others, and to
    /// zeros if there are less.
    pub fn replace(&self, source: &[u8], bytes: Range<usize>, new: &[u8]) -> Vec<Edit> {
        let edits = List::replace(source, &self.span, self.element, bytes, new);
        edits.into_iter().map(|(range, bytes)| Edit { range, bytes }).collect()
    }
}
