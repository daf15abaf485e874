//! Predicates of instructions, such as `(!P1.any)`.

use core::ops::Range;

use crate::operand::{Pred, PredControl, PredId};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;

/// A predicate field, which may exist in some formats only.
pub(in crate::text) trait Predicate {
    fn predicate(&self) -> Pred;
}

impl Predicate for &Pred {
    fn predicate(&self) -> Pred {
        **self
    }
}

impl Predicate for &Option<Pred> {
    fn predicate(&self) -> Pred {
        self.unwrap_or_default()
    }
}

impl Printer<'_> {
    /// Prints a predicate as `(!P1.any) `, or nothing if there is none.
    #[inline]
    pub(in crate::text) fn pred_prefix(&mut self, pred: impl Predicate) {
        let pred = pred.predicate();
        if !pred.is_none() {
            self.pred(pred);
        }
    }

    fn pred(&mut self, pred: Pred) {
        self.line.ch('(');
        if pred.is_inverted() {
            self.line.ch('!');
        }
        self.pred_name(pred.id());
        match pred.control() {
            PredControl::NONE => {}
            PredControl::ANY => self.line.push(".any"),
            PredControl::ALL => self.line.push(".all"),
            _ => self.is_incomplete = true,
        }
        self.line.push(") ");
        // `P0` cannot be declared.
        self.omit_if(pred.id() == PredId(0));
    }
}

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
        let control = if !self.c.eat_dot() {
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
