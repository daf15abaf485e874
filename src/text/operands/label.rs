//! Labels: their uses and definitions, and the names of subroutines.

use alloc::format;
use core::ops::Range;

use crate::isa::{self, Instruction};
use crate::object::LabelKind;
use crate::operand::LabelId;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::diagnostic::cut;
use crate::text::names::Spelling;
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::{Quirk, is_identifier};

/// When GenX_IR adds the id of a label to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum Suffix {
    Never,
    Always,
    OfSubroutines,
}

impl Printer<'_> {
    /// Prints a use of a label.
    pub(in crate::text) fn label(&mut self, id: LabelId, suffix: Suffix) {
        self.label_as(id, suffix, |p, name| match p.names {
            Some(names) if names.needs_quotes(name) => {
                p.line.ch('"');
                p.name(name);
                p.line.ch('"');
            }
            _ => p.name(name),
        });
    }

    /// Prints a label, with a function that prints its name.
    pub(in crate::text) fn label_as(
        &mut self,
        id: LabelId,
        suffix: Suffix,
        print: fn(&mut Self, Spelling),
    ) {
        let names = self.names;
        match names.and_then(|names| names.label(id)) {
            Some(name) => print(self, name),
            None => self.undeclared(id),
        }
        let kind = names.and_then(|names| names.label_kind(id));
        let has_suffix = match suffix {
            Suffix::Never => false,
            Suffix::Always => true,
            Suffix::OfSubroutines => kind == Some(LabelKind::SUBROUTINE),
        };
        if has_suffix && self.has(Quirk::LabelSuffixes) {
            self.id('_', id.0);
        }
    }

    /// Prints a label as GOTO and SWITCHJMP do.
    pub(in crate::text) fn raw_label(&mut self, id: LabelId) {
        let raw = self.names.and_then(|names| names.raw_label(id));
        match raw.filter(|_| self.has(Quirk::RawJumpNames)) {
            Some(name) => self.name(name),
            None => self.label(id, Suffix::Never),
        }
    }
}

/// The target of a jump.
impl Print for LabelId {
    fn print(&self, p: &mut Printer<'_>) {
        p.label(*self, Suffix::OfSubroutines);
    }
}

/// The target of a jump.
impl Parse for LabelId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.label_use()?;
        Ok(())
    }
}

/// Returns the instruction that defines a label.
pub(in crate::text) fn label_instruction(label: LabelId, is_subroutine: bool) -> Instruction {
    if is_subroutine { isa::Subroutine { label }.into() } else { isa::Label { label }.into() }
}

/// The text of the completion that is replaced by the labels of the routine.
const LABELS: &str = "label";

impl<'t> Parser<'t> {
    /// Parses the name of a label, which may be defined later.
    pub(in crate::text) fn label_use(&mut self) -> Parsed<LabelId> {
        match self.c.label_name() {
            Some((name, span)) if self.is_strict() && self.lacks_quotes(name, &span) => {
                let is_reserved = self.reserved.is_rejected_in_igc(name.as_bytes());
                let why = if is_reserved { ": it is a reserved word" } else { "" };
                let message = format!("the label `{}` must be in quotes here{why}", cut(name));
                Err(self.c.fail(span, &message))
            }
            Some((name, span)) => {
                self.record_label(&span, TokenKind::Reference);
                self.label(name, span)
            }
            None => {
                self.c.complete(CompletionKind::Label, LABELS);
                Err(self.c.expected("a label"))
            }
        }
    }

    /// Returns whether a name requires quotes and has none.
    fn lacks_quotes(&self, name: &str, span: &Range<usize>) -> bool {
        let name = name.as_bytes();
        span.len() == name.len() && (!is_identifier(name) || self.reserved.is_rejected_in_igc(name))
    }

    /// Returns the label of a name.
    pub(in crate::text) fn label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<LabelId> {
        let label = self.symbols.label(name, span.clone());
        let has_ids = self.symbols.has_ids();
        label.ok_or_else(|| match has_ids {
            true => {
                let message = format!("`{}` is not the id of a label", cut(name));
                let help = Some("ids of labels are `L0` to `L65535`".into());
                self.c.fail_with_help(span, &message, help)
            }
            false => self.c.fail(span, "a routine has at most 65535 labels"),
        })
    }

    /// Parses a name and a colon, if they come next.
    pub(in crate::text) fn label_definition(&mut self) -> Option<(&'t str, Range<usize>)> {
        let start = self.c.at;
        let name = self.c.label_here();
        let end = self.c.at;
        if !name.is_empty() && self.c.eat_here(":") {
            return Some((name, start..end));
        }
        self.c.at = start;
        None
    }

    /// Parses the name after `.function`, where a subroutine starts.
    pub(in crate::text) fn subroutine_name(&mut self) -> Parsed<(&'t str, Range<usize>)> {
        self.c.skip_blanks();
        let quoted = self.c.eat_here("\"");
        let start = self.c.at;
        let name = if quoted { self.c.label_here() } else { self.c.word_here() };
        self.record_label(&(start..start + name.len()), TokenKind::Reference);
        if name.is_empty() || quoted && !self.c.eat_here("\"") {
            self.c.at = start;
            return Err(self.c.expected("the name of a subroutine"));
        }
        Ok((name, start..start + name.len()))
    }
}
