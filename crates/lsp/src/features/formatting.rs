//! Formatting of texts, as `genvisa fmt` does it.

use genvisa::text::Reformatter;
use lsp_types::TextEdit;

use super::Context;
use crate::languages::Language;

/// Returns the edits that format a document.
///
/// # Errors
/// The reason why the document cannot be formatted: its first error.
pub fn format(context: Context<'_>) -> Result<Option<Vec<TextEdit>>, String> {
    if context.document.language != Language::Visaasm {
        return Ok(None);
    }
    let reformatter = Reformatter::new().with_dialect(context.settings.options.dialect());
    let text = &context.document.text;
    let formatted = match reformatter.reformat(text) {
        Ok(formatted) => formatted.text,
        Err(errors) => {
            let error = errors.first().map_or_else(String::new, |error| format!(": {error}"));
            return Err(format!("a text with errors is not formatted{error}"));
        }
    };
    if formatted == *text {
        return Ok(Some(Vec::new()));
    }
    // Only the part that changes is replaced, so that the client keeps its cursor.
    let (old, new) = (text.as_bytes(), formatted.as_bytes());
    let mut start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let is_boundary = |at: usize| text.is_char_boundary(at) && formatted.is_char_boundary(at);
    while !is_boundary(start) || is_in_line_end(old, start) {
        start -= 1;
    }
    let most = old.len().min(new.len()) - start;
    let pairs = old.iter().rev().zip(new.iter().rev()).take(most);
    let mut len = pairs.take_while(|(a, b)| a == b).count();
    while !text.is_char_boundary(old.len() - len)
        || !formatted.is_char_boundary(new.len() - len)
        || is_in_line_end(old, old.len() - len)
    {
        len -= 1;
    }
    let range = context.range(&(start..old.len() - len));
    Ok(Some(vec![TextEdit::new(range, formatted[start..new.len() - len].into())]))
}

/// Returns whether an offset is between `\r` and `\n`, which no position can be.
fn is_in_line_end(text: &[u8], at: usize) -> bool {
    at > 0 && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n')
}
