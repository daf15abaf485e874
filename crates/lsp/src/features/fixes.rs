//! Quick fixes: what the hints of diagnostics suggest.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Range as LspRange, TextEdit, Uri,
    WorkspaceEdit,
};

use super::Context;
use super::diagnostics::diagnostic;

/// Returns the fixes of the problems in a range.
pub fn fixes(context: Context<'_>, uri: &Uri, range: LspRange) -> Vec<CodeActionOrCommand> {
    let (start, end) = (context.offset(range.start), context.offset(range.end));
    let problems = context.problems().iter();
    let touched = problems.filter(|problem| problem.span.start <= end && problem.span.end >= start);
    let mut actions = Vec::new();
    for problem in touched {
        for fix in &problem.fixes {
            let edit = TextEdit::new(context.range(&fix.span), fix.text.clone());
            // `Uri` caches its parts, but its hash depends on the text only.
            #[allow(clippy::mutable_key_type)]
            let changes = HashMap::from([(uri.clone(), vec![edit])]);
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(context, problem)]),
                edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
                is_preferred: Some(problem.fixes.len() == 1),
                ..CodeAction::default()
            }));
        }
    }
    actions
}
