//! Text that a file contains in strings, and the places of its bytes in the file.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

/// The byte in source code in place of a part that is not known.
pub(super) const HOLE: u8 = 1;

/// Bytes, and the bytes of the file that each is written as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub bytes: Vec<u8>,
    pub map: Vec<Range<u32>>,
    /// The offsets of the bytes in place of parts that are not known.
    holes: Vec<usize>,
    /// The end of the last string in the file, without its quote.
    end: u32,
}

impl Text {
    pub fn push(&mut self, byte: u8, span: Range<u32>) {
        self.bytes.push(byte);
        self.end = span.end;
        self.map.push(span);
    }

    /// Adds a byte that is not an escape.
    pub fn push_written(&mut self, byte: u8, span: Range<u32>) {
        match byte {
            HOLE => self.push_hole(span),
            _ => self.push(byte, span),
        }
    }

    /// Adds a part that is not known.
    pub fn push_hole(&mut self, span: Range<u32>) {
        self.holes.push(self.bytes.len());
        self.push(HOLE, span);
    }

    /// Adds a string that ends at an offset of the file: its bytes, and how each is written.
    pub fn push_string(
        &mut self,
        characters: impl Iterator<Item = (u8, Range<usize>)>,
        end: usize,
    ) {
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        for (byte, span) in characters {
            self.push(byte, offset(span.start)..offset(span.end));
        }
        self.end = offset(end);
    }

    /// Replaces the bytes of unknown parts with a character, and returns their places.
    pub fn take_holes(&mut self) -> Vec<Range<usize>> {
        let holes = mem::take(&mut self.holes);
        for at in &holes {
            self.bytes[*at] = b'?';
        }
        holes.into_iter().map(|at| at..at + 1).collect()
    }

    /// Returns the bytes of the file for a part of the text.
    pub fn file_span(&self, part: &Range<usize>) -> Range<usize> {
        let start = self.map.get(part.start).map_or(self.end, |span| span.start) as usize;
        let last = part.end.checked_sub(1).filter(|last| *last >= part.start);
        let end = last.and_then(|last| self.map.get(last)).map_or(start, |span| span.end as usize);
        start..end.max(start)
    }

    /// Replaces the fields after an offset with unknown parts, and a mark that is written twice with one.
    /// `field` returns the length of a field after its mark.
    #[cfg(feature = "python")]
    pub fn replace_fields(
        &mut self,
        first: usize,
        mark: u8,
        field: impl Fn(&[u8]) -> Option<usize>,
    ) {
        let bytes = self.bytes.split_off(first);
        let map = self.map.split_off(first);
        let known = self.holes.partition_point(|at| *at < first);
        let mut holes = self.holes.split_off(known).into_iter().map(|at| at - first).peekable();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at + 1..];
            let is_mark = byte == mark || byte == b'}' && mark == b'{';
            let len = if byte == mark { field(rest) } else { None };
            match len {
                _ if holes.next_if_eq(&at).is_some() => {
                    self.push_hole(map[at].clone());
                    at += 1;
                }
                _ if is_mark && rest.first() == Some(&byte) => {
                    self.push(byte, map[at].start..map[at + 1].end);
                    at += 2;
                }
                Some(len) => {
                    self.push_hole(map[at].start..map[at + len].end);
                    at += 1 + len;
                    while holes.next_if(|hole| *hole < at).is_some() {}
                }
                None => {
                    self.push(byte, map[at].clone());
                    at += 1;
                }
            }
        }
    }
}
