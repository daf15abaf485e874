//! Tokens of C, C++ and OpenCL C, and of preprocessor directives.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memchr3};

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Kind {
    Identifier,
    Number,
    /// A string literal with its prefix.
    String,
    /// A character literal with its prefix.
    Character,
    /// A single character. Operators of several characters are several tokens.
    Punctuation(u8),
    /// `##` in the body of a macro.
    Paste,
    /// An empty argument or expansion of a macro. The blanks before it are before the next token.
    Nothing,
    /// The directive of this index.
    Directive(u32),
    /// The use of a macro that cannot be expanded, with the index of the reason.
    Failure(u32),
}

/// What begins a comment with facts about a statement.
pub(in crate::source) const HINT: &[u8] = b"genvisa:";

/// Returns whether a comment is a hint.
fn is_hint(comment: &[u8]) -> bool {
    let text = comment.get(2..).unwrap_or_default();
    let is_mark =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'/' | b'*' | b'!' | b'<' | b'\r' | b'\n');
    let start = text.iter().position(|byte| !is_mark(byte)).unwrap_or(text.len());
    text[start..].starts_with(HINT)
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) struct Token {
    pub(in crate::source) kind: Kind,
    /// The bytes of the file.
    pub(in crate::source) start: u32,
    pub(in crate::source) end: u32,
    /// If a macro made the token by `#` or `##`, the index of its text, plus one.
    pub(in crate::source) made: u32,
    /// If the token comes from the expansion of a macro, the index of the macro's use, plus one.
    pub(in crate::source) usage: u32,
    /// Whether blanks, comments or line breaks precede it.
    pub(in crate::source) is_spaced: bool,
    /// Whether it contains line splices.
    pub(in crate::source) is_spliced: bool,
    /// Whether it is the name of a macro that must not be expanded again.
    pub(in crate::source) is_final: bool,
}

impl Token {
    pub(in crate::source) fn is(&self, byte: u8) -> bool {
        self.kind == Kind::Punctuation(byte)
    }

    pub(in crate::source) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line with a preprocessor directive.
#[derive(Clone, Debug)]
pub(in crate::source) struct Directive {
    /// The offset of the `#`.
    pub(in crate::source) start: u32,
    /// The offset of the next line.
    pub(in crate::source) end: u32,
    /// Its tokens after the `#`, as a range of [`Lexed::directive_tokens`].
    pub(in crate::source) tokens: Range<u32>,
}

/// The tokens of a file.
#[derive(Default)]
pub(in crate::source) struct Lexed {
    pub(in crate::source) tokens: Vec<Token>,
    pub(in crate::source) directives: Vec<Directive>,
    pub(in crate::source) directive_tokens: Vec<Token>,
    /// The comments that contain hints.
    pub(in crate::source) hints: Vec<Range<u32>>,
}

/// Returns the offset after a line splice, a backslash at the end of a line, at an offset.
pub(in crate::source) fn splice(source: &[u8], offset: usize) -> Option<usize> {
    if source.get(offset) != Some(&b'\\') {
        return None;
    }
    let mut at = offset + 1;
    while matches!(source.get(at), Some(b' ' | b'\t' | 0x0b | 0x0c)) {
        at += 1;
    }
    if source.get(at) == Some(&b'\r') {
        at += 1;
    }
    (source.get(at) == Some(&b'\n')).then_some(at + 1)
}

pub(in crate::source) const fn is_identifier_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

pub(in crate::source) fn is_identifier_part(byte: u8) -> bool {
    static IS_PART: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = is_identifier_start(byte as u8) || (byte as u8).is_ascii_digit();
            byte += 1;
        }
        table
    };
    IS_PART[usize::from(byte)]
}

/// Returns whether an identifier is the prefix of a string literal, and of a raw one.
pub(in crate::source) fn string_prefix(text: &[u8]) -> Option<bool> {
    match text {
        b"L" | b"u8" | b"u" | b"U" => Some(false),
        b"R" | b"LR" | b"u8R" | b"uR" | b"UR" => Some(true),
        _ => None,
    }
}

