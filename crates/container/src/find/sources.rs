//! Objects in arrays of C and C++ sources. Objects in string literals are not found.

use std::borrow::Cow;

use genvisa::Dialect;

use super::Container;
use super::scan::Search;
use crate::array::arrays;
use crate::place::Place;

/// Adds the objects in the arrays of a source.
pub fn add(container: &mut Container<'_>, dialect: Dialect) {
    let source = container.bytes;
    let mut search = Search::new(source.len(), dialect);
    for array in arrays(source) {
        let value = array.value(source);
        if !Search::may_find(&value) {
            continue;
        }
        let first = container.objects.len();
        let place = |range| Place::Array(array.clone(), range);
        search.add(container, Cow::Owned(value), place);
        let name = array.name().map(|name| String::from_utf8_lossy(&source[name]).into_owned());
        for found in &mut container.objects[first..] {
            found.symbol.clone_from(&name);
        }
    }
}
