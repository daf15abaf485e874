//! An index of a string pool.

use alloc::vec;
use alloc::vec::Vec;

use crate::object::Name;
use crate::operand::StringId;
use crate::text::line::Line;
use crate::text::words::{Charset, begins_identifier};

/// The strings of a routine, indexed by their bytes. Strings may be equal.
pub(in crate::text) struct StringIndex<'b> {
    pub(in crate::text) strings: &'b [Name],
    /// The strings that need no escapes, and the texts that were [added](Self::add).
    text: Line,
    /// For each string, its charset and its span in the text.
    entries: Vec<(Charset, Span)>,
    /// The indices of the strings, grouped by bucket and sorted by string in each.
    ///
    /// The bucket of a string is derived from its hash.
    sorted: Vec<u32>,
    /// For each bucket, its end in `sorted`.
    ends: Vec<u32>,
    /// For each string, the index of the first equal string.
    first: Vec<u32>,
}

/// A range of the text of a [`StringIndex`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::text) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub(in crate::text) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl<'b> StringIndex<'b> {
    pub(in crate::text) fn new(strings: &'b [Name]) -> StringIndex<'b> {
        let mut text = Line::with_capacity(strings.iter().map(Name::len).sum());
        let mut entries = Vec::with_capacity(strings.len());
        let mut buckets = Vec::with_capacity(strings.len());
        // One bucket per string, so that most buckets have at most one.
        let count = strings.len().max(1).next_power_of_two();
        for string in strings.iter().map(Name::as_bytes) {
            let (charset, hash) = Charset::fold(string, 0, hash);
            buckets.push(bucket(hash, count));
            let start = text.len();
            if charset < Charset::Escaped {
                text.push_bytes(string);
            }
            entries.push((charset, Span { start, end: text.len() }));
        }
        let (sorted, ends) = distribute(&buckets, count);
        let mut index = StringIndex { strings, text, entries, sorted, ends, first: Vec::new() };
        index.sort();
        index
    }

    /// Sorts the buckets, for binary search, and finds the first of equal strings.
    fn sort(&mut self) {
        let strings = self.strings;
        let mut first: Vec<u32> = (0..strings.len() as u32).collect();
        let mut start = 0;
        for end in &self.ends {
            let bucket = &mut self.sorted[start..*end as usize];
            start = *end as usize;
            if bucket.len() > 1 {
                bucket.sort_by(|x, y| strings[*x as usize].cmp(&strings[*y as usize]));
                for i in 1..bucket.len() {
                    let (before, index) = (bucket[i - 1] as usize, bucket[i] as usize);
                    if strings[before] == strings[index] {
                        first[index] = first[before];
                    }
                }
            }
        }
        self.first = first;
    }

    /// Returns the bytes of a string, which are empty if the pool does not have it.
    #[inline]
    pub(in crate::text) fn bytes(&self, string: StringId) -> &'b [u8] {
        self.strings.get(string.0 as usize).map_or(b"", Name::as_bytes)
    }

    /// Returns the text of a span.
    #[inline]
    pub(in crate::text) fn text(&self, span: Span) -> &[u8] {
        self.text.bytes().get(span.start..span.end).unwrap_or_default()
    }

    /// Prints the text of a span.
    #[inline]
    pub(in crate::text) fn print(&self, span: Span, line: &mut Line) {
        line.push_part(&self.text, span.start..span.end);
    }

    /// Adds a text that is not a string of the pool.
    pub(in crate::text) fn add(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push(text);
        Span { start, end: self.text.len() }
    }

    /// Returns the span of the first equal string of the pool, or adds the text.
    pub(super) fn find_or_add(&mut self, text: &str) -> Span {
        let first = self.find(text.as_bytes());
        let span = first.and_then(|first| self.unescaped(StringId(first)));
        span.unwrap_or_else(|| self.add(text))
    }

    /// Returns whether a span contains a string, and no earlier string is equal.
    pub(super) fn is_at(&self, string: StringId, span: Span) -> bool {
        let entry = self.entries.get(string.0 as usize);
        entry.is_some_and(|(_, own)| *own == span) && self.first(string) == Some(string.0)
    }

    /// Returns the span of a string that needs no escapes.
    pub(in crate::text) fn unescaped(&self, string: StringId) -> Option<Span> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        (charset < Charset::Escaped).then_some(span)
    }

    /// Returns the span of a string that is an identifier.
    pub(super) fn identifier(&self, string: StringId) -> Option<Span> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        let is_word = charset == Charset::Word && begins_identifier(self.text(span));
        is_word.then_some(span)
    }

    /// Returns the index of the first string that is equal to a string.
    #[inline]
    pub(in crate::text) fn first(&self, string: StringId) -> Option<u32> {
        self.first.get(string.0 as usize).copied()
    }

    /// Returns the bytes of a string, and whether no earlier string is equal.
    pub(in crate::text) fn get(&self, string: StringId) -> Option<(&'b [u8], bool)> {
        Some((self.bytes(string), self.first(string)? == string.0))
    }

    /// Returns the index of the first string with these bytes.
    pub(in crate::text) fn find(&self, bytes: &[u8]) -> Option<u32> {
        let bucket = bucket(bytes.iter().fold(0, hash), self.ends.len()) as usize;
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        let bucket = &self.sorted[start as usize..self.ends[bucket] as usize];
        let position = bucket.partition_point(|index| self.bytes(StringId(*index)) < bytes);
        let index = *bucket.get(position)?;
        (self.bytes(StringId(index)) == bytes).then_some(index)
    }
}

/// Groups the indices of the strings by bucket, in ascending order, and returns the ends of the
/// buckets.
fn distribute(buckets: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    // A counting sort: the sizes of the buckets, then their starts, which become their ends.
    let mut ends = vec![0; count];
    buckets.iter().for_each(|bucket| ends[*bucket as usize] += 1);
    let mut start = 0;
    for end in &mut ends {
        start += core::mem::replace(end, start);
    }
    let mut sorted = vec![0; buckets.len()];
    for (index, bucket) in (0..).zip(buckets) {
        let end = &mut ends[*bucket as usize];
        sorted[*end as usize] = index;
        *end += 1;
    }
    (sorted, ends)
}

/// Adds a byte to the hash of a string.
#[inline]
fn hash(hash: u64, byte: &u8) -> u64 {
    hash.rotate_left(5) ^ u64::from(*byte)
}

/// Returns the bucket of a hash. `count` is a power of two.
#[inline]
fn bucket(hash: u64, count: usize) -> u32 {
    // The high bits of a product depend on all bits of its factors.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    (hash.wrapping_mul(MULTIPLIER) >> 32) as u32 & (count - 1) as u32
}
