//! Parsing of operands; `text::print::operands` prints them.

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

use super::Parser;
use super::cursor::{Cursor, Failed, Parsed};
use super::diagnostic::cut;
use super::symbols::Symbol;
use crate::operand::*;
use crate::text::print::is_immediate;
use crate::text::words::code_map;

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

    /// Parses the predicate of an instruction, such as `(!P1.any)`, if it has one.
    pub(in crate::text) fn pred_prefix(&mut self) -> Parsed<Option<(Pred, Range<usize>)>> {
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
            return Err(self.c.fail(span, "predicates above 4095 cannot be encoded"));
        };
        let pred = pred.with_control(control);
        Ok(Some((if inverted { pred.inverted() } else { pred }, span)))
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

    /// Parses `(row,col)`.
    pub(in crate::text) fn row_and_column(&mut self) -> Parsed<(u8, u8)> {
        // Fast path: most have one digit each.
        if let [b'(', row @ b'0'..=b'9', b',', col @ b'0'..=b'9', b')', ..] = *self.c.rest() {
            self.c.at += "(0,0)".len();
            return Ok((row - b'0', col - b'0'));
        }
        if !self.c.eat("(") {
            return Err(self.c.expected("a row and a column, such as `(0,0)`"));
        }
        let row = self.c.calculated("a row")?;
        if !self.c.eat(",") {
            return Err(self.c.expected("`,` and a column, as in `(0,0)`"));
        }
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
            let message = format!("expected 0, 1, 2, 4, 8, 16 or 32, found `{elements}`");
            self.c.fail(start..self.c.at, &message)
        })
    }

    fn dst_region(&mut self) -> Parsed<Region> {
        // Fast path, as in `src_region`.
        if let [b'<', stride, b'>', next, ..] = *self.c.rest() {
            if let (Some(stride), true) = (stride_of_digit(stride), next != b'>') {
                self.c.at += "<1>".len();
                return Ok(Region::dst(stride));
            }
        }
        if !self.c.eat("<") {
            return Err(self.c.expected("the region of a destination, such as `<1>`"));
        }
        let stride = self.stride()?;
        self.c.skip_blanks();
        let is_source = matches!(self.c.peek(), Some(b';' | b','));
        self.c.expect(">").map_err(|failed| match is_source {
            true => {
                self.with_help(failed, "the region of a destination is one stride, as in `<1>`")
            }
            false => failed,
        })?;
        Ok(Region::dst(stride))
    }

    /// Parses `<v;w,h>`, or for indirect operands `<w,h>` or `<h>`.
    fn src_region(&mut self, indirect: bool) -> Parsed<Region> {
        // Fast path: most strides have one digit. After `>`, a second one makes an operator.
        if let [b'<', vertical, b';', width, b',', horizontal, b'>', next, ..] = *self.c.rest() {
            let strides = [vertical, width, horizontal].map(stride_of_digit);
            if let ([Some(vertical), Some(width), Some(horizontal)], true) = (strides, next != b'>')
            {
                self.c.at += "<1;1,0>".len();
                return Ok(Region::new(vertical, width, horizontal));
            }
        }
        if !self.c.eat("<") {
            return Err(self.c.expected("the region of a source, such as `<1;1,0>`"));
        }
        let first = self.stride()?;
        if indirect && self.c.eat(">") {
            return Ok(Region::new(Stride::NULL, Stride::NULL, first));
        }
        if indirect && self.c.eat(",") {
            let horizontal = self.stride()?;
            self.c.expect(">")?;
            return Ok(Region::new(Stride::NULL, first, horizontal));
        }
        self.c.expect(";").map_err(|failed| {
            let help = "the region of a source is a stride, a width and a stride, as in `<1;1,0>`";
            self.with_help(failed, help)
        })?;
        let width = self.stride()?;
        self.c.expect(",")?;
        let horizontal = self.stride()?;
        self.c.expect(">")?;
        Ok(Region::new(first, width, horizontal))
    }

    /// Parses a type after a colon, such as `:ud`.
    fn ty(&mut self) -> Parsed<DataType> {
        self.ty_such_as(DataType::UD)
    }

    /// Parses a type after a colon, with an example for the diagnostic.
    fn ty_such_as(&mut self, example: DataType) -> Parsed<DataType> {
        if !self.c.eat(":") {
            return Err(self.c.expected(&format!("a type, such as `:{example}`")));
        }
        let start = self.c.at;
        let ty = self.type_name()?;
        if !ty.has_binary_form() {
            let message = format!("only variables can have type `{ty}`");
            return Err(self.c.fail(start..self.c.at, &message));
        }
        Ok(ty)
    }

    pub(in crate::text) fn type_name(&mut self) -> Parsed<DataType> {
        let start = self.c.at;
        let word = self.c.word_here();
        code_map!(TYPES: DataType, 64);
        if let Some(ty) = TYPES.get(word) {
            return Ok(ty);
        }
        let has_name = |ty: &&DataType| ty.name().is_some_and(|n| n.eq_ignore_ascii_case(word));
        let found = DataType::NAMED.iter().find(has_name);
        // Names are in lower or in upper case, except `Bool`.
        let is_mixed = || word != "Bool" && word.bytes().any(|byte| byte.is_ascii_lowercase());
        if let Some(ty) = found.filter(|_| !is_mixed()) {
            return Ok(*ty);
        }
        self.c.at = start;
        let names = DataType::NAMED.iter().filter_map(|ty| ty.name());
        let failed = self.expected_word("a type", names);
        let foreign = FOREIGN_TYPES.iter().find(|(name, _)| *name == word);
        if let (Some((_, ty)), Some(last)) = (foreign, self.c.diagnostics.0.last_mut()) {
            last.help = Some(format!("did you mean `{ty}`?"));
        }
        Err(failed)
    }

    /// Parses an indirect operand after `r[`.
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

    /// Parses `(offset)<width>` after an address variable.
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
            let message = format!("expected 1, 2, 4, 8, 16 or 32, found `{text}`");
            return Err(self.c.fail(start..self.c.at, &message));
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

    /// Parses an operand that has the same text as a source and as a destination.
    fn source_or_destination(&mut self, symbol: Symbol) -> Parsed<Vector> {
        match symbol {
            Symbol::Address(addr) => self.address(addr),
            Symbol::Predicate(id) => match Pred::new(id) {
                Some(pred) => Ok(Vector::predicate(pred)),
                None => Err(self.c.expected("a predicate below 4096")),
            },
            Symbol::Surface(id) => Ok(state(StateClass::SURFACE, id, self.state_offset()?)),
            Symbol::Sampler(id) => Ok(state(StateClass::SAMPLER, id, self.state_offset()?)),
            Symbol::Variable(id, _) => Ok(Vector::scalar(id)),
            Symbol::Unknown => Err(Failed),
        }
    }

    fn source(&mut self) -> Parsed<Vector> {
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

    fn immediate(&mut self) -> Parsed<Imm> {
        self.c.skip_blanks();
        let start = self.c.at;
        let negative = self.c.eat_here("-");
        self.c.skip_blanks();
        let digits_start = self.c.at;
        let Some((value, hexadecimal)) = self.c.with_long_decimals(Cursor::unsigned_here) else {
            self.c.at = start;
            let value = self.c.number("a number")?;
            return self.expression(start, value);
        };
        if self.c.is_at_fraction() && !hexadecimal {
            let lacks_digit = matches!(self.c.rest(), [b'.', rest @ ..]
                if !rest.first().is_some_and(u8::is_ascii_digit));
            if lacks_digit && self.is_strict() {
                self.c.at += 1;
                return Err(self.c.expected("a digit after `.`"));
            }
            self.c.skip_fraction();
            return self.float(start, digits_start, negative);
        }
        let digits_end = self.c.at;
        let ty = self.ty()?;
        let span = start..self.c.at;
        if ty.is_wide() && !hexadecimal && self.c.has_short_decimals {
            self.c.require_short_decimal(value, digits_start..digits_end);
        }
        if ty == DataType::BF && self.is_strict() {
            let help = Some("use an immediate of type `f` or `uw`".into());
            let message = "version 4.2 has no immediates of type `bf`";
            return Err(self.c.fail_with_help(span, message, help));
        }
        match ty {
            // An integer has the bits of the value; a minus inverts the sign bit.
            DataType::F | DataType::DF => {
                let sign = u64::from(negative) << (ty.size() * 8 - 1);
                Imm::new(ty, value).and_then(|_| Imm::new(ty, value ^ sign))
            }
            DataType::HF | DataType::BF if negative || !hexadecimal => {
                self.c.at = start;
                let what = format!("hexadecimal bits of type `{ty}`, such as `0x3c00:{ty}`");
                return Err(self.c.expected(&what));
            }
            _ if hexadecimal && !negative => {
                Imm::new(ty, value).filter(|_| is_immediate(ty, value))
            }
            _ => integer(ty, if negative { -i128::from(value) } else { value.into() }),
        }
        .or_else(|| self.low_bits(ty, negative, value, hexadecimal, &span))
        .ok_or_else(|| self.out_of_range(ty, start..digits_end, span))
    }

    /// Returns the immediate that the compiler makes of a number that is out of range for an
    /// integer type of up to four bytes: its lowest bits. Warns about it, unless the number is a
    /// sign-extended value of the type.
    fn low_bits(
        &mut self,
        ty: DataType,
        negative: bool,
        value: u64,
        hexadecimal: bool,
        span: &Range<usize>,
    ) -> Option<Imm> {
        let is_float = matches!(ty, DataType::F | DataType::HF | DataType::BF);
        // The compiler reads larger decimal numbers as -1.
        let is_readable = hexadecimal || i64::try_from(value).is_ok();
        if !self.is_strict() || ty.is_wide() || is_float || !is_readable {
            return None;
        }
        let bits = if negative { value.wrapping_neg() } else { value };
        if !negative && is_immediate(ty, bits) {
            return Imm::new(ty, bits);
        }
        let mask = u64::MAX >> (64 - 8 * ty.size());
        let imm = Imm::new(ty, bits & mask)?;
        let message = format!(
            "`{}` is out of range for type `{ty}`: its lowest bits are used",
            self.shown(span.clone())
        );
        self.warn(span, message);
        Some(imm)
    }

    /// Returns a part of the text for a diagnostic.
    fn shown(&self, span: Range<usize>) -> String {
        cut(self.c.str(span)).to_string()
    }

    fn out_of_range(&mut self, ty: DataType, number: Range<usize>, span: Range<usize>) -> Failed {
        let message = format!("`{}` is out of range for type `{ty}`", self.shown(number));
        self.c.fail(span, &message)
    }

    /// Parses the type after an expression, which must be an integer type.
    fn expression(&mut self, start: usize, value: i128) -> Parsed<Imm> {
        let end = self.c.at;
        let ty = self.ty()?;
        let span = start..self.c.at;
        if matches!(ty, DataType::F | DataType::DF | DataType::HF | DataType::BF) {
            self.c.at = end;
            self.c.eat(":");
            return Err(self.c.expected("an integer type after an expression"));
        }
        integer(ty, value).ok_or_else(|| self.out_of_range(ty, start..end, span))
    }

    /// Parses the type after a number with a fraction or an exponent, which begins at
    /// `digits_start`.
    fn float(&mut self, start: usize, digits_start: usize, negative: bool) -> Parsed<Imm> {
        let digits_end = self.c.at;
        let digits = self.c.str(digits_start..digits_end);
        // Parse both from the digits, so that each is rounded once.
        let (Ok(single), Ok(double)) = (digits.parse::<f32>(), digits.parse::<f64>()) else {
            return Err(self.c.fail(start..digits_end, "invalid number"));
        };
        let ty = self.ty_such_as(DataType::F)?;
        if self.is_strict() && self.c.text[digits_end..self.c.at].iter().any(u8::is_ascii_uppercase)
        {
            self.c.at = digits_end;
            self.c.eat(":");
            return Err(self.c.expected("`f` or `df` in lower case after a fraction"));
        }
        match ty {
            DataType::F => Ok(Imm::f(if negative { -single } else { single })),
            DataType::DF => Ok(Imm::df(if negative { -double } else { double })),
            _ => {
                self.c.at = digits_end;
                self.c.eat(":");
                let failed = self.c.expected("type `f` or `df` after a fraction");
                let help = "write the bits of a half, such as `0x3c00:hf` for 1";
                Err(if ty == DataType::HF { self.with_help(failed, help) } else { failed })
            }
        }
    }
}

