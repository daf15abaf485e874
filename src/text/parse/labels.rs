//! Parsing of labels: their uses and definitions, and `.function` before those of subroutines.

use alloc::format;
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::diagnostic::cut;
use super::operands::Parse;
use crate::isa::{self, Instruction};
use crate::object::LabelKind;
use crate::operand::LabelId;
use crate::text::charset::is_identifier;

/// The target of a jump.
impl Parse for LabelId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.label_use()?;
        Ok(())
    }
}

/// Returns the instruction that defines a label.
pub(super) fn label_instruction(label: LabelId, is_subroutine: bool) -> Instruction {
    if is_subroutine { isa::Subroutine { label }.into() } else { isa::Label { label }.into() }
}

impl<'t> Parser<'t> {
    /// Parses the name of a label, which may be defined later.
    pub(in crate::text) fn label_use(&mut self) -> Parsed<LabelId> {
        match self.c.label_name() {
            Some((name, span)) if self.is_strict() && self.lacks_quotes(name, &span) => {
                let message = format!("the label `{}` must be in quotes here", cut(name));
                Err(self.c.fail(span, &message))
            }
            Some((name, span)) => self.label(name, span),
            None => Err(self.c.expected("a label")),
        }
    }

    /// Returns whether a name requires quotes and has none.
    fn lacks_quotes(&self, name: &str, span: &Range<usize>) -> bool {
        span.len() == name.len() && !is_identifier(name.as_bytes())
    }

    /// Returns the label of a name.
    pub(super) fn label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<LabelId> {
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
    pub(super) fn label_definition(&mut self) -> Option<(&'t str, Range<usize>)> {
        let start = self.c.at;
        let name = self.c.label_here();
        let end = self.c.at;
        if !name.is_empty() && self.c.eat_here(":") {
            return Some((name, start..end));
        }
        self.c.at = start;
        None
    }

    pub(super) fn define_label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<()> {
        let id = self.label(name, span.clone())?;
        let is_subroutine = self.follows_function(name.as_bytes())?;
        let label = &mut self.symbols.labels[usize::from(id.0)];
        if label.defined {
            let message = format!("label `{}` is already defined", cut(name));
            return Err(self.c.fail(span, &message));
        }
        label.defined = true;
        if is_subroutine {
            label.kind = LabelKind::SUBROUTINE;
        }
        self.push(&label_instruction(id, is_subroutine), span);
        Ok(())
    }

    /// Parses the name after `.function`. The label that follows is a subroutine.
    pub(super) fn function(&mut self, line_start: usize) -> Parsed<()> {
        self.c.skip_blanks();
        let quoted = self.c.eat_here("\"");
        let start = self.c.at;
        let name = if quoted { self.c.label_here() } else { self.c.word_here() };
        if name.is_empty() || quoted && !self.c.eat_here("\"") {
            self.c.at = start;
            return Err(self.c.expected("the name of a subroutine"));
        }
        let span = start..start + name.len();
        if let Some((before, _)) = self.routine().function.replace((name, span)) {
            let span = line_start..self.c.at;
            return Err(self.expected_label_of(before, span, "another `.function`"));
        }
        Ok(())
    }

    /// Returns whether a label follows a `.function`, whose name it must have. Takes the name of
    /// the label or its line.
    pub(super) fn follows_function(&mut self, label: &[u8]) -> Parsed<bool> {
        let expected = self.routine.as_mut().and_then(|routine| routine.function.take());
        let Some((function, span)) = expected else { return Ok(false) };
        let name = label.trim_ascii_end();
        if name.strip_suffix(b":").unwrap_or(name) == function.as_bytes() {
            return Ok(true);
        }
        Err(self.expected_label_of(function, span, "another label"))
    }

    /// Reports that the label of a `.function` does not follow it.
    pub(super) fn expected_label_of(
        &mut self,
        function: &str,
        span: Range<usize>,
        found: &str,
    ) -> Failed {
        let function = cut(function);
        let message = format!("expected the label of `.function \"{function}\"`, found {found}");
        self.c.fail(span, &message)
    }
}
