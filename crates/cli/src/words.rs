//! Words and numbers in messages.

use std::borrow::Cow;
use std::path::Path;
use std::str::Utf8Chunk;

/// Returns whether a path is `-`, which means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns a path as text that is safe to print to a terminal.
pub fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Returns a text with its control characters escaped.
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() || controls_others(c) {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    escaped
}

/// Returns whether a character controls how others are shown, in terminals, editors and pages: the C1
/// controls, the marks and controls of the direction of text, and the separators of lines.
fn controls_others(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Returns a text with the characters escaped that [control others](controls_others), such as `\u202e`.
/// JSON has the same escapes, and has these characters only in strings.
pub fn inert(text: &str) -> Cow<'_, str> {
    if !text.contains(controls_others) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match controls_others(c) {
            true => escaped += &format!("\\u{:04x}", u32::from(c)),
            false => escaped.push(c),
        }
    }
    escaped.into()
}

/// Returns bytes like [`inert`], with what is not UTF-8 unchanged.
pub fn inert_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_inert = |chunk: Utf8Chunk<'_>| !chunk.valid().contains(controls_others);
    if bytes.utf8_chunks().all(is_inert) {
        return bytes.into();
    }
    let chunks = bytes.utf8_chunks();
    chunks
        .flat_map(|it| [inert(it.valid()).as_bytes(), it.invalid()].concat())
        .collect::<Vec<_>>()
        .into()
}

/// Returns a number with a noun, which is in the plural unless the number is 1.
pub fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ if noun.ends_with("ch") => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

/// Returns a text that has at most so many characters.
pub fn shortened(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.into(),
        Some(_) => text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect(),
    }
}

/// Adds bytes in hex, separated by spaces.
pub fn push_hex(bytes: &[u8], out: &mut String) {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.extend([digit(byte >> 4), digit(byte & 0xf)]);
    }
}
