//! Names of variables, samplers and surfaces.

use alloc::format;
use core::ops::Range;

use super::label::Suffix;
use crate::isa::{Id, IdClass};
use crate::operand::{AddrId, DataType, LabelId, PredId, StringId, SurfaceId, VarId};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::{Failed, Parsed};
use crate::text::diagnostic::cut;
use crate::text::names::{Spelling, StateName, Symbol};
use crate::text::recorder::TokenKind;
use crate::text::words::Quirk;

impl<'n> Printer<'n> {
    #[inline]
    pub(in crate::text) fn var(&mut self, id: VarId) {
        if let Some(name) = id.predefined_name() {
            return self.line.push(name);
        }
        match self.names.and_then(|names| names.variable(id)) {
            Some(name) => self.name(name),
            None => self.undeclared(id),
        }
    }

    /// Prints a name.
    #[inline]
    pub(in crate::text) fn name(&mut self, name: Spelling) {
        if let Some(names) = self.names {
            names.string_index.print(name.text, &mut self.line);
        }
        self.suffix(name);
    }

    /// Prints a name with the escapes of a quoted string.
    pub(in crate::text) fn quoted_name(&mut self, name: Spelling) {
        if let Some(names) = self.names {
            self.line.escaped(names.string_index.text(name.text));
        }
        self.suffix(name);
    }

    #[inline]
    fn suffix(&mut self, name: Spelling) {
        if let Some(suffix) = name.suffix {
            self.id('_', suffix);
        }
    }

    /// Returns a string of the pool, and whether no earlier string is equal to it.
    pub(in crate::text) fn string(&self, index: u32) -> Option<(&'n [u8], bool)> {
        let names = self.names?;
        let (bytes, is_first) = names.string_index.get(StringId(index))?;
        if bytes.is_empty() && self.has(Quirk::EmptyStringIsFirst) {
            return Some((names.first_of_builder(), is_first));
        }
        Some((bytes, is_first))
    }

    pub(in crate::text) fn addr(&mut self, id: AddrId) {
        match self.names {
            Some(names) if usize::from(id.0) < names.body().addresses.len() => {
                match names.address(id) {
                    Some(name) => self.name(name),
                    None => self.id('A', id.0),
                }
            }
            _ => self.undeclared(id),
        }
    }

    pub(in crate::text) fn pred_name(&mut self, id: PredId) {
        match self.names {
            Some(names) if names.has_predicate(id) => match names.predicate(id) {
                Some(name) => self.name(name),
                None => self.id('P', id.0),
            },
            _ => self.undeclared(id),
        }
    }

    pub(in crate::text) fn surface(&mut self, id: u16) {
        match predefined_surface(id) {
            Some(name) => self.line.push(name),
            None => self.surface_number(id),
        }
    }

    /// Prints a surface by its name or its number, even if it is predefined.
    pub(in crate::text) fn surface_number(&mut self, id: u16) {
        // Compilers do not know the numbers of all predefined surfaces.
        if self.is_v4_2() && id < SurfaceId::FIRST_DECLARED.0.into() {
            return self.surface(id);
        }
        let name = self.names.and_then(|names| names.surface(id));
        self.state_name(Id { class: IdClass::Surface, number: id.into() }, name);
    }

    pub(in crate::text) fn sampler(&mut self, id: u16) {
        let name = self.names.and_then(|names| names.sampler(id));
        self.state_name(Id { class: IdClass::Sampler, number: id.into() }, name);
    }

    fn state_name(&mut self, id: Id, name: Option<StateName>) {
        match name {
            Some(StateName { symbol: Some(symbol), .. }) => self.name(symbol),
            None if !id.is_predefined() => self.undeclared(id),
            _ => self.id(id.class.letter(), id.number),
        }
    }

    /// Prints an id that the routine does not declare, so that the text has no name for it.
    pub(in crate::text) fn undeclared(&mut self, id: impl Into<Id>) {
        let id = id.into();
        self.id(id.class.letter(), id.number);
        if let Some(names) = self.names {
            (0..names.underscores(id)).for_each(|_| self.line.ch('_'));
            self.is_incomplete = true;
        }
    }

