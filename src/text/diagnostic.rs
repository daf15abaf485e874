//! Errors and warnings about a text, and the lines that they refer to.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use memchr::memchr_iter;

use crate::error::{Severity, error_list};

/// An error or a warning about a text.
///
/// `Display` prints one line without the severity. The alternate form, `{:#}`, also prints the line
/// of the text and its position, with the span underlined:
///
/// ```text
/// error: expected a type, found `int`
///  --> 3:24
///   |
/// 3 | .decl x v_type=G type=int num_elts=8
///   |                       ^^^
///   = help: did you mean `d`?
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// The name of the verifier's rule that is broken. `None` for errors of the parser.
    pub rule: Option<&'static str>,
    /// The bytes of the text that it refers to. Empty if something is missing there.
    pub span: Range<usize>,
    /// The problem, unless [`expected`](Self::expected) is set.
    pub message: String,
    /// What the grammar requires at this position.
    pub expected: Option<String>,
    /// The token at this position, if `expected` is set. Empty at the end of a line.
    pub found: String,
    /// A hint, such as "did you mean `mov`?".
    pub help: Option<String>,
    /// The text that can replace the span to follow the hint.
    pub replacement: Option<String>,
    /// The position of the span and its line. `None` until the source is attached.
    excerpt: Option<Excerpt>,
}

/// The line of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: usize,
    column: usize,
    /// The text of the line, without control characters. A long line is truncated on both sides.
    text: String,
    /// The numbers of characters of `text` before the span, and in it.
    before: usize,
    len: usize,
}

impl Excerpt {
    /// The largest numbers of characters before and after the start of the span.
    const BEFORE: usize = 80;
    const AFTER: usize = 80;

    fn new(lines: &LineIndex<'_>, span: &Range<usize>) -> Excerpt {
        let start = span.start.min(lines.text.len());
        let (line, column) = lines.line_and_column(start);
        let bytes = lines.line_of(start);
        let end = span.end.clamp(start, bytes.end);
        let chars = |range: Range<usize>| -> Vec<char> {
            let text = String::from_utf8_lossy(&lines.text[range]);
            text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect()
        };
        // A character has at most four bytes.
        let first = bytes.start.max(start.saturating_sub(4 * Self::BEFORE));
        let last = bytes.end.min(start.saturating_add(4 * Self::AFTER));
        let before = chars(first..start);
        let before = &before[before.len().saturating_sub(Self::BEFORE)..];
        let after = chars(start..last);
        let marked = chars(start..end.min(last)).len();
        let text = before.iter().chain(after.iter().take(Self::AFTER)).collect::<String>();
        let len = marked.clamp(1, Self::AFTER);
        Excerpt { line, column, text: text.trim_end().into(), before: before.len(), len }
    }
}

/// Returns a token of the text for a diagnostic, truncated if it is long.
///
/// ```text
/// format!("`{}` is not declared", cut(name))
/// ```
pub(in crate::text) fn cut(token: &str) -> Cut<'_> {
    Cut(token)
}

/// The result of [`cut`].
pub(in crate::text) struct Cut<'t>(&'t str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARS: usize = 40;
        let Cut(token) = *self;
        match token.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => write!(f, "{}...", &token[..end]),
            None => f.write_str(token),
        }
    }
}

/// Truncates the tokens in a long message. Tokens are in backticks.
fn with_tokens_truncated(message: String) -> String {
    const MAX_LEN: usize = 200;
    if message.len() <= MAX_LEN {
        return message;
    }
    let mut result = String::new();
    for (index, part) in message.split('`').enumerate() {
        if index > 0 {
            result.push('`');
        }
        if index % 2 == 0 {
            result.push_str(part);
        } else {
            result.push_str(&cut(part).to_string());
        }
    }
    result
}

