//! Definitions, references and highlights of names.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Position, Range as LspRange};

use super::Context;

/// Returns where the name at a position is declared.
pub fn definition(context: Context<'_>, position: Position) -> Option<LspRange> {
    let operand = || Some(context.range(&context.operand_at(position)?.constraint));
    let Some((program, at)) = context.program_at(position) else { return operand() };
    let token = program.token_at(at).filter(|token| token.referent().is_some());
    let definition = token.and_then(|token| program.definition(token));
    let range = definition.and_then(|definition| context.range_in(program, &definition.span));
    range.or_else(operand)
}

/// Returns where the name at a position is used.
pub fn references(
    context: Context<'_>,
    position: Position,
    includes_declaration: bool,
) -> Option<Vec<LspRange>> {
    if let Some(operand) = context.operand_at(position) {
        let declaration = Some(&operand.constraint).filter(|_| includes_declaration);
        let spans = declaration.into_iter().chain(&operand.uses);
        return Some(spans.map(|span| context.range(span)).collect());
    }
    let (program, at) = context.program_at(position)?;
    let token = program.token_at(at).filter(|token| token.referent().is_some())?;
    let uses = program.uses(token).filter(|one| includes_declaration || !one.is_definition());
    Some(uses.filter_map(|one| context.range_in(program, &one.span)).collect())
}

/// Returns the uses of the name at a position in the document.
pub fn highlights(context: Context<'_>, position: Position) -> Option<Vec<DocumentHighlight>> {
    let ranges = references(context, position, true)?;
    let kind = Some(DocumentHighlightKind::TEXT);
    Some(ranges.into_iter().map(|range| DocumentHighlight { range, kind }).collect())
}
