//! Ranges of a file, to find the smallest that contains another.

use std::cmp::Reverse;
use std::ops::Range;

/// Ranges with values, usually disjoint or nested.
pub struct Intervals {
    /// In the order of their starts; of those with the same start, the largest is first.
    items: Vec<(Range<usize>, u32)>,
    /// For each item, the index of the nearest one before that ends after its start.
    outer: Vec<Option<usize>>,
}

impl Intervals {
    /// Returns ranges for searching. Of equal ranges, the first is found.
    pub fn new(mut items: Vec<(Range<usize>, u32)>) -> Intervals {
        items.reverse();
        items.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
        let mut open: Vec<usize> = Vec::new();
        let mut outer = Vec::with_capacity(items.len());
        for (index, (range, _)) in items.iter().enumerate() {
            while open.last().is_some_and(|last| items[*last].0.end <= range.start) {
                open.pop();
            }
            outer.push(open.last().copied());
            open.push(index);
        }
        Intervals { items, outer }
    }

    /// Returns the value of the smallest range that contains a range.
    pub fn containing(&self, range: &Range<usize>) -> Option<u32> {
        // Ranges of real files are nested a few levels deep.
        const DEEPEST: usize = 64;
        let after = self.items.partition_point(|(item, _)| item.start <= range.start);
        let mut at = after.checked_sub(1);
        for _ in 0..DEEPEST {
            let (item, value) = &self.items[at?];
            if range.end <= item.end {
                return Some(*value);
            }
            at = self.outer[at?];
        }
        None
    }
}