impl Diagnostic {
    /// Returns an error about bytes of a text.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            rule: None,
            span,
            message: with_tokens_truncated(message.into()),
            expected: None,
            found: String::new(),
            help: None,
            replacement: None,
            excerpt: None,
        }
    }

    /// Returns a warning about bytes of a text.
    pub(in crate::text) fn warning(span: Range<usize>, message: String) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::new(span, message) }
    }

    /// Returns the line and the column of the start of the span, both counted from 1, columns in
    /// characters. `None` if the source is not attached; see [`Diagnostics::with_source`].
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.excerpt.as_ref().map(|excerpt| (excerpt.line, excerpt.column))
    }

    /// Prints the alternate form.
    fn fmt_with_source(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.severity)?;
        if let Some(rule) = self.rule {
            write!(f, "[{rule}]")?;
        }
        write!(f, ": {self}")?;
        let mut margin = 0;
        if let Some(Excerpt { line, column, text, before, len }) = &self.excerpt {
            margin = line.to_string().len();
            write!(f, "\n{:margin$}--> {line}:{column}\n{:margin$} |", "", "")?;
            write!(f, "\n{line} | {text}\n{:margin$} | {:before$}", "", "")?;
            write!(f, "{:^<len$}", "")?;
        }
        match &self.help {
            Some(help) => write!(f, "\n{:margin$} = help: {help}", ""),
            None => Ok(()),
        }
    }
}

/// The errors and warnings about a text, in the order of the text.
///
/// `Display` and `Debug` print each diagnostic with its line of the text, so `main` can return it
/// as an error.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

/// The errors in a text; see [`Diagnostics`]. It is not empty.
pub type Errors = Diagnostics;

impl Diagnostics {
    /// Returns diagnostics in the order of the text, with their lines.
    pub(in crate::text) fn new(mut diagnostics: Vec<Diagnostic>, source: &[u8]) -> Diagnostics {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Diagnostics(diagnostics).with_source(source)
    }

    /// Returns the diagnostics with the lines of the text that they refer to.
    #[must_use]
    pub fn with_source(mut self, source: impl AsRef<[u8]>) -> Diagnostics {
        if !self.0.is_empty() {
            let lines = LineIndex::new(source.as_ref());
            for diagnostic in &mut self.0 {
                diagnostic.excerpt = Some(Excerpt::new(&lines, &diagnostic.span));
            }
        }
        self
    }
}

error_list!(Diagnostics(Diagnostic));

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Diagnostics {
        Diagnostics(diagnostics.into_iter().collect())
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            write!(f, "{}{diagnostic:#}", if index == 0 { "" } else { "\n\n" })?;
        }
        Ok(())
    }
}

/// Returns the line and the column of a byte of a text, both counted from 1, columns in characters.
///
/// This reads the text from its start. For many positions in one text, use [`LineIndex`].
pub fn line_and_column(text: &[u8], at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    (line, characters(&before[start..]) + 1)
}

