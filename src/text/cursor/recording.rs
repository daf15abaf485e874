//! Recording of what the cursor reads.

use core::ops::Range;

use super::Cursor;
use crate::text::recorder::{CompletionKind, RowText, TokenKind};

impl Cursor<'_> {
    /// Records the text from a position to the cursor.
    #[inline]
    pub(in crate::text) fn record(&mut self, start: usize, kind: TokenKind) {
        if let Some(recorder) = &mut self.recorder {
            recorder.token(start..self.at, kind);
        }
    }

    /// Sets the kind of a recorded token.
    #[inline]
    pub(in crate::text) fn classify(&mut self, span: &Range<usize>, kind: TokenKind) {
        if let Some(recorder) = &mut self.recorder {
            recorder.classify(span, kind);
        }
    }

    /// Records digits, each at a distance before the cursor.
    #[inline]
    pub(in crate::text) fn record_digits(&mut self, distances: &[usize]) {
        if let Some(recorder) = &mut self.recorder {
            for distance in distances {
                let start = self.at - distance;
                recorder.token(start..start + 1, TokenKind::Number);
            }
        }
    }

    /// Records whether a fixed text is at the cursor. If it is, the cursor is after it.
    #[cold]
    #[inline(never)]
    pub(super) fn record_text(&mut self, text: &str, is_eaten: bool) {
        if !is_eaten {
            let is_word = text.bytes().any(|byte| byte.is_ascii_alphanumeric());
            let kind = if is_word { CompletionKind::Word } else { CompletionKind::Punctuation };
            return self.complete(kind, text);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.text(self.at - text.len(), text);
        }
    }

    /// Records a text that the parser would accept, if the end of the source is the cursor, or follows
    /// the start of the text.
    pub(in crate::text) fn complete(&mut self, kind: CompletionKind, text: &str) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.len() >= text.len() || !text.as_bytes().starts_with(rest) {
            return;
        }
        if let (Some(recorder), Some(text)) = (&mut self.recorder, text.get(rest.len()..)) {
            recorder.complete(kind, text);
        }
    }

    /// Records words that the parser would accept.
    pub(in crate::text) fn complete_words<'w>(
        &mut self,
        kind: CompletionKind,
        words: impl IntoIterator<Item = &'w str>,
    ) {
        if self.is_completing() {
            words.into_iter().for_each(|word| self.complete(kind, word));
        }
    }

    /// Returns whether the parser is asked for completions.
    #[inline]
    pub(in crate::text) fn is_completing(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.is_completing())
    }

    /// Returns whether the caller wants a recording or completions.
    #[inline]
    pub(in crate::text) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Records the start of an operand.
    #[inline]
    pub(in crate::text) fn record_operand(&mut self, fields: &'static str) {
        if let Some(recorder) = &mut self.recorder {
            recorder.operand(self.at, fields);
        }
    }

    /// Records the end of an operand.
    #[inline]
    pub(in crate::text) fn record_operand_end(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end_operand(self.at);
        }
    }

    /// Records a field from a position to the cursor, by its index in the names of the current operand's
    /// fields.
    #[inline]
    pub(in crate::text) fn record_part(&mut self, index: usize, start: usize) {
        self.record_part_at(index, start..self.at);
    }

    /// Records a field by its index in the names of the current operand's fields.
    #[inline]
    pub(in crate::text) fn record_part_at(&mut self, index: usize, span: Range<usize>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.part(span, index);
        }
    }

    /// Records a field of the current instruction.
    #[inline]
    pub(in crate::text) fn record_field(&mut self, name: &'static str, span: Range<usize>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.field(span, name);
        }
    }

    /// Records the start of an instruction.
    #[inline]
    pub(in crate::text) fn record_instruction(&mut self, mnemonic: &Range<usize>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.instruction(mnemonic.clone());
        }
    }

    /// Records the row of the current instruction.
    #[inline]
    pub(in crate::text) fn record_row(&mut self, row: impl FnOnce() -> Option<&'static RowText>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.row(row());
        }
    }

    /// Records what the word that begins at a position means.
    #[inline]
    pub(in crate::text) fn record_meaning(
        &mut self,
        start: usize,
        meaning: impl FnOnce() -> &'static str,
    ) {
        if let Some(recorder) = &mut self.recorder {
            recorder.meanings.push((start, meaning()));
        }
    }
}
