//! Inline assembly in macros that are not used or cannot be expanded.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Finder;
use super::statement_parts::{self, Unused};
use crate::source::Block;
use crate::source::cpp::expansion::Mode;
use crate::source::cpp::keywords::is_keyword;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::cpp::literal::decode;
use crate::source::evidence::{Evidence, evidence};
use crate::source::text::Text;
use crate::statement::Statement;

impl Finder<'_> {
    /// Returns whether the strings in the body of a macro, or of one that it uses, look like vISA.
    pub(super) fn has_visa(&mut self, name: &[u8]) -> bool {
        let names = self.visa_macros.take().unwrap_or_else(|| self.find_visa_macros());
        let has_visa = names.contains(name);
        self.visa_macros = Some(names);
        has_visa
    }

    fn find_visa_macros(&self) -> BTreeSet<Vec<u8>> {
        let mut names = BTreeSet::new();
        for definition in &self.macros.definitions {
            let body = definition.body.start as usize..definition.body.end as usize;
            let mut text = Text::default();
            let mut has_constraint = false;
            for token in &self.lexed.directive_tokens[body] {
                if token.kind == Kind::String {
                    let start = text.bytes.len();
                    decode(&self.expander.characters(token), &mut text);
                    let value = &text.bytes[start..];
                    has_constraint |= matches!(value, b"rw" | b"=rw" | b"+rw" | b"rw.u");
                }
            }
            let statement = Statement { template: text.bytes, ..Statement::default() };
            if has_constraint || evidence(&statement) == Evidence::Visa {
                names.insert(self.expander.text(&definition.name).into_owned());
            }
        }
        let words: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let users = self.macros.names_with(self.source, self.lexed, &words);
        names.extend(users);
        names
    }

    /// Adds the blocks of macros that are not used: first those that no other macro uses.
    pub(super) fn unused(&mut self) {
        let mut referenced = Vec::new();
        for definition in &self.macros.definitions {
            let body = definition.body.start as usize..definition.body.end as usize;
            for token in &self.lexed.directive_tokens[body] {
                if token.kind == Kind::Identifier {
                    let text = self.expander.text(token);
                    if self.stream.assembly.contains(&*text) {
                        referenced.push(text.into_owned());
                    }
                }
            }
        }
        referenced.sort();
        for pass in 0..2 {
            for index in 0..self.macros.definitions.len() {
                if self.expander.used[index] {
                    continue;
                }
                let name = self.macros.definitions[index].name;
                let name = self.expander.text(&name).into_owned();
                let is_referenced = referenced.binary_search(&name).is_ok();
                if !self.stream.assembly.contains(&name) || pass == 0 && is_referenced {
                    continue;
                }
                self.unused_macro(index);
            }
        }
    }

    fn unused_macro(&mut self, index: usize) {
        let definition = &self.macros.definitions[index];
        let unused = Unused { name: self.expander.name(&definition.name) };
        let site = self.macros.end_of(self.source, index);
        let mode = Mode { site, chosen: None, is_file: false };
        self.expander.used[index] = true;
        let body = self.expander.body_without_arguments(index);
        for variant in self.expander.expand(&body, mode) {
            let (tokens, failure) = match variant {
                Ok(tokens) => (tokens, None),
                Err(error) => (body.clone(), Some(error.reason())),
            };
            self.unused_variant(index, &unused, &tokens, failure.as_deref());
        }
    }

    /// Adds the blocks in the expanded body of a macro.
    fn unused_variant(
        &mut self,
        index: usize,
        unused: &Unused,
        tokens: &[Token],
        failure: Option<&str>,
    ) {
        let mut at = 0;
        while let Some(first) = tokens.get(at) {
            at += 1;
            if first.kind != Kind::Identifier || !is_keyword(&self.expander.text(first)) {
                continue;
            }
            let first = *first;
            let qualifiers = tokens[at..].iter().take(8);
            let qualifiers = qualifiers.take_while(|token| token.kind == Kind::Identifier).count();
            let open = at + qualifiers;
            if !tokens.get(open).is_some_and(|token| token.is(b'(')) {
                continue;
            }
            let Some(length) = group_length(&tokens[open..]) else { continue };
            let inner = &tokens[open + 1..open + length - 1];
            let last = tokens[open + length - 1];
            at = open + length;
            let mut parts = statement_parts::parse(&self.expander, inner, Some(unused));
            if let Some(failure) = failure {
                parts.problem = Some(failure.to_owned());
            }
            let evidence = evidence(&parts.statement);
            if evidence == Evidence::Visa {
                // Only constants are known.
                self.scopes.declarations.functions.clear();
                self.read_operands(&mut parts);
            }
            let span = match self.directive_of(&first) == self.directive_of(&last) {
                true => first.start as usize..last.end.max(first.end) as usize,
                false => self.macros.definitions[index].name.range(),
            };
            let mut block = Block::new(span);
            self.complete(&mut block, parts, evidence);
            self.push(block);
        }
    }
}

/// Returns the number of tokens of a group in brackets at the start.
fn group_length(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'(') => depth += 1,
            Kind::Punctuation(b')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}
