//! Surfaces and samplers: their names, or the address of a state in memory.

use alloc::format;
use core::ops::Range;

use crate::operand::{SamplerId, State, SurfaceId};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::names::Symbol;

impl Print for SurfaceId {
    fn print(&self, p: &mut Printer<'_>) {
        p.surface(self.0.into());
    }
}

impl Print for SamplerId {
    fn print(&self, p: &mut Printer<'_>) {
        p.sampler(self.0.into());
    }
}

impl<I: Print> Print for State<I> {
    fn print(&self, p: &mut Printer<'_>) {
        match self {
            State::Id(id) => id.print(p),
            State::Address { var, index: 0 } => p.var(*var),
            State::Address { var, index } => {
                p.line.ch('(');
                p.var(*var);
                p.line.push(", ");
                p.line.dec(*index);
                p.line.ch(')');
            }
        }
    }
}

/// The part of the compiler's text of a state in memory between the variable and the index.
const ZEROTH_ELEMENT: &str = "(0,0)<0;1,0>";

macro_rules! parse_states {
    ($($id:ident $class:ident $what:literal;)*) => {$(
        impl Parse for $id {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                let fits = |symbol| matches!(symbol, Symbol::$class(_));
                *self = match p.symbol_of($what, fits)? {
                    (Symbol::$class(id), span) => $id(p.short_id(id, span, $what)?),
                    (other, span) => return Err(p.wrong_kind(other, span, $what)),
                };
                Ok(())
            }
        }

        /// The name of a state, or a general variable with the address of states: `V`, `(V, 1)`, or,
        /// as the compiler writes loads, `V(0,0)<0;1,0>[1]`.
        impl Parse for State<$id> {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                let is_pair = !p.format.is_manual() && p.c.eat("(");
                let fits = |symbol| matches!(symbol, Symbol::$class(_) | Symbol::Variable(..));
                *self = match p.symbol_of($what, fits)? {
                    (Symbol::$class(id), span) => {
                        if is_pair && p.index_in_pair()? != 0 {
                            let message = "only states in memory have an index";
                            return Err(p.c.fail(span, message));
                        }
                        State::Id($id(p.short_id(id, span, $what)?))
                    }
                    (Symbol::Variable(var, _), _) if !p.format.is_manual() => {
                        let index = if is_pair { p.index_in_pair() } else { p.index_in_brackets() };
                        State::Address { var, index: index? }
                    }
                    (other, span) => return Err(p.wrong_kind(other, span, $what)),
                };
                Ok(())
            }
        }
    )*};
}

parse_states! {
    SurfaceId Surface "a surface";
    SamplerId Sampler "a sampler";
}

impl Parser<'_> {
    /// Returns the id of a surface or sampler for a field of one byte.
    fn short_id(&mut self, id: u16, span: Range<usize>, what: &str) -> Parsed<u8> {
        u8::try_from(id).map_err(|_| {
            let name = self.shown(span.clone());
            let message = format!("expected {what} with an id up to 255, found `{name}`");
            self.c.fail(span, &message)
        })
    }

    /// Parses the index of a state after its variable: `, 1)`.
    fn index_in_pair(&mut self) -> Parsed<u16> {
        self.c.expect(",")?;
        let index = self.c.calculated("the index of a state")?;
        self.c.expect(")")?;
        Ok(index)
    }

    /// Parses the index of a state as the compiler writes it: nothing, or a scalar region and an
    /// index in brackets.
    fn index_in_brackets(&mut self) -> Parsed<u16> {
        if self.c.peek() != Some(b'(') {
            return Ok(0);
        }
        self.c.expect(ZEROTH_ELEMENT)?;
        self.c.expect("[")?;
        let index = self.c.calculated("the index of a state")?;
        self.c.expect("]")?;
        Ok(index)
    }
}
