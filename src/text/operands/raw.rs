//! Raw operands: a variable and an offset in bytes.

use crate::operand::{Aoffimmi, Raw, VarId};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;

impl Print for Raw {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        p.var(self.var);
        p.id('.', self.offset);
        p.omit_if(self.var == VarId::NULL && self.offset != 0 && p.is_v4_2());
    }
}

impl Print for Aoffimmi {
    fn print(&self, p: &mut Printer<'_>) {
        self.0.print(p);
    }
}

impl Parse for Raw {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (var, _) = p.var()?;
        p.c.expect(".")?;
        *self = Raw::new(var, p.raw_offset(var)?);
        Ok(())
    }
}

impl Parse for Aoffimmi {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        self.0.parse(p)
    }
}

impl Parser<'_> {
    /// Parses the offset of a raw operand after its dot: a decimal number, or an expression in
    /// parentheses.
    pub(in crate::text) fn raw_offset(&mut self, var: VarId) -> Parsed<u16> {
        const OFFSET: &str = "an offset in bytes";
        self.c.skip_blanks();
        let start = self.c.at;
        let is_calculated = self.c.peek() == Some(b'(');
        let offset = if is_calculated { self.c.number(OFFSET)? } else { self.c.decimal(OFFSET)? };
        if var == VarId::NULL && offset != 0 && self.is_strict() {
            return Err(self.c.fail(start..self.c.at, "the offset of `%null` is 0"));
        }
        Ok(offset)
    }

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
