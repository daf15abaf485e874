//! Strings and symbols, which are ids in an instruction.

use crate::operand::{ShortStringId, StringId};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::{CompletionKind, Referent, TokenKind};
use crate::text::words::is_identifier;

/// The name of a source file.
impl Print for StringId {
    fn print(&self, p: &mut Printer<'_>) {
        match p.string(self.0) {
            Some((bytes, is_first)) => {
                p.line.quoted(bytes);
                p.omit_if(!is_first);
            }
            None => {
                p.id('#', self.0);
                p.is_incomplete = true;
            }
        }
    }
}

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

/// A symbol, in quotes if it is not an identifier.
impl Print for ShortStringId {
    fn print(&self, p: &mut Printer<'_>) {
        match p.string(self.0.into()) {
            Some((bytes, is_first)) => {
                let is_name = is_identifier(bytes) && !(p.is_v4_2() && p.is_reserved(bytes));
                match core::str::from_utf8(bytes) {
                    Ok(name) if is_name => p.line.push(name),
                    _ => p.line.quoted(bytes),
                }
                p.omit_if(!is_first);
            }
            None => {
                p.id('#', self.0);
                p.is_incomplete = true;
            }
        }
    }
}

impl Parse for ShortStringId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.symbol_string()?;
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
    pub(super) fn symbol_string(&mut self) -> Parsed<ShortStringId> {
        if let Some(id) = self.string_id()? {
            return Ok(ShortStringId(id));
        }
        self.c.skip_blanks();
        let start = self.c.at;
        let Some(bytes) = self.c.string_or_name()? else {
            self.c.complete(CompletionKind::Function, "function");
            return Err(self.c.expected("a symbol"));
        };
        self.c.classify(&(start..self.c.at), TokenKind::Reference(Referent::Function));
        match u16::try_from(self.strings.intern(&bytes)) {
            Ok(id) => Ok(ShortStringId(id)),
            Err(_) => Err(self.c.fail(start..self.c.at, "a routine has at most 65536 symbols")),
        }
    }
}
