//! Keys of the properties of declarations, such as `num_elts=`.

use alloc::format;

use crate::text::context::Parser;
use crate::text::cursor::{Failed, Parsed};

impl Parser<'_> {
    /// Skips `key=` if it comes next. Returns whether it does.
    #[inline(always)] // so that the comparison is with a constant
    pub(super) fn eat_key(&mut self, key: &str) -> bool {
        let start = self.c.at;
        self.c.skip_blanks();
        if self.c.eat_word_here(key) && self.c.eat("=") {
            return true;
        }
        self.c.at = start;
        false
    }

    #[inline]
    pub(super) fn expect_key(&mut self, key: &str) -> Parsed<()> {
        if self.eat_key(key) { Ok(()) } else { Err(self.expected_key(key)) }
    }

    #[cold]
    fn expected_key(&mut self, key: &str) -> Failed {
        self.c.expected(&format!("`{key}=`"))
    }
}
