//! Renaming in templates of inline assembly: of operands (`%[name]`), and of the names that a template
//! declares.

use std::ops::Range;

use genvisa::text::{Referent, Token};

use super::Context;
use crate::languages::{self, Parsed, TemplateOperand};
use crate::program::{Place, Program};

/// The uses of a name that can be changed.
pub(super) struct Uses {
    /// The bytes of the document, in ascending order.
    pub(super) spans: Vec<Range<usize>>,
    /// The use at the position.
    pub(super) here: Range<usize>,
}

/// Returns the uses of the operand at an offset of the document. Returns `None` if there is no
/// operand with a name.
pub(super) fn operand_uses(context: Context<'_>, at: usize) -> Option<Result<Uses, String>> {
    let is_here = |span: &Range<usize>| span.start <= at && at <= span.end;
    let text = &context.document.text;
    for operand in &context.parsed().operands {
        let touches = is_here(&operand.constraint) || operand.uses.iter().any(is_here);
        let spans = spans_of(text, operand);
        let here = spans.as_ref().and_then(|spans| spans.iter().find(|span| is_here(span)));
        match (&operand.name, spans.as_ref().zip(here)) {
            (_, Some((spans, here))) => {
                return Some(Ok(Uses { spans: spans.clone(), here: here.clone() }));
            }
            (Some(name), None) if touches && spans.is_none() => {
                return Some(Err(format!("`[{name}]` is not written next to its constraint")));
            }
            (Some(name), None) if touches => {
                return Some(Err(format!("the name to rename is `{name}`, in brackets")));
            }
            (None, None) if touches => return Some(Err("the operand has no name".into())),
            _ => {}
        }
    }
    None
}

/// Returns where the name of an operand is written: before its constraint, and in the template.
/// Returns `None` if it is not written there, such as in a macro.
fn spans_of(text: &str, operand: &TemplateOperand) -> Option<Vec<Range<usize>>> {
    let name = operand.name.as_ref()?;
    let before = text.get(..operand.constraint.start)?.trim_end_matches('"').trim_end();
    let before = before.strip_suffix(']')?.trim_end();
    let start = before.strip_suffix(&**name)?.len();
    before[..start].trim_end().strip_suffix('[')?;
    let declared = start..start + name.len();
    let template = operand.template.clone();
    let written = format!("%[{name}]");
    let uses = text.get(template.clone())?.match_indices(&*written).filter_map(|(index, _)| {
        let use_start = template.start + index;
        let percents = text[..use_start].bytes().rev().take_while(|byte| *byte == b'%').count();
        let start = use_start + 2;
        (percents % 2 == 0).then(|| start..start + name.len())
    });
    let mut spans: Vec<Range<usize>> = uses.chain([declared]).collect();
    spans.sort_unstable_by_key(|span| span.start);
    Some(spans)
}

/// Returns the uses of a name that a template declares.
pub(super) fn declared_uses(
    context: Context<'_>,
    program: &Program,
    token: &Token,
    at: usize,
) -> Result<Uses, String> {
    let name = program.name(token);
    match token.referent() {
        Some(Referent::Predefined(_)) => return Err(format!("`{name}` is predefined")),
        Some(Referent::Declared { .. } | Referent::Label { .. }) => {}
        _ => return Err(format!("`{name}` is not declared in this template")),
    }
    let is_written = |span: &Range<usize>| context.document.text.get(span.clone()) == Some(name);
    let in_document = |one: &Token| {
        let span = program.to_document(&one.name(program.text.as_bytes()));
        span.filter(is_written)
    };
    let is_declared_here =
        program.definition(token).is_some_and(|definition| in_document(definition).is_some());
    if !is_declared_here {
        return Err(format!("`{name}` is not declared in this template"));
    }
    let spans: Option<Vec<_>> = program.uses(token).map(in_document).collect();
    let mut spans = spans.ok_or_else(|| format!("a use of `{name}` is not written as such"))?;
    spans.sort_unstable_by_key(|span| span.start);
    spans.dedup();
    // Without braces, other statements of a function share the names of a template.
    let is_shared = |other: &Program| {
        let is_outside = |token: &Token| {
            let definition = other.definition(token);
            definition.is_none_or(|token| other.to_document(&token.span).is_none())
        };
        let mut tokens = other.recorded.tokens.iter();
        other.place != program.place
            && tokens.any(|token| {
                token.referent().is_some() && other.name(token) == name && is_outside(token)
            })
    };
    if context.parsed().programs.iter().any(is_shared) {
        return Err(format!("another template refers to `{name}`"));
    }
    let here = spans.iter().find(|span| span.start <= at && at <= span.end).cloned();
    let here = here.ok_or("there is no name to rename here")?;
    Ok(Uses { spans, here })
}

/// Returns why the document with a new name means something else.
pub(super) fn conflict(context: Context<'_>, uses: &Uses, new: &str) -> Option<String> {
    let mut bytes = new.bytes();
    let is_name = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return Some(format!("`{}` is not a name", new.escape_debug()));
    }
    let mut text = context.document.text.clone();
    for span in uses.spans.iter().rev() {
        text.replace_range(span.clone(), new);
    }
    let parsed = languages::parse(&text, context.document.language, context.settings);
    let is_repeated = |(index, operand): (usize, &TemplateOperand)| {
        operand.name.as_deref() == Some(new)
            && parsed.operands[..index]
                .iter()
                .any(|other| other.template == operand.template && other.name == operand.name)
    };
    if parsed.operands.iter().enumerate().any(is_repeated) {
        return Some(format!("the template has another operand `[{new}]`"));
    }
    let (old_problems, problems) = (context.problems(), parsed.problems(context.settings));
    if problems.len() > old_problems.len() {
        let is_new = |message: &str| old_problems.iter().all(|old| old.message != message);
        let added = problems.iter().find(|problem| is_new(&problem.message));
        return added.or(problems.first()).map(|problem| problem.message.clone());
    }
    let is_same = problems.len() == old_problems.len() && shape(context.parsed()) == shape(&parsed);
    (!is_same).then(|| format!("`{new}` has another meaning in this document"))
}

/// Returns what the texts and operands of a document are, apart from names.
fn shape(parsed: &Parsed) -> (Vec<Vec<genvisa::text::TokenKind>>, Vec<usize>) {
    let kinds = |program: &Program| program.recorded.tokens.iter().map(|it| it.kind).collect();
    let programs = parsed.programs.iter().map(kinds).collect();
    (programs, parsed.operands.iter().map(|operand| operand.uses.len()).collect())
}

/// Returns whether a program is a template.
pub(super) fn is_template(program: &Program) -> bool {
    program.place != Place::Document
}
