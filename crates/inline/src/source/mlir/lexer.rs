//! Tokens of MLIR.

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
    /// A keyword, the name of an operation, a built-in type or a number.
    Word,
    /// A string with its quotes.
    String,
    /// A string that is not closed on its line.
    OpenString,
    /// A value with `%`.
    Value,
    /// The type of a dialect or an alias of a type, with `!`.
    Type,
    /// A symbol with `@`.
    Symbol,
    /// An attribute of a dialect, an alias of one, or the number of a result, with `#`.
    Attribute,
    /// `->`
    Arrow,
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

    /// Returns the bytes of a token, without quotes if it is a string.
    pub fn text(&self, token: &Token) -> &'s [u8] {
        match (token.kind, self.bytes(token)) {
            (Kind::String, [_, text @ .., _]) => text,
            (_, bytes) => bytes,
        }
    }

    /// Returns the next token without advancing.
    pub fn peek(&self) -> Option<Token> {
        self.clone().next()
    }

    /// Returns whether the next token is this byte.
    pub fn is_at(&self, byte: u8) -> bool {
        self.peek().is_some_and(|token| token.kind == Kind::Punctuation(byte))
    }

    /// Advances past the next token if it is this byte.
    pub fn skip_punctuation(&mut self, byte: u8) -> bool {
        self.skip_kind(Kind::Punctuation(byte)).is_some()
    }

    /// Advances past the next token if it is of this kind, and returns it.
    pub fn skip_kind(&mut self, kind: Kind) -> Option<Token> {
        let mut next = self.clone();
        let token = next.next().filter(|token| token.kind == kind)?;
        *self = next;
        Some(token)
    }

    fn end_while(&self, start: usize, condition: impl Fn(u8) -> bool) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        start + rest.iter().position(|byte| !condition(*byte)).unwrap_or(rest.len())
    }

    /// Returns the end of a string whose opening quote is at an offset, and whether it is closed.
    fn end_of_string(&self, quote: usize) -> (usize, bool) {
        let mut at = quote + 1;
        loop {
            match self.source.get(at) {
                Some(b'"') => return (at + 1, true),
                Some(b'\\') => at += 2,
                None | Some(b'\n' | b'\x0b' | b'\x0c') => {
                    return (at.min(self.source.len()), false);
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Returns the end of a word or number.
    fn end_of_word(&self, start: usize) -> usize {
        let end = self.end_while(start, is_word);
        let is_decimal =
            self.source[start].is_ascii_digit() && self.source.get(start + 1) != Some(&b'x');
        let is_exponent = is_decimal && matches!(self.source[end - 1], b'e' | b'E');
        match self.source.get(end) {
            Some(b'+' | b'-') if is_exponent => {
                self.end_while(end + 1, |byte| byte.is_ascii_digit())
            }
            _ => end,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_')
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = loop {
            let start = self.end_while(self.position, |byte| byte.is_ascii_whitespace());
            if !self.source.get(start..).unwrap_or_default().starts_with(b"//") {
                break start;
            }
            self.position = self.end_while(start, |byte| byte != b'\n');
        };
        let first = *self.source.get(start)?;
        let string = |quote| {
            let (end, is_closed) = self.end_of_string(quote);
            (if is_closed { Kind::String } else { Kind::OpenString }, end)
        };
        let name = |kind| (kind, self.end_while(start + 1, |byte| is_word(byte) || byte == b'-'));
        let (kind, end) = match first {
            b'"' => string(start),
            b'@' if self.source.get(start + 1) == Some(&b'"') => match string(start + 1) {
                (Kind::String, end) => (Kind::Symbol, end),
                open => open,
            },
            b'@' => name(Kind::Symbol),
            b'%' => name(Kind::Value),
            // `!dialect.type` ends before `->`.
            b'!' => (Kind::Type, self.end_while(start + 1, is_word)),
            b'#' => (Kind::Attribute, self.end_while(start + 1, is_word)),
            b'-' if self.source.get(start + 1) == Some(&b'>') => (Kind::Arrow, start + 2),
            _ if is_word(first) => (Kind::Word, self.end_of_word(start)),
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
            [b'\\', escaped @ (b'\\' | b'"'), ..] => (*escaped, 2),
            [b'\\', b'n', ..] => (b'\n', 2),
            [b'\\', b't', ..] => (b'\t', 2),
            [b'\\', high, low, ..] => match (digit(high), digit(low)) {
                (Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
                // MLIR has no other escapes.
                _ => (b'\\', 1),
            },
            [byte, ..] => (*byte, 1),
        };
        let start = offset + at;
        at += len;
        Some((byte, start..start + len))
    })
}
