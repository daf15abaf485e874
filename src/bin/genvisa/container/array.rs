//! Arrays of integers in C and C++ sources.

use std::ops::Range;

use bytes::Bytes;
use genvisa::Dialect;

use super::scan::object_at;
use super::{Container, Edit, Place};
use crate::input::MAGIC;

/// The initializer of an array: integers in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The text between the braces.
    pub span: Range<usize>,
    /// The name of the variable.
    pub name: Option<String>,
    /// The size of an element in bytes: 1, 2, 4 or 8, the least that the values fit.
    pub element: usize,
}

/// Adds the objects in the arrays of a source.
pub fn add(container: &mut Container, dialect: Dialect) {
    let _ = (container, dialect, object_at as fn(&Bytes, usize, Dialect) -> _, MAGIC);
}

impl Array {
    /// Returns the edits of a source that change bytes of the value of an array.
    pub fn replace(&self, source: &[u8], bytes: Range<usize>, new: &[u8]) -> Vec<Edit> {
        let _ = (source, bytes, new, Place::Array);
        Vec::new()
    }
}
