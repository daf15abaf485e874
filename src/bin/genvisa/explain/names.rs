//! Names for ids, which only the tables of a routine know.

use genvisa::object::{Body, Name};
use genvisa::wire::Note;

/// The same notes, with the names of strings and labels as their meaning.
pub fn resolved(notes: &[Note], body: &Body<'_>) -> Vec<Note> {
    let mut notes = notes.to_vec();
    for note in notes.iter_mut().filter(|note| note.meaning.is_empty()) {
        if let Some(name) = name_of(&note.value, body) {
            note.meaning = format!("{name:?}");
        }
    }
    notes
}

/// The name of an id as its `Display` shows it: `string 7`, `label 3`.
fn name_of<'b>(value: &str, body: &'b Body<'_>) -> Option<&'b Name> {
    let (table, index) = value.split_once(' ')?;
    let index: usize = index.parse().ok()?;
    let string = match table {
        "string" => index,
        "label" => body.labels.get(index)?.name.0 as usize,
        _ => return None,
    };
    body.strings.get(string)
}
