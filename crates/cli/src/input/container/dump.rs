//! Texts that a compiler prints one after the other.

use genvisa::{Dialect, text};

use super::found::{Container, Found};
use super::place::Place;
use crate::output::snippet::Start;

/// Adds the texts in the output of a compiler; nothing if the file is one text.
pub fn add(container: &mut Container, dialect: Dialect) {
    let file = container.bytes.clone();
    let texts = text::split_dump(&file).into_iter().filter(|text| *text != (0..file.len()));
    let (mut start, mut at) = (Start::default(), 0);
    let texts = texts.map(|text| {
        start.advance(&file[at..text.start]);
        at = text.start;
        Found::text(&file, Place::Lines(text), start, dialect)
    });
    container.objects.extend(texts);
}
