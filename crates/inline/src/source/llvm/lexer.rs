//! Tokens of LLVM IR.

use core::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, a type, a number or a label.
    Word,
    /// A string with its quotes.
    String,
    /// A string that is not closed: the last token of the file.
    OpenString,
    /// A local name with `%`.
    Local,
    /// A global name with `@`.
    Global,
    /// A name or number of metadata with `!`, or `!` alone.
    Metadata,
    /// An attribute group, such as `#0`.
    Group,
    /// Another byte.
    Punctuation(u8),
}

/// Reads tokens. Comments and blanks are skipped.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'s> {
    pub source: &'s [u8],
    pub position: usize,
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s [u8]) -> Lexer<'s> {
        Lexer { source, position: 0 }
    }

    /// Returns the bytes of a token.
    pub fn bytes(&self, token: &Token) -> &'s [u8] {
        &self.source[token.span.clone()]
    }

    /// Returns the next token without advancing.
    pub fn peek(&self) -> Option<Token> {
        self.clone().next()
    }

    /// Advances past the next token if it is this word.
    pub fn skip_word(&mut self, word: &[u8]) -> bool {
        self.skip_if(|token, bytes| token.kind == Kind::Word && bytes == word)
    }

    /// Advances past the next token if it is this byte.
    pub fn skip_punctuation(&mut self, byte: u8) -> bool {
        self.skip_if(|token, _| token.kind == Kind::Punctuation(byte))
    }

    fn skip_if(&mut self, condition: impl Fn(&Token, &[u8]) -> bool) -> bool {
        let mut next = self.clone();
        let is_skipped = next.next().is_some_and(|token| condition(&token, self.bytes(&token)));
        if is_skipped {
            *self = next;
        }
        is_skipped
    }

    fn end_while(&self, start: usize, condition: impl Fn(u8) -> bool) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        start + rest.iter().position(|byte| !condition(*byte)).unwrap_or(rest.len())
    }

    /// Returns the end of a string whose opening quote is at an offset, or `None` if it is not
    /// closed.
    fn end_of_string(&self, quote: usize) -> Option<usize> {
        let end = self.end_while(quote + 1, |byte| byte != b'"');
        (end < self.source.len()).then_some(end + 1)
    }

    /// Returns the end of a name that begins after a sigil, and whether it is complete.
    fn end_of_name(&self, start: usize) -> (usize, bool) {
        if self.source.get(start) == Some(&b'"') {
            return match self.end_of_string(start) {
                Some(end) => (end, true),
                None => (self.source.len(), false),
            };
        }
        (self.end_while(start, |byte| is_name(byte) || byte == b'\\'), true)
    }

    /// Returns the end of a word or number.
    fn end_of_word(&self, start: usize) -> usize {
        let mut end = start + 1;
        let starts_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-');
        let is_number = starts_number(self.source[start]);
        while let Some(byte) = self.source.get(end) {
            let is_exponent_sign =
                is_number && *byte == b'+' && matches!(self.source[end - 1], b'e' | b'E');
            if !is_name(*byte) && !is_exponent_sign {
                break;
            }
            end += 1;
        }
        end
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = loop {
            let start = self.end_while(self.position, |byte| byte.is_ascii_whitespace());
            if self.source.get(start) != Some(&b';') {
                break start;
            }
            self.position = self.end_while(start, |byte| byte != b'\n');
        };
        let first = *self.source.get(start)?;
        let named = |kind| {
            let (end, is_complete) = self.end_of_name(start + 1);
            (if is_complete { kind } else { Kind::OpenString }, end)
        };
        let (kind, end) = match first {
            b'"' => match self.end_of_string(start) {
                Some(end) => (Kind::String, end),
                None => (Kind::OpenString, self.source.len()),
            },
            b'%' => named(Kind::Local),
            b'@' => named(Kind::Global),
            // `!"text"` is `!` and a string.
            b'!' => {
                (Kind::Metadata, self.end_while(start + 1, |byte| is_name(byte) || byte == b'\\'))
            }
            b'#' => (Kind::Group, self.end_while(start + 1, |byte| byte.is_ascii_digit())),
            b'+' => (Kind::Word, self.end_of_word(start)),
            _ if is_name(first) => (Kind::Word, self.end_of_word(start)),
            _ => (Kind::Punctuation(first), start + 1),
        };
        self.position = end;
        Some(Token { kind, span: start..end })
    }
}

/// Decodes a string without its quotes, which begins at `offset` of the file. Returns the bytes, and
/// the bytes of the file that each is written as.
pub(super) fn unescape(
    string: &[u8],
    offset: usize,
) -> impl Iterator<Item = (u8, Range<usize>)> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = string.get(at..)?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let (byte, len) = match rest {
            [] => return None,
            [b'\\', b'\\', ..] => (b'\\', 2),
            [b'\\', high, low, ..] => match (digit(high), digit(low)) {
                (Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
                _ => (b'\\', 1),
            },
            [byte, ..] => (*byte, 1),
        };
        let start = offset + at;
        at += len;
        Some((byte, start..start + len))
    })
}
