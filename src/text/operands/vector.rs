//! Sources and destinations: general, indirect, address, predicate and state operands.

use alloc::format;
use alloc::string::ToString;

use crate::operand::*;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::{Failed, Integer, Parsed};
use crate::text::names::Symbol;
use crate::text::words::Quirk;

impl Print for Vector {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        match self.kind {
            VectorKind::General { var, row, col, region } => {
                p.modifier(self.modifier);
                p.var(var);
                p.row_and_column(row, col);
                p.src_region(region, false);
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                p.modifier(self.modifier);
                p.indirect(addr, addr_offset, offset);
                p.src_region(region, true);
                p.ty(ty);
            }
            _ => self.print_without_region(p),
        }
    }
}

impl Vector {
    /// Prints an operand of a class that has no region and no modifier.
    ///
    /// Its text is the same for sources and destinations.
    fn print_without_region(&self, p: &mut Printer<'_>) {
        p.omit_if(self.modifier != Modifier::NONE);
        match self.kind {
            VectorKind::Address { addr, offset, width } => {
                p.addr(addr);
                p.line.ch('(');
                p.line.dec(offset);
                p.line.push(")<");
                match width.name() {
                    Some(_) if width == AddrWidth::W32 && p.has(Quirk::AddressWidthForgotten) => {
                        p.line.ch('0');
                    }
                    Some(name) => p.line.push(name),
                    None => p.line.hex(width.bits()),
                }
                p.line.ch('>');
                p.omit_if(width.name().is_none());
            }
            VectorKind::Predicate(pred) => {
                p.pred_name(pred.id());
                p.omit_if(pred.bits() != pred.id().0);
            }
            VectorKind::Immediate(imm) => p.imm(imm),
            VectorKind::State { class, index, offset } => {
                p.state(class, index);
                p.line.ch('(');
                p.line.dec(offset);
                p.line.ch(')');
            }
            VectorKind::General { .. } | VectorKind::Indirect { .. } => {}
        }
    }
}

impl Print for Dst {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        let modifier = self.0.modifier;
        match self.0.kind {
            VectorKind::General { var, row, col, region } => {
                p.var(var);
                p.row_and_column(row, col);
                p.dst_region(region);
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                p.indirect(addr, addr_offset, offset);
                p.dst_region(region);
                p.ty(ty);
            }
            _ => {
                Vector { modifier: Modifier::NONE, ..self.0 }.print_without_region(p);
                p.omit_if(matches!(self.0.kind, VectorKind::Immediate(_)));
            }
        }
        let is_printed = modifier == Modifier::SAT && core::mem::take(&mut p.has_pending_sat);
        p.omit_if(modifier != Modifier::NONE && !is_printed);
    }

    fn saturates(&self) -> bool {
        self.0.modifier == Modifier::SAT
    }
}

impl Print for CmpDst {
    fn print(&self, p: &mut Printer<'_>) {
        Dst(self.0).print(p);
    }

    fn saturates(&self) -> bool {
        Dst(self.0).saturates()
    }
}

impl Printer<'_> {
    pub(in crate::text) fn modifier(&mut self, modifier: Modifier) {
        if modifier != Modifier::NONE {
            self.line.push(modifier.prefix());
            self.omit_if(modifier.prefix().is_empty());
        }
    }

    fn indirect(&mut self, addr: AddrId, addr_offset: u8, offset: i16) {
        self.line.push("r[");
        self.addr(addr);
        self.line.ch('(');
        self.line.dec(addr_offset);
        self.line.push("),");
        self.line.signed(offset);
        self.line.ch(']');
    }

    pub(super) fn state(&mut self, class: StateClass, index: u16) {
        match class {
            StateClass::SURFACE => self.surface(index),
            StateClass::SAMPLER => self.sampler(index),
            _ => {
                self.id('?', index);
                self.is_incomplete = true;
            }
        }
    }
}

impl Parse for Vector {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.source()?;
        Ok(())
    }
}

/// Takes the `.sat` of the instruction.
impl Parse for Dst {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        self.0 = p.destination()?;
        if core::mem::take(&mut p.state.sat) {
            self.0.modifier = Modifier::SAT;
        }
        Ok(())
    }
}

impl Parse for CmpDst {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let mut dst = Dst::default();
        dst.parse(p)?;
        self.0 = dst.0;
        Ok(())
    }
}

