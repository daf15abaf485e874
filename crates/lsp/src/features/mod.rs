//! The capabilities of the server: a file for each.

pub mod completion;
pub mod diagnostics;
pub mod fixes;
pub mod folding;
pub mod formatting;
pub mod hover;
pub mod inlay_hints;
pub mod names;
pub mod rename;
mod rename_in_template;
pub mod semantic_tokens;
pub mod signature;
pub mod symbols;

use std::ops::Range;

use lsp_types::{Position, Range as LspRange};

use crate::document::Document;
use crate::languages::{Parsed, Problem, TemplateOperand};
use crate::program::Program;
use crate::settings::Settings;

/// A document, and the settings that apply to it.
#[derive(Clone, Copy)]
pub struct Context<'d> {
    /// The document.
    pub document: &'d Document,
    /// The settings.
    pub settings: &'d Settings,
}

impl<'d> Context<'d> {
    /// Returns the parsed document.
    pub fn parsed(self) -> &'d Parsed {
        self.document.parsed(self.settings)
    }

    /// Returns the problems of the document.
    pub fn problems(self) -> &'d [Problem] {
        self.parsed().problems(self.settings)
    }

    /// Returns the offset of a position.
    pub fn offset(self, position: Position) -> usize {
        self.document.lines.offset(&self.document.text, position)
    }

    /// Returns the range of bytes of the document.
    pub fn range(self, span: &Range<usize>) -> LspRange {
        self.document.lines.range(&self.document.text, span)
    }

    /// Returns the program at a position, and the offset in it.
    pub fn program_at(self, position: Position) -> Option<(&'d Program, usize)> {
        let at = self.offset(position);
        let mut programs = self.parsed().programs.iter();
        programs.find_map(|program| Some((program, program.offset_of(at)?)))
    }

    /// Returns the range of bytes of a program. Returns `None` if they are not in the document.
    pub fn range_in(self, program: &Program, span: &Range<usize>) -> Option<LspRange> {
        Some(self.range(&program.to_document(span)?))
    }

    /// Returns the operand of a template at a position: at its constraint, or at a use.
    pub fn operand_at(self, position: Position) -> Option<&'d TemplateOperand> {
        let at = self.offset(position);
        let contains = |span: &Range<usize>| span.start <= at && at <= span.end && !span.is_empty();
        self.parsed()
            .operands
            .iter()
            .find(|operand| contains(&operand.constraint) || operand.uses.iter().any(contains))
    }
}
