//! Operands, the inverse of `text::tokens`.

use alloc::format;
use alloc::string::ToString;
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::symbols::Symbol;
use crate::operand::*;

/// Something that an instruction's text is made of.
pub(super) trait Parse {
    /// Reads it from the text.
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()>;
}

impl<'t> Parser<'t> {
    /// The symbol of the name that comes next, of a kind or of several.
    fn symbol(&mut self, what: &str) -> Parsed<(Symbol, Range<usize>)> {
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected(what));
        };
        match self.symbols.find(name) {
            Some(Symbol::Unknown) => Err(Failed),
            Some(symbol) => Ok((symbol, span)),
            None => Err(self.undeclared(name, span)),
        }
    }

    /// Says once that a name is not declared.
    pub(super) fn undeclared(&mut self, name: &'t str, span: Range<usize>) -> Failed {
        let help = self.symbols.similar(name).map(|name| format!("did you mean `{name}`?"));
        self.symbols.forgive(name);
        self.c.fail_with_help(span, &format!("`{name}` is not declared"), help)
    }

    fn wrong_kind(&mut self, symbol: Symbol, span: Range<usize>, what: &str) -> Failed {
        let name = core::str::from_utf8(&self.c.text[span.clone()]).unwrap_or_default();
        let message = format!("`{name}` is {}, not {what}", symbol.kind());
        self.c.fail(span, &message)
    }

    pub(super) fn var(&mut self) -> Parsed<(VarId, DataType)> {
        const WHAT: &str = "a general variable";
        match self.symbol(WHAT)? {
            (Symbol::Variable(id, ty), _) => Ok((id, ty)),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(super) fn addr(&mut self) -> Parsed<AddrId> {
        const WHAT: &str = "an address variable";
        match self.symbol(WHAT)? {
            (Symbol::Address(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    pub(super) fn pred(&mut self) -> Parsed<PredId> {
        const WHAT: &str = "a predicate";
        match self.symbol(WHAT)? {
            (Symbol::Predicate(id), _) => Ok(id),
            (other, span) => Err(self.wrong_kind(other, span, WHAT)),
        }
    }

    /// `(!P1.any)`, if a predicate comes next.
    pub(super) fn pred_prefix(&mut self) -> Parsed<Option<(Pred, Range<usize>)>> {
        self.c.skip_blanks();
        let start = self.c.at;
        if !self.c.eat_here("(") {
            return Ok(None);
        }
        let inverted = self.c.eat("!");
        let id = self.pred()?;
        let control = if !self.c.eat_here(".") {
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
            return Err(self.c.fail(span, "predicates above 4095 have no binary form"));
        };
        let pred = pred.with_control(control);
        Ok(Some((if inverted { pred.inverted() } else { pred }, span)))
    }

    fn modifier(&mut self) -> Modifier {
        let modifiers = [Modifier::ABS, Modifier::NEG, Modifier::NEG_ABS, Modifier::NOT];
        let found = modifiers.into_iter().find(|modifier| self.c.eat(modifier.prefix()));
        found.unwrap_or_default()
    }

    /// `(row,col)`
    pub(super) fn place(&mut self) -> Parsed<(u8, u8)> {
        self.c.expect("(")?;
        let row = self.c.calculated("a row")?;
        self.c.expect(",")?;
        let col = self.c.calculated("a column")?;
        self.c.expect(")")?;
        Ok((row, col))
    }

    fn stride(&mut self) -> Parsed<Stride> {
        self.c.skip_blanks();
        let start = self.c.at;
        let elements: u64 = self.c.calculated_before_angle("a number of elements")?;
        let stride = usize::try_from(elements).ok().and_then(Stride::from_elements);
        stride.ok_or_else(|| {
            self.c.fail(start..self.c.at, "a region's numbers are 0, 1, 2, 4, 8, 16 or 32")
        })
    }

    fn dst_region(&mut self) -> Parsed<Region> {
        self.c.expect("<")?;
        let stride = self.stride()?;
        self.c.expect(">")?;
        Ok(Region::dst(stride))
    }

    /// `<v;w,h>`, and for indirect operands `<w,h>`.
    fn src_region(&mut self, indirect: bool) -> Parsed<Region> {
        self.c.expect("<")?;
        let first = self.stride()?;
        if indirect && self.c.eat(",") {
            let horizontal = self.stride()?;
            self.c.expect(">")?;
            return Ok(Region::new(Stride::NULL, first, horizontal));
        }
        self.c.expect(";")?;
        let width = self.stride()?;
        self.c.expect(",")?;
        let horizontal = self.stride()?;
        self.c.expect(">")?;
        Ok(Region::new(first, width, horizontal))
    }

    /// `:ud`
    fn ty(&mut self) -> Parsed<DataType> {
        if !self.c.eat(":") {
            return Err(self.c.expected("a type, such as `:ud`"));
        }
        self.type_name()
    }

    pub(super) fn type_name(&mut self) -> Parsed<DataType> {
        let start = self.c.at;
        let word = self.c.word_here().to_ascii_lowercase();
        match DataType::NAMED.iter().find(|ty| ty.name() == Some(&*word)) {
            Some(ty) => Ok(*ty),
            None => {
                self.c.at = start;
                let names = DataType::NAMED.iter().filter_map(|ty| ty.name());
                Err(self.expected_word("a type", names))
            }
        }
    }

    /// What follows `r[`.
    fn indirect(&mut self, modifier: Modifier, is_dst: bool) -> Parsed<Vector> {
        let addr = self.addr()?;
        self.c.expect("(")?;
        let addr_offset = self.c.calculated("an offset")?;
        self.c.expect(")")?;
        let offset = if self.c.eat(",") { self.c.calculated("an offset of 16 bits")? } else { 0 };
        self.c.expect("]")?;
        let region = if is_dst { self.dst_region()? } else { self.src_region(true)? };
        let ty = self.ty()?;
        Ok(Vector::indirect(addr, addr_offset, offset, ty, region).with_modifier(modifier))
    }

    /// `(offset)<width>` behind an address variable.
    fn address(&mut self, addr: AddrId) -> Parsed<Vector> {
        self.c.expect("(")?;
        let offset = self.c.calculated("an offset")?;
        self.c.expect(")")?;
        self.c.expect("<")?;
        self.c.skip_blanks();
        let start = self.c.at;
        let width: u8 = self.c.number("a width")?;
        let mut widths = AddrWidth::NAMED.iter();
        let text = width.to_string();
        let width = widths.find(|width| width.name() == Some(&*text)).copied();
        let Some(width) = width else {
            return Err(self.c.fail(start..self.c.at, "a width is 1, 2, 4, 8, 16 or 32"));
        };
        self.c.expect(">")?;
        Ok(Vector::address(addr, offset, width))
    }

    fn state_offset(&mut self) -> Parsed<u8> {
        self.c.expect("(")?;
        let offset = self.c.calculated("an offset")?;
        self.c.expect(")")?;
        Ok(offset)
    }

    /// The operands that are written the same way wherever they stand.
    fn plain(&mut self, symbol: Symbol) -> Parsed<Vector> {
        match symbol {
            Symbol::Address(addr) => self.address(addr),
            Symbol::Predicate(id) => match Pred::new(id) {
                Some(pred) => Ok(Vector::predicate(pred)),
                None => Err(self.c.expected("a predicate below 4096")),
            },
            Symbol::Surface(id) => Ok(Vector::surface(id, self.state_offset()?)),
            Symbol::Sampler(id) => Ok(Vector::sampler(id, self.state_offset()?)),
            Symbol::Variable(id, _) => Ok(Vector::scalar(id)),
            Symbol::FarSurface(_) => Err(self.c.expected("a surface that operands can name")),
            Symbol::Unknown => Err(Failed),
        }
    }

    fn source(&mut self) -> Parsed<Vector> {
        let modifier = self.modifier();
        if self.c.eat("r[") {
            return self.indirect(modifier, false);
        }
        if matches!(self.c.peek(), Some(b'0'..=b'9' | b'-' | b'~' | b'!' | b'(')) {
            return Ok(Vector::imm(self.immediate()?));
        }
        let (symbol, span) = self.symbol("an operand")?;
        let Symbol::Variable(var, _) = symbol else {
            if modifier != Modifier::NONE {
                return Err(self.wrong_kind(symbol, span, "something that takes a modifier"));
            }
            return self.plain(symbol);
        };
        let (row, col) = self.place()?;
        let region = self.src_region(false)?;
        Ok(Vector::general_at(var, row, col, region).with_modifier(modifier))
    }

    fn destination(&mut self) -> Parsed<Vector> {
        if self.c.eat("r[") {
            return self.indirect(Modifier::NONE, true);
        }
        let (symbol, _) = self.symbol("a destination")?;
        let Symbol::Variable(var, _) = symbol else {
            return self.plain(symbol);
        };
        self.c.skip_blanks();
        let (row, col) = if self.c.peek() == Some(b'(') { self.place()? } else { (0, 0) };
        let region = self.dst_region()?;
        Ok(Vector::general_at(var, row, col, region))
    }

    fn immediate(&mut self) -> Parsed<Imm> {
        self.c.skip_blanks();
        let start = self.c.at;
        let negative = self.c.eat_here("-");
        let digits_start = self.c.at;
        let Some((value, hexadecimal)) = self.c.unsigned_here() else {
            self.c.at = start;
            let value = self.c.number_by("a number", |cursor| cursor.integer())?;
            return self.typed(start, value, value < 0);
        };
        let is_fraction =
            self.c.peek() == Some(b'.') || matches!(self.c.rest(), [b'e' | b'E', b'+' | b'-', ..]);
        if is_fraction && !hexadecimal {
            self.c.skip_fraction();
            let digits = &self.c.text[digits_start..self.c.at];
            let float: Option<f64> =
                core::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            let Some(float) = float else {
                return Err(self.c.fail(start..self.c.at.max(start + 1), "this is not a number"));
            };
            return self.float(start, if negative { -float } else { float }, digits_start);
        }
        if hexadecimal && !negative {
            // The bits as they are.
            let ty = self.ty()?;
            return Imm::new(ty, value).ok_or_else(|| {
                let span = start..self.c.at;
                self.c.fail(span, "this does not fit into the 32 bits of its type")
            });
        }
        let value = if negative { -i128::from(value) } else { i128::from(value) };
        self.typed(start, value, negative)
    }

    /// An integer and the type behind it.
    fn typed(&mut self, start: usize, value: i128, negative: bool) -> Parsed<Imm> {
        let ty = self.ty()?;
        let span = start..self.c.at;
        if matches!(ty, DataType::F | DataType::DF) {
            // Rounded once, and with the sign of a zero.
            let sign = if negative { -1.0 } else { 1.0 };
            let magnitude = value.unsigned_abs();
            return Ok(match ty {
                DataType::F => Imm::f((magnitude as f32).copysign(sign)),
                _ => Imm::df((magnitude as f64).copysign(sign.into())),
            });
        }
        integer(ty, value).ok_or_else(|| {
            let name = ty.name().unwrap_or_default();
            self.c.fail(span, &format!("{value} is not a value of type {name}"))
        })
    }

    fn float(&mut self, start: usize, value: f64, digits_start: usize) -> Parsed<Imm> {
        let digits_end = self.c.at;
        let ty = self.ty()?;
        match ty {
            // Rounded once, from the digits.
            DataType::F => {
                let digits = core::str::from_utf8(&self.c.text[digits_start..digits_end]);
                let magnitude: f32 = digits.ok().and_then(|d| d.parse().ok()).unwrap_or_default();
                Ok(Imm::f(if value.is_sign_negative() { -magnitude } else { magnitude }))
            }
            DataType::DF => Ok(Imm::df(value)),
            _ => Err(self.c.fail(start..self.c.at, "only `f` and `df` are written with a point")),
        }
    }
}

/// The immediate of an integer type, if the value is in its range.
fn integer(ty: DataType, value: i128) -> Option<Imm> {
    Some(match ty {
        DataType::UD => Imm::ud(value.try_into().ok()?),
        DataType::D => Imm::d(value.try_into().ok()?),
        DataType::UW => Imm::uw(value.try_into().ok()?),
        DataType::W => Imm::w(value.try_into().ok()?),
        DataType::UB => Imm::ub(value.try_into().ok()?),
        DataType::B => Imm::b(value.try_into().ok()?),
        DataType::UQ => Imm::uq(value.try_into().ok()?),
        DataType::Q => Imm::q(value.try_into().ok()?),
        _ => Imm::new(ty, u32::try_from(value).ok()?.into())?,
    })
}

impl Parse for Vector {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.source()?;
        Ok(())
    }
}

impl Parse for Dst {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        self.0 = p.destination()?;
        Ok(())
    }
}

impl Parse for CmpDst {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        self.0 = p.destination()?;
        Ok(())
    }
}

impl Parse for AddressOf {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if !p.c.eat("&") {
            self.0 = p.source()?;
            return Ok(());
        }
        let (symbol, span) = p.symbol("a variable")?;
        let mut bytes: u32 = 0;
        if p.c.eat("[") {
            bytes = p.c.number("an offset in bytes")?;
            p.c.expect("]")?;
        }
        let span = span.start..p.c.at;
        self.0 = match symbol {
            Symbol::Variable(var, ty) => {
                let size = ty.size() as u32;
                let (row, col) = (bytes / GRF, bytes % GRF / size);
                match u8::try_from(row) {
                    Ok(row) if bytes % size == 0 => {
                        Vector::general_at(var, row, col as u8, Region::SCALAR)
                    }
                    _ => {
                        let message = "a variable's address is taken at one of its elements, in \
                                       its first 256 registers";
                        return Err(p.c.fail(span, message));
                    }
                }
            }
            Symbol::Surface(id) => Vector::surface(id, p.state_address(bytes, span)?),
            Symbol::Sampler(id) => Vector::sampler(id, p.state_address(bytes, span)?),
            other => return Err(p.wrong_kind(other, span, "something that has an address")),
        };
        Ok(())
    }
}

/// The bytes of a register, by which rows are counted.
const GRF: u32 = 32;

impl Parser<'_> {
    fn state_address(&mut self, bytes: u32, span: Range<usize>) -> Parsed<u8> {
        match u8::try_from(bytes / 2) {
            Ok(offset) if bytes % 2 == 0 => Ok(offset),
            _ => Err(self.c.fail(span, "a state's address is taken at an even offset below 512")),
        }
    }
}

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

impl Parse for SurfaceId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        const WHAT: &str = "a surface";
        match p.symbol(WHAT)? {
            (Symbol::Surface(id), _) => *self = id,
            (other, span) => return Err(p.wrong_kind(other, span, WHAT)),
        }
        Ok(())
    }
}

impl Parse for SamplerId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        const WHAT: &str = "a sampler";
        match p.symbol(WHAT)? {
            (Symbol::Sampler(id), _) => *self = id,
            (other, span) => return Err(p.wrong_kind(other, span, WHAT)),
        }
        Ok(())
    }
}

/// The target of a jump.
impl Parse for LabelId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.label_use()?;
        Ok(())
    }
}

/// The name of a source file: an index into the strings of the code, until the pool is made.
impl Parse for StringId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let bytes = p.c.string()?;
        *self = StringId(p.string(bytes));
        Ok(())
    }
}
