//! The texts in what a compiler prints.

use alloc::vec::Vec;
use core::iter;
use core::mem;
use core::ops::Range;

use memchr::memmem;

use crate::text::cursor::{line_len, word_len};
use crate::text::rows::RESERVED;
use crate::text::stated::{Part, Parts};
use crate::text::words::{Directive, platforms};

/// Returns the spans of the texts in the output of a compiler, which may print several to a console.
///
/// A text ends with the comment `//Build option: ".."`, which the next one or a message of the compiler
/// may follow in the same line. Messages, and the title of a text in lines of dashes, are in no span.
/// If there is nothing but one text, with its comments, the span is the whole source.
///
/// ```
/// let source = "\
/// .version 4.2
/// .kernel \"a\"
///     ret (M1, 1)
/// //Build option: \"-output\".version 4.2
/// .kernel \"b\"
///     ret (M1, 1)
/// //Build option: \"-output\"Build succeeded.
/// ";
/// let texts = genvisa::text::split_dump(source);
/// assert_eq!(texts.len(), 2);
/// assert!(source[texts[0].clone()].ends_with("//Build option: \"-output\""));
/// assert!(source[texts[1].clone()].starts_with(".version 4.2\n.kernel \"b\""));
/// ```
pub fn split_dump(source: impl AsRef<[u8]>) -> Vec<Range<usize>> {
    let source = source.as_ref();
    Dump { source, texts: Vec::new(), lead: Some(0), has_words: false, has_title: false }.split()
}

/// A text that has been found.
struct Text {
    start: usize,
    /// The end of the comment that ends it.
    end: Option<usize>,
}

struct Dump<'s> {
    source: &'s [u8],
    texts: Vec<Text>,
    /// The start of the comments that precede the next text.
    lead: Option<usize>,
    /// Whether there are words that are in no text.
    has_words: bool,
    /// Whether the first of these words are a line of dashes.
    has_title: bool,
}

impl Dump<'_> {
    fn split(mut self) -> Vec<Range<usize>> {
        let size = self.source.len();
        let whole = iter::once(0..size).collect();
        let mut is_line_start = true;
        for part in Parts::new(self.source) {
            match part {
                Part::LineBreak => is_line_start = true,
                Part::LineComment(span) => self.comment(span),
                Part::BlockComment(span) => self.lead = self.lead.or(Some(span.start)),
                Part::Code(at) if mem::take(&mut is_line_start) => {
                    if !self.line(at) {
                        return whole;
                    }
                }
                Part::Code(_) => {}
            }
        }
        // A message is one only in the output of a compiler.
        let is_output = self.has_title || self.texts.iter().any(|text| text.end.is_some());
        match self.texts.len() {
            0 => whole,
            1 if !(self.has_words && is_output) => whole,
            _ => self.texts.iter().map(|text| text.start..text.end.unwrap_or(size)).collect(),
        }
    }

    fn comment(&mut self, span: Range<usize>) {
        let options = self.end_of_options(&span);
        match (self.texts.last_mut(), options) {
            (Some(text), Some(end)) => {
                text.end = Some(end);
                self.lead = None;
                let rest = &self.source[end..span.end];
                match is_version(rest) {
                    true => self.texts.push(Text { start: end, end: None }),
                    false => self.has_words |= !rest.trim_ascii().is_empty(),
                }
            }
            _ => self.lead = self.lead.or(Some(span.start)),
        }
    }

    /// Returns the end of the options in a comment that ends a text.
    fn end_of_options(&self, comment: &Range<usize>) -> Option<usize> {
        let is_line = comment.start == 0 || self.source[comment.start - 1] == b'\n';
        let line = &self.source[comment.clone()];
        let options =
            line.strip_prefix(b"//")?.strip_prefix(platforms::BUILD_OPTIONS.as_bytes())?;
        let mut quotes = memmem::find_iter(options, b"\"").map(|quote| quote + 1);
        let last = quotes.clone().last()?;
        let len = quotes.find(|end| is_version(&options[*end..])).unwrap_or(last);
        is_line.then_some(comment.end - options.len() + len)
    }

    /// Reads a line that begins with code. Returns false if the source is no output of a compiler.
    fn line(&mut self, at: usize) -> bool {
        let rest = &self.source[at..];
        let line = &rest[..line_len(rest)];
        let is_open = self.texts.last().is_some_and(|text| text.end.is_none());
        if is_open {
            return true;
        }
        if is_version(line) {
            self.texts.push(Text { start: self.lead.take().unwrap_or(at), end: None });
            return true;
        }
        if is_statement(line) {
            // The text goes on after the comment.
            return self.texts.last_mut().is_some_and(|text| text.end.take().is_some());
        }
        self.has_title |= !self.has_words && is_dashes(line);
        self.has_words = true;
        self.lead = None;
        true
    }
}

fn is_version(line: &[u8]) -> bool {
    let rest = line.strip_prefix(Directive::Version.text().as_bytes());
    rest.is_some_and(|rest| matches!(rest, [b' ' | b'\t', ..]))
}

/// Returns whether a line is a directive, an instruction or a label.
fn is_statement(line: &[u8]) -> bool {
    let word = &line[..word_len(line)];
    let is_label = line[word.len()..].trim_ascii() == b":";
    matches!(line, [b'.' | b'(', ..])
        || is_label
        || RESERVED.is_in_igc(word)
        || RESERVED.is_in_genx_ir(word)
}

fn is_dashes(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.starts_with(b"---") && line.iter().all(|byte| *byte == b'-')
}
