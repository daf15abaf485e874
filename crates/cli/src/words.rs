//! Words and numbers in messages.

use std::path::Path;

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
        match c.is_control() {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    escaped
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
