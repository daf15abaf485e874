//! Predicates of instructions, such as `(!P1.any)`.

use core::ops::Range;

use super::Parser;
use crate::operand::{Pred, PredControl};
use crate::text::parse::cursor::Parsed;

impl Parser<'_> {
    /// Parses the predicate of an instruction, such as `(!P1.any)`, if it has one.
    pub(in crate::text) fn pred_prefix(&mut self) -> Parsed<Option<(Pred, Range<usize>)>> {
        self.c.skip_blanks();
        let start = self.c.at;
        if !self.c.eat_here("(") {
            return Ok(None);
        }
        let inverted = self.c.eat("!");
        let id = self.pred()?;
        let control = if !self.c.eat_here(".") {
            PredControl::NONE
        } else if self.c.eat_word_here("any") {
            PredControl::ANY
        } else if self.c.eat_word_here("all") {
            PredControl::ALL
        } else {
            return Err(self.c.expected("`any` or `all`"));
        };
        self.c.expect(")")?;
        let span = start..self.c.at;
        let Some(pred) = Pred::new(id) else {
            return Err(self.c.fail(span, "predicates above 4095 cannot be encoded"));
        };
        let pred = pred.with_control(control);
        Ok(Some((if inverted { pred.inverted() } else { pred }, span)))
    }
}
