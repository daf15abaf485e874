//! Source code in string literals, such as an OpenCL program that a C++ program compiles.

use core::ops::Range;

use memchr::memmem;

use super::lexer::{Kind, Token};
use super::literal::{Text, decode};
use super::macro_expansion::Expander;
use crate::source::{Content, Language, Source};

/// Returns whether a string literal may contain a part of source code with inline assembly.
pub(super) fn may_contain_assembly(literal: &[u8]) -> bool {
    memmem::find(literal, b"asm").is_some()
}

/// Finds the inline assembly in adjacent string literals, and adds it to the blocks of the file.
pub(super) fn find(expander: &Expander<'_>, tokens: &[Token], found: &mut Source) {
    let indices = found.blocks.iter().filter_map(|block| block.function_index);
    let mut function_count = indices.max().map_or(0, |last| last + 1);
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
        let mut inner = super::find_in(&text.bytes, Language::C, true);
        let first = function_count;
        for block in &mut inner.blocks {
            // Functions have other numbers than those of the file.
            block.function_index = block.function_index.map(|index| index + first);
            function_count = function_count.max(block.function_index.map_or(0, |last| last + 1));
        }
        add(&text, inner, found);
    }
}

/// Adds what was found in a text, with places in the file.
fn add(text: &Text, inner: Source, found: &mut Source) {
    let outer = |range: &Range<usize>| {
        let end = text.map.last().map_or(0, |last| last.end as usize);
        let start = text.map.get(range.start).map_or(end, |first| first.start as usize);
        let last = range.end.checked_sub(1).filter(|&last| last >= range.start);
        let last = last.and_then(|last| text.map.get(last));
        start..last.map_or(start, |last| last.end as usize).max(start)
    };
    for mut block in inner.blocks {
        if let Content::Other(_) = block.content {
            continue;
        }
        block.span = outer(&block.span);
        block.expansion = block.expansion.as_ref().map(outer);
        for range in &mut block.template_map {
            let place = outer(&(range.start as usize..range.end as usize));
            *range = place.start as u32..place.end as u32;
        }
        for span in block.constraint_spans.iter_mut().chain(&mut block.clobber_spans) {
            *span = outer(span);
        }
        found.blocks.push(block);
    }
    for (span, problem) in inner.hint_errors {
        found.hint_errors.push((outer(&span), problem));
    }
    if let (None, Some(mut error)) = (&found.error, inner.error) {
        error.offset = outer(&(error.offset..error.offset)).start;
        found.error = Some(error);
    }
}
