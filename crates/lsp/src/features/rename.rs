//! Renaming of variables, labels and routines. A new name that changes the meaning is refused.

use std::ops::Range;

use genvisa::text::{self, Recorded, Referent, Token};
use lsp_types::{Position, Range as LspRange, TextEdit};

use super::Context;
use crate::program::{Place, Program};

/// Returns the range of the name at a position, if it can be renamed.
pub fn prepare(context: Context<'_>, position: Position) -> Result<LspRange, String> {
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
    let recorded = text::assemble_recorded(&renamed, program.format);
    if let Some(problem) = difference(&program.recorded, &recorded, new) {
        return Err(problem);
    }
    Ok(spans.iter().map(|span| TextEdit::new(context.range(span), new.into())).collect())
}

fn renamed<'d>(
    context: Context<'d>,
    position: Position,
) -> Result<(&'d Program, &'d Token), String> {
    const NOTHING: &str = "there is no name to rename here";
    let (program, at) = context.program_at(position).ok_or(NOTHING)?;
    if program.place != Place::Document {
        return Err("names in templates of inline assembly cannot be renamed".into());
    }
    let token = program.token_at(at).ok_or(NOTHING)?;
    match token.referent().ok_or(NOTHING)? {
        Referent::Predefined(_) => Err(format!("`{}` is predefined", program.name(token))),
        Referent::Unknown => Err(format!("`{}` is not declared", program.name(token))),
        _ => Ok((program, token)),
    }
}

/// Returns why a text with a new name means something else.
fn difference(old: &Recorded, new: &Recorded, name: &str) -> Option<String> {
    let errors = |recorded: &Recorded| match &recorded.assembly {
        Ok(assembly) => {
            let all = assembly.errors.iter().chain(assembly.duplicates.iter());
            all.map(ToString::to_string).collect()
        }
        Err(errors) => errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
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
