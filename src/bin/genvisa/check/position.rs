//! Lines and columns of source files, with line markers.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use genvisa::inline::source::Marker;

use crate::printable;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file that a line marker names, or the file that was read.
    pub file: String,
    /// The line and the column, unless the file is binary.
    pub line_and_column: Option<(usize, usize)>,
    /// The offset in the file that was read.
    pub offset: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line_and_column {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => write!(f, "{}:{:#x}", self.file, self.offset),
        }
    }
}

/// Finds the places of bytes of a text.
pub struct Positions<'t> {
    pub text: &'t [u8],
    file: String,
    /// The offsets of the line ends; `None` if the file is binary.
    line_ends: Option<Vec<usize>>,
    /// The last place: an offset and its line and column. Findings are in the order of the file, so
    /// long lines are not read again for each of them.
    last: Cell<(usize, usize, usize)>,
    markers: Vec<MarkedLines>,
}

/// The lines after a line marker.
struct MarkedLines {
    offset: usize,
    /// The number of the first line, in the file that was read.
    first: usize,
    /// The number that the marker gives to the first line.
    line: usize,
    file: String,
}

impl<'t> Positions<'t> {
    pub fn new(file: &str, text: &'t [u8], markers: &[Marker]) -> Positions<'t> {
        let line_ends: Vec<usize> =
            (0..text.len()).filter(|offset| text[*offset] == b'\n').collect();
        let mut current = file.to_owned();
        let markers = markers.iter().map(|marker| {
            if let Some(file) = &marker.file {
                current = printable(file);
            }
            MarkedLines {
                offset: marker.offset,
                first: line_ends.partition_point(|end| *end < marker.offset) + 1,
                line: marker.line,
                file: current.clone(),
            }
        });
        let markers = markers.collect();
        Positions {
            text,
            file: file.to_owned(),
            line_ends: Some(line_ends),
            last: Cell::new((0, 1, 1)),
            markers,
        }
    }

    /// Returns the positions of a binary file, which has no lines.
    pub fn binary(file: &str, bytes: &'t [u8]) -> Positions<'t> {
        Positions {
            text: bytes,
            file: file.to_owned(),
            line_ends: None,
            last: Cell::default(),
            markers: Vec::new(),
        }
    }

    /// Returns the place of a byte.
    pub fn locate(&self, offset: usize) -> Place {
        let place =
            |file: &String, line_and_column| Place { file: file.clone(), line_and_column, offset };
        let Some(line_ends) = &self.line_ends else { return place(&self.file, None) };
        let (line, column) = self.line_and_column(line_ends, offset);
        let count = self.markers.partition_point(|marker| marker.offset <= offset);
        match count.checked_sub(1).map(|index| &self.markers[index]) {
            Some(marker) => {
                let line = (marker.line + line).saturating_sub(marker.first);
                place(&marker.file, Some((line, column)))
            }
            None => place(&self.file, Some((line, column))),
        }
    }

    /// Returns whether the file is binary.
    pub fn is_binary(&self) -> bool {
        self.line_ends.is_none()
    }

    fn line_and_column(&self, line_ends: &[usize], offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let index = line_ends.partition_point(|end| *end < offset);
        let line = index + 1;
        let (last_offset, last_line, last_column) = self.last.get();
        let (start, column) = if last_line == line && last_offset <= offset {
            (last_offset, last_column)
        } else {
            (index.checked_sub(1).map_or(0, |before| line_ends[before] + 1), 1)
        };
        let column = column + characters(&self.text[start..offset]);
        self.last.set((offset, line, column));
        (line, column)
    }

    /// Returns the bytes of the line that contains a byte, without its end.
    pub fn line_of(&self, offset: usize) -> Range<usize> {
        let line_ends = self.line_ends.as_deref().unwrap_or_default();
        let index = line_ends.partition_point(|end| *end < offset);
        let start = index.checked_sub(1).map_or(0, |before| line_ends[before] + 1);
        let end = line_ends.get(index).copied().unwrap_or(self.text.len());
        let has_return = end > start && self.text[end - 1] == b'\r';
        start..end - usize::from(has_return)
    }
}

/// Returns the number of characters of bytes: those that do not continue a character of UTF-8.
pub fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !(0x80..0xc0).contains(*byte)).count()
}
