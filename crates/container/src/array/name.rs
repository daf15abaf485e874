//! Names of the variables that lists initialize.

use std::ops::Range;

use super::Token;

/// Keywords before braces, which are not names.
const KEYWORDS: [&[u8]; 5] = [b"return", b"do", b"else", b"try", b"const"];

/// Finds the name in a declaration: the identifier before `[`, `=` or `{`, other than attributes
/// with arguments. It keeps little more than the name, so it may err in unusual declarations.
pub struct Declarator<'s> {
    source: &'s [u8],
    /// The last two identifiers of the declaration.
    identifiers: [Option<Range<usize>>; 2],
    /// Whether the last token was an identifier.
    is_adjacent: bool,
    /// Whether the declaration has its name. What follows are attributes.
    is_named: bool,
    /// The number of open parentheses. Their contents are skipped.
    depth: usize,
    /// The name of the last declaration, which the lists in its list share.
    name: Option<Range<usize>>,
}

impl<'s> Declarator<'s> {
    pub fn new(source: &'s [u8]) -> Declarator<'s> {
        Declarator {
            source,
            identifiers: [None, None],
            is_adjacent: false,
            is_named: false,
            depth: 0,
            name: None,
        }
    }

    /// Returns the name for a list that ends after the tokens so far.
    pub fn name(&self) -> Option<Range<usize>> {
        self.name.clone()
    }

    /// Adds the next token.
    pub fn add(&mut self, range: &Range<usize>, token: Token) {
        let was_adjacent = std::mem::replace(&mut self.is_adjacent, token == Token::Identifier);
        match token {
            Token::Identifier if self.depth == 0 => {
                let [_, last] = &mut self.identifiers;
                self.identifiers = [last.take(), Some(range.clone())];
            }
            Token::Punctuation(b'(') => {
                if was_adjacent && self.depth == 0 {
                    let [previous, _] = &mut self.identifiers;
                    self.identifiers = [None, previous.take()];
                }
                self.depth += 1;
            }
            Token::Punctuation(b')') => self.depth = self.depth.saturating_sub(1),
            Token::Punctuation(b'[' | b'=') if self.depth == 0 => self.set_name(),
            Token::Punctuation(b',') if self.depth == 0 => self.end(),
            Token::Punctuation(b'{') => {
                if was_adjacent && self.depth == 0 {
                    self.set_name();
                }
                self.end();
            }
            Token::Punctuation(b'}') => self.end(),
            Token::Punctuation(b';') => {
                self.end();
                self.name = None;
            }
            _ => {}
        }
    }

    fn set_name(&mut self) {
        let [_, last] = &mut self.identifiers;
        let Some(last) = last.take().filter(|_| !self.is_named) else { return };
        if !KEYWORDS.contains(&&self.source[last.clone()]) {
            self.name = Some(last);
            self.is_named = true;
        }
    }

    /// Ends a declaration.
    fn end(&mut self) {
        self.identifiers = [None, None];
        self.is_named = false;
        self.depth = 0;
    }
}
