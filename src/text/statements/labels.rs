//! Parsing of the definitions of labels, with `.function` before subroutines.

use alloc::format;
use core::ops::Range;

use super::routine::ParsedRoutine;
use crate::object::LabelKind;
use crate::text::context::Parser;
use crate::text::cursor::Parsed;
use crate::text::diagnostic::cut;
use crate::text::operands::label_instruction;
use crate::text::recorder::TokenKind;

impl<'t> Parser<'t> {
    /// Defines the label of a line. The compiler ignores a label that `.function` has already placed.
    pub(in crate::text) fn define_label(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        name: &'t str,
        span: Range<usize>,
    ) -> Parsed<()> {
        let is_subroutine = self.takes_function(routine, name.as_bytes());
        self.record_label(&span, TokenKind::Definition);
        let id = self.label(name, span.clone())?;
        let label = &mut self.symbols.labels[usize::from(id.0)];
        let is_placed = label.defined && label.kind != LabelKind::BLOCK;
        if is_placed && !is_subroutine {
            let message = format!("this label is ignored: `.function` has placed `{}`", cut(name));
            self.warn(&span, message);
            return Ok(());
        }
        if label.defined {
            let message = format!("label `{}` is already defined", cut(name));
            return Err(self.c.fail(span, &message));
        }
        label.defined = true;
        if is_subroutine {
            label.kind = LabelKind::SUBROUTINE;
        }
        self.push(routine, &label_instruction(id, is_subroutine), span);
        Ok(())
    }

    /// Returns whether a `.function` of this name precedes a label, whose line starts the subroutine
    /// then. Otherwise, the directive starts its subroutine.
    pub(super) fn takes_function(&mut self, routine: &mut ParsedRoutine<'t>, label: &[u8]) -> bool {
        let taken = routine.function.take_if(|(name, _)| name.as_bytes() == label);
        self.place_function(routine);
        taken.is_some()
    }

    /// Starts the subroutine of a `.function` that no label follows.
    pub(in crate::text) fn place_function(&mut self, routine: &mut ParsedRoutine<'t>) {
        if let Some((name, span)) = routine.function.clone() {
            // Errors have been reported.
            let _ = self.define_label(routine, name, span);
        }
    }

    /// Parses the name after `.function`, where a subroutine starts.
    pub(in crate::text) fn function(&mut self, routine: &mut ParsedRoutine<'t>) -> Parsed<()> {
        self.place_function(routine);
        routine.function = Some(self.subroutine_name()?);
        Ok(())
    }
}
