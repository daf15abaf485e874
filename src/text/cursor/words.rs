//! Fixed texts, words and names.

use alloc::format;
use core::ops::Range;

use super::{Cursor, Failed, Parsed};
use crate::text::recorder::{CompletionKind, Referent, TokenKind};

/// Returns whether words, such as names and mnemonics, contain a byte.
#[inline]
fn is_word(byte: u8) -> bool {
    const IS_WORD: [bool; 256] = {
        let (mut table, mut byte) = ([false; 256], 0u8);
        while byte < 128 {
            table[byte as usize] =
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'?');
            byte += 1;
        }
        table
    };
    IS_WORD[usize::from(byte)]
}

/// Returns whether names contain a byte.
pub(in crate::text) fn is_name_byte(byte: u8) -> bool {
    is_word(byte) || byte == b'%'
}

/// Returns the length of the word at the start of a text, or 0 if there is none.
#[inline]
pub(in crate::text) fn word_len(text: &[u8]) -> usize {
    text.iter().position(|byte| !is_word(*byte)).unwrap_or(text.len())
}

impl<'t> Cursor<'t> {
    /// Skips blanks, and a text if it follows. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat(&mut self, text: &str) -> bool {
        self.skip_blanks();
        self.eat_here(text)
    }

    /// Skips a text if it comes next. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat_here(&mut self, text: &str) -> bool {
        let eaten = self.rest().starts_with(text.as_bytes());
        if eaten {
            self.at += text.len();
        }
        // Single characters, except for letters, are not recorded. They are constants, and this is
        // the most frequent call of the parser.
        let is_recorded = text.len() > 1 || text.as_bytes().iter().all(u8::is_ascii_alphanumeric);
        if is_recorded && self.recorder.is_some() {
            self.record_text(text, eaten);
        }
        eaten
    }

    /// Skips the dot of a suffix, and the blanks before it. Returns whether there is one.
    #[inline]
    pub(in crate::text) fn eat_dot(&mut self) -> bool {
        self.skip_blanks_before_dot();
        self.eat_here(".")
    }

    /// Skips blanks if a dot follows them: a suffix may be apart from its mnemonic.
    #[inline]
    pub(in crate::text) fn skip_blanks_before_dot(&mut self) {
        // Fast path: most suffixes follow their mnemonic, and most operands a single blank.
        if matches!(self.rest(), [b' ', b'.' | b' ' | b'\t', ..] | [b'\t', ..]) {
            let start = self.at;
            if self.skip_spaces() != Some(b'.') {
                self.at = start;
            }
        }
    }

    /// Returns whether a dot with blanks before or after it comes next.
    pub(in crate::text) fn has_blanks_at_dot(&self) -> bool {
        match self.rest() {
            [b'.', next, ..] => matches!(next, b' ' | b'\t'),
            [b' ' | b'\t', rest @ ..] => {
                rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'.')
            }
            _ => false,
        }
    }

    /// Skips a word if it comes next and is not part of a longer one. Returns whether it does.
    #[inline]
    pub(in crate::text) fn eat_word_here(&mut self, word: &str) -> bool {
        let ends = self.rest().get(word.len()).is_none_or(|byte| !is_word(*byte));
        ends && self.eat_here(word)
    }

    #[inline]
    pub(in crate::text) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected_text(text)) }
    }

    #[cold]
    fn expected_text(&mut self, text: &str) -> Failed {
        self.complete(CompletionKind::Punctuation, text);
        self.expected(&format!("`{text}`"))
    }

    /// Reads a word, which may be empty.
    pub(in crate::text) fn word_here(&mut self) -> &'t str {
        let start = self.at;
        self.skip_word();
        self.record(start, TokenKind::Word);
        self.str(start..self.at)
    }

    #[inline]
    fn skip_word(&mut self) {
        self.at += word_len(self.rest());
    }

    /// Reads the name of a variable or label. Predefined names begin with `%`.
    pub(in crate::text) fn name(&mut self) -> Option<(&'t str, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let first = self.peek()?;
        if first.is_ascii_digit() || !(is_word(first) || first == b'%') {
            return None;
        }
        self.at += 1;
        self.skip_word();
        self.record(start, TokenKind::Reference(Referent::Unknown));
        Some((self.str(start..self.at), start..self.at))
    }

    /// Reads letters, digits and `_`, as names have in the grammar of IGC. The name may be empty.
    pub(super) fn identifier_here(&mut self) -> &'t str {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += self.rest().iter().take_while(|byte| is_part(byte)).count();
        }
        self.record(start, TokenKind::Reference(Referent::Unknown));
        self.str(start..self.at)
    }

    /// Reads the name of a label. It may contain `-` if it is in quotes.
    pub(in crate::text) fn label_name(&mut self) -> Option<(&'t str, Range<usize>)> {
        self.skip_blanks();
        if self.peek() != Some(b'"') {
            return self.name();
        }
        let start = self.at;
        self.at += 1;
        let name = self.label_here();
        if name.is_empty() || !self.eat_here("\"") {
            self.at = start;
            return None;
        }
        self.record(start, TokenKind::Reference(Referent::Unknown));
        Some((name, start..self.at))
    }

    /// Reads the characters of a label, which include `-`. The name may be empty.
    pub(in crate::text) fn label_here(&mut self) -> &'t str {
        let start = self.at;
        if self.peek().is_some_and(|first| is_word(first) && !first.is_ascii_digit()) {
            while self.peek().is_some_and(|byte| is_word(byte) || byte == b'-') {
                self.at += 1;
            }
        }
        self.record(start, TokenKind::Reference(Referent::Unknown));
        self.str(start..self.at)
    }
}
