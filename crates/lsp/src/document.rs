//! A document that is open in the client.

use std::cell::OnceCell;

use lsp_types::{Position, TextDocumentContentChangeEvent};
use ropey::Rope;

use crate::languages::{self, Language, Parsed};
use crate::position::{Encoding, Lines};
use crate::settings::Settings;

/// A document.
#[derive(Debug)]
pub struct Document {
    /// The version that the client has numbered.
    pub version: i32,
    /// The language.
    pub language: Language,
    /// The text.
    pub text: String,
    /// Its lines.
    pub lines: Lines,
    parsed: OnceCell<Parsed>,
}

impl Document {
    /// Opens a document.
    pub fn new(version: i32, language: Language, text: String, encoding: Encoding) -> Document {
        let lines = Lines::new(&text, encoding);
        Document { version, language, text, lines, parsed: OnceCell::new() }
    }

    /// Applies edits of the client in their order. A message may have many of a long text.
    pub fn edit(&mut self, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.lines.encoding();
        let mut text = Rope::from_str(&self.text);
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = char_of(&text, range.start, encoding);
                    let end = char_of(&text, range.end, encoding).max(start);
                    text.remove(start..end);
                    text.insert(start, &change.text);
                }
                None => text = Rope::from_str(&change.text),
            }
        }
        self.text = text.to_string();
        self.lines = Lines::new(&self.text, encoding);
        self.parsed = OnceCell::new();
    }

    /// Returns the parsed texts of the document, which are parsed when they are first requested.
    pub fn parsed(&self, settings: &Settings) -> &Parsed {
        self.parsed.get_or_init(|| languages::parse(&self.text, self.language, settings))
    }

    /// Forgets what depends on the settings.
    pub fn forget(&mut self) {
        self.parsed = OnceCell::new();
    }
}

/// Returns the number of the character at a position; see [`Lines::offset`].
fn char_of(text: &Rope, position: Position, encoding: Encoding) -> usize {
    let number = position.line as usize;
    if number >= text.len_lines() {
        return text.len_chars();
    }
    let line = text.line(number);
    let ends = line.chars_at(line.len_chars()).reversed();
    let end_len = ends.take_while(|ch| matches!(ch, '\n' | '\r')).count();
    let line = line.slice(..line.len_chars() - end_len);
    let column = position.character as usize;
    text.line_to_char(number)
        + match encoding {
            Encoding::Utf8 => line.byte_to_char(column.min(line.len_bytes())),
            Encoding::Utf16 => line.utf16_cu_to_char(column.min(line.len_utf16_cu())),
        }
}
