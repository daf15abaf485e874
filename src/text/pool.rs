//! A string pool, searchable.

use alloc::vec;
use alloc::vec::Vec;

use crate::object::Name;
use crate::operand::StringId;

/// The strings of a routine, which need not be different.
pub(super) struct Pool<'b> {
    pub(super) strings: &'b [Name],
    /// The indices in the order of their strings, equal ones in their own.
    sorted: Vec<u32>,
    /// For each string, the first that is the same.
    first: Vec<u32>,
}

impl<'b> Pool<'b> {
    pub(super) fn new(strings: &'b [Name]) -> Pool<'b> {
        // Eight bytes decide most comparisons without a look at the strings.
        let key = |(string, index): (&Name, u32)| (prefix(string.as_bytes()), index);
        let mut keyed: Vec<(u64, u32)> = strings.iter().zip(0..).map(key).collect();
        let string = |index: u32| &strings[index as usize];
        keyed.sort_by(|(x, i), (y, j)| x.cmp(y).then_with(|| string(*i).cmp(string(*j))));
        let sorted: Vec<u32> = keyed.into_iter().map(|(_, index)| index).collect();
        let mut first = vec![0; strings.len()];
        let mut run = 0;
        for (i, index) in sorted.iter().enumerate() {
            let same = i > 0 && strings[sorted[i - 1] as usize] == strings[*index as usize];
            if !same {
                run = *index;
            }
            first[*index as usize] = run;
        }
        Pool { strings, sorted, first }
    }

    /// The bytes of a string; none if the pool does not have it.
    #[inline]
    pub(super) fn bytes(&self, string: StringId) -> &'b [u8] {
        self.strings.get(string.0 as usize).map_or(b"", Name::as_bytes)
    }

    /// The index of the first string like one of the pool.
    #[inline]
    pub(super) fn first(&self, string: StringId) -> Option<u32> {
        self.first.get(string.0 as usize).copied()
    }

    /// A string of the pool, and whether no earlier one is the same.
    pub(super) fn get(&self, string: StringId) -> Option<(&'b [u8], bool)> {
        Some((self.bytes(string), self.first(string)? == string.0))
    }

    /// The index of the first string of these bytes.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<u32> {
        let at = self.sorted.partition_point(|index| self.bytes(StringId(*index)) < bytes);
        let index = *self.sorted.get(at)?;
        (self.bytes(StringId(index)) == bytes).then_some(index)
    }
}

/// The first eight bytes as a number that compares as they do.
fn prefix(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = bytes.len().min(first.len());
    first[..len].copy_from_slice(&bytes[..len]);
    u64::from_be_bytes(first)
}
