//! Texts that a compiler prints one after the other.

use genvisa::{Dialect, text};

use super::found::{Container, Found};
use super::place::Place;

/// Adds the texts in the output of a compiler; nothing if the file is one text.
pub fn add(container: &mut Container, dialect: Dialect) {
    let file = container.bytes.clone();
    let texts = text::split_dump(&file).into_iter().filter(|text| *text != (0..file.len()));
    let texts = texts.map(|text| Found::text(&file, Place::Lines(text), dialect));
    container.objects.extend(texts);
}
