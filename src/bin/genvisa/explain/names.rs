//! Names for ids, which only the tables of a routine know.

use genvisa::object::{Body, Name};
use genvisa::wire::{Reference, TracedField};

/// Gives the notes that refer to a string or label its name as their meaning.
pub fn resolve(notes: &mut [TracedField], body: &Body<'_>) {
    for note in notes {
        if let Some(name) = note.reference.and_then(|reference| name_of(reference, body)) {
            note.meaning = shortened(&format!("{name:?}"));
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

/// The beginning of a long name: the pool shows it whole.
fn shortened(name: &str) -> String {
    const MOST: usize = 28;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
