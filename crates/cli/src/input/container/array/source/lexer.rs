//! Tokens of C and C++.

use std::ops::Range;

use super::literal;

/// What the search for lists of integers distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// An integer or character literal, without a sign.
    Integer(u64),
    /// A name or keyword.
    Identifier,
    /// Punctuation. Operators of several characters are several tokens.
    Punctuation(u8),
    /// A string, or a number that is not an integer.
    Other,
}

/// An iterator over the tokens of a source. Comments and line continuations are skipped, and
/// strings, which end with the line if they are not closed.
///
/// Raw strings and preprocessor directives are read like other code.
pub struct Lexer<'s> {
    source: &'s [u8],
    position: usize,
}

impl<'s> Lexer<'s> {
    /// Returns the tokens of a part of a source. The part begins outside of comments and strings.
    pub fn new(source: &'s [u8], part: Range<usize>) -> Lexer<'s> {
        let source = source.get(..part.end).unwrap_or(source);
        Lexer { source, position: part.start }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.get(at).copied()
    }

    /// Returns the first position from another that has a byte for which a function returns false.
    fn skip_while(&self, mut at: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(&is_skipped) {
            at += 1;
        }
        at
    }

    /// Returns the end of the line continuation, a backslash before the end of a line.
    fn continuation(&self, at: usize) -> Option<usize> {
        match self.source.get(at..)? {
            [b'\\', b'\n', ..] => Some(at + 2),
            [b'\\', b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        }
    }

    /// Returns the end of the comment `//`.
    fn line_comment_end(&self, mut at: usize) -> usize {
        loop {
            at = self.skip_while(at, |byte| !b"\\\n".contains(&byte));
            match self.byte(at) {
                Some(b'\\') => at = self.continuation(at).unwrap_or(at + 1),
                _ => return at,
            }
        }
    }

    /// Returns the end of the comment `/* */` from the position after `/*`.
    fn comment_end(&self, mut at: usize) -> usize {
        loop {
            at = self.skip_while(at, |byte| byte != b'*');
            match self.source.get(at..) {
                Some([b'*', b'/', ..]) => return at + 2,
                Some([_, ..]) => at += 1,
                _ => return at,
            }
        }
    }

    /// Returns the end of the string or character literal from the position after the first quote,
    /// and whether it is closed.
    fn quoted_end(&self, quote: u8, mut at: usize) -> (usize, bool) {
        loop {
            at = self.skip_while(at, |byte| byte != quote && !b"\\\n".contains(&byte));
            match self.byte(at) {
                Some(b'\\') => {
                    at = self.continuation(at).unwrap_or((at + 2).min(self.source.len()));
                }
                Some(byte) if byte == quote => return (at + 1, true),
                _ => return (at, false),
            }
        }
    }

    /// Returns the end of the number from the position after its first digit: digits, letters, dots,
    /// separators and signs of exponents.
    fn number_end(&self, mut at: usize) -> usize {
        let is_alphanumeric = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric());
        loop {
            match self.byte(at) {
                Some(b'\'') if is_alphanumeric(self.byte(at + 1)) => {}
                Some(b'+' | b'-') if matches!(self.source[at - 1], b'e' | b'E' | b'p' | b'P') => {}
                Some(b'.' | b'_') => {}
                byte if is_alphanumeric(byte) => {}
                _ => return at,
            }
            at += 1;
        }
    }

    /// Returns the token and its end.
    fn token(&self, start: usize, first: u8) -> (Token, usize) {
        let integer = |range: Range<usize>| {
            let value = literal::value(&self.source[range.clone()]);
            (value.map_or(Token::Other, Token::Integer), range.end)
        };
        match first {
            b'0'..=b'9' => integer(start..self.number_end(start + 1)),
            b'\'' | b'"' => match self.quoted_end(first, start + 1) {
                (end, true) if first == b'\'' => integer(start..end),
                (end, _) => (Token::Other, end),
            },
            _ if is_identifier(first) => {
                let end = self.skip_while(start + 1, is_identifier);
                let is_prefix = literal::PREFIXES.contains(&&self.source[start..end]);
                match self.byte(end) {
                    Some(b'\'') if is_prefix => match self.quoted_end(b'\'', end + 1) {
                        (end, true) => integer(start..end),
                        (end, false) => (Token::Other, end),
                    },
                    _ => (Token::Identifier, end),
                }
            }
            _ => (Token::Punctuation(first), start + 1),
        }
    }
}

/// Returns whether a byte may be part of an identifier. Digits may not be the first.
fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

impl Iterator for Lexer<'_> {
    type Item = (Range<usize>, Token);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.position;
            self.position = match (self.byte(start)?, self.byte(start + 1)) {
                (b'/', Some(b'/')) => self.line_comment_end(start + 2),
                (b'/', Some(b'*')) => self.comment_end(start + 2),
                (byte, _) if byte.is_ascii_whitespace() => start + 1,
                (first, _) => match self.continuation(start) {
                    Some(end) => end,
                    None => {
                        let (token, end) = self.token(start, first);
                        self.position = end;
                        return Some((start..end, token));
                    }
                },
            };
        }
    }
}
