//! The symbols of a document: routines, with their variables and labels.

use genvisa::isa::IdClass;
use genvisa::text::Referent;
use lsp_types::{DocumentSymbol, SymbolKind};

use super::Context;

/// Returns the symbols of a document.
pub fn symbols(context: Context<'_>) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for program in &context.parsed().programs {
        for routine in &program.recorded.routines {
            let tokens = program.recorded.tokens_in(&routine.span);
            let tokens = program.recorded.tokens[tokens].iter();
            let mut children = Vec::new();
            for token in tokens.filter(|token| token.is_definition()) {
                let kind = match token.referent() {
                    Some(Referent::Declared { id, .. }) => match id.class {
                        IdClass::Predicate => SymbolKind::BOOLEAN,
                        IdClass::Surface | IdClass::Sampler => SymbolKind::OBJECT,
                        _ => SymbolKind::VARIABLE,
                    },
                    Some(Referent::Label { .. }) => SymbolKind::KEY,
                    _ => continue,
                };
                let Some(range) = context.range_in(program, &token.span) else { continue };
                let statement = program.statement(token.span.start).into();
                let name = program.name(token).to_owned();
                children.push(symbol(name, Some(statement), kind, (range, range), None));
            }
            let name = program.str(&routine.name).trim_matches('"');
            let name = if name.is_empty() { "?" } else { name };
            let ranges = context.range_in(program, &routine.span);
            match ranges.zip(context.range_in(program, &routine.header)) {
                Some(ranges) => {
                    let (name, detail) = (name.to_owned(), Some(routine.kind.to_string()));
                    let children = Some(children);
                    symbols.push(symbol(name, detail, SymbolKind::FUNCTION, ranges, children));
                }
                // The kernel of a template is not in the document.
                None => symbols.append(&mut children),
            }
        }
    }
    symbols
}

fn symbol(
    name: String,
    detail: Option<String>,
    kind: SymbolKind,
    (range, selection_range): (lsp_types::Range, lsp_types::Range),
    children: Option<Vec<DocumentSymbol>>,
) -> DocumentSymbol {
    // The field is deprecated, but the type has no constructor.
    #[allow(deprecated)]
    DocumentSymbol {
        name,
        detail,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children,
    }
}
