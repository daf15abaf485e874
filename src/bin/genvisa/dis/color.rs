//! Colours for a line of visaasm.

use anstyle::{AnsiColor, Style};

use crate::printable;

const COMMENT: Style = Style::new().dimmed();
const DIRECTIVE: Style = AnsiColor::Magenta.on_default();
const LABEL: Style = AnsiColor::Yellow.on_default();
const MNEMONIC: Style = AnsiColor::Cyan.on_default();

/// The line in colours, with its control characters escaped.
pub fn line(line: &str) -> String {
    let line = printable(line);
    let (code, comment) = line.split_at(comment_start(&line));
    let text = code.trim_start();
    let (indent, word_len) = (code.len() - text.len(), first_word(text));
    let style = match text {
        _ if text.starts_with('.') => DIRECTIVE,
        _ if indent == 0 && text.ends_with(':') => LABEL,
        _ => MNEMONIC,
    };
    let (word, rest) = text.split_at(word_len);
    let mut colored = code[..indent].to_string();
    for (style, part) in [(style, word), (Style::new(), rest), (COMMENT, comment)] {
        if !part.is_empty() {
            colored += &format!("{style}{part}{style:#}");
        }
    }
    colored
}

/// Where a comment begins that is not in quotes.
fn comment_start(line: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (i, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '/' if !quoted && line[i..].starts_with("//") => return i,
            _ => {}
        }
    }
    line.len()
}

/// Where the directive, label or mnemonic ends; a predicate before it counts as a part.
fn first_word(text: &str) -> usize {
    let start = match text.find(") ") {
        Some(end) if text.starts_with('(') => end + 2,
        _ => 0,
    };
    text[start..].find(' ').map_or(text.len(), |end| start + end)
}
