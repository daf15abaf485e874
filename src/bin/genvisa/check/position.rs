//! Lines and columns of source files, with line markers.

use std::fmt;
use std::ops::Range;

use genvisa::inline::source::Marker;
use genvisa::text::LineIndex;

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
    /// `None` if the file is binary.
    lines: Option<LineIndex<'t>>,
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
        let lines = LineIndex::new(text);
        let mut current = file.to_owned();
        let markers = markers.iter().map(|marker| {
            if let Some(file) = &marker.file {
                current = printable(file);
            }
            MarkedLines {
                offset: marker.offset,
                first: lines.line_and_column(marker.offset).0,
                line: marker.line,
                file: current.clone(),
            }
        });
        let markers = markers.collect();
        Positions { text, file: file.to_owned(), lines: Some(lines), markers }
    }

    /// Returns the positions of a binary file, which has no lines.
    pub fn binary(file: &str, bytes: &'t [u8]) -> Positions<'t> {
        Positions { text: bytes, file: file.to_owned(), lines: None, markers: Vec::new() }
    }

    /// Returns the place of a byte.
    pub fn locate(&self, offset: usize) -> Place {
        let place =
            |file: &String, line_and_column| Place { file: file.clone(), line_and_column, offset };
        let Some(lines) = &self.lines else { return place(&self.file, None) };
        let (line, column) = lines.line_and_column(offset);
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
        self.lines.is_none()
    }

    /// Returns the bytes of the line that contains a byte, without its end.
    pub fn line_of(&self, offset: usize) -> Range<usize> {
        let text = self.text;
        let offset = offset.min(text.len());
        let start = text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let len = text[offset..].iter().position(|byte| *byte == b'\n');
        let end = len.map_or(text.len(), |len| offset + len);
        let has_return = end > start && text[end - 1] == b'\r';
        start..end - usize::from(has_return)
    }
}
