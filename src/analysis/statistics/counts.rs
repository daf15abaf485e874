//! Counts by a key.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::slice;

/// How often each of several keys occurs: the largest counts first, and keys with equal counts in
/// their order. Keys that do not occur are absent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counts<K>(Vec<(K, u32)>);

impl<K: Ord> Counts<K> {
    /// Returns the counts of a map.
    pub(super) fn new(counts: BTreeMap<K, u32>) -> Counts<K> {
        let mut counts: Vec<(K, u32)> = counts.into_iter().collect();
        // Stable, so that equal counts remain in the order of their keys.
        counts.sort_by_key(|(_, count)| Reverse(*count));
        Counts(counts)
    }
}

impl<K> Default for Counts<K> {
    fn default() -> Counts<K> {
        Counts(Vec::new())
    }
}

impl<K> Counts<K> {
    /// Returns the keys with their counts, the largest counts first.
    pub fn iter(&self) -> impl Iterator<Item = (&K, u32)> {
        self.0.iter().map(|(key, count)| (key, *count))
    }

    /// Returns the sum of the counts.
    pub fn total(&self) -> u32 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of different keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no counts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: PartialEq> Counts<K> {
    /// Returns the count of a key, 0 if it is absent. The time is linear in the number of keys.
    pub fn get(&self, key: &K) -> u32 {
        self.iter().find(|(other, _)| *other == key).map_or(0, |(_, count)| count)
    }
}

impl<'c, K> IntoIterator for &'c Counts<K> {
    type Item = &'c (K, u32);
    type IntoIter = slice::Iter<'c, (K, u32)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
