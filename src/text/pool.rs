//! A string pool, searchable.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::charset::{Charset, begins_identifier};
use super::line::Line;
use crate::object::Name;
use crate::operand::StringId;

/// The strings of a routine, which need not be different.
pub(super) struct Pool<'b> {
    pub(super) strings: &'b [Name],
    /// The strings that need no escape, one behind the other, and what was [added](Self::add).
    text: String,
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

impl<'b> Pool<'b> {
    pub(super) fn new(strings: &'b [Name]) -> Pool<'b> {
        let mut text = Vec::new();
        let mut entries = Vec::with_capacity(strings.len());
        let mut buckets = Vec::with_capacity(strings.len());
        // As many as strings, so that most have one or none.
        let count = strings.len().max(1).next_power_of_two();
        for string in strings.iter().map(Name::as_bytes) {
            let (charset, hash) = Charset::fold(string, 0, hash);
            buckets.push(bucket(hash, count));
            let start = text.len();
            if charset < Charset::Escaped {
                text.extend_from_slice(string);
            }
            entries.push((charset, Span { start, end: text.len() }));
        }
        // It is ASCII.
        let text = String::from_utf8(text).unwrap_or_default();
        let (sorted, ends) = sort(strings, &buckets, count);
        let mut first = vec![0; strings.len()];
        let mut start = 0;
        for end in &ends {
            let mut run: Option<u32> = None;
            for index in &sorted[start..*end as usize] {
                let string = &strings[*index as usize];
                let same = run.filter(|first| strings[*first as usize] == *string);
                run = same.or(Some(*index));
                first[*index as usize] = same.unwrap_or(*index);
            }
            start = *end as usize;
        }
        Pool { strings, text, entries, sorted, ends, first }
    }

    /// The bytes of a string; none if the pool does not have it.
    #[inline]
    pub(super) fn bytes(&self, string: StringId) -> &'b [u8] {
        self.strings.get(string.0 as usize).map_or(b"", Name::as_bytes)
    }

    /// The text of a place.
    #[inline]
    pub(super) fn text(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Prints the text of a place.
    #[inline]
    pub(super) fn print(&self, span: Span, line: &mut Line) {
        line.push_part(&self.text, span.start..span.end);
    }

    /// Adds to the text what no string is.
    pub(super) fn add(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(text);
        Span { start, end: self.text.len() }
    }

    /// Whether a place is that of a string, and no earlier string is the same.
    pub(super) fn is_at(&self, string: StringId, span: Span) -> bool {
        let entry = self.entries.get(string.0 as usize);
        entry.is_some_and(|(_, own)| *own == span) && self.first(string) == Some(string.0)
    }

    /// A string that needs no escape.
    pub(super) fn plain(&self, string: StringId) -> Option<&str> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        (charset < Charset::Escaped).then(|| self.text(span))
    }

    /// The place of a string that is a name of the text's language.
    pub(super) fn identifier(&self, string: StringId) -> Option<Span> {
        let (charset, span) = *self.entries.get(string.0 as usize)?;
        let is_word = charset == Charset::Word && begins_identifier(self.text(span).as_bytes());
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

/// The indices of the strings by their buckets, and the buckets' ends. Whoever makes strings of the
/// same hash gets them sorted.
fn sort(strings: &[Name], buckets: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0; count];
    buckets.iter().for_each(|bucket| ends[*bucket as usize] += 1);
    let mut end = 0;
    for bucket in &mut ends {
        end += *bucket;
        *bucket = end;
    }
    // From the last string to the first, each bucket is filled from its end, which becomes its start.
    let mut sorted = vec![0; strings.len()];
    for (index, bucket) in buckets.iter().enumerate().rev() {
        let place = &mut ends[*bucket as usize];
        *place -= 1;
        sorted[*place as usize] = index as u32;
    }
    for i in 0..count {
        let end = ends.get(i + 1).map_or(strings.len() as u32, |next| *next);
        let bucket = &mut sorted[ends[i] as usize..end as usize];
        if bucket.len() > 1 {
            bucket.sort_by(|x, y| strings[*x as usize].cmp(&strings[*y as usize]));
        }
        ends[i] = end;
    }
    (sorted, ends)
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
