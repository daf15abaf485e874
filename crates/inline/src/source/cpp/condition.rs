//! Values of the conditions of `#if`, where they are certain.

use alloc::borrow::Cow;
use core::cell::Cell;

use super::lexer::{Kind, Token, unspliced};

/// What is known of a macro at a place.
pub(in crate::source) enum Known<'t> {
    Nothing,
    Undefined,
    /// It is defined with this body, which is `None` if it has parameters.
    Defined(Option<&'t [Token]>),
}

/// The maximum depth of parentheses and of macros in macros.
const MAX_DEPTH: u32 = 16;

/// The maximum number of operands of a condition, with those of macros.
const MAX_OPERANDS: u32 = 256;

/// Evaluates conditions. A value is `None` if it is not known.
pub(in crate::source) struct Evaluator<'e, 't> {
    source: &'e [u8],
    known: &'e dyn Fn(&[u8]) -> Known<'t>,
    /// The number of operands that may still be read.
    operands: Cell<u32>,
}

/// The tokens that are left.
struct Rest<'r> {
    tokens: &'r [Token],
    depth: u32,
}

impl<'e, 't> Evaluator<'e, 't> {
    pub(in crate::source) fn new(
        source: &'e [u8],
        known: &'e dyn Fn(&[u8]) -> Known<'t>,
    ) -> Evaluator<'e, 't> {
        Evaluator { source, known, operands: Cell::new(MAX_OPERANDS) }
    }

    /// Returns whether a directive that begins a branch holds: `#if ..`, `#elifdef NAME` and so on.
    pub(in crate::source) fn holds(&self, directive: &[Token]) -> Option<bool> {
        let (word, tokens) = directive.split_first()?;
        match &*self.text(word) {
            b"ifdef" | b"elifdef" => self.is_defined(tokens.first()?),
            b"ifndef" | b"elifndef" => self.is_defined(tokens.first()?).map(|is| !is),
            b"if" | b"elif" => self.value(tokens, 0).map(|value| value != 0),
            _ => Some(true),
        }
    }

    fn text<'s>(&'s self, token: &Token) -> Cow<'s, [u8]> {
        unspliced(&self.source[token.range()], token.is_spliced)
    }

    fn is_defined(&self, name: &Token) -> Option<bool> {
        match (self.known)(&self.text(name)) {
            Known::Nothing => None,
            Known::Undefined => Some(false),
            Known::Defined(_) => Some(true),
        }
    }

    /// Returns the value of tokens that are one expression.
    fn value(&self, tokens: &[Token], depth: u32) -> Option<i64> {
        let mut rest = Rest { tokens, depth };
        let value = self.binary(&mut rest, 0);
        if rest.tokens.is_empty() { value } else { None }
    }

    /// Reads operators that bind more than `lowest`.
    fn binary(&self, rest: &mut Rest<'_>, lowest: u8) -> Option<i64> {
        let mut left = self.unary(rest);
        while let Some((operator, length, precedence)) = operator(rest.tokens) {
            if precedence <= lowest {
                break;
            }
            rest.tokens = &rest.tokens[length..];
            let right = self.binary(rest, precedence);
            left = apply(operator, left, right);
        }
        left
    }

    fn unary(&self, rest: &mut Rest<'_>) -> Option<i64> {
        let (first, tokens) = rest.tokens.split_first()?;
        let left = self.operands.get();
        if rest.depth == MAX_DEPTH || left == 0 {
            rest.tokens = &[];
            return None;
        }
        self.operands.set(left - 1);
        rest.tokens = tokens;
        match first.kind {
            Kind::Punctuation(sign @ (b'!' | b'-' | b'+' | b'~')) => {
                rest.depth += 1;
                let operand = self.unary(rest);
                rest.depth -= 1;
                operand.map(|value| match sign {
                    b'!' => i64::from(value == 0),
                    b'-' => value.wrapping_neg(),
                    b'~' => !value,
                    _ => value,
                })
            }
            Kind::Punctuation(b'(') => {
                let inner = group(tokens);
                rest.tokens = tokens.get(inner.len() + 1..).unwrap_or_default();
                self.value(inner, rest.depth + 1)
            }
            Kind::Number => number(&self.text(first)),
            Kind::Identifier => self.word(first, rest),
            _ => {
                rest.tokens = &[];
                None
            }
        }
    }

    fn word(&self, word: &Token, rest: &mut Rest<'_>) -> Option<i64> {
        let is_call = rest.tokens.first().is_some_and(|token| token.is(b'('));
        let arguments = if is_call { group(&rest.tokens[1..]) } else { &[] };
        if is_call {
            rest.tokens = rest.tokens.get(arguments.len() + 2..).unwrap_or_default();
        }
        match &*self.text(word) {
            b"defined" if is_call => {
                arguments.first().and_then(|name| self.is_defined(name)).map(i64::from)
            }
            b"defined" => {
                let (name, tokens) = rest.tokens.split_first()?;
                rest.tokens = tokens;
                self.is_defined(name).map(i64::from)
            }
            b"true" => Some(1),
            b"false" => Some(0),
            name => match (self.known)(name) {
                Known::Undefined if !is_call => Some(0),
                Known::Defined(Some(body)) if !is_call => self.value(body, rest.depth + 1),
                _ => None,
            },
        }
    }
}