/// Returns the number of characters of UTF-8 that begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// An index of the lines of a text, for the lines and columns of many positions.
///
/// ```
/// use genvisa::text::LineIndex;
///
/// let text = ".version 3.6\n.kernel \"\u{e4}\" // one letter\n";
/// let lines = LineIndex::new(text.as_bytes());
/// let comment = text.find("//").unwrap();
/// assert_eq!(lines.line_and_column(comment), (2, 13));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    ends: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Returns the index of a text.
    pub fn new(text: &'t [u8]) -> LineIndex<'t> {
        LineIndex { text, ends: memchr_iter(b'\n', text).collect() }
    }

    /// Returns the line and the column of a byte, as [`line_and_column`] does.
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.line_of(at);
        let number = self.ends.partition_point(|end| *end < at) + 1;
        (number, characters(&self.text[line.start..at]) + 1)
    }

    /// Returns the bytes of the line that contains a byte, without its end.
    fn line_of(&self, at: usize) -> Range<usize> {
        let index = self.ends.partition_point(|end| *end < at);
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        start..self.ends.get(index).copied().unwrap_or(self.text.len())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.fmt_with_source(f);
        }
        match &self.expected {
            Some(expected) => {
                write!(f, "expected {expected}, found ")?;
                if self.found.is_empty() {
                    return f.write_str("the end of the line");
                }
                f.write_str("`")?;
                for ch in self.found.chars() {
                    match ch {
                        '"' | '\'' | '\\' => write!(f, "{ch}")?,
                        _ => write!(f, "{}", ch.escape_debug())?,
                    }
                }
                f.write_str("`")
            }
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for Diagnostic {}

/// The diagnostics that have been recorded, up to a limit.
#[derive(Debug, Default)]
pub(in crate::text) struct Collector(pub(in crate::text) Vec<Diagnostic>);

impl Collector {
    /// The limit.
    pub(in crate::text) const MAX: usize = 100;

    pub(in crate::text) fn push(&mut self, diagnostic: Diagnostic) {
        // Do not report the same problem twice.
        if self.0.len() < Self::MAX && self.0.last() != Some(&diagnostic) {
            self.0.push(diagnostic);
        }
    }

    pub(in crate::text) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the diagnostics in the order of the text.
    pub(in crate::text) fn finish(self, source: &[u8]) -> Diagnostics {
        Diagnostics::new(self.0, source)
    }

    pub(in crate::text) fn is_full(&self) -> bool {
        self.0.len() == Self::MAX
    }

    /// Truncates spans at a position.
    pub(in crate::text) fn clamp(&mut self, end: usize) {
        for Diagnostic { span, .. } in &mut self.0 {
            *span = span.start.min(end)..span.end.min(end);
        }
    }

    /// Suggests a word in place of the span of the last diagnostic.
    pub(in crate::text) fn suggest(&mut self, word: Option<String>) {
        if let (Some(last), Some(word)) = (self.0.last_mut(), word) {
            last.help = Some(format!("did you mean `{word}`?"));
            last.replacement = Some(word);
        }
    }

    /// Sets the text that can replace the span of the last diagnostic.
    pub(in crate::text) fn set_last_replacement(&mut self, text: &str) {
        if let Some(last) = self.0.last_mut() {
            last.replacement = Some(text.into());
        }
    }

    /// Sets the hint of the last diagnostic, if there is one.
    pub(in crate::text) fn set_last_help(&mut self, help: Option<String>) {
        if let (Some(last), Some(_)) = (self.0.last_mut(), &help) {
            last.help = help;
        }
    }

    /// Sets the expected text of the last diagnostic.
    pub(in crate::text) fn rename_last_expected(&mut self, what: &str) {
        if let Some(Diagnostic { expected: Some(expected), .. }) = self.0.last_mut() {
            *expected = what.into();
        }
    }
}

/// Returns the candidate that is most similar to a word, if one is similar: for suggestions.
///
/// ```
/// use genvisa::text::nearest;
///
/// assert_eq!(nearest("smaple", ["add", "sample"]), Some("sample"));
/// assert_eq!(nearest("mul", ["add", "sample"]), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Not generic, so that it exists once.
    nearest_of(word, &mut candidates.into_iter())
}

fn nearest_of<'c>(word: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.len() / 3).max(1);
    // A word of one letter is similar to every short word.
    if word.len() <= limit {
        return None;
    }
    let distances = candidates.map(|candidate| (distance(word, candidate, limit), candidate));
    let (distance, candidate) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= limit).then_some(candidate)
}

/// Returns the edit distance of two words: the number of letters to change, add, remove or swap
/// with the next. Returns more than `limit` if the distance exceeds it.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    const LONGEST: usize = 32;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit || a.len() > LONGEST || b.len() > LONGEST {
        return limit + 1;
    }
    let mut rows = [[0usize; LONGEST + 1]; 3];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        let (now, before, long_before) = (i % 3, (i - 1) % 3, (i + 1) % 3);
        rows[now][0] = i;
        for j in 1..=b.len() {
            let changed = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            let mut least =
                (rows[before][j - 1] + changed).min(rows[before][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[long_before][j - 2] + 1);
            }
            rows[now][j] = least;
        }
    }
    rows[a.len() % 3][b.len()]
}
