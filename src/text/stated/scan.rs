//! Splitting of a text into comments, line breaks and code, without parsing it.

use core::ops::Range;

use memchr::memmem;

use crate::text::cursor::line_len;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::text) enum Part {
    /// The end of a line that no backslash continues.
    LineBreak,
    /// `// ..`, without the line break.
    LineComment(Range<usize>),
    /// `/* .. */`.
    BlockComment(Range<usize>),
    /// Code up to the next part, from this position.
    Code(usize),
}

/// An iterator over the parts of a text.
pub(in crate::text) struct Parts<'s> {
    source: &'s [u8],
    at: usize,
    /// Before this position, no string that begins ends: all later quotes of its line are escaped.
    open_until: usize,
}

impl<'s> Parts<'s> {
    pub(in crate::text) fn new(source: &'s [u8]) -> Self {
        // Skip a byte order mark.
        let at = if source.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        Parts { source, at, open_until: 0 }
    }

    /// Skips code.
    fn skip_code(&mut self) {
        loop {
            match &self.source[self.at..] {
                [] | [b'\n', ..] | [b'/', b'/' | b'*', ..] => return,
                [b' ' | b'\t', b'\\', b'\n', ..] | [b' ' | b'\t', b'\\', b'\r', b'\n', ..] => {
                    return;
                }
                [b'"', rest @ ..] if self.at >= self.open_until => {
                    let len = string_len(rest);
                    if len == 0 {
                        self.open_until = self.at + 1 + line_len(rest);
                    }
                    self.at += 1 + len;
                }
                _ => self.at += 1,
            }
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            let start = self.at;
            let len = match &self.source[start..] {
                [] => return None,
                [b'\n', ..] => {
                    self.at += 1;
                    return Some(Part::LineBreak);
                }
                [b'\\', b'\n', ..] => 2,
                [b'\\', b'\r', b'\n', ..] => 3,
                [b' ' | b'\t' | b'\r', ..] => 1,
                [b'/', b'/', ..] => {
                    self.at += line_len(&self.source[start..]);
                    return Some(Part::LineComment(start..self.at));
                }
                [b'/', b'*', rest @ ..] => {
                    let len = memmem::find(rest, b"*/").map_or(rest.len(), |len| len + 2);
                    self.at += 2 + len;
                    return Some(Part::BlockComment(start..self.at));
                }
                _ => {
                    self.skip_code();
                    return Some(Part::Code(start));
                }
            };
            self.at += len;
        }
    }
}

/// Returns the length of a string after its first quote, including the last one. Returns 0 for an
/// unterminated string.
fn string_len(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\n' => return 0,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    0
}
