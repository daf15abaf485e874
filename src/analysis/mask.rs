//! Sets of units as words of 64 bits.

use core::ops::Range;

/// Returns the number of words for a number of units.
pub(super) const fn words(units: u32) -> usize {
    (units as usize).div_ceil(64)
}

/// Returns units if a condition is met. There is no branch, because the effects of accesses alternate.
#[inline]
pub(super) fn only_if(condition: bool, units: u64) -> u64 {
    units & u64::from(condition).wrapping_neg()
}

/// Adds a range of units. Units past the end are ignored.
#[inline]
pub(super) fn insert(mask: &mut [u64], range: Range<u32>, units: u32) {
    each_word(mask, range.start.min(units)..range.end.min(units), |word, bits| *word |= bits);
}

/// Adds the units of a range that are not in a set, and removes the others.
#[inline]
pub(super) fn toggle(mask: &mut [u64], range: Range<u32>) {
    each_word(mask, range, |word, bits| *word ^= bits);
}

/// Calls a function with each word that contains units of a range, and the bits of these.
#[inline]
fn each_word(mask: &mut [u64], range: Range<u32>, each: impl Fn(&mut u64, u64)) {
    if range.is_empty() {
        return;
    }
    let (first, last) = ((range.start / 64) as usize, ((range.end - 1) / 64) as usize);
    let (low, high) = (u64::MAX << (range.start % 64), u64::MAX >> (63 - (range.end - 1) % 64));
    if first == last {
        return each(&mut mask[first], low & high);
    }
    each(&mut mask[first], low);
    mask[first + 1..last].iter_mut().for_each(|word| each(word, u64::MAX));
    each(&mut mask[last], high);
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

/// Adds units that are not in a third set, and returns whether any is new.
#[inline]
pub(super) fn merge_without(mask: &mut [u64], other: &[u64], without: &[u64]) -> bool {
    let mut new = 0;
    for ((word, other), without) in mask.iter_mut().zip(other).zip(without) {
        let added = other & !without & !*word;
        new |= added;
        *word |= added;
    }
    new != 0
}

/// Returns the number of groups that contain units, each of a number of units that is a power of two
/// up to 64.
#[inline]
pub(super) fn groups(mask: &[u64], size: u32) -> u32 {
    let group = u64::MAX >> (64 - size);
    let count =
        |word: &u64| (0..64 / size).filter(|index| word >> (index * size) & group != 0).count();
    mask.iter().map(|word| count(word) as u32).sum()
}
