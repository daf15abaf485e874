//! Values that certainly differ between lanes.

use super::reader::Reader;
use super::value;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::varying;
use crate::ty::from_c_words;

/// The number of tokens of an expression that are read.
const MAX_EXPRESSION: usize = 64;

/// Returns the tokens of an expression that ends at a comma, a semicolon or a closing bracket.
pub(super) fn expression(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_u32;
    let is_end = |token: &Token| match token.kind {
        Kind::Punctuation(b'(' | b'[' | b'{') => {
            depth += 1;
            false
        }
        Kind::Punctuation(b')' | b']' | b'}') if depth > 0 => {
            depth -= 1;
            false
        }
        Kind::Punctuation(b')' | b']' | b'}' | b';') => true,
        Kind::Punctuation(b',') => depth == 0,
        _ => false,
    };
    let end = tokens.iter().take(MAX_EXPRESSION).position(is_end);
    &tokens[..end.unwrap_or_default()]
}

/// The divisors, masks and shifts whose results are not the same for all lanes.
const PARTS: core::ops::RangeInclusive<u64> = 2..=4;

impl Reader<'_, '_, '_> {
    /// Returns whether the value of an expression certainly differs between lanes: it is computed from one
    /// number of a lane by operations that the compiler cannot replace by a constant.
    pub(super) fn is_varying(&self) -> bool {
        if self.tokens.len() > MAX_EXPRESSION {
            return false;
        }
        let mut sources = 0;
        // Products with unknown values and with 0 may be constants, and quotients and bits of numbers that
        // are smaller than the other operand.
        let (mut is_product, mut is_part, mut has_unknown) = (false, false, false);
        let mut has_large = false;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            let next = at + 1;
            match token.kind {
                Kind::Identifier => {
                    let word = self.word(at).unwrap_or_default();
                    let is_member = self.is(next, b'.');
                    let name = if is_member { self.word(at + 2) } else { None };
                    let name = name.unwrap_or_else(|| word.clone());
                    let call = if is_member { at + 3 } else { next };
                    // The first dimension of SYCL may be the slowest one.
                    let argument = || if is_member { None } else { self.argument(call) };
                    if self.is(call, b'(') && self.is_varying_call(&name, argument) {
                        sources += 1;
                        at = self.after_group(call);
                        continue;
                    }
                    let is_type = from_c_words(&[&word]).is_some()
                        || word.starts_with("as_")
                        || word.starts_with("convert_");
                    if is_member || self.is(next, b'(') && !is_type {
                        return false;
                    }
                    if self.declarations.is_varying(word.as_bytes()) {
                        sources += 1;
                    } else {
                        has_unknown |= !is_type;
                    }
                }
                Kind::Number => {
                    let value = value::evaluate(&self.of(core::slice::from_ref(token)));
                    let value = value.map_or(0, value::Constant::bits);
                    has_unknown |= value == 0;
                    has_large |= !PARTS.contains(&value);
                }
                Kind::Punctuation(b'*') => is_product = true,
                Kind::Punctuation(b'<') if self.is(next, b'<') => {
                    is_product = true;
                    at += 1;
                }
                Kind::Punctuation(b'>') if self.is(next, b'>') => {
                    is_part = true;
                    at += 1;
                }
                // The address of an element.
                Kind::Punctuation(b'&') if at == 0 => {}
                Kind::Punctuation(b'&' | b'/' | b'%') => is_part = true,
                Kind::Punctuation(b'(' | b')' | b'[' | b']' | b'+' | b'-' | b'~') => {}
                _ => return false,
            }
            at += 1;
        }
        let is_constant = (is_product || is_part) && has_unknown || is_part && has_large;
        sources == 1 && !is_constant
    }

    fn is_varying_call(&self, name: &str, argument: impl FnOnce() -> Option<u64>) -> bool {
        let is_kernel = self.declarations.functions.last().is_some_and(|of| of.has_any_group_size);
        varying::is_function(name, is_kernel, argument)
    }

    /// Returns the only argument of a call, if it is a number.
    fn argument(&self, open: usize) -> Option<u64> {
        let end = self.after_group(open);
        let argument = self.tokens.get(open + 1..end.checked_sub(1)?)?;
        value::evaluate(&self.of(argument)).map(value::Constant::bits)
    }
}