    /// Prints the name of an id.
    pub(in crate::text) fn reference(&mut self, id: Id) {
        let short = u16::try_from(id.number).unwrap_or(u16::MAX);
        let is_short = id.number == u32::from(short);
        match id.class {
            IdClass::Variable => self.var(VarId(id.number)),
            IdClass::Address => self.addr(AddrId(short)),
            IdClass::Predicate => self.pred_name(PredId(short)),
            IdClass::Label => self.label(LabelId(short), Suffix::Never),
            IdClass::Sampler if is_short => self.sampler(short),
            IdClass::Surface if is_short => self.surface_number(short),
            class => self.id(class.letter(), id.number),
        }
    }

    /// Returns the type of a variable, if it is known.
    pub(in crate::text) fn type_of(&self, id: VarId) -> Option<DataType> {
        id.predefined_type().or_else(|| self.names?.type_of(id))
    }
}

/// Returns the name of a predefined surface.
fn predefined_surface(id: u16) -> Option<&'static str> {
    SurfaceId(u8::try_from(id).ok()?).predefined_name()
}

/// Numbers of predefined surfaces that compilers do not know. Text before 4.2 may have them.
const UNKNOWN_SURFACES: [&str; 4] = ["T0", "T3", "T4", "T5"];

impl<'t> Parser<'t> {
    /// Parses the name of a variable, sampler or surface.
    pub(super) fn symbol(&mut self, what: &str) -> Parsed<(Symbol, Range<usize>)> {
        self.symbol_of(what, |_| true)
    }

    /// Parses a name. `fits` is whether a symbol is a completion.
    pub(super) fn symbol_of(
        &mut self,
        what: &str,
        fits: fn(Symbol) -> bool,
    ) -> Parsed<(Symbol, Range<usize>)> {
        let Some((name, span)) = self.c.name() else {
            self.complete_names(fits);
            let failed = self.c.expected(what);
            return Err(self.with_help_on_separator(failed));
        };
        match self.symbols.find(name) {
            Some(Symbol::Unknown) => Err(Failed),
            Some(Symbol::Surface(id)) if self.is_strict() && UNKNOWN_SURFACES.contains(&name) => {
                let Some(predefined) = predefined_surface(id) else {
                    return Ok((Symbol::Surface(id), span));
                };
                let failed = self.c.fail(span, &format!("`{name}` is not declared"));
                self.c.diagnostics.suggest(Some(predefined.into()));
                Err(failed)
            }
            Some(symbol) => {
                self.record_symbol(&span, symbol, TokenKind::Reference);
                Ok((symbol, span))
            }
            None => Err(self.undeclared(name, span)),
        }
    }

    /// Reports a name that is not declared, once.
    pub(in crate::text) fn undeclared(&mut self, name: &'t str, span: Range<usize>) -> Failed {
        let similar = self.symbols.similar(name);
        let help = "names are ids, such as `V33`, `A0`, `P1`, `S0`, `T6`";
        let help = self.symbols.has_ids().then(|| help.into());
        self.symbols.declare_unknown(name);
        let message = format!("`{}` is not declared", cut(name));
        let failed = self.c.fail_with_help(span, &message, help);
        self.c.diagnostics.suggest(similar);
        failed
    }

    pub(in crate::text) fn wrong_kind(
        &mut self,
        symbol: Symbol,
        span: Range<usize>,
        what: &str,
    ) -> Failed {
        let (kind, name) = (symbol.kind(), self.shown(span.clone()));
        let message = format!("expected {what}, found {kind} `{name}`");
        self.c.fail(span, &message)
    }

    pub(in crate::text) fn var(&mut self) -> Parsed<(VarId, Option<DataType>)> {
        const WHAT: &str = "a general variable";
        match self.symbol_of(WHAT, |symbol| matches!(symbol, Symbol::Variable(..)))? {
            (Symbol::Variable(id, ty), _) => Ok((id, ty)),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(in crate::text) fn addr(&mut self) -> Parsed<AddrId> {
        const WHAT: &str = "an address variable";
        match self.symbol_of(WHAT, |symbol| matches!(symbol, Symbol::Address(_)))? {
            (Symbol::Address(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(in crate::text) fn pred(&mut self) -> Parsed<PredId> {
        const WHAT: &str = "a predicate";
        match self.symbol_of(WHAT, |symbol| matches!(symbol, Symbol::Predicate(_)))? {
            (Symbol::Predicate(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }
}