impl Parser<'_> {
    pub(in crate::text) fn source(&mut self) -> Parsed<Vector> {
        let modifier = self.modifier();
        if self.c.eat("r[") {
            return self.indirect(modifier, false);
        }
        let is_number = match self.c.peek() {
            Some(b'0'..=b'9' | b'-' | b'~' | b'!' | b'(') => true,
            Some(b'%') => self.c.is_at_builtin(),
            Some(b'&') if modifier == Modifier::NONE => {
                return Err(self.unexpected_address());
            }
            Some(b'|') if modifier == Modifier::NONE => {
                return Err(self.unexpected_modifier(Modifier::ABS));
            }
            _ => false,
        };
        if is_number {
            let bare = match self.c.rest() {
                [b'-', first, ..] if is_name_start(*first) => Some(Modifier::NEG),
                [b'~', first, ..] if is_name_start(*first) => Some(Modifier::NOT),
                _ => None,
            };
            if let (Some(bare), Modifier::NONE) = (bare, modifier) {
                return Err(self.unexpected_modifier(bare));
            }
            if modifier != Modifier::NONE {
                let what = format!("a variable after the modifier `{}`", modifier.prefix());
                return Err(self.c.expected(&what));
            }
            return Ok(Vector::imm(self.immediate()?));
        }
        let (symbol, span) = self.symbol("an operand")?;
        let Symbol::Variable(var, _) = symbol else {
            if modifier != Modifier::NONE {
                return Err(self.wrong_kind(symbol, span, "an operand that takes a modifier"));
            }
            return self.source_or_destination(symbol);
        };
        let (row, col) = self.row_and_column()?;
        let region = self.src_region(false)?;
        Ok(Vector::general_at(var, row, col, region).with_modifier(modifier))
    }

    fn destination(&mut self) -> Parsed<Vector> {
        if self.c.eat("r[") {
            return self.indirect(Modifier::NONE, true);
        }
        let (symbol, _) = self.symbol("a destination")?;
        let Symbol::Variable(var, _) = symbol else {
            return self.source_or_destination(symbol);
        };
        self.c.skip_blanks();
        let (row, col) = if self.c.peek() == Some(b'(') { self.row_and_column()? } else { (0, 0) };
        let region = self.dst_region()?;
        Ok(Vector::general_at(var, row, col, region))
    }

    /// Parses an operand that has the same text as a source and as a destination.
    fn source_or_destination(&mut self, symbol: Symbol) -> Parsed<Vector> {
        match symbol {
            Symbol::Address(addr) => self.address(addr),
            Symbol::Predicate(id) => match Pred::new(id) {
                Some(pred) => Ok(Vector::predicate(pred)),
                None => Err(self.c.expected("a predicate below 4096")),
            },
            Symbol::Surface(id) => {
                Ok(state(StateClass::SURFACE, id, self.offset_in_parentheses()?))
            }
            Symbol::Sampler(id) => {
                Ok(state(StateClass::SAMPLER, id, self.offset_in_parentheses()?))
            }
            Symbol::Variable(id, _) => Ok(Vector::scalar(id)),
            Symbol::Unknown => Err(Failed),
        }
    }

    /// Parses an indirect operand after `r[`.
    fn indirect(&mut self, modifier: Modifier, is_dst: bool) -> Parsed<Vector> {
        let addr = self.addr()?;
        let addr_offset = self.offset_in_parentheses()?;
        let offset = if self.c.eat(",") { self.c.calculated("an offset of 16 bits")? } else { 0 };
        self.c.expect("]")?;
        let region = if is_dst { self.dst_region()? } else { self.src_region(true)? };
        let ty = self.ty()?;
        Ok(Vector::indirect(addr, addr_offset, offset, ty, region).with_modifier(modifier))
    }

    /// Parses `(offset)<width>` after an address variable.
    fn address(&mut self, addr: AddrId) -> Parsed<Vector> {
        let offset = self.offset_in_parentheses()?;
        self.c.expect("<")?;
        self.c.skip_blanks();
        let start = self.c.at;
        let width: u8 = self.c.number("a width")?;
        let mut widths = AddrWidth::NAMED.iter();
        let text = width.to_string();
        let width = widths.find(|width| width.name() == Some(&*text)).copied();
        let Some(width) = width else {
            let message = format!("expected 1, 2, 4, 8, 16 or 32, found `{text}`");
            return Err(self.c.fail(start..self.c.at, &message));
        };
        self.c.expect(">")?;
        Ok(Vector::address(addr, offset, width))
    }

    fn offset_in_parentheses<N: Integer>(&mut self) -> Parsed<N> {
        self.c.expect("(")?;
        let offset = self.c.calculated("an offset")?;
        self.c.expect(")")?;
        Ok(offset)
    }

    fn modifier(&mut self) -> Modifier {
        // Fast path: most sources have no modifier.
        self.c.skip_blanks();
        if self.c.peek() != Some(b'(') {
            return Modifier::NONE;
        }
        let modifiers = [Modifier::ABS, Modifier::NEG, Modifier::NEG_ABS, Modifier::NOT];
        let found = modifiers.into_iter().find(|modifier| self.c.eat(modifier.prefix()));
        found.unwrap_or_default()
    }

    /// Reports `&` before a source that cannot be an address.
    fn unexpected_address(&mut self) -> Failed {
        let message = "only `addr_add` takes an address, as its first source";
        let help = "use `addr_add (M1_NM, 1) A0(0)<1> &V32 0x0:uw`";
        let span = self.c.at..self.c.at + 1;
        self.c.fail_with_help(span, message, Some(help.into()))
    }

    /// Reports a modifier that is not in parentheses.
    fn unexpected_modifier(&mut self, modifier: Modifier) -> Failed {
        let help = format!("modifiers are in parentheses: write `{}`", modifier.prefix());
        let failed = self.c.expected("an operand");
        self.with_help(failed, &help)
    }
}

/// Returns whether a name of a variable that is not predefined can start with a byte.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Returns the operand of a sampler or surface.
pub(in crate::text) fn state(class: StateClass, index: u16, offset: u8) -> Vector {
    Vector { modifier: Modifier::NONE, kind: VectorKind::State { class, index, offset } }
}
