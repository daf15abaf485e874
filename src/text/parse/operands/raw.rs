//! Raw operands: a variable and an offset in bytes.

use super::{Parse, Parser};
use crate::operand::{Aoffimmi, Raw};
use crate::text::parse::cursor::Parsed;

impl Parse for Raw {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (var, _) = p.var()?;
        p.c.expect(".")?;
        *self = Raw::new(var, p.c.number("an offset in bytes")?);
        Ok(())
    }
}

impl Parse for Aoffimmi {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        self.0.parse(p)
    }
}

impl Parser<'_> {
    /// Returns the number of raw operands that come next in this line, without consuming them.
    pub(in crate::text) fn count_raw_operands(&mut self) -> usize {
        let (start, is_trial) = (self.c.at, self.symbols.is_trial);
        let diagnostics = core::mem::take(&mut self.c.diagnostics);
        self.symbols.is_trial = true;
        let mut count = 0;
        while self.is_at_raw_operand() && Raw::default().parse(self).is_ok() {
            count += 1;
        }
        self.symbols.is_trial = is_trial;
        (self.c.at, self.c.diagnostics) = (start, diagnostics);
        count
    }

    /// Returns whether a name and a dot come next.
    fn is_at_raw_operand(&mut self) -> bool {
        let start = self.c.at;
        let is_raw = self.c.name().is_some() && self.c.eat(".");
        self.c.at = start;
        is_raw
    }
}
