//! Types of expressions.

use super::declarations::CType;
use super::reader::{MAX_DECLARATION, MAX_DEPTH, Reader};
use super::value;
use crate::source::cpp::lexer::{Kind, Token};
use crate::ty::{Type, from_c_words};

impl Reader<'_, '_, '_> {
    /// Returns the type of an expression if it is certain.
    pub(super) fn expression(&self, depth: u32) -> Option<CType> {
        if depth > MAX_DEPTH || self.tokens.len() > MAX_DECLARATION {
            return None;
        }
        let first = self.tokens.first()?;
        if let Some(constant) = value::evaluate(self) {
            return constant.ty().map(CType::Value);
        }
        if first.is(b'*') {
            return self.of(&self.tokens[1..]).expression(depth + 1)?.pointee();
        }
        if first.is(b'&') && self.is(2, b'[') && self.after_group(2) == self.tokens.len() {
            // `&p[i]` has the type of `p`.
            let pointer = self.variable(&self.word(1)?)?;
            return Some(pointer).filter(|ty| matches!(ty, CType::Pointer(..)));
        }
        if first.is(b'(') {
            let end = self.after_group(0);
            let inner = self.of(&self.tokens[1..end.saturating_sub(1).max(1)]);
            if end == self.tokens.len() {
                return inner.expression(depth + 1);
            }
            let next = self.tokens[end];
            let is_operand = matches!(next.kind, Kind::Identifier | Kind::Number)
                || [b'(', b'-', b'*', b'&', b'~', b'+'].into_iter().any(|byte| next.is(byte));
            if let (true, Some(ty)) = (is_operand, inner.type_name()) {
                let rest = self.of(&self.tokens[end..]);
                return rest.is_unary(depth + 1).then_some(ty);
            }
            return self.postfix(inner.expression(depth + 1)?, end);
        }
        let word = self.word(0)?;
        if self.is(1, b'<') && word.ends_with("_cast") {
            let end = self.after_angles(1)?;
            if self.is(end, b'(') && self.after_group(end) == self.tokens.len() {
                return self.of(&self.tokens[2..end - 1]).type_name();
            }
            return None;
        }
        if self.is(1, b'(') && self.after_group(1) == self.tokens.len() {
            return match word.strip_prefix("as_").or_else(|| word.strip_prefix("convert_")) {
                Some(name) => from_c_words(&[name]).map(CType::Value),
                None => self.call(&word, 1),
            };
        }
        if word == "this" && self.is(1, b'-') && self.is(2, b'>') {
            return self.postfix(self.member_of_this(&self.word(3)?)?, 4);
        }
        let variable = self.variable(&word).and_then(|ty| self.postfix(ty, 1));
        variable.or_else(|| self.call_of_member()).or_else(|| self.call_of_template())
    }

    /// Returns whether the tokens are one operand of a cast, without binary operators.
    fn is_unary(&self, depth: u32) -> bool {
        let prefix = |token: &&Token| {
            matches!(token.kind, Kind::Punctuation(b'-' | b'*' | b'&' | b'~' | b'+'))
        };
        let mut at = self.tokens.iter().take_while(prefix).count();
        if self.is(at, b'(') {
            let end = self.after_group(at);
            let is_cast = self.of(&self.tokens[at + 1..end.saturating_sub(1).max(at + 1)]);
            if end < self.tokens.len() && depth <= MAX_DEPTH && is_cast.type_name().is_some() {
                return self.of(&self.tokens[end..]).is_unary(depth + 1);
            }
        }
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                Kind::Identifier | Kind::Number | Kind::Punctuation(b'.' | b':') => at += 1,
                Kind::Punctuation(b'(' | b'[') => at = self.after_group(at),
                _ => return false,
            }
        }
        true
    }

    /// Returns whether the rest of the tokens contains no operators that bind less than a sum.
    fn is_sum(&self, mut at: usize) -> bool {
        if self.is(at, b'+') {
            return false;
        }
        while let Some(token) = self.tokens.get(at) {
            at = match token.kind {
                Kind::Identifier | Kind::Number => at + 1,
                Kind::Punctuation(b'+' | b'-' | b'*' | b'/' | b'%' | b'.' | b':') => at + 1,
                Kind::Punctuation(b'(' | b'[') => self.after_group(at),
                _ => return false,
            };
        }
        true
    }

    /// Applies subscripts, components of vectors, and the sum of a pointer and an offset.
    fn postfix(&self, mut ty: CType, mut at: usize) -> Option<CType> {
        while at < self.tokens.len() {
            if self.is(at, b'[') {
                at = self.after_group(at);
                ty = match ty {
                    // A vector of an attribute has subscripts.
                    CType::Value(Type { element, components: 2.. }) => CType::scalar(element),
                    other => other.pointee()?,
                };
            } else if self.is(at, b'.') {
                (ty, at) = self.selected(&ty, at + 1)?;
            } else if self.is(at, b'-') && self.is(at + 1, b'>') {
                (ty, at) = self.selected(&ty.pointee()?, at + 2)?;
            } else if self.is(at, b'+') && matches!(ty, CType::Pointer(..)) {
                return self.is_sum(at + 1).then_some(ty);
            } else {
                return None;
            }
        }
        Some(ty)
    }
}
