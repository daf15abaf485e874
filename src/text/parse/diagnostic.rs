//! What is wrong with a text, and where.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Where, in bytes of the text. It is empty where something is missing.
    pub span: Range<usize>,
    /// What is wrong, unless something else was expected.
    pub message: String,
    /// What was expected instead of what is there.
    pub expected: Option<String>,
    /// What is there.
    pub found: String,
    /// What could be done about it, such as "did you mean `mov`?".
    pub help: Option<String>,
}

/// A token of the text as diagnostics show it: a long one is cut.
///
/// ```text
/// format!("`{}` is not declared", cut(name))
/// ```
pub(super) fn cut(token: &str) -> Cut<'_> {
    Cut(token)
}

/// The result of [`cut`].
pub(super) struct Cut<'t>(&'t str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 40;
        let Cut(token) = *self;
        match token.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "{}...", &token[..end]),
            None => f.write_str(token),
        }
    }
}

/// A long message with its tokens cut. Tokens are in backticks.
fn with_tokens_cut(message: String) -> String {
    const LONG: usize = 200;
    if message.len() <= LONG {
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
    pub(super) fn new(span: Range<usize>, message: String) -> Diagnostic {
        let message = with_tokens_cut(message);
        Diagnostic { span, message, expected: None, found: String::new(), help: None }
    }

    /// Line and column of where it begins, both counted from 1, columns in characters.
    pub fn line_and_column(&self, text: &[u8]) -> (usize, usize) {
        line_and_column(text, self.span.start)
    }
}

/// Line and column of a byte of a text, both counted from 1, columns in characters.
///
/// It reads the text from its start; for many places in one text there is [`Lines`].
pub fn line_and_column(text: &[u8], at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    (line, characters(&before[start..]) + 1)
}

/// How many characters of UTF-8 begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Where the lines of a text end: the lines and columns of many places in it are found without
/// reading it from its start each time.
///
/// ```
/// use genvisa::text::Lines;
///
/// let text = ".version 3.6\n.kernel \"\u{e4}\" // one letter\n";
/// let lines = Lines::new(text.as_bytes());
/// let comment = text.find("//").unwrap();
/// assert_eq!(lines.line_and_column(comment), (2, 13));
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    ends: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Reads a text once.
    pub fn new(text: &'t [u8]) -> Lines<'t> {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Lines { text, ends: ends.map(|(at, _)| at).collect() }
    }

    /// Line and column of a byte, as [`line_and_column`] gives them.
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let ended = &self.ends[..self.ends.partition_point(|end| *end < before.len())];
        let start = ended.last().map_or(0, |end| end + 1);
        (ended.len() + 1, characters(&before[start..]) + 1)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.expected {
            Some(expected) => {
                let found: Cow<'_, str> = match &*self.found {
                    "" => "the end of the line".into(),
                    found => format!("`{}`", found.escape_debug()).into(),
                };
                write!(f, "expected {expected}, found {found}")
            }
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for Diagnostic {}

/// All that was found wrong, up to a limit: more than this nobody reads.
#[derive(Debug, Default)]
pub(super) struct Diagnostics(pub(super) Vec<Diagnostic>);

impl Diagnostics {
    const MOST: usize = 100;

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        // What is looked at twice is wrong once.
        if self.0.len() < Self::MOST && self.0.last() != Some(&diagnostic) {
            self.0.push(diagnostic);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() == Self::MOST
    }

    /// Gives the last diagnostic a hint, if there is one.
    pub(super) fn help_last(&mut self, help: Option<String>) {
        if let (Some(last), Some(_)) = (self.0.last_mut(), &help) {
            last.help = help;
        }
    }

    /// Says more exactly what the last diagnostic expected.
    pub(super) fn rename_last_expected(&mut self, what: &str) {
        if let Some(Diagnostic { expected: Some(expected), .. }) = self.0.last_mut() {
            *expected = what.into();
        }
    }
}

/// The candidate that is nearest to a word, if any is near.
pub(super) fn nearest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let limit = (word.len() / 3).max(1);
    // A word of one letter is near to everything.
    if word.len() <= limit {
        return None;
    }
    let distances =
        candidates.into_iter().map(|candidate| (distance(word, candidate, limit), candidate));
    let (distance, candidate) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= limit).then_some(candidate)
}

/// How many letters have to be changed, added, left out or exchanged; anything above `limit` if more
/// than that.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        assert_eq!(nearest("movv", ["mul", "mov", "movs"]), Some("mov"));
        assert_eq!(nearest("mvo", ["mul", "mov"]), Some("mov"));
        assert_eq!(nearest("smaple_3d", ["sample_3d", "sample_b"]), Some("sample_3d"));
        assert_eq!(nearest("grf", ["word", "GRF"]), Some("GRF"));
        assert_eq!(nearest("zzz", ["mul", "mov"]), None);
        assert_eq!(nearest("e", ["a"]), None);
    }

    #[test]
    fn long_tokens_are_cut_between_characters() {
        assert_eq!(format!("{}", cut(&"a".repeat(40))), "a".repeat(40));
        assert_eq!(format!("{}", cut(&"\u{e4}".repeat(41))), "\u{e4}".repeat(40) + "...");
    }

    #[test]
    fn columns_count_characters() {
        let diagnostic = Diagnostic::new(8..9, String::new());
        assert_eq!(diagnostic.line_and_column("ab\n\u{e4}\u{f6}xy".as_bytes()), (2, 4));
    }
}
