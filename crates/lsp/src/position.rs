//! Positions of the protocol, and offsets in the text.

use lsp_types::{Position, PositionEncodingKind, Range as LspRange};
use memchr::memchr2;
use std::ops::Range;

/// The unit of the columns of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client supports.
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the encoding for a client that supports some of them.
    pub fn choose(supported: Option<&[PositionEncodingKind]>) -> Encoding {
        match supported.is_some_and(|list| list.contains(&PositionEncodingKind::UTF8)) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    /// Returns the name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// The lines of a text. They end with `\n`, `\r\n` or `\r`, as the protocol requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
    /// Empty if columns are bytes. For each character that is not ASCII, its end and the number of bytes
    /// that it and those before it have more than units: lines may be long and contain many positions.
    extra: Vec<(usize, usize)>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let (mut starts, mut at) = (vec![0], 0);
        while let Some(len) = memchr2(b'\n', b'\r', &bytes[at..]) {
            at += len + 1;
            if bytes[at - 1] == b'\r' && bytes.get(at) == Some(&b'\n') {
                at += 1;
            }
            starts.push(at);
        }
        let mut lines = Lines { starts, encoding, extra: Vec::new() };
        if encoding == Encoding::Utf16 && !text.is_ascii() {
            let mut extra = 0;
            let wide = text.char_indices().filter(|(_, ch)| !ch.is_ascii());
            lines.extra.extend(wide.map(|(at, ch)| {
                extra += ch.len_utf8() - ch.len_utf16();
                (at + ch.len_utf8(), extra)
            }));
        }
        lines
    }

    /// Returns the number of bytes that the characters before an offset have more than units.
    fn extra_before(&self, at: usize) -> usize {
        let count = self.extra.partition_point(|(end, _)| *end <= at);
        count.checked_sub(1).map_or(0, |last| self.extra[last].1)
    }

    /// Returns the number of units between two offsets of characters of the text.
    pub fn units(&self, span: Range<usize>) -> u32 {
        let extra = self.extra_before(span.end) - self.extra_before(span.start);
        (span.len() - extra) as u32
    }

    /// Returns the number of the line that contains an offset.
    pub fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Returns the bytes of a line without its end. A line after the last is empty.
    pub fn line(&self, text: &str, line: usize) -> Range<usize> {
        let Some(start) = self.starts.get(line).copied() else { return text.len()..text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let len = text[start..end].trim_end_matches(['\n', '\r']).len();
        start..start + len
    }

    /// Returns the offset of a position. A position after the end of its line, or of the text, is the
    /// end; a position within a character is its start.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let line = self.line(text, position.line as usize);
        let column = position.character as usize;
        // The characters before the column, and their bytes that are not units.
        let before = self.extra_before(line.start);
        let first = self.extra.partition_point(|(end, _)| *end <= line.start);
        let in_line = &self.extra[first..];
        let units = |(end, extra): &(usize, usize)| (end - line.start) - (extra - before);
        let count = in_line.partition_point(|wide| wide.0 <= line.end && units(wide) <= column);
        let extra = count.checked_sub(1).map_or(0, |last| in_line[last].1 - before);
        let mut at = line.start.saturating_add(column).saturating_add(extra).min(line.end);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Returns the position of an offset. An offset in the end of a line is the end of its text.
    pub fn position(&self, text: &str, at: usize) -> Position {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let number = self.line_of(at);
        let line = self.line(text, number);
        let column = self.units(line.start..at.min(line.end));
        Position::new(number as u32, column)
    }

    /// Returns the range of bytes.
    pub fn range(&self, text: &str, span: &Range<usize>) -> LspRange {
        LspRange::new(self.position(text, span.start), self.position(text, span.end))
    }

    /// Returns the unit of columns.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of lines.
    pub fn count(&self) -> usize {
        self.starts.len()
    }
}
