//! The declarations in the scopes.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::{MAX_HEAD, Scope, Scopes, without_directives};
use crate::source::c::declarations::{CType, RecordName};
use crate::source::c::head::{alias_template, enumerators};
use crate::source::c::reader::Reader;
use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};

/// The maximum number of tokens of a declaration of a member.
const MAX_MEMBER: usize = 128;

/// The maximum number of namespaces before a name.
const MAX_QUALIFIERS: usize = 8;

/// A structure after its brace.
pub(super) struct Ended {
    ty: CType,
    is_typedef: bool,
    has_name: bool,
}

impl Scopes {
    /// Returns the ways to write a name that is declared in the current namespace.
    fn qualified(&self, name: &[u8]) -> Vec<Vec<u8>> {
        let mut names = vec![name.to_vec()];
        for namespace in self.namespaces.iter().rev().take(MAX_QUALIFIERS) {
            let mut longer = namespace.clone();
            longer.extend_from_slice(b"::");
            longer.extend_from_slice(&names[names.len() - 1]);
            names.push(longer);
        }
        names
    }

    /// Adds a declaration to the innermost class.
    fn declare_member(&mut self, tokens: &[Token]) {
        let mut depth = 0_u32;
        let is_end = |token: &Token| match token.kind {
            Kind::Punctuation(b'(' | b'[') => {
                depth += 1;
                false
            }
            Kind::Punctuation(b')' | b']') => {
                depth = depth.saturating_sub(1);
                false
            }
            // A body, an initial value or a bit-field.
            Kind::Punctuation(b';' | b'{' | b'}') => depth == 0,
            _ => false,
        };
        let Some(end) = tokens.iter().take(MAX_MEMBER).position(is_end) else { return };
        if self.budget < end {
            self.declarations.is_incomplete = true;
            return;
        }
        self.budget -= end;
        if let Some((_, record)) = self.declarations.records.last_mut() {
            record.add(&without_directives(&tokens[..end]));
        }
    }

    fn add_typedef(&mut self, name: &[u8], ty: Option<&CType>) {
        for name in self.qualified(name) {
            self.declarations.typedefs.add(&name, ty.cloned());
        }
    }

    /// Adds the innermost class to the types.
    pub(super) fn end_record(&mut self) {
        let Some((RecordName { name, is_specialization, is_typedef }, record)) =
            self.declarations.records.pop()
        else {
            return;
        };
        let is_member = self.open.last().is_some_and(|open| open.scope == Scope::Type);
        let record = Arc::new(record);
        if record.parameters.is_empty() && !is_specialization {
            let ty = CType::Record(record, Vec::new());
            if !name.is_empty() {
                // The members of another class may have the same name.
                self.add_typedef(&name, Some(&ty).filter(|_| !is_member));
            }
            self.ended = Some(Ended { ty, is_typedef, has_name: !name.is_empty() });
            return;
        }
        for name in self.qualified(&name) {
            let is_first = !self.declarations.templates.contains_key(&name);
            let is_known = is_first && !is_member && !is_specialization;
            self.declarations.templates.insert(name, Some(record.clone()).filter(|_| is_known));
        }
    }

    /// Reads the declarators after the brace of a structure: `} name;`.
    pub(super) fn declare_ended(&mut self, expander: &Expander<'_>, tokens: &[Token]) {
        let Some(Ended { ty, is_typedef, has_name }) = self.ended.take() else { return };
        let [name, end, ..] = tokens else { return };
        let is_member = self.open.last().is_some_and(|open| open.scope == Scope::Type);
        if let (CType::Record(record, _), Some((_, outer)), true) =
            (&ty, self.declarations.records.last_mut(), is_member)
        {
            if name.is(b';') && !has_name || end.is(b';') {
                let name =
                    if name.is(b';') { Vec::new() } else { expander.text(name).into_owned() };
                outer.nested.push((name, record.clone()));
            }
            return;
        }
        if name.kind != Kind::Identifier || !(end.is(b';') || end.is(b'=')) {
            return;
        }
        let name = expander.text(name).into_owned();
        if is_typedef {
            self.add_typedef(&name, Some(&ty));
        } else if let Some(names) = self.declarations.functions.last_mut() {
            names.add(&name, Some(ty));
        }
    }

    /// Reads the declaration that a statement may be.
    pub(super) fn declare(&mut self, expander: &Expander<'_>, tokens: &[Token]) {
        let Some(first) = tokens.first().filter(|token| token.kind == Kind::Identifier) else {
            return;
        };
        let first = expander.text(first);
        let is_member = self.open.last().is_some_and(|open| open.scope == Scope::Type);
        let is_local = !self.functions.is_empty() && !is_member;
        if is_member
            && !matches!(&*first, b"typedef" | b"using" | b"enum" | b"template" | b"friend")
        {
            self.declare_member(tokens);
            return;
        }
        if !is_local && !matches!(&*first, b"typedef" | b"using" | b"enum" | b"template") {
            return;
        }
        let end = declaration_end(tokens);
        if self.budget < end {
            self.declarations.is_incomplete = true;
            return;
        }
        self.budget -= end;
        let tokens = without_directives(&tokens[..end]);
        let reader = Reader::new(expander, &self.declarations, &tokens);
        if let b"enum" | b"typedef" = &*first {
            let constants = enumerators(&reader);
            if !constants.is_empty() {
                for (name, value) in constants {
                    self.declarations.constants.add(&name, value);
                }
                return;
            }
        }
        if *first == *b"template" {
            if let Some((name, alias)) = alias_template(&reader) {
                for name in self.qualified(&name) {
                    let is_first = !self.declarations.aliases.contains_key(&name);
                    let alias = alias.clone().filter(|_| is_first && !is_member);
                    self.declarations.aliases.insert(name, alias);
                }
            }
            return;
        }
        if *first == *b"using" {
            let [_, name, equals, ty @ ..] = &tokens[..] else { return };
            if equals.is(b'=') {
                let name = expander.text(name).into_owned();
                let ty = reader.of(ty).type_name();
                // The members of another type may have the same name.
                self.add_typedef(&name, ty.filter(|_| !is_member).as_ref());
            }
            return;
        }
        let Some(declared) = reader.declaration() else { return };
        for (name, ty) in declared.names {
            if declared.is_typedef {
                self.add_typedef(&name, ty.filter(|_| !is_member).as_ref());
            } else if let Some(names) = self.declarations.functions.last_mut() {
                names.add(&name, ty);
            }
        }
    }
}

/// Returns the index of the `;` of a declaration, or of the end of what is read of it.
fn declaration_end(tokens: &[Token]) -> usize {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate().take(MAX_HEAD) {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}') if depth == 0 => return index,
            Kind::Punctuation(b')' | b']' | b'}') => depth -= 1,
            Kind::Punctuation(b';') if depth == 0 => return index,
            // The body of a lambda is read on its own.
            Kind::Punctuation(b';') if index > MAX_HEAD / 8 => return index,
            _ => {}
        }
    }
    tokens.len().min(MAX_HEAD)
}