/// Returns whether a name of a variable that is not predefined can start with a byte.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Returns the stride that a digit states.
fn stride_of_digit(digit: u8) -> Option<Stride> {
    let elements = digit.checked_sub(b'0').filter(|elements| *elements < 10)?;
    Stride::from_elements(elements.into())
}

/// Returns the operand of a sampler or surface.
fn state(class: StateClass, index: u16, offset: u8) -> Vector {
    Vector { modifier: Modifier::NONE, kind: VectorKind::State { class, index, offset } }
}

/// Types of other languages, and the types to suggest instead.
const FOREIGN_TYPES: [(&str, &str); 20] = [
    ("i", "d"),
    ("u", "ud"),
    ("int", "d"),
    ("i32", "d"),
    ("s32", "d"),
    ("uint", "ud"),
    ("u32", "ud"),
    ("short", "w"),
    ("i16", "w"),
    ("ushort", "uw"),
    ("u16", "uw"),
    ("char", "b"),
    ("i8", "b"),
    ("uchar", "ub"),
    ("u8", "ub"),
    ("long", "q"),
    ("ulong", "uq"),
    ("float", "f"),
    ("double", "df"),
    ("half", "hf"),
];

/// Returns the immediate of an integer type. The value may be in the range of the signed or of the
/// unsigned type of this width.
fn integer(ty: DataType, value: i128) -> Option<Imm> {
    let bits = 8 * ty.size() as u32;
    if !(-(1 << (bits - 1))..1 << bits).contains(&value) {
        return None;
    }
    Imm::new(ty, if ty.is_wide() { value as u64 } else { u64::from(value as u32) })
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
        if core::mem::take(&mut p.sat) {
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

impl Parse for AddressOf {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if !p.c.eat("&") {
            self.0 = p.source()?;
            return Ok(());
        }
        let (symbol, span) = p.symbol("a variable")?;
        if let (Symbol::Variable(var, None), Some(b'(')) = (symbol, p.c.peek()) {
            // `Display` prints the row and the column, since it has no size of an element.
            let (row, col) = p.row_and_column()?;
            self.0 = Vector::general_at(var, row, col, Region::SCALAR);
            return Ok(());
        }
        let mut bytes: u32 = 0;
        if p.c.eat("[") {
            bytes = p.c.number("an offset in bytes")?;
            p.c.expect("]")?;
        }
        let span = span.start..p.c.at;
        self.0 = match symbol {
            Symbol::Variable(var, None) if bytes > 0 => {
                let name = format!("V{}", var.0);
                let message = format!("the type of `{name}` is unknown");
                let help = format!("write a row and a column, such as `&{name}(1,0)`");
                return Err(p.c.fail_with_help(span, &message, Some(help)));
            }
            Symbol::Variable(var, ty) => {
                let ty = ty.unwrap_or_default();
                let size = ty.size() as u32;
                let (row, col) = (bytes / GRF, bytes % GRF / size);
                match u8::try_from(row) {
                    Ok(row) if bytes % size == 0 => {
                        Vector::general_at(var, row, col as u8, Region::SCALAR)
                    }
                    Ok(_) => {
                        let message = format!(
                            "the offset {bytes} is not a multiple of the size of type `{ty}`"
                        );
                        return Err(p.c.fail(span, &message));
                    }
                    Err(_) => {
                        let message = format!("expected an offset below 8192, found `{bytes}`");
                        return Err(p.c.fail(span, &message));
                    }
                }
            }
            Symbol::Surface(id) => state(StateClass::SURFACE, id, p.state_address(bytes, span)?),
            Symbol::Sampler(id) => state(StateClass::SAMPLER, id, p.state_address(bytes, span)?),
            other => {
                return Err(p.wrong_kind(
                    other,
                    span,
                    "a general variable, a sampler or a surface",
                ));
            }
        };
        Ok(())
    }
}

/// The size of a register, which is a row, in bytes.
const GRF: u32 = 32;

impl Parser<'_> {
    fn state_address(&mut self, bytes: u32, span: Range<usize>) -> Parsed<u8> {
        match u8::try_from(bytes / 2) {
            Ok(offset) if bytes % 2 == 0 => Ok(offset),
            _ => {
                let message = format!("expected an even offset below 512, found `{bytes}`");
                Err(self.c.fail(span, &message))
            }
        }
    }
}

