//! Renaming of variables, labels and routines. A new name that changes the meaning is refused.

use std::ops::Range;

use genvisa::text::{Recorded, Referent, Token};
use lsp_types::{Position, Range as LspRange, TextEdit};

use super::Context;
use super::rename_in_template::{self as template, Uses};
use crate::program::Program;

/// Returns the range of the name at a position, if it can be renamed.
pub fn prepare(context: Context<'_>, position: Position) -> Result<LspRange, String> {
    if let Some(uses) = in_template(context, position) {
        return Ok(context.range(&uses?.here));
    }
    let (program, token) = renamed(context, position)?;
    Ok(context.range(&token.name(program.text.as_bytes())))
}

/// Returns the edits that rename the name at a position.
///
/// # Errors
/// The reason why the name cannot be changed, or cannot be this one.
pub fn rename(
    context: Context<'_>,
    position: Position,
    new: &str,
) -> Result<Vec<TextEdit>, String> {
    if let Some(uses) = in_template(context, position) {
        let uses = uses?;
        let edit = |span| TextEdit::new(context.range(span), new.into());
        return match template::conflict(context, &uses, new) {
            Some(problem) => Err(problem),
            None => Ok(uses.spans.iter().map(edit).collect()),
        };
    }
    let (program, token) = renamed(context, position)?;
    if new.is_empty() || new.contains(['"', '\n', '\r']) {
        return Err(format!("`{}` is not a name", new.escape_debug()));
    }
    let spans: Vec<Range<usize>> =
        program.uses(token).map(|one| one.name(program.text.as_bytes())).collect();
    let mut renamed = program.text.clone();
    for span in spans.iter().rev() {
        renamed.replace_range(span.clone(), new);
    }
    let recorded = Recorded::parse(&renamed, program.format());
    if let Some(problem) = difference(&program.recorded, &recorded, new) {
        return Err(problem);
    }
    Ok(spans.iter().map(|span| TextEdit::new(context.range(span), new.into())).collect())
}

const NOTHING: &str = "there is no name to rename here";

/// Returns the uses of the name at a position of a document with inline assembly.
fn in_template(context: Context<'_>, position: Position) -> Option<Result<Uses, String>> {
    let at = context.offset(position);
    if let Some(uses) = template::operand_uses(context, at) {
        return Some(uses);
    }
    let (program, offset) = context.program_at(position)?;
    template::is_template(program).then(|| {
        let token = program.token_at(offset).ok_or(NOTHING)?;
        token.referent().ok_or(NOTHING)?;
        template::declared_uses(context, program, token, at)
    })
}

fn renamed<'d>(
    context: Context<'d>,
    position: Position,
) -> Result<(&'d Program, &'d Token), String> {
    let (program, at) = context.program_at(position).ok_or(NOTHING)?;
    let token = program.token_at(at).ok_or(NOTHING)?;
    match token.referent().ok_or(NOTHING)? {
        Referent::Predefined(_) => Err(format!("`{}` is predefined", program.name(token))),
        Referent::Unknown => Err(format!("`{}` is not declared", program.name(token))),
        _ => Ok((program, token)),
    }
}

/// Returns why a text with a new name means something else.
fn difference(old: &Recorded, new: &Recorded, name: &str) -> Option<String> {
    let errors = |recorded: &Recorded| {
        let document = &recorded.document;
        let all = document.errors.iter().chain(document.duplicates.iter());
        all.map(ToString::to_string).collect::<Vec<_>>()
    };
    let (before, after) = (errors(old), errors(new));
    if after.len() > before.len() {
        let added = after.iter().find(|error| !before.contains(error));
        return added.or(after.first()).cloned();
    }
    let kinds = |recorded: &Recorded| -> Vec<_> {
        recorded.tokens.iter().map(|token| token.kind).collect()
    };
    (kinds(old) != kinds(new) || before.len() != after.len())
        .then(|| format!("`{name}` has another meaning in this text"))
}
