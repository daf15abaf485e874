//! The parts of an inline assembly statement.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::operand::Operand;
use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::cpp::literal::decode;
use crate::source::text::{HOLE, Text};
use crate::statement::{Form, Statement};

/// A statement, and the places of its parts in the file.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) statement: Statement,
    pub(super) template_map: Vec<Range<u32>>,
    pub(super) constraint_spans: Vec<Range<usize>>,
    pub(super) clobber_spans: Vec<Range<usize>>,
    /// For each operand, the tokens of its expression.
    pub(super) expressions: Vec<Vec<Token>>,
    /// The first use of a macro that the template contains.
    pub(super) usage: u32,
    /// The reason why a part of the template is unknown.
    pub(super) problem: Option<String>,
}

/// A macro whose body is read without arguments.
pub(super) struct Unused {
    pub(super) name: String,
}

/// Reads the tokens between the parentheses of a statement. Macros are expanded.
pub(super) fn parse(expander: &Expander<'_>, tokens: &[Token], unused: Option<&Unused>) -> Parts {
    let mut parts = Parts::default();
    let sections = split(tokens, b':');
    parts.statement.form = if sections.len() > 1 { Form::Gnu } else { Form::Basic };
    let mut template = Text::default();
    for token in sections.first().copied().unwrap_or_default() {
        match token.kind {
            Kind::String => {
                decode(&expander.characters(token), &mut template);
                if parts.usage == 0 {
                    parts.usage = token.usage;
                }
            }
            Kind::Identifier if unused.is_some() && is_hole(&expander.text(token)) => {
                template.push_hole(token.start..token.end);
            }
            _ => parts.refuse(expander, token, unused),
        }
    }
    parts.statement.holes = template.take_holes();
    parts.statement.template = template.bytes;
    parts.template_map = template.map;
    for (section, is_output) in sections.iter().skip(1).zip([true, false]) {
        for operand in split(section, b',') {
            parts.operand(expander, operand, is_output, unused);
        }
    }
    if let Some(clobbers) = sections.get(3) {
        for clobber in split(clobbers, b',') {
            let (text, span) = parts.strings(expander, clobber, unused);
            if let Some(span) = span {
                parts.statement.clobbers.push(text);
                parts.clobber_spans.push(span);
            }
        }
    }
    parts
}

/// What to do with a template that is built at run time.
const BUILT_AT_RUN_TIME: &str = "if the template is built at run time, check the final string with \
     `genvisa_inline::Checker::check` or, in Python, `genvisa.check_template`";

impl Parts {
    /// Records that a token makes the statement unreadable.
    fn refuse(&mut self, expander: &Expander<'_>, token: &Token, unused: Option<&Unused>) {
        if self.problem.is_some() {
            return;
        }
        let name = expander.name(token);
        let depends = matches!(token.kind, Kind::Punctuation(b'#') | Kind::Paste)
            || name.as_bytes().contains(&HOLE);
        self.problem = Some(match token.kind {
            Kind::Failure(_) => return,
            _ if unused.is_some() && depends => {
                let name = unused.map_or("", |unused| &unused.name);
                format!("it depends on the arguments of macro `{name}`")
            }
            Kind::Identifier => {
                format!("macro `{name}` is not defined in this file; preprocess the file first")
            }
            _ => format!("`{name}` is not a string literal; {BUILT_AT_RUN_TIME}"),
        });
    }

    /// Returns the value of adjacent string literals and their span without quotes.
    fn strings(
        &mut self,
        expander: &Expander<'_>,
        tokens: &[Token],
        unused: Option<&Unused>,
    ) -> (String, Option<Range<usize>>) {
        let mut text = Text::default();
        let mut span = None;
        for token in tokens {
            if token.kind != Kind::String {
                self.refuse(expander, token, unused);
                continue;
            }
            decode(&expander.characters(token), &mut text);
            span = span.or(Some(token.range()));
        }
        let first = text.map.first().map(|range| range.start as usize);
        let last = text.map.last().map(|range| range.end as usize);
        if let (Some(first), Some(last)) = (first, last) {
            if first <= last {
                span = Some(first..last);
            }
        }
        (String::from_utf8_lossy(&text.bytes).into_owned(), span)
    }

    fn operand(
        &mut self,
        expander: &Expander<'_>,
        tokens: &[Token],
        is_output: bool,
        unused: Option<&Unused>,
    ) {
        let (name, rest) = match tokens {
            [open, name, close, rest @ ..] if open.is(b'[') && close.is(b']') => {
                (Some(expander.name(name)), rest)
            }
            _ => (None, tokens),
        };
        let open = rest.iter().position(|token| token.is(b'(')).unwrap_or(rest.len());
        let (constraint, span) = self.strings(expander, &rest[..open], unused);
        let Some(span) = span else { return };
        let expression = match &rest[open..] {
            [_, expression @ .., close] if close.is(b')') => expression,
            _ => &[],
        };
        self.statement.operands.push(Operand { constraint, is_output, name, ..Operand::default() });
        self.constraint_spans.push(span);
        self.expressions.push(expression.to_vec());
    }
}

/// Returns whether a text is a parameter, and nothing else.
fn is_hole(text: &[u8]) -> bool {
    *text == [HOLE]
}

/// Splits tokens at a punctuation character outside of brackets. An empty list has no parts.
fn split(tokens: &[Token], at: u8) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut depth = 0_u32;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            Kind::Punctuation(byte) if byte == at && depth == 0 => {
                parts.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() || !parts.is_empty() {
        parts.push(&tokens[start..]);
    }
    parts
}