/// Returns the bytes without line splices.
pub(in crate::source) fn unspliced(source: &[u8], is_spliced: bool) -> Cow<'_, [u8]> {
    if !is_spliced {
        return Cow::Borrowed(source);
    }
    let mut bytes = Vec::with_capacity(source.len());
    let mut at = 0;
    while at < source.len() {
        match splice(source, at) {
            Some(next) => at = next,
            None => {
                bytes.push(source[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(bytes)
}

/// Splits a file into tokens.
pub(in crate::source) fn lex(source: &[u8]) -> Lexed {
    let mut lexer = Lexer { source, offset: 0, spliced: false, raw_failures: 0 };
    let mut lexed = Lexed::default();
    // A byte order mark is not part of the first line.
    if source.starts_with(b"\xef\xbb\xbf") {
        lexer.offset = 3;
    }
    let mut at_line_start = true;
    loop {
        let (is_spaced, had_newline) = lexer.skip_blanks(false, &mut lexed.hints);
        at_line_start |= had_newline;
        let Some(byte) = lexer.byte() else { break };
        if at_line_start && byte == b'#' {
            let directive = lexer.directive(&mut lexed);
            let start = directive.start;
            let index = lexed.directives.len() as u32;
            let mut token = lexer.token(Kind::Directive(index), start as usize, true);
            token.end = directive.end;
            lexed.tokens.push(token);
            lexed.directives.push(directive);
            at_line_start = true;
            continue;
        }
        at_line_start = false;
        let token = lexer.next(byte, is_spaced);
        lexed.tokens.push(token);
    }
    lexed
}

/// Splits a text without directives into tokens, such as the result of `##`.
pub(in crate::source) fn lex_fragment(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer { source: text, offset: 0, spliced: false, raw_failures: 0 };
    let mut tokens = Vec::new();
    loop {
        let (is_spaced, _) = lexer.skip_blanks(false, &mut Vec::new());
        let Some(byte) = lexer.byte() else { break tokens };
        tokens.push(lexer.next(byte, is_spaced));
    }
}

/// The tokens of a C or C++ file that is not preprocessed: the tokens of directives and of all branches of
/// `#if` are tokens as well, and macros are not expanded. Comments and line splices are skipped.
pub struct Tokens<'a>(Lexer<'a>);

/// What a [token](Tokens) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenKind {
    /// A name or keyword.
    Identifier,
    /// A number.
    Number,
    /// A string literal with its prefix.
    String,
    /// A character literal with its prefix.
    Character,
    /// A single character, or the quote and the rest of the line of a literal that does not end.
    Punctuation(u8),
}

impl<'a> Tokens<'a> {
    /// Returns the tokens of a part of a file, which begins outside of comments and literals.
    pub fn new(source: &'a [u8], part: Range<usize>) -> Tokens<'a> {
        let source = source.get(..part.end).unwrap_or(source);
        let offset = part.start.min(source.len());
        Tokens(Lexer { source, offset, spliced: false, raw_failures: 0 })
    }
}

impl Iterator for Tokens<'_> {
    type Item = (Range<usize>, TokenKind);

    fn next(&mut self) -> Option<Self::Item> {
        let Tokens(lexer) = self;
        lexer.skip_blanks(false, &mut Vec::new());
        let byte = lexer.byte()?;
        let start = lexer.offset;
        let kind = match lexer.kind(byte) {
            Kind::Identifier => TokenKind::Identifier,
            Kind::Number => TokenKind::Number,
            Kind::String => TokenKind::String,
            Kind::Character => TokenKind::Character,
            _ => TokenKind::Punctuation(byte),
        };
        Some((start..lexer.offset, kind))
    }
}

struct Lexer<'a> {
    source: &'a [u8],
    offset: usize,
    /// Whether the current token contains a splice.
    spliced: bool,
    /// The number of raw string literals that had no end.
    raw_failures: u32,
}

/// After this many raw literals without an end, `R"` does not begin one, so that the time is linear.
const MAX_RAW_FAILURES: u32 = 16;

impl Lexer<'_> {
    /// Skips splices and returns the byte at the offset.
    fn byte(&mut self) -> Option<u8> {
        while let Some(next) = splice(self.source, self.offset) {
            self.offset = next;
            self.spliced = true;
        }
        self.source.get(self.offset).copied()
    }

    /// Returns the byte after the current one.
    fn second(&self) -> Option<u8> {
        let mut at = self.offset + 1;
        while let Some(next) = splice(self.source, at) {
            at = next;
        }
        self.source.get(at).copied()
    }

    /// Advances past the bytes that `accepts` accepts and the splices between them. It must reject a
    /// backslash.
    fn advance_while(&mut self, accepts: impl Fn(u8) -> bool) {
        loop {
            let rest = &self.source[self.offset..];
            self.offset += rest.iter().take_while(|byte| accepts(**byte)).count();
            let (offset, spliced) = (self.offset, self.spliced);
            if !self.byte().is_some_and(&accepts) {
                // A splice after the token is not part of it.
                (self.offset, self.spliced) = (offset, spliced);
                return;
            }
        }
    }

    /// Advances to a byte, or to the end of the file.
    fn advance_to(&mut self, find: impl Fn(&[u8]) -> Option<usize>) {
        let rest = self.source.get(self.offset..).unwrap_or_default();
        self.offset += find(rest).unwrap_or(rest.len());
    }

    /// Skips blanks and comments, and line breaks unless they end a directive. Returns whether there
    /// were any, and whether there was a line break.
    fn skip_blanks(&mut self, in_directive: bool, hints: &mut Vec<Range<u32>>) -> (bool, bool) {
        let (mut any, mut newline) = (false, false);
        loop {
            let byte = self.byte();
            match byte {
                Some(b'\n') if in_directive => return (any, true),
                Some(b'\n') => newline = true,
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {}
                Some(b'/') if matches!(self.second(), Some(b'/' | b'*')) => {
                    self.comment(hints);
                    any = true;
                    continue;
                }
                _ => return (any, newline),
            }
            any = true;
            self.offset += 1;
        }
    }

    fn comment(&mut self, hints: &mut Vec<Range<u32>>) {
        let start = self.offset;
        self.offset += 1;
        let is_line = self.byte() == Some(b'/');
        self.offset += 1;
        if is_line {
            loop {
                self.advance_to(|rest| memchr2(b'\n', b'\\', rest));
                if matches!(self.byte(), None | Some(b'\n')) {
                    break;
                }
                self.offset += 1;
            }
        } else {
            loop {
                self.advance_to(|rest| memchr2(b'*', b'\\', rest));
                match self.byte() {
                    None => break,
                    Some(b'*') => {
                        self.offset += 1;
                        if self.byte() == Some(b'/') {
                            self.offset += 1;
                            break;
                        }
                    }
                    Some(_) => self.offset += 1,
                }
            }
        }
        let end = self.offset.min(self.source.len());
        if is_hint(&self.source[start..end]) {
            hints.push(start as u32..end as u32);
        }
    }

    fn token(&self, kind: Kind, start: usize, is_spaced: bool) -> Token {
        Token {
            kind,
            start: start as u32,
            end: self.offset as u32,
            made: 0,
            usage: 0,
            is_spaced,
            is_spliced: self.spliced,
            is_final: false,
        }
    }

    fn directive(&mut self, lexed: &mut Lexed) -> Directive {
        let start = self.offset;
        self.offset += 1;
        let first = lexed.directive_tokens.len() as u32;
        loop {
            let (is_spaced, at_end) = self.skip_blanks(true, &mut lexed.hints);
            if at_end {
                self.offset += 1;
                break;
            }
            let Some(byte) = self.byte() else { break };
            let second = if byte == b'#' { self.second() } else { None };
            let token = if second == Some(b'#') {
                self.spliced = false;
                let start = self.offset;
                self.offset += 1;
                self.byte();
                self.offset += 1;
                self.token(Kind::Paste, start, is_spaced)
            } else {
                self.next(byte, is_spaced)
            };
            lexed.directive_tokens.push(token);
        }
        let last = lexed.directive_tokens.len() as u32;
        Directive { start: start as u32, end: self.offset as u32, tokens: first..last }
    }

    /// Reads the token that starts with a byte.
    fn next(&mut self, byte: u8, is_spaced: bool) -> Token {
        let start = self.offset;
        let kind = self.kind(byte);
        self.token(kind, start, is_spaced)
    }

    /// Reads the token that starts with a byte, and returns what it is.
    fn kind(&mut self, byte: u8) -> Kind {
        self.spliced = false;
        let start = self.offset;
        if is_identifier_start(byte) {
            self.advance_while(is_identifier_part);
            match self.source.get(self.offset) {
                Some(quote @ (b'"' | b'\'')) => self.prefixed(start, *quote),
                _ => Kind::Identifier,
            }
        } else if byte.is_ascii_digit()
            || byte == b'.' && self.second().is_some_and(|next| next.is_ascii_digit())
        {
            self.number();
            Kind::Number
        } else if byte == b'"' {
            self.quoted(b'"', Kind::String)
        } else if byte == b'\'' {
            self.quoted(b'\'', Kind::Character)
        } else {
            self.offset += 1;
            Kind::Punctuation(byte)
        }
    }

    /// Reads the literal whose prefix may be the identifier before a quote.
    fn prefixed(&mut self, start: usize, quote: u8) -> Kind {
        let text = unspliced(&self.source[start..self.offset], self.spliced);
        match (string_prefix(&text), quote) {
            (Some(true), b'"') if self.raw_string() => Kind::String,
            (Some(false), b'"') => self.quoted(b'"', Kind::String),
            (Some(false), b'\'') => self.quoted(b'\'', Kind::Character),
            _ => Kind::Identifier,
        }
    }

    fn number(&mut self) {
        let mut last = 0;
        loop {
            let (offset, spliced) = (self.offset, self.spliced);
            match self.byte() {
                Some(byte) if is_identifier_part(byte) || byte == b'.' => last = byte,
                Some(b'+' | b'-') if matches!(last, b'e' | b'E' | b'p' | b'P') => last = 0,
                Some(b'\'') if self.second().is_some_and(is_identifier_part) => last = 0,
                _ => {
                    (self.offset, self.spliced) = (offset, spliced);
                    return;
                }
            }
            self.offset += 1;
        }
    }

    /// Reads a literal in quotes. If it does not end on its line, the rest of the line is a token of
    /// its own.
    fn quoted(&mut self, quote: u8, kind: Kind) -> Kind {
        self.offset += 1;
        loop {
            self.advance_to(|rest| memchr3(quote, b'\\', b'\n', rest));
            match self.byte() {
                None | Some(b'\n') => return Kind::Punctuation(quote),
                Some(b'\\') => {
                    self.offset += 1;
                    if !matches!(self.byte(), None | Some(b'\n')) {
                        self.offset += 1;
                    }
                }
                Some(byte) => {
                    self.offset += 1;
                    if byte == quote {
                        return kind;
                    }
                }
            }
        }
    }

    /// Reads a raw literal from its quote. Returns whether it is one.
    fn raw_string(&mut self) -> bool {
        let Some(open) = raw_delimiter(&self.source[self.offset..]) else { return false };
        if self.raw_failures == MAX_RAW_FAILURES {
            return false;
        }
        let delimiter = &self.source[self.offset + 1..self.offset + open];
        let mut at = self.offset + open + 1;
        while let Some(length) = memchr(b')', &self.source[at..]) {
            at += length + 1;
            let rest = &self.source[at..];
            if rest.starts_with(delimiter) && rest.get(delimiter.len()) == Some(&b'"') {
                self.offset = at + delimiter.len() + 1;
                return true;
            }
        }
        self.raw_failures += 1;
        false
    }
}

/// Returns the offset of the parenthesis of a raw literal that starts with its quote.
pub(in crate::source) fn raw_delimiter(text: &[u8]) -> Option<usize> {
    let open = text.iter().take(18).position(|&byte| byte == b'(')?;
    let is_delimiter = |&byte: &u8| !matches!(byte, b' ' | b')' | b'\\' | b'"' | b'\t'..=b'\r');
    text[1..open].iter().all(is_delimiter).then_some(open)
}
