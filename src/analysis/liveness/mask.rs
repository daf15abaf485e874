//! Sets of units as words of 64 bits.

use core::ops::Range;

/// Returns the number of words for a number of units.
pub(super) const fn words(units: u32) -> usize {
    (units as usize).div_ceil(64)
}

/// Adds a range of units, of which those past the end are ignored.
#[inline]
pub(super) fn insert(mask: &mut [u64], range: Range<u32>, units: u32) {
    let (start, end) = (range.start.min(units), range.end.min(units));
    if start >= end {
        return;
    }
    let (first, last) = ((start / 64) as usize, ((end - 1) / 64) as usize);
    let (low, high) = (u64::MAX << (start % 64), u64::MAX >> (63 - (end - 1) % 64));
    if first == last {
        mask[first] |= low & high;
        return;
    }
    mask[first] |= low;
    mask[first + 1..last].fill(u64::MAX);
    mask[last] |= high;
}

#[inline]
pub(super) fn is_empty(mask: &[u64]) -> bool {
    mask.iter().all(|word| *word == 0)
}

/// Returns the number of units.
#[inline]
pub(super) fn count(mask: &[u64]) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}

#[inline]
pub(super) fn union(mask: &mut [u64], other: &[u64]) {
    for (word, other) in mask.iter_mut().zip(other) {
        *word |= other;
    }
}

#[inline]
pub(super) fn subtract(mask: &mut [u64], other: &[u64]) {
    for (word, other) in mask.iter_mut().zip(other) {
        *word &= !other;
    }
}

#[inline]
pub(super) fn intersect(mask: &mut [u64], other: &[u64]) {
    for (word, other) in mask.iter_mut().zip(other) {
        *word &= other;
    }
}

#[inline]
pub(super) fn equals(mask: &[u64], other: &[u64]) -> bool {
    mask.iter().zip(other).all(|(word, other)| word == other)
}

#[inline]
pub(super) fn intersects(mask: &[u64], other: &[u64]) -> bool {
    mask.iter().zip(other).any(|(word, other)| word & other != 0)
}

/// Adds units, and returns whether any is new.
#[inline]
pub(super) fn merge(mask: &mut [u64], other: &[u64]) -> bool {
    let mut new = 0;
    for (word, other) in mask.iter_mut().zip(other) {
        new |= other & !*word;
        *word |= other;
    }
    new != 0
}

/// Returns the number of groups that contain units, each of a number of units that is a power of two
/// up to 64.
#[inline]
pub(super) fn groups(mask: &[u64], size: u32) -> u32 {
    // The first bit of each group.
    let firsts = u64::MAX.checked_shr(64 - size).map_or(1, |group| u64::MAX / group);
    let count = |word: &u64| {
        let (mut word, mut distance) = (*word, 1);
        while distance < size {
            word |= word >> distance;
            distance *= 2;
        }
        (word & firsts).count_ones()
    };
    mask.iter().map(count).sum()
}
