//! A cursor over the text, which reads blanks, words, numbers and strings.

mod blanks;
mod expression;
mod numbers;
mod recording;
mod strings;
mod words;

pub(super) use blanks::line_len;
pub(super) use numbers::Integer;
pub(super) use words::word_len;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::ops::Range;

use crate::text::diagnostic::{Collector, Diagnostic, cut};
use crate::text::recorder::Recorder;
use expression::Builtins;

pub(super) use words::is_name_byte;

/// Parsing failed; the diagnostic has been recorded.
pub(in crate::text) struct Failed;

pub(in crate::text) type Parsed<T> = Result<T, Failed>;

/// A position in the text, and the diagnostics that have been recorded.
pub(in crate::text) struct Cursor<'t> {
    pub(in crate::text) text: &'t [u8],
    /// The text, if it is UTF-8: a part of it needs no validation.
    utf8: Option<&'t str>,
    pub(in crate::text) at: usize,
    /// A part of the text without `@`, up to the next `@` or the end of the text.
    plain: Range<usize>,
    /// A position after which no comment ends, or the maximum if none is known.
    last_comment_end: usize,
    pub(in crate::text) diagnostics: Collector,
    /// `None` unless the caller wants a recording.
    pub(in crate::text) recorder: Option<Box<Recorder>>,
    /// The values of `%sizeof` and `%DispatchSimd`.
    pub(in crate::text) builtins: Builtins<'t>,
    /// Whether decimal numbers must fit in 31 bits.
    pub(in crate::text) has_short_decimals: bool,
    /// The span of the last decimal number of more than 31 bits.
    long_decimal: Range<usize>,
    /// The span of the last expression that overflowed 64 bits.
    pub(in crate::text) overflow: Range<usize>,
}

/// Returns the length of the character of UTF-8 at the start of a text that is not empty.
fn char_len(text: &[u8]) -> usize {
    1 + text.iter().skip(1).take_while(|byte| **byte & 0xc0 == 0x80).count()
}

impl<'t> Cursor<'t> {
    pub(in crate::text) fn new(text: &'t [u8]) -> Cursor<'t> {
        Cursor::with_utf8(text, core::str::from_utf8(text).ok())
    }

    /// Returns a cursor for the start of a text. The rest, which may be long, is not validated.
    pub(in crate::text) fn for_start(text: &'t [u8]) -> Cursor<'t> {
        Cursor::with_utf8(text, None)
    }

    /// Returns a new cursor at the start of the text.
    pub(in crate::text) fn at_start(&self) -> Cursor<'t> {
        Cursor::with_utf8(self.text, self.utf8)
    }

    fn with_utf8(text: &'t [u8], utf8: Option<&'t str>) -> Cursor<'t> {
        Cursor {
            text,
            utf8,
            at: 0,
            plain: 0..0,
            last_comment_end: usize::MAX,
            diagnostics: Collector::default(),
            recorder: None,
            builtins: Builtins::default(),
            has_short_decimals: false,
            long_decimal: 0..0,
            overflow: 0..0,
        }
    }

    #[inline]
    pub(in crate::text) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns a part of the text, or an empty string if it is not UTF-8.
    #[inline]
    pub(in crate::text) fn str(&self, span: Range<usize>) -> &'t str {
        match self.utf8 {
            Some(text) => text.get(span).unwrap_or_default(),
            None => self.text.get(span).map_or("", |part| core::str::from_utf8(part).unwrap_or("")),
        }
    }

    #[inline]
    pub(in crate::text) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(in crate::text) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Reports what was expected and the token that comes next.
    pub(in crate::text) fn expected(&mut self, what: &str) -> Failed {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let len = match rest {
            [] | [b'\n', ..] | [b'/', b'/', ..] => 0,
            _ => match word_len(rest) {
                0 => char_len(rest),
                len => len,
            },
        };
        let found = core::str::from_utf8(&rest[..len]).unwrap_or_default();
        let found = cut(found).to_string();
        let mut diagnostic = Diagnostic::new(start..start + len, String::new());
        diagnostic.expected = Some(what.into());
        diagnostic.found = found;
        self.diagnostics.push(diagnostic);
        Failed
    }

    pub(in crate::text) fn report(&mut self, span: Range<usize>, message: &str) {
        self.diagnostics.push(Diagnostic::new(span, message));
    }

    pub(in crate::text) fn fail(&mut self, span: Range<usize>, message: &str) -> Failed {
        self.report(span, message);
        Failed
    }

    pub(in crate::text) fn fail_with_help(
        &mut self,
        span: Range<usize>,
        message: &str,
        help: Option<String>,
    ) -> Failed {
        let mut diagnostic = Diagnostic::new(span, message);
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
        Failed
    }
}
