//! Completion: what the parser accepts at the position.

use std::collections::BTreeSet;

use genvisa::text::{self, CompletionKind, Referent, row_texts};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent,
    MarkupKind, Position, TextEdit,
};

use genvisa_isa::summary;

use super::Context;
use crate::program::Program;

/// Returns the completions at a position.
pub fn complete(context: Context<'_>, position: Position) -> Vec<CompletionItem> {
    let Some((program, at)) = context.program_at(position) else { return Vec::new() };
    let found = text::completions(&program.text, program.format(), at);
    let Some(range) = context.range_in(program, &found.replaced) else { return Vec::new() };
    let is_before_cursor = range.end == position && range.start.line == position.line;
    // The word is in a place that the document writes in another way.
    let range = if is_before_cursor { range } else { lsp_types::Range::new(position, position) };
    let mut items = Vec::new();
    for completion in found.items {
        // The text also has a variable for a number that no operand has.
        if program.is_unwritable(&completion.text) {
            continue;
        }
        let name = completion.text;
        let text = program.written(&name);
        let item = |kind| CompletionItem {
            label: text.clone(),
            kind: Some(kind),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, text.clone()))),
            ..CompletionItem::default()
        };
        let item = match completion.kind {
            CompletionKind::Label => {
                let is_label = |referent| matches!(referent, Referent::Label { .. });
                items.extend(names(program, at, range, CompletionItemKind::REFERENCE, is_label));
                continue;
            }
            CompletionKind::Function => {
                let is_function = |referent| referent == Referent::Function;
                items.extend(names(program, at, range, CompletionItemKind::FUNCTION, is_function));
                continue;
            }
            CompletionKind::Name(_) => CompletionItem {
                detail: declaration(program, at, &name),
                ..item(CompletionItemKind::VARIABLE)
            },
            CompletionKind::Mnemonic => {
                let mut rows = row_texts(&name, program.format().dialect);
                let row = rows.next();
                CompletionItem {
                    detail: row.map(|row| row.syntax(&name).text),
                    documentation: row.map(|row| {
                        let value = summary(row.doc);
                        let kind = MarkupKind::Markdown;
                        Documentation::MarkupContent(MarkupContent { kind, value })
                    }),
                    ..item(CompletionItemKind::KEYWORD)
                }
            }
            CompletionKind::Directive => item(CompletionItemKind::STRUCT),
            CompletionKind::Type => item(CompletionItemKind::TYPE_PARAMETER),
            CompletionKind::Region => item(CompletionItemKind::SNIPPET),
            CompletionKind::Punctuation => item(CompletionItemKind::OPERATOR),
            _ => item(CompletionItemKind::ENUM_MEMBER),
        };
        items.push(item);
    }
    items
}

/// Returns the names of a kind that the program declares or uses.
fn names(
    program: &Program,
    at: usize,
    range: lsp_types::Range,
    kind: CompletionItemKind,
    is_kind: impl Fn(Referent) -> bool,
) -> Vec<CompletionItem> {
    let routine = program.recorded.routine_at(at).and_then(|it| program.recorded.routines.get(it));
    let is_visible = |token: &&text::Token| match token.referent() {
        Some(referent @ Referent::Label { .. }) => {
            is_kind(referent) && routine.is_some_and(|it| it.span.contains(&token.span.start))
        }
        Some(referent) => is_kind(referent),
        None => false,
    };
    // The word at the cursor is a name, too.
    let is_other = |token: &&text::Token| token.span.end < at || token.span.start > at;
    let tokens = program.recorded.tokens.iter().filter(is_visible).filter(is_other);
    let names: BTreeSet<String> =
        tokens.map(|token| program.written(program.str(&token.span))).collect();
    let items = names.into_iter().map(|name| CompletionItem {
        label: name.trim_matches('"').into(),
        kind: Some(kind),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, name.clone()))),
        ..CompletionItem::default()
    });
    items.collect()
}

/// Returns the declaration of a variable.
fn declaration(program: &Program, at: usize, name: &str) -> Option<String> {
    let routine = program.recorded.routines.get(program.recorded.routine_at(at)?)?;
    let tokens = program.recorded.tokens_in(&(routine.span.start..at));
    let mut tokens = program.recorded.tokens[tokens].iter().rev();
    let token = tokens.find(|token| {
        token.is_definition()
            && matches!(token.referent(), Some(Referent::Declared { .. }))
            && program.name(token) == name
    })?;
    Some(program.written(program.statement(token.span.start)))
}
