//! Arrays of integers in C and C++ sources. Objects in string literals are not found.

mod source;

use std::ops::Range;

use bytes::Bytes;
use genvisa::Dialect;

use super::scan::Search;
use super::{Container, Edit, Place};
use source::{List, Lists};

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

/// Adds the objects in the arrays of a source.
pub fn add(container: &mut Container, dialect: Dialect) {
    let source = container.bytes.clone();
    let mut search = Search::new(source.len(), dialect);
    let mut bytes = Vec::new();
    for List { span, name, element } in Lists::new(&source) {
        bytes.clear();
        List::bytes(&source, &span, element, &mut bytes);
        if !Search::may_find(&bytes) {
            continue;
        }
        let name = name.map(|name| String::from_utf8_lossy(&source[name]).into_owned());
        let array = Array { span, name, element };
        let first = container.objects.len();
        let place = |range| Place::Array(array.clone(), range);
        let value = Bytes::from(std::mem::take(&mut bytes));
        search.add(container, &value, place);
        for found in &mut container.objects[first..] {
            found.symbol.clone_from(&array.name);
        }
    }
}

impl Array {
    /// Returns the edits of a source that change bytes of the value of an array to others, and to
    /// zeros if there are less.
    pub fn replace(&self, source: &[u8], bytes: Range<usize>, new: &[u8]) -> Vec<Edit> {
        let edits = List::replace(source, &self.span, self.element, bytes, new);
        edits.into_iter().map(|(range, bytes)| Edit { range, bytes }).collect()
    }
}
