//! Names of strings and labels in the tables of a routine.

use genvisa::object::{Body, Name};
use genvisa::wire::{Reference, TracedField};

/// Sets the meaning of each field that refers to a string or label to the name.
pub fn resolve(fields: &mut [TracedField], body: &Body<'_>) {
    for field in fields {
        if let Some(name) = field.reference.and_then(|reference| name_of(reference, body)) {
            field.meaning = shortened(&format!("{name:?}"));
        }
    }
}

fn name_of<'b>(reference: Reference, body: &'b Body<'_>) -> Option<&'b Name> {
    let string = match reference {
        Reference::String(string) => string,
        Reference::Label(label) => body.labels.get(usize::from(label))?.name.0,
        _ => return None,
    };
    body.strings.get(string as usize)
}

/// Cuts a long name. The string table shows it in full.
fn shortened(name: &str) -> String {
    const MAX_CHARS: usize = 28;
    match name.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
