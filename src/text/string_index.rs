//! A string pool, searchable.

use alloc::vec;
use alloc::vec::Vec;

use super::charset::{Charset, begins_identifier};
use super::line::Line;
use crate::object::Name;
use crate::operand::StringId;

/// The strings of a routine, which need not be different.
pub(super) struct StringIndex<'b> {
    pub(super) strings: &'b [Name],
    /// The strings that need no escape, one behind the other, and what was [added](Self::add).
    text: Line,
    /// Of each string, its charset and its place in the text.
    entries: Vec<(Charset, Span)>,
    /// The indices of the strings, those of a bucket side by side and in their strings' order.
    sorted: Vec<u32>,
    /// Where in them each bucket ends. A string's hash decides on its bucket.
    ends: Vec<u32>,
    /// For each string, the first that is the same.
    first: Vec<u32>,
}

/// A place in a pool's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl<'b> StringIndex<'b> {
    pub(super) fn new(strings: &'b [Name]) -> StringIndex<'b> {
        let mut text = Line::with_capacity(strings.iter().map(Name::len).sum());
        let mut entries = Vec::with_capacity(strings.len());
        let mut buckets = Vec::with_capacity(strings.len());
        // As many as strings, so that most have one or none.
        let count = strings.len().max(1).next_power_of_two();
        for string in strings.iter().map(Name::as_bytes) {
            let (charset, hash) = Charset::fold(string, 0, hash);
            buckets.push(bucket(hash, count));
            let start = text.len();
            if charset < Charset::Escaped {
                text.plain(string);
            }
            entries.push((charset, Span { start, end: text.len() }));
        }
        let (sorted, ends) = distribute(&buckets, count);
        let mut pool = StringIndex { strings, text, entries, sorted, ends, first: Vec::new() };
        pool.sort();
        pool
    }

    /// Sorts the buckets, so that none takes long to search, and finds the first of strings that are
    /// the same.
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

    /// The bytes of a string; none if the pool does not have it.
    #[inline]
    pub(super) fn bytes(&self, string: StringId) -> &'b [u8] {
        self.strings.get(string.0 as usize).map_or(b"", Name::as_bytes)
    }

    /// The text of a place.
    #[inline]
    pub(super) fn text(&self, span: Span) -> &[u8] {
        self.text.bytes().get(span.start..span.end).unwrap_or_default()
    }

    /// Prints the text of a place.
    #[inline]
    pub(super) fn print(&self, span: Span, line: &mut Line) {
        line.push_part(&self.text, span.start..span.end);
    }

    /// Adds to the text what no string is.
    pub(super) fn add(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push(text);
        Span { start, end: self.text.len() }
    }

    /// Whether a place is that of a string, and no earlier string is the same.
    pub(super) fn is_at(&self, string: StringId, span: Span) -> bool {
        let entry = self.entries.get(string.0 as usize);
        entry.is_some_and(|(_, own)| *own == span) && self.first(string) == Some(string.0)
    }

    /// The place of a string that needs no escape.
    pub(super) fn plain(&self, string: StringId) -> Option<Span> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        (charset < Charset::Escaped).then_some(span)
    }

    /// The place of a string that is a name of the text's language.
    pub(super) fn identifier(&self, string: StringId) -> Option<Span> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        let is_word = charset == Charset::Word && begins_identifier(self.text(span));
        is_word.then_some(span)
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
        let bucket = bucket(bytes.iter().fold(0, hash), self.ends.len()) as usize;
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        let bucket = &self.sorted[start as usize..self.ends[bucket] as usize];
        let at = bucket.partition_point(|index| self.bytes(StringId(*index)) < bytes);
        let index = *bucket.get(at)?;
        (self.bytes(StringId(index)) == bytes).then_some(index)
    }
}

/// The indices of the strings by their buckets, in their own order in each, and where buckets end.
fn distribute(buckets: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    // First how many there are, then where each begins; when all are in their places, where it ends.
    let mut places = vec![0; count];
    buckets.iter().for_each(|bucket| places[*bucket as usize] += 1);
    let mut start = 0;
    for place in &mut places {
        start += core::mem::replace(place, start);
    }
    let mut sorted = vec![0; buckets.len()];
    for (index, bucket) in (0..).zip(buckets) {
        let place = &mut places[*bucket as usize];
        sorted[*place as usize] = index;
        *place += 1;
    }
    (sorted, places)
}

/// A byte more of a string's hash.
#[inline]
fn hash(before: u64, byte: &u8) -> u64 {
    before.rotate_left(5) ^ u64::from(*byte)
}

/// The bucket, of a power of two of them, that a hash means.
#[inline]
fn bucket(hash: u64, count: usize) -> u32 {
    // The high bits of a product depend on all bits of its factors.
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    (hash.wrapping_mul(ODD) >> 32) as u32 & (count - 1) as u32
}
