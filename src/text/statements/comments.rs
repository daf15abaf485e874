//! The comments of a text, which formatting keeps in their places.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::source_map::Place;
use crate::text::line::Line;

/// A comment, or several that follow each other.
#[derive(Clone, Debug)]
pub(in crate::text) struct Comment {
    /// The routine, counted from 1 in the order of the text. 0 is the file.
    pub(in crate::text) routine: u32,
    pub(in crate::text) place: Place,
    pub(in crate::text) position: Position,
    /// Whether an empty line precedes it.
    pub(in crate::text) follows_empty_line: bool,
    pub(in crate::text) span: Range<usize>,
}

/// Where a comment is relative to its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::text) enum Position {
    /// Before the statement, in lines of its own.
    Before,
    /// In the line of the statement: `/* .. */`, which other comments may follow.
    Block,
    /// At the end of the line of the statement: `// ..`.
    LineEnd,
}

/// The comments of a text in the order in which they are printed.
pub(in crate::text) struct CommentList<'s> {
    pub(in crate::text) source: &'s [u8],
    pub(in crate::text) comments: Vec<Comment>,
}

impl CommentList<'_> {
    /// Returns the comments of a routine, counted from 1 in the order of the text. 0 is the file.
    pub(in crate::text) fn of_routine(&self, routine: usize) -> Comments<'_> {
        let start = self.comments.partition_point(|comment| (comment.routine as usize) < routine);
        let end = self.comments.partition_point(|comment| comment.routine as usize <= routine);
        Comments { source: self.source, rest: &self.comments[start..end], are_kept: true }
    }

    /// Returns the span of a comment that is not UTF-8, if there is one.
    pub(in crate::text) fn first_not_utf8(&self) -> Option<Range<usize>> {
        let mut spans = self.comments.iter().map(|comment| comment.span.clone());
        spans.find(|span| core::str::from_utf8(&self.source[span.clone()]).is_err())
    }
}

/// The comments of a routine that have not been printed yet.
#[derive(Clone, Copy)]
pub(in crate::text) struct Comments<'s> {
    source: &'s [u8],
    rest: &'s [Comment],
    are_kept: bool,
}

impl<'s> Comments<'s> {
    /// The comments of a listing that has no text.
    pub(in crate::text) const NONE: Comments<'static> =
        Comments { source: b"", rest: &[], are_kept: false };

    /// Returns whether the comments of a text are printed: then a listing adds none about the
    /// platform.
    pub(in crate::text) fn are_kept(&self) -> bool {
        self.are_kept
    }

    pub(in crate::text) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Prints the comments before a statement. An empty line before the first one is kept if
    /// `keeps_empty_line` is set, those between comments always are.
    #[inline]
    pub(in crate::text) fn print_before(
        &mut self,
        place: Place,
        line: &mut Line,
        keeps_empty_line: bool,
    ) {
        // Fast path: few statements have comments.
        if self.rest.first().is_some_and(|comment| comment.place <= place) {
            self.print_lines(place, line, keeps_empty_line);
        }
    }

    #[inline(never)]
    fn print_lines(&mut self, place: Place, line: &mut Line, mut keeps_empty_line: bool) {
        let key = (place, Position::Before);
        while let Some((comment, rest)) = self.rest.split_first() {
            if (comment.place, comment.position) > key {
                break;
            }
            if mem::replace(&mut keeps_empty_line, true) && comment.follows_empty_line {
                line.ch('\n');
            }
            self.push_as_line(comment, line);
            self.rest = rest;
        }
    }

    /// Prints a comment in lines of its own. A comment that was not the first in its line is
    /// indented, because at the start of a line it may state the platform.
    fn push_as_line(&self, comment: &Comment, line: &mut Line) {
        let before = &self.source[..comment.span.start];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let blanks = before.iter().rev().take_while(is_blank).count();
        let (before, indentation) = before.split_at(before.len() - blanks);
        match before {
            [] | [.., b'\n'] => line.push_bytes(indentation),
            _ => line.push("    "),
        }
        self.push(comment, line);
        line.ch('\n');
    }

    fn push(&self, comment: &Comment, line: &mut Line) {
        for (index, part) in self.source[comment.span.clone()].split(|b| *b == b'\n').enumerate() {
            if index > 0 {
                line.ch('\n');
            }
            line.push_bytes(part.trim_ascii_end());
        }
    }

    /// Takes the comments in the line of a statement.
    #[inline]
    pub(in crate::text) fn in_line(&mut self, place: Place) -> InLine<'s> {
        let count = self.rest.iter().take_while(|comment| comment.place == place).count();
        let (in_line, rest) = self.rest.split_at(count);
        self.rest = rest;
        InLine(Comments { rest: in_line, ..*self })
    }
}

/// The comments in the line of a statement.
pub(in crate::text) struct InLine<'s>(Comments<'s>);

impl InLine<'_> {
    /// Prints the comments in lines before the statement, which starts at `start`: an annotation is
    /// the end of its line.
    pub(in crate::text) fn insert(&self, line: &mut Line, start: usize) {
        if !self.0.is_empty() {
            let mut lines = Line::default();
            self.0.rest.iter().for_each(|comment| self.0.push_as_line(comment, &mut lines));
            line.insert(start, lines.bytes());
        }
    }

    /// Prints the comments that others may follow.
    #[inline]
    pub(in crate::text) fn push_blocks(&self, line: &mut Line) {
        self.push_all(line, |position| position != Position::LineEnd);
    }

    /// Prints the comment that ends the line.
    #[inline]
    pub(in crate::text) fn push_line_end(&self, line: &mut Line) {
        self.push_all(line, |position| position == Position::LineEnd);
    }

    #[inline]
    fn push_all(&self, line: &mut Line, is_printed: fn(Position) -> bool) {
        for comment in self.0.rest.iter().filter(|comment| is_printed(comment.position)) {
            line.ch(' ');
            self.0.push(comment, line);
        }
    }
}
