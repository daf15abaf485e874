//! Lines and columns of source files, with line markers.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use genvisa_inline::source::{Language, Marker, Source};
use memchr::memchr_iter;

use crate::words::printable;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file that a line marker names, or the file that was read.
    pub file: Arc<str>,
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
    file: Arc<str>,
    /// The offsets of the line ends; `None` if the file is binary.
    line_ends: Option<Vec<usize>>,
    /// The number of characters before each chunk of the text, so that long lines are not read for
    /// each place in them.
    characters: Vec<usize>,
    markers: Vec<MarkedLines>,
}

/// The length of the chunks of a text whose characters are counted in advance.
const CHUNK: usize = 1 << 10;

/// The lines after a line marker.
struct MarkedLines {
    offset: usize,
    /// The number of the first line, in the file that was read.
    first: usize,
    /// The number that the marker gives to the first line.
    line: usize,
    file: Arc<str>,
}

impl<'t> Positions<'t> {
    /// Returns the positions of a file in which statements were found.
    pub fn of(language: Language, file: &str, bytes: &'t [u8], found: &Source) -> Positions<'t> {
        match language {
            Language::Spirv => Positions::binary(file, bytes),
            _ => Positions::new(file, bytes, &found.markers),
        }
    }

    /// Returns the messages about what was not read of the file.
    pub fn errors(&self, found: &Source) -> Vec<String> {
        let hints = found.hint_errors.iter().map(|(span, problem)| {
            format!("{}: hint: {}", self.locate(span.start), printable(problem))
        });
        let end = found.error.iter().map(|error| {
            let place = match error.offset {
                0 => self.file.to_string(),
                offset => self.locate(offset).to_string(),
            };
            let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{place}: {}{help}", printable(&error.message))
        });
        hints.chain(end).collect()
    }

    pub fn new(file: &str, text: &'t [u8], markers: &[Marker]) -> Positions<'t> {
        let line_ends: Vec<usize> = memchr_iter(b'\n', text).collect();
        let file: Arc<str> = file.into();
        let mut current = file.clone();
        let markers = markers.iter().map(|marker| {
            if let Some(file) = &marker.file {
                current = printable(file).into();
            }
            MarkedLines {
                offset: marker.offset,
                first: line_ends.partition_point(|end| *end < marker.offset) + 1,
                line: marker.line,
                file: current.clone(),
            }
        });
        let markers = markers.collect();
        let mut count = 0;
        let mut counts = vec![0];
        counts.extend(text.chunks(CHUNK).map(|chunk| {
            count += characters(chunk);
            count
        }));
        Positions { text, file, line_ends: Some(line_ends), characters: counts, markers }
    }

    /// Returns the positions of a binary file, which has no lines.
    fn binary(file: &str, bytes: &'t [u8]) -> Positions<'t> {
        Positions {
            text: bytes,
            file: file.into(),
            line_ends: None,
            characters: Vec::new(),
            markers: Vec::new(),
        }
    }

    /// Returns the place of a byte.
    pub fn locate(&self, offset: usize) -> Place {
        let place = |file: &Arc<str>, line_and_column| Place {
            file: file.clone(),
            line_and_column,
            offset,
        };
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
        let start = index.checked_sub(1).map_or(0, |before| line_ends[before] + 1);
        let count = match offset - start {
            ..CHUNK => characters(&self.text[start..offset]),
            _ => self.characters_before(offset) - self.characters_before(start),
        };
        (index + 1, 1 + count)
    }

    /// Returns the number of characters before an offset of the text.
    fn characters_before(&self, offset: usize) -> usize {
        let chunk = offset / CHUNK;
        self.characters[chunk] + characters(&self.text[chunk * CHUNK..offset])
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