/// Returns the tokens before the parenthesis that closes an open one.
fn group(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'(') => depth += 1,
            Kind::Punctuation(b')') if depth == 0 => return &tokens[..index],
            Kind::Punctuation(b')') => depth -= 1,
            _ => {}
        }
    }
    tokens
}

#[derive(Clone, Copy)]
enum Operator {
    Or,
    And,
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
}

/// Returns the binary operator that begins tokens, its number of tokens and its precedence.
fn operator(tokens: &[Token]) -> Option<(Operator, usize, u8)> {
    let punctuation = |index: usize| match tokens.get(index)?.kind {
        Kind::Punctuation(byte) => Some(byte),
        _ => None,
    };
    Some(match (punctuation(0)?, punctuation(1)) {
        (b'|', Some(b'|')) => (Operator::Or, 2, 1),
        (b'&', Some(b'&')) => (Operator::And, 2, 2),
        (b'=', Some(b'=')) => (Operator::Equal, 2, 3),
        (b'!', Some(b'=')) => (Operator::Different, 2, 3),
        (b'<', Some(b'=')) => (Operator::LessOrEqual, 2, 4),
        (b'>', Some(b'=')) => (Operator::GreaterOrEqual, 2, 4),
        (b'<', next) if next != Some(b'<') => (Operator::Less, 1, 4),
        (b'>', next) if next != Some(b'>') => (Operator::Greater, 1, 4),
        (b'+', _) => (Operator::Add, 1, 5),
        (b'-', _) => (Operator::Subtract, 1, 5),
        (b'*', _) => (Operator::Multiply, 1, 6),
        _ => return None,
    })
}

fn apply(operator: Operator, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    let is = |value: bool| Some(i64::from(value));
    // One operand may be enough.
    match (operator, left, right) {
        (Operator::And, Some(0), _) | (Operator::And, _, Some(0)) => return Some(0),
        (Operator::Or, Some(value), _) | (Operator::Or, _, Some(value)) if value != 0 => {
            return Some(1);
        }
        _ => {}
    }
    let (left, right) = (left?, right?);
    match operator {
        Operator::Or => is(left != 0 || right != 0),
        Operator::And => is(left != 0 && right != 0),
        Operator::Equal => is(left == right),
        Operator::Different => is(left != right),
        Operator::Less => is(left < right),
        Operator::LessOrEqual => is(left <= right),
        Operator::Greater => is(left > right),
        Operator::GreaterOrEqual => is(left >= right),
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
    }
}

/// Returns the value of a number with its suffix.
fn number(text: &[u8]) -> Option<i64> {
    let text = core::str::from_utf8(text).ok()?;
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}
