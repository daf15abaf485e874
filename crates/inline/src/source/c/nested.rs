//! Source code in string literals.

use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::cpp::literal::decode;
use crate::source::nested::{Nested, may_contain_assembly};
use crate::source::text::Text;
use crate::source::{Search, Source};

/// Finds the inline assembly in adjacent string literals, and adds it to the blocks of the file.
pub(super) fn find(expander: &Expander<'_>, search: &Search, tokens: &[Token], found: &mut Source) {
    let mut nested = Nested::new(search, found);
    let is_literal =
        |token: &Token| token.kind == Kind::String && token.made == 0 && token.usage == 0;
    for literals in tokens.split(|token| !is_literal(token)) {
        let contains = |token: &Token| may_contain_assembly(&expander.source[token.range()]);
        if !literals.iter().any(contains) {
            continue;
        }
        let mut text = Text::default();
        for literal in literals {
            decode(&expander.characters(literal), &mut text);
        }
        nested.find(&text, found);
    }
}
