//! The reader of declarations and expressions: tokens, and the brackets among them.

use alloc::borrow::Cow;

use super::declarations::Declarations;
use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};

/// The maximum number of tokens of a declaration that are read.
pub(super) const MAX_DECLARATION: usize = 1024;

/// The maximum number of levels of pointers and brackets.
pub(super) const MAX_DEPTH: u32 = 8;

/// Reads types from tokens.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t, 'e, 'a> {
    pub(super) expander: &'e Expander<'a>,
    pub(super) declarations: &'e Declarations,
    pub(super) tokens: &'t [Token],
    /// The number of alias templates around the tokens.
    pub(super) depth: u32,
}

impl<'t, 'e, 'a> Reader<'t, 'e, 'a> {
    pub(super) fn new(
        expander: &'e Expander<'a>,
        declarations: &'e Declarations,
        tokens: &'t [Token],
    ) -> Reader<'t, 'e, 'a> {
        Reader { expander, declarations, tokens, depth: 0 }
    }

    /// Returns a reader of some of the tokens.
    pub(super) fn of<'s>(&self, tokens: &'s [Token]) -> Reader<'s, '_, '_> {
        Reader { tokens, ..*self }
    }

    pub(super) fn is(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(byte))
    }

    pub(super) fn word(&self, at: usize) -> Option<Cow<'e, str>> {
        let token = self.tokens.get(at)?;
        (token.kind == Kind::Identifier).then(|| self.expander.word(token))
    }

    /// Returns the index after the bracket that closes the one at an index.
    pub(super) fn after_group(&self, at: usize) -> usize {
        let mut depth = 0_u32;
        for (index, token) in self.tokens.iter().enumerate().skip(at).take(MAX_DECLARATION) {
            match token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Returns the index after the `>` that closes the `<` at an index.
    pub(super) fn after_angles(&self, at: usize) -> Option<usize> {
        if !self.is(at, b'<') {
            return None;
        }
        let mut depth = 0_u32;
        let mut index = at;
        while index < self.tokens.len().min(at + MAX_DECLARATION) {
            match self.tokens[index].kind {
                Kind::Punctuation(b'<') => depth += 1,
                Kind::Punctuation(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(index + 1);
                    }
                }
                Kind::Punctuation(b'(' | b'[') => {
                    index = self.after_group(index);
                    continue;
                }
                Kind::Punctuation(b';' | b'{' | b'}' | b')') => return None,
                _ => {}
            }
            index += 1;
        }
        None
    }
}
