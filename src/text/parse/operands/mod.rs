//! Parsing of operands; `text::print::operands` prints them.

mod address_of;
mod immediate;
mod predicate;
mod raw;
mod region;
mod state;
mod string;
mod types;
mod vector;

pub(in crate::text) use state::ZEROTH_ELEMENT;

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::diagnostic::cut;
use super::symbols::Symbol;
use crate::operand::{AddrId, DataType, LifetimeClass, PredId, VarId};

/// A part of an instruction.
pub(in crate::text) trait Parse {
    /// Parses it from the text.
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()>;
}

/// An optional operand is parsed if an earlier item has set it to `Some`.
impl<T: Parse> Parse for Option<T> {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if let Some(operand) = self { operand.parse(p) } else { Ok(()) }
    }
}

impl<'t> Parser<'t> {
    /// Parses the name of a variable, sampler or surface.
    fn symbol(&mut self, what: &str) -> Parsed<(Symbol, Range<usize>)> {
        let Some((name, span)) = self.c.name() else {
            let failed = self.c.expected(what);
            return Err(self.with_help_on_separator(failed));
        };
        match self.symbols.find(name) {
            Some(Symbol::Unknown) => Err(Failed),
            Some(symbol) => Ok((symbol, span)),
            None => Err(self.undeclared(name, span)),
        }
    }

    /// Reports a name that is not declared, once.
    pub(in crate::text) fn undeclared(&mut self, name: &'t str, span: Range<usize>) -> Failed {
        let mut help = self.symbols.similar(name).map(|name| format!("did you mean `{name}`?"));
        if self.symbols.has_ids() {
            help = help
                .or_else(|| Some("names are ids, such as `V33`, `A0`, `P1`, `S0`, `T6`".into()));
        }
        self.symbols.declare_unknown(name);
        self.c.fail_with_help(span, &format!("`{}` is not declared", cut(name)), help)
    }

    pub(super) fn wrong_kind(&mut self, symbol: Symbol, span: Range<usize>, what: &str) -> Failed {
        let (kind, name) = (symbol.kind(), self.shown(span.clone()));
        let message = format!("expected {what}, found {kind} `{name}`");
        self.c.fail(span, &message)
    }

    /// Returns a part of the text for a diagnostic.
    fn shown(&self, span: Range<usize>) -> String {
        cut(self.c.str(span)).to_string()
    }

    pub(in crate::text) fn var(&mut self) -> Parsed<(VarId, Option<DataType>)> {
        const WHAT: &str = "a general variable";
        match self.symbol(WHAT)? {
            (Symbol::Variable(id, ty), _) => Ok((id, ty)),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(in crate::text) fn addr(&mut self) -> Parsed<AddrId> {
        const WHAT: &str = "an address variable";
        match self.symbol(WHAT)? {
            (Symbol::Address(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(in crate::text) fn pred(&mut self) -> Parsed<PredId> {
        const WHAT: &str = "a predicate";
        match self.symbol(WHAT)? {
            (Symbol::Predicate(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    /// Parses the variable of a lifetime instruction.
    pub(in crate::text) fn lifetime_variable(&mut self) -> Parsed<(LifetimeClass, u32)> {
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected("a variable"));
        };
        if name.starts_with('%') && self.is_strict() {
            let message = format!("`{}` is predefined, so it has no lifetime", cut(name));
            return Err(self.c.fail(span, &message));
        }
        match self.symbols.id(name) {
            Some(('V', id)) => return Ok((LifetimeClass::GENERAL, id)),
            Some(('A', id)) => return Ok((LifetimeClass::ADDRESS, id)),
            Some(('P', id)) => return Ok((LifetimeClass::PREDICATE, id)),
            _ => {}
        }
        match self.symbols.find(name) {
            Some(Symbol::Variable(id, _)) => Ok((LifetimeClass::GENERAL, id.0)),
            Some(Symbol::Address(id)) => Ok((LifetimeClass::ADDRESS, id.0.into())),
            Some(Symbol::Predicate(id)) => Ok((LifetimeClass::PREDICATE, id.0.into())),
            Some(Symbol::Unknown) => Err(Failed),
            Some(other) => {
                let what = "a general variable, an address variable or a predicate";
                Err(self.wrong_kind(other, span, what))
            }
            None => Err(self.undeclared(name, span)),
        }
    }
}
