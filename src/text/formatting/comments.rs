//! Finding the comments of a text and their statements.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::text::stated::{Part, Parts};
use crate::text::statements::{Comment, CommentList, Place, Position, SourceMap};
use crate::text::words::platforms;

/// The start of a routine in a text.
pub(in crate::text) struct RoutineStart {
    /// The start of its `.version`, if it has its own.
    pub(in crate::text) version: Option<usize>,
    /// The start of its first line.
    pub(in crate::text) header: usize,
    /// Its index in the module.
    pub(in crate::text) index: usize,
}

impl RoutineStart {
    fn start(&self) -> usize {
        self.version.unwrap_or(self.header)
    }
}

impl<'s> CommentList<'s> {
    /// Finds the comments of a text, except for annotations and the numbers of instructions, which
    /// listings print. The routines are in the order of the text.
    pub(in crate::text) fn new(
        source: &'s [u8],
        map: &SourceMap,
        routines: &[RoutineStart],
    ) -> CommentList<'s> {
        let mut collector = Collector {
            source,
            map,
            routines,
            routine: 0,
            comments: Vec::new(),
            block: None,
            follows_empty_line: true,
        };
        collector.collect();
        let mut comments = collector.comments;
        comments.sort_by_key(|comment| (comment.routine, comment.place, comment.position));
        CommentList { source, comments }
    }
}

struct Collector<'s, 'm> {
    source: &'s [u8],
    map: &'m SourceMap,
    routines: &'m [RoutineStart],
    /// The number of routines that have started.
    routine: usize,
    comments: Vec<Comment>,
    /// The first of the comments that directly precede the current line, if an empty line precedes
    /// them.
    block: Option<usize>,
    /// Whether there was an empty line since the last statement or comment.
    follows_empty_line: bool,
}

impl Collector<'_, '_> {
    fn collect(&mut self) {
        // The start of the code in the line, and whether the line has a comment.
        let (mut code, mut has_comment) = (None, false);
        for part in Parts::new(self.source) {
            let (span, position) = match part {
                Part::LineBreak => {
                    if code.take().is_none() && !mem::take(&mut has_comment) {
                        self.block = None;
                        self.follows_empty_line = true;
                    }
                    has_comment = false;
                    continue;
                }
                Part::Code(at) => {
                    self.enter(at);
                    code.get_or_insert(at);
                    continue;
                }
                Part::LineComment(span) => (span, Position::LineEnd),
                Part::BlockComment(span) => (span, Position::Block),
            };
            has_comment = true;
            if position == Position::LineEnd && self.source[span.clone()].starts_with(b"//@") {
                self.block = None;
            } else {
                self.add(code, span, position);
            }
        }
    }

    /// Enters the routine that starts at this code, if one does.
    fn enter(&mut self, at: usize) {
        self.follows_empty_line = false;
        let block = self.block.take();
        if self.routines.get(self.routine).is_none_or(|next| at < next.start()) {
            return;
        }
        self.routine += 1;
        // Comments directly before a routine are about it, except for the platform, which the
        // parser reads as the end of the routine before it.
        let start = block.unwrap_or(self.comments.len());
        if !self.comments[start..].iter().any(|comment| self.states_platform(comment)) {
            for comment in &mut self.comments[start..] {
                comment.routine = self.routine as u32;
                comment.place = Place::Lead;
            }
        }
    }

    fn states_platform(&self, comment: &Comment) -> bool {
        let mut lines = self.source[comment.span.clone()].split(|byte| *byte == b'\n');
        lines.any(|line| line.strip_prefix(b"//").is_some_and(platforms::is_read))
    }

    /// Adds a comment in a line whose code starts at `code`.
    fn add(&mut self, code: Option<usize>, span: Range<usize>, position: Position) {
        let start = span.start;
        let (place, position) = match self.routine.checked_sub(1).map(|last| &self.routines[last]) {
            None => (Place::Lead, Position::Before),
            Some(routine) => match code.and_then(|code| self.statement(routine, code..start)) {
                Some(place) => (place, position),
                None => (self.map.next_place(routine.index, start), Position::Before),
            },
        };
        let mut text = &self.source[span];
        if matches!(place, Place::Instruction(_)) && position == Position::LineEnd {
            text = &text[..len_before_annotation(text)];
        }
        let numbers = if code.is_some() { numbers_len(text) } else { 0 };
        let start = start + numbers;
        let span = start..start + text[numbers..].trim_ascii_end().len();
        if span.is_empty() {
            return;
        }
        let routine = self.routine as u32;
        let follows_empty_line = mem::take(&mut self.follows_empty_line);
        if follows_empty_line && code.is_none() {
            self.block = Some(self.comments.len());
        }
        let comment = Comment { routine, place, position, follows_empty_line, span };
        match self.comments.last_mut().filter(|last| can_join(self.source, last, &comment)) {
            Some(last) => last.span.end = comment.span.end,
            None => self.comments.push(comment),
        }
    }

    /// Returns the last statement in a part of a line.
    fn statement(&self, routine: &RoutineStart, line: Range<usize>) -> Option<Place> {
        let last = self.map.last_place(routine.index, line.clone());
        let version = routine.version.filter(|version| line.contains(version));
        last.or(version.map(|_| Place::Version))
    }
}

/// Returns whether a comment continues the one before it: in the same line or the next.
fn can_join(source: &[u8], last: &Comment, next: &Comment) -> bool {
    let key = |comment: &Comment| (comment.routine, comment.place, comment.position);
    let between = &source[last.span.end..next.span.start];
    next.position == Position::Before
        && key(last) == key(next)
        && !next.follows_empty_line
        && between.trim_ascii().is_empty()
}

/// Returns the length of the numbers, such as `/// $7`, at the start of a comment.
fn numbers_len(comment: &[u8]) -> usize {
    let mut len = 0;
    while let Some(rest) = comment[len..].strip_prefix(b"/// $") {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = rest[digits..].trim_ascii_start();
        if digits == 0 || !after.is_empty() && !after.starts_with(b"//") {
            break;
        }
        len = comment.len() - after.len();
    }
    len
}

/// Returns the length of a comment up to an annotation, outside of quotes.
fn len_before_annotation(comment: &[u8]) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in comment.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b'/' if !is_quoted && comment[at..].starts_with(b"//@") => return at,
            _ => {}
        }
    }
    comment.len()
}
