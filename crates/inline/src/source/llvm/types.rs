//! Types of LLVM IR.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::source::tokens::{Kind, Lexer, Syntax};
use crate::ty::Type;

/// Skips a type and returns its bytes. Returns `None` if the next token does not begin a type.
pub(super) fn skip(lexer: &mut Lexer<'_>) -> Option<Range<usize>> {
    let span = skip_base(lexer)?;
    skip_pointers(lexer);
    // A function type, which may be followed by `*`.
    while lexer.peek().is_some_and(|token| token.kind == Kind::Punctuation(b'(')) {
        skip_brackets(lexer);
        skip_pointers(lexer);
    }
    Some(span.start..lexer.position)
}

/// Skips a type without `*` and parameters.
pub(super) fn skip_base(lexer: &mut Lexer<'_>) -> Option<Range<usize>> {
    let token = lexer.peek()?;
    match token.kind {
        Kind::Punctuation(b'<' | b'{' | b'[') => skip_brackets(lexer),
        Kind::Value => drop(lexer.next()),
        Kind::Word if is_type(lexer.bytes(&token)) => {
            lexer.next();
            if lexer.bytes(&token) == b"target" {
                skip_brackets(lexer);
            }
        }
        _ => return None,
    }
    Some(token.span.start..lexer.position)
}

fn is_type(word: &[u8]) -> bool {
    let words: [&[u8]; 13] = [
        b"void",
        b"half",
        b"bfloat",
        b"float",
        b"double",
        b"ptr",
        b"x86_fp80",
        b"fp128",
        b"ppc_fp128",
        b"label",
        b"token",
        b"metadata",
        b"target",
    ];
    let is_integer = matches!(word, [b'i', digits @ ..]
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    is_integer || words.contains(&word)
}

/// Skips address spaces and `*` after a type.
pub(super) fn skip_pointers(lexer: &mut Lexer<'_>) {
    loop {
        if lexer.skip_word(b"addrspace") {
            skip_brackets(lexer);
        } else if !lexer.skip_punctuation(b'*') {
            return;
        }
    }
}

/// Skips from an opening bracket to the bracket that closes it.
pub(super) fn skip_brackets(lexer: &mut Lexer<'_>) {
    let mut depth = 0usize;
    while let Some(token) = lexer.peek() {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
            // The brackets are not closed.
            Kind::OpenString => return,
            Kind::Word if matches!(lexer.bytes(&token), b"asm" | b"define") => return,
            _ => {}
        }
        lexer.next();
        if depth == 0 {
            return;
        }
    }
}

/// The named types of a file.
#[derive(Default)]
pub(super) struct NamedTypes<'s>(BTreeMap<&'s [u8], &'s [u8]>);

impl<'s> NamedTypes<'s> {
    pub fn insert(&mut self, name: &'s [u8], ty: &'s [u8]) {
        self.0.insert(name, ty);
    }

    /// Returns the type of an operand. Structures and arrays are unknown.
    pub fn operand(&self, ty: &[u8]) -> Option<Type> {
        Type::from_llvm(core::str::from_utf8(ty).ok()?)
    }

    /// Returns the types of the outputs of a statement whose result has this type.
    pub fn members(&self, ty: Option<&'s [u8]>, count: usize) -> Vec<Option<Type>> {
        let Some(ty) = ty.map(<[u8]>::trim_ascii) else { return Vec::new() };
        let ty = self.0.get(ty).copied().unwrap_or(ty);
        match ty {
            [b'{', members @ .., b'}'] if count > 1 => self.split(members, count),
            [b'<', b'{', members @ .., b'}', b'>'] if count > 1 => self.split(members, count),
            _ => vec![self.operand(ty)],
        }
    }

    /// Returns the types of a list, at most `count`.
    fn split(&self, list: &[u8], count: usize) -> Vec<Option<Type>> {
        let mut lexer = Lexer::new(list, Syntax::Llvm);
        let mut types = Vec::new();
        while types.len() < count {
            let Some(span) = skip(&mut lexer) else { break };
            types.push(self.operand(&list[span]));
            if !lexer.skip_punctuation(b',') {
                break;
            }
        }
        types
    }
}
