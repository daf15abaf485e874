//! Colouring of text.

use anstyle::{AnsiColor, Style};

use crate::words::printable;

const COMMENT: Style = Style::new().dimmed();
const DIRECTIVE: Style = AnsiColor::Magenta.on_default();
const LABEL: Style = AnsiColor::Yellow.on_default();
const MNEMONIC: Style = AnsiColor::Cyan.on_default();

/// Returns a line in colors, with its control characters escaped.
pub fn line(line: &str) -> String {
    let line = printable(line);
    // The margin is comments at the start.
    let mut margin = 0;
    while line[margin..].trim_start().starts_with("/*") {
        match line[margin..].find("*/") {
            Some(at) => margin += at + 2,
            None => break,
        }
    }
    let (margin, line) = line.split_at(margin);
    let (code, comment) = line.split_at(comment_start(line));
    let text = code.trim_start();
    let (indent, word_len) = (code.len() - text.len(), first_word_len(text));
    let style = match text {
        _ if text.starts_with('.') => DIRECTIVE,
        _ if indent == 0 && text.ends_with(':') => LABEL,
        _ => MNEMONIC,
    };
    let (word, rest) = text.split_at(word_len);
    let mut colored = match margin {
        "" => code[..indent].to_string(),
        _ => format!("{COMMENT}{margin}{COMMENT:#}{}", &code[..indent]),
    };
    for (style, part) in [(style, word), (Style::new(), rest), (COMMENT, comment)] {
        if !part.is_empty() {
            colored += &format!("{style}{part}{style:#}");
        }
    }
    colored
}

/// Returns the start of the comment, or the length of the line. Quoted `//` is not a comment.
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

/// Returns the length of the directive, label or mnemonic, with the predicate before it.
fn first_word_len(text: &str) -> usize {
    let start = match text.find(") ") {
        Some(end) if text.starts_with('(') => end + 2,
        _ => 0,
    };
    text[start..].find(' ').map_or(text.len(), |end| start + end)
}
