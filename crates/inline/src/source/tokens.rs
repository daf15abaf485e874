//! Tokens of LLVM IR and MLIR.

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
    /// A keyword, a type, a number, a label or the name of an operation.
    Word,
    /// A string with its quotes.
    String,
    /// A string that is not closed. In LLVM IR it is the last token of the file, and in MLIR its line ends.
    OpenString,
    /// A value with `%`.
    Value,
    /// A symbol with `@`.
    Symbol,
    /// Metadata of LLVM IR, or a type of a dialect of MLIR, with `!`.
    Exclamation,
    /// An attribute group of LLVM IR, or an attribute or the number of a result of MLIR, with `#`.
    Hash,
    /// `->` in MLIR.
    Arrow,
    /// Another byte.
    Punctuation(u8),
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Llvm,
    Mlir,
}

/// Reads tokens. Comments and blanks are skipped.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'s> {
    pub source: &'s [u8],
    pub position: usize,
    syntax: Syntax,
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s [u8], syntax: Syntax) -> Lexer<'s> {
        Lexer { source, position: 0, syntax }
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

    /// Advances past the next token if it is this word.
    pub fn skip_word(&mut self, word: &[u8]) -> bool {
        let is_word =
            |this: &Self, token: &Token| token.kind == Kind::Word && this.bytes(token) == word;
        self.skip_if(is_word).is_some()
    }

    /// Advances past the next token if it is this byte.
    pub fn skip_punctuation(&mut self, byte: u8) -> bool {
        self.skip_kind(Kind::Punctuation(byte)).is_some()
    }

    /// Advances past the next token if it is of this kind, and returns it.
    pub fn skip_kind(&mut self, kind: Kind) -> Option<Token> {
        self.skip_if(|_, token| token.kind == kind)
    }

    fn skip_if(&mut self, condition: impl Fn(&Self, &Token) -> bool) -> Option<Token> {
        let mut next = self.clone();
        let token = next.next().filter(|token| condition(self, token))?;
        *self = next;
        Some(token)
    }

    fn end_while(&self, start: usize, condition: impl Fn(u8) -> bool) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        start + rest.iter().position(|byte| !condition(*byte)).unwrap_or(rest.len())
    }

    /// Returns whether a byte can be in a word.
    fn is_word(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'$' | b'.' | b'_')
            || byte == b'-' && self.syntax == Syntax::Llvm
    }

    /// Returns the offset of the next token.
    fn skip_blanks(&self) -> usize {
        let comment: &[u8] = if self.syntax == Syntax::Llvm { b";" } else { b"//" };
        let mut at = self.position;
        loop {
            at = self.end_while(at, |byte| byte.is_ascii_whitespace());
            if !self.source.get(at..).unwrap_or_default().starts_with(comment) {
                return at;
            }
            at = self.end_while(at, |byte| byte != b'\n');
        }
    }

    /// Returns the kind and the end of a string whose opening quote is at an offset.
    fn string(&self, quote: usize) -> (Kind, usize) {
        let is_mlir = self.syntax == Syntax::Mlir;
        let mut at = quote + 1;
        loop {
            match self.source.get(at) {
                Some(b'"') => return (Kind::String, at + 1),
                // In LLVM IR, a quote is written as a number.
                Some(b'\\') if is_mlir => at += 2,
                None => return (Kind::OpenString, self.source.len()),
                Some(b'\n' | b'\x0b' | b'\x0c') if is_mlir => return (Kind::OpenString, at),
                Some(_) => at += 1,
            }
        }
    }

    /// Returns the kind and the end of a name, whose sigil is at an offset.
    fn name(&self, kind: Kind, sigil: usize) -> (Kind, usize) {
        let may_be_quoted = self.syntax == Syntax::Llvm || kind == Kind::Symbol;
        if may_be_quoted && self.source.get(sigil + 1) == Some(&b'"') {
            return match self.string(sigil + 1) {
                (Kind::String, end) => (kind, end),
                open => open,
            };
        }
        let other = if self.syntax == Syntax::Llvm { b'\\' } else { b'-' };
        (kind, self.end_while(sigil + 1, |byte| self.is_word(byte) || byte == other))
    }

    /// Returns the end of a word or number. A number may have an exponent with a sign.
    fn end_of_word(&self, start: usize) -> usize {
        let mut end = self.end_while(start + 1, |byte| self.is_word(byte));
        let first = self.source[start];
        let is_number = first.is_ascii_digit() && self.source.get(start + 1) != Some(&b'x')
            || self.syntax == Syntax::Llvm && matches!(first, b'+' | b'-');
        let is_exponent = is_number && matches!(self.source[end - 1], b'e' | b'E');
        if is_exponent && matches!(self.source.get(end), Some(b'+' | b'-')) {
            end = self.end_while(end + 1, |byte| byte.is_ascii_digit());
        }
        end
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.skip_blanks();
        let first = *self.source.get(start)?;
        let is_llvm = self.syntax == Syntax::Llvm;
        let (kind, end) = match first {
            b'"' => self.string(start),
            b'%' => self.name(Kind::Value, start),
            b'@' => self.name(Kind::Symbol, start),
            // `!"text"` is `!` and a string, and `!dialect.type` ends before `->`.
            b'!' => {
                let is_part = |byte| self.is_word(byte) || is_llvm && byte == b'\\';
                (Kind::Exclamation, self.end_while(start + 1, is_part))
            }
            b'#' if is_llvm => {
                (Kind::Hash, self.end_while(start + 1, |byte| byte.is_ascii_digit()))
            }
            b'#' => (Kind::Hash, self.end_while(start + 1, |byte| self.is_word(byte))),
            b'-' if !is_llvm && self.source.get(start + 1) == Some(&b'>') => {
                (Kind::Arrow, start + 2)
            }
            b'+' if is_llvm => (Kind::Word, self.end_of_word(start)),
            _ if self.is_word(first) => (Kind::Word, self.end_of_word(start)),
            _ => (Kind::Punctuation(first), start + 1),
        };
        self.position = end;
        Some(Token { kind, span: start..end })
    }
}

impl Syntax {
    /// Decodes a string without its quotes, which begins at `offset` of the file. Returns the bytes, and
    /// the bytes of the file that each is written as.
    pub fn unescape<'t>(
        self,
        string: &'t [u8],
        offset: usize,
    ) -> impl Iterator<Item = (u8, Range<usize>)> + use<'t> {
        let is_mlir = self == Syntax::Mlir;
        let mut at = 0;
        core::iter::from_fn(move || {
            let rest = string.get(at..)?;
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            let (byte, len) = match rest {
                [] => return None,
                [b'\\', b'\\', ..] => (b'\\', 2),
                [b'\\', b'"', ..] if is_mlir => (b'"', 2),
                [b'\\', b'n', ..] if is_mlir => (b'\n', 2),
                [b'\\', b't', ..] if is_mlir => (b'\t', 2),
                [b'\\', high, low, ..] => match (digit(high), digit(low)) {
                    (Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
                    // There are no other escapes.
                    _ => (b'\\', 1),
                },
                [byte, ..] => (*byte, 1),
            };
            let start = offset + at;
            at += len;
            Some((byte, start..start + len))
        })
    }
}
