//! Semantic tokens: the kinds of the tokens that the parser has read.

use std::ops::Range;

use genvisa::text::{Referent, TokenKind};
use lsp_types::{
    Range as LspRange, SemanticToken, SemanticTokenModifier, SemanticTokenType,
    SemanticTokensLegend,
};

use super::Context;

/// The types of tokens, in the order of the numbers in the protocol.
const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::MACRO,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::MODIFIER,
    SemanticTokenType::TYPE,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    // Clients show labels as this; not all know the newer type `label`.
    SemanticTokenType::ENUM_MEMBER,
];

const DECLARATION: u32 = 1;
const PREDEFINED: u32 = 2;

/// Returns the names of the types and modifiers.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

/// Returns the index of the type of a token in the legend, and its modifiers. Returns `None` for a name
/// that is not declared.
pub fn classify(kind: TokenKind) -> Option<(u32, u32)> {
    let (ty, modifiers) = match kind {
        TokenKind::Comment => (SemanticTokenType::COMMENT, 0),
        TokenKind::Annotation => (SemanticTokenType::DECORATOR, 0),
        TokenKind::Directive => (SemanticTokenType::MACRO, 0),
        TokenKind::Key => (SemanticTokenType::PROPERTY, 0),
        TokenKind::Mnemonic => (SemanticTokenType::KEYWORD, 0),
        TokenKind::Word => (SemanticTokenType::MODIFIER, 0),
        TokenKind::Type => (SemanticTokenType::TYPE, 0),
        TokenKind::Number => (SemanticTokenType::NUMBER, 0),
        TokenKind::String => (SemanticTokenType::STRING, 0),
        TokenKind::Definition(referent) => (of_referent(referent)?, DECLARATION),
        TokenKind::Reference(Referent::Predefined(_)) => (SemanticTokenType::VARIABLE, PREDEFINED),
        TokenKind::Reference(referent) => (of_referent(referent)?, 0),
        _ => return None,
    };
    Some((TYPES.iter().position(|other| *other == ty)? as u32, modifiers))
}

fn of_referent(referent: Referent) -> Option<SemanticTokenType> {
    Some(match referent {
        Referent::Declared { .. } | Referent::Predefined(_) => SemanticTokenType::VARIABLE,
        Referent::Label { .. } => SemanticTokenType::ENUM_MEMBER,
        Referent::Kernel | Referent::Function => SemanticTokenType::FUNCTION,
        _ => return None,
    })
}

/// Returns the tokens of a document, or of a range.
pub fn tokens(context: Context<'_>, range: Option<LspRange>) -> Vec<SemanticToken> {
    let document = context.document;
    let all = range.map_or(0..document.text.len(), |range| {
        let start = context.offset(range.start);
        start..context.offset(range.end).max(start)
    });
    let mut writer = Writer { context, line: 0, last: None, data: Vec::new() };
    for program in &context.parsed().programs {
        let tokens = match program.place {
            crate::program::Place::Document => {
                let Range { start, end } = program.recorded.tokens_in(&all);
                start.saturating_sub(1)..end
            }
            _ => 0..program.recorded.tokens.len(),
        };
        for token in &program.recorded.tokens[tokens] {
            let Some((ty, modifiers)) = classify(token.kind) else { continue };
            let Some(span) = program.to_document(&token.span) else { continue };
            if span.end > all.start && span.start < all.end {
                writer.add(span, ty, modifiers);
            }
        }
    }
    writer.data
}

/// Writes tokens as differences of positions.
struct Writer<'d> {
    context: Context<'d>,
    line: usize,
    /// The last token.
    last: Option<Range<usize>>,
    data: Vec<SemanticToken>,
}

impl Writer<'_> {
    /// Adds a token. A token of several lines becomes one for each line.
    fn add(&mut self, span: Range<usize>, ty: u32, modifiers: u32) {
        if self.last.as_ref().is_some_and(|last| span.start < last.end) {
            return;
        }
        let document = self.context.document;
        let mut start = span.start;
        loop {
            let line = document.lines.line_of(start);
            let end = document.lines.line(&document.text, line).end.min(span.end);
            if start < end {
                self.push(line, start..end, ty, modifiers);
            }
            if end >= span.end || line + 1 >= document.lines.count() {
                break;
            }
            start = document.lines.line(&document.text, line + 1).start;
            if start >= span.end {
                break;
            }
        }
    }

    fn push(&mut self, line: usize, span: Range<usize>, token_type: u32, modifiers: u32) {
        let document = self.context.document;
        let len = |span: Range<usize>| document.lines.units(span);
        let delta_line = (line - self.line) as u32;
        let from = match &self.last {
            Some(last) if delta_line == 0 => last.start,
            _ => document.lines.line(&document.text, line).start,
        };
        self.data.push(SemanticToken {
            delta_line,
            delta_start: len(from..span.start),
            length: len(span.clone()),
            token_type,
            token_modifiers_bitset: modifiers,
        });
        self.line = line;
        self.last = Some(span);
    }
}
