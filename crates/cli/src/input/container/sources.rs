//! Objects in arrays of C and C++ sources. Objects in string literals are not found.

use genvisa::Dialect;

use super::array::{Array, List, Lists};
use super::found::Container;
use super::place::Place;
use super::scan::Search;
use crate::bytes::Bytes;

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