impl Parser<'_> {
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
    /// Returns the id of a surface or sampler for a field of one byte.
    fn short_id(&mut self, id: u16, span: Range<usize>, what: &str) -> Parsed<u8> {
        u8::try_from(id).map_err(|_| {
            let name = self.shown(span.clone());
            let message = format!("expected {what} with an id up to 255, found `{name}`");
            self.c.fail(span, &message)
        })
    }
}

impl Parser<'_> {
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

impl Parse for SurfaceId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        const WHAT: &str = "a surface";
        *self = match p.symbol(WHAT)? {
            (Symbol::Surface(id), span) => SurfaceId(p.short_id(id, span, WHAT)?),
            (other, span) => return Err(p.wrong_kind(other, span, WHAT)),
        };
        Ok(())
    }
}

impl Parse for SamplerId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        const WHAT: &str = "a sampler";
        *self = match p.symbol(WHAT)? {
            (Symbol::Sampler(id), span) => SamplerId(p.short_id(id, span, WHAT)?),
            (other, span) => return Err(p.wrong_kind(other, span, WHAT)),
        };
        Ok(())
    }
}

/// The part of the compiler's text of a state in memory between the variable and the index.
pub(in crate::text) const ZEROTH_ELEMENT: &str = "(0,0)<0;1,0>";

/// The name of a state, or a general variable with the address of states: `V`, `(V, 1)`, or, as the
/// compiler writes loads, `V(0,0)<0;1,0>[1]`.
macro_rules! parse_states {
    ($($id:ident $class:ident $what:literal;)*) => {$(
        impl Parse for State<$id> {
            fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
                let is_pair = !p.format.is_manual() && p.c.eat("(");
                *self = match p.symbol($what)? {
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

/// The target of a jump.
impl Parse for LabelId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.label_use()?;
        Ok(())
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
