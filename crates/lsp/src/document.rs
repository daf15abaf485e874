//! A document that is open in the client.

use std::cell::OnceCell;

use lsp_types::TextDocumentContentChangeEvent;

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

    /// Applies an edit of the client.
    pub fn edit(&mut self, change: TextDocumentContentChangeEvent) {
        match change.range {
            Some(range) => {
                let start = self.lines.offset(&self.text, range.start);
                let end = self.lines.offset(&self.text, range.end).max(start);
                self.text.replace_range(start..end, &change.text);
            }
            None => self.text = change.text,
        }
        self.lines = Lines::new(&self.text, self.lines.encoding());
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
