//! Strings and symbols, which are ids in an instruction.

use super::{Parse, Parser};
use crate::operand::{ShortStringId, StringId};
use crate::text::parse::cursor::Parsed;

/// The name of a source file: an index in [`Parser::strings`] until it is lowered.
impl Parse for StringId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = match p.string_id()? {
            Some(id) => StringId(id),
            None => {
                let bytes = p.c.string()?;
                StringId(p.strings.intern(&bytes))
            }
        };
        Ok(())
    }
}

impl Parser<'_> {
    /// Parses the id of a string, such as `#5`. Returns `None` if names are not ids.
    fn string_id<N: TryFrom<u64>>(&mut self) -> Parsed<Option<N>> {
        const WHAT: &str = "the id of a string, such as `#5`";
        if !self.symbols.has_ids() {
            return Ok(None);
        }
        if !self.c.eat("#") {
            return Err(self.c.expected(WHAT));
        }
        self.c.decimal_here(WHAT).map(Some)
    }

    /// Parses a symbol, with or without quotes.
    pub(in crate::text) fn symbol_string(&mut self) -> Parsed<ShortStringId> {
        if let Some(id) = self.string_id()? {
            return Ok(ShortStringId(id));
        }
        self.c.skip_blanks();
        let start = self.c.at;
        let Some(bytes) = self.c.string_or_name()? else {
            return Err(self.c.expected("a symbol"));
        };
        match u16::try_from(self.strings.intern(&bytes)) {
            Ok(id) => Ok(ShortStringId(id)),
            Err(_) => Err(self.c.fail(start..self.c.at, "a routine has at most 65536 symbols")),
        }
    }
}
