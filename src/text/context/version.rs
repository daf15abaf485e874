//! The version of a text, which selects its grammar.

use crate::text::cursor::Cursor;
use crate::text::words::Directive;

/// Returns the version of a `.version` statement at the start of a text; `None` if another statement
/// is there.
pub(in crate::text) fn version_of_statement(source: &[u8]) -> Option<(u8, u8)> {
    let mut c = Cursor::for_start(source);
    c.eat_word_here(Directive::Version.text()).then(|| version_number(&mut c)).flatten()
}

/// Returns the version of the first `.version` after a cursor at the start of a text.
pub(super) fn first_version(mut c: Cursor<'_>) -> Option<(u8, u8)> {
    c.eat_here("\u{feff}");
    while !c.is_at_end() {
        if c.is_at_line_end() {
            c.skip_line();
            c.at += 1;
        } else if c.eat_word_here(Directive::Version.text()) {
            return version_number(&mut c);
        } else {
            c.skip_statement();
        }
    }
    None
}

fn version_number(c: &mut Cursor<'_>) -> Option<(u8, u8)> {
    let major = c.number("").ok()?;
    c.eat_here(".").then(|| c.number("").ok()).flatten().map(|minor| (major, minor))
}
