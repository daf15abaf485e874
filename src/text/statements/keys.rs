//! Parsing of the keys of declarations, such as `num_elts=`.

use alloc::format;

use crate::text::context::Parser;
use crate::text::cursor::{Failed, Parsed};
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::Key;

impl Parser<'_> {
    /// Skips `key=` if it comes next. Returns whether it does.
    #[inline(always)] // so that the comparison is with a constant
    pub(super) fn eat_key(&mut self, key: &Key) -> bool {
        let start = self.c.at;
        self.c.skip_blanks();
        let word = self.c.at;
        let is_eaten = self.c.eat_word_here(key.word) && self.c.eat("=");
        if self.c.is_recording() {
            self.record_key(key, word, is_eaten);
        }
        if is_eaten {
            return true;
        }
        self.c.at = start;
        false
    }

    #[inline]
    pub(super) fn expect_key(&mut self, key: &Key) -> Parsed<()> {
        if self.eat_key(key) { Ok(()) } else { Err(self.expected_key(key)) }
    }

    #[cold]
    #[inline(never)]
    fn record_key(&mut self, key: &Key, start: usize, is_eaten: bool) {
        if is_eaten {
            self.c.classify(&(start..start + key.word.len()), TokenKind::Key);
            self.c.record_meaning(start, || key.meaning);
        } else if self.c.is_completing() {
            self.c.at = start;
            self.c.complete(CompletionKind::Word, &format!("{}=", key.word));
        }
    }

    #[cold]
    fn expected_key(&mut self, key: &Key) -> Failed {
        self.c.expected(&format!("`{}=`", key.word))
    }
}
