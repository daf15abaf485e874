//! Inputs of a routine, explicit and implicit.

use alloc::format;

use super::routine::{Declared, InputText, ParsedRoutine};
use crate::object::{Input, InputClass, InputKind};
use crate::operand::{DataType, VarId};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::{Failed, Parsed};
use crate::text::names::Symbol;
use crate::text::recorder::TokenKind;
use crate::text::words::{Directive, IMPLICIT, IMPLICIT_KINDS, Key, Quirk, UNDEFINED};

impl Printer<'_> {
    /// Prints the line of an input.
    pub(in crate::text) fn input(&mut self, input: &Input) {
        match input.kind.implicit() {
            0 => self.directive(Directive::Input),
            kind => {
                let shown = if kind == 4 && self.has(Quirk::PseudoInputTwice) { 16 } else { kind };
                self.line.ch('.');
                self.line.push(IMPLICIT);
                match IMPLICIT_KINDS.iter().find(|(_, other)| *other == shown) {
                    Some((name, _)) => self.line.push(name),
                    None => {
                        self.line.push(UNDEFINED);
                        self.line.dec(kind);
                    }
                }
                self.line.ch(' ');
            }
        }
        self.reference(input.id().unwrap_or(VarId(input.index).into()));
        self.line.push(" offset=");
        self.line.signed(input.offset);
        self.line.push(" size=");
        self.line.dec(input.size);
    }
}

impl Parser<'_> {
    pub(in crate::text) fn input(
        &mut self,
        routine: &mut ParsedRoutine<'_>,
        implicit: u8,
    ) -> Parsed<()> {
        const WHAT: &str = "a general variable, a sampler or a surface";
        let Some((name, span)) = self.c.name() else {
            let is_input = |symbol| !matches!(symbol, Symbol::Address(_) | Symbol::Predicate(_));
            self.complete_names(is_input);
            return Err(self.c.expected(WHAT));
        };
        let symbol = self.symbols.find(name);
        if let Some(symbol) = symbol {
            self.record_symbol(&span, symbol, TokenKind::Reference);
        }
        let (class, index) = match symbol {
            Some(Symbol::Variable(id, _)) => (InputClass::GENERAL, id.0),
            Some(Symbol::Sampler(id)) => (InputClass::SAMPLER, id.into()),
            Some(Symbol::Surface(id)) => (InputClass::SURFACE, id.into()),
            Some(Symbol::Unknown) => return Err(Failed),
            Some(other) => return Err(self.wrong_kind(other, span, WHAT)),
            None => return Err(self.undeclared(name, span)),
        };
        let offset = if self.eat_key(&Key::OFFSET) {
            self.c.calculated("an offset of 16 bits")?
        } else {
            0
        };
        let size = match self.eat_key(&Key::SIZE) {
            // The compiler takes an implicit input without a size for an explicit one.
            false if implicit != 0 => return Err(self.c.expected("`size=`")),
            true => self.c.calculated("a size in bytes up to 65535")?,
            false => size_of(routine, class, index).map_err(|size| {
                let message = format!("an input has at most 65535 bytes, but this one has {size}");
                self.c.fail(span.clone(), &message)
            })?,
        };
        let kind = InputKind::from_bits(class.bits() | implicit << 3);
        let input = Input { kind, index, offset, size };
        routine.inputs.push(InputText { input, undeclared: None });
        Ok(())
    }
}

/// Returns the size of an input without `size=`: the size of the variable, or four bytes for a
/// sampler or surface.
///
/// # Errors
/// The size, if it is too large for an input.
fn size_of(routine: &ParsedRoutine<'_>, class: InputClass, index: u32) -> Result<u16, usize> {
    let index = index.checked_sub(VarId::FIRST_DECLARED.0);
    let variable = index.and_then(|index| routine.variables.get(index as usize));
    match variable {
        Some(Declared { entry, .. }) if class == InputClass::GENERAL => {
            let size = entry.ty.size() * entry.num_elements as usize;
            u16::try_from(size).map_err(|_| size)
        }
        _ => Ok(DataType::UD.size() as u16),
    }
}

/// Returns the kind of an implicit input by its name or number.
pub(in crate::text) fn implicit_kind(name: &str) -> Option<u8> {
    match IMPLICIT_KINDS.iter().find(|(known, _)| *known == name) {
        Some((_, kind)) => Some(*kind),
        None if name == "EXPLICIT" => Some(0),
        None => name.strip_prefix(UNDEFINED)?.parse().ok().filter(|kind| *kind < 32),
    }
}
