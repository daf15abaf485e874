//! Parts of the text that several layouts of LSC messages share.

use alloc::format;

use super::DataText;
use crate::format::Dialect;
use crate::isa::lsc::{Access, AppendCounter, Strided, TypedAccess};
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, Imm, Modifier, Raw, Region, Vector, VectorKind};
use crate::text::items::Item;
use crate::text::parse::{Parsed, Parser};
use crate::text::print::{Print, Printer};
use crate::text::quirk::Quirk;

impl Printer<'_> {
    /// Returns the name of a code, unless it is too new for the reference.
    fn supported_name<'t>(&self, name: Option<&'t str>, is_newer: bool) -> Option<&'t str> {
        name.filter(|_| !(is_newer && self.has(Quirk::NewerLscCodes)))
    }

    /// Prints the name of a code, or a number as the reference prints it.
    fn lsc_code(&mut self, name: Option<&str>, bits: u8) {
        match name {
            Some(name) => self.line.push(name),
            None => {
                self.line.push("<<");
                self.upper_hex(bits);
                self.line.push("?>>");
                self.is_incomplete = true;
            }
        }
    }

    fn upper_hex(&mut self, value: impl Into<u64>) {
        self.is_upper_case = true;
        self.line.hex_digits_upper(value.into());
    }

    /// Prints digits in lower case, or in upper case if an earlier number has left the reference's
    /// stream in that state.
    fn lower_hex(&mut self, value: impl Into<u64>) {
        if self.is_upper_case && self.has(Quirk::LscUpperCaseSticks) {
            self.line.hex_digits_upper(value.into());
        } else {
            self.line.hex_digits(value.into(), 1);
        }
    }

    /// Prints the separator of the parts of an address. The current compiler prints no blank.
    pub(super) fn lsc_separator(&mut self) {
        self.line.push(if self.format.dialect == Dialect::Igc2026 { "," } else { ", " });
    }
}

impl Print for LscSfid {
    fn print(&self, p: &mut Printer<'_>) {
        p.lsc_code(p.supported_name(self.name(), *self == LscSfid::URB), self.bits());
    }
}

/// `.ca`
pub(super) struct Cache;

impl Item<LscCache> for Cache {
    fn print(p: &mut Printer<'_>, cache: &LscCache) {
        let name = p.supported_name(cache.name(), *cache == LscCache::CONSTCACHED);
        if name.is_some() {
            p.line.ch('.');
        }
        p.lsc_code(name, cache.bits());
    }

    fn parse(p: &mut Parser<'_>, cache: &mut LscCache) -> Parsed<()> {
        p.dot()?;
        *cache = p.code(p.c.at, "a caching option", LscCache::NAMED, LscCache::name)?;
        Ok(())
    }
}

/// A register, and its offset if it is not zero.
pub(super) struct Register;

impl Item<Raw> for Register {
    fn print(p: &mut Printer<'_>, raw: &Raw) {
        p.var(raw.var);
        if raw.offset != 0 {
            p.id('.', raw.offset);
        }
    }

    fn parse(p: &mut Parser<'_>, raw: &mut Raw) -> Parsed<()> {
        let (var, _) = p.var()?;
        let offset = if p.c.eat_here(".") { p.c.number("an offset in bytes")? } else { 0 };
        *raw = Raw::new(var, offset);
        Ok(())
    }
}

/// A register or an immediate, without region or type.
pub(super) struct SimpleVector;

impl Item<Vector> for SimpleVector {
    fn print(p: &mut Printer<'_>, vector: &Vector) {
        p.omit_if(vector.modifier != Modifier::NONE);
        match vector.kind {
            VectorKind::Immediate(imm) => {
                p.line.push("0x");
                p.upper_hex(p.imm_bits(imm) & u64::from(u32::MAX));
                p.omit_if(u32::try_from(imm.bits()).is_ok_and(|bits| imm != Imm::ud(bits)));
                p.omit_if(imm.bits() > u32::MAX.into());
            }
            VectorKind::General { var, row, col, region } => {
                p.var(var);
                if (row, col) != (0, 0) {
                    p.row_and_column(row, col);
                }
                p.omit_if(region != Region::SCALAR);
            }
            _ => {
                p.line.push("<<BAD_OPERAND_VECTOR_KIND>>");
                p.is_incomplete = true;
            }
        }
    }

    fn parse(p: &mut Parser<'_>, vector: &mut Vector) -> Parsed<()> {
        p.c.skip_blanks();
        if matches!(p.c.peek(), Some(b'0'..=b'9')) {
            *vector = Imm::ud(p.c.number("a 32-bit number")?).into();
            return Ok(());
        }
        let (var, _) = p.var()?;
        let (row, col) = if p.c.peek() == Some(b'(') { p.row_and_column()? } else { (0, 0) };
        *vector = Vector::general_at(var, row, col, Region::SCALAR);
        Ok(())
    }
}

/// `flat`, or an address model and a surface: `bti(0x2)`.
pub(super) struct Surface {
    pub(super) ty: LscAddrType,
    pub(super) surface: Vector,
    pub(super) index: u32,
}

impl Surface {
    const NONE: Vector = Vector::imm(Imm::ud(0));

    fn has_no_surface(ty: LscAddrType) -> bool {
        matches!(ty, LscAddrType::FLAT | LscAddrType::ARG)
    }

    pub(super) fn print(&self, p: &mut Printer<'_>) {
        let name = p.supported_name(self.ty.name(), self.ty == LscAddrType::SURF);
        p.lsc_code(name, self.ty.bits());
        if name.is_none() && p.has(Quirk::NewerLscCodes) {
            return;
        }
        if Self::has_no_surface(self.ty) {
            return p.omit_if(self.surface != Self::NONE || self.index != 0);
        }
        p.line.ch('(');
        SimpleVector::print(p, &self.surface);
        if self.index != 0 {
            p.line.push(", ");
            p.line.hex(self.index);
        }
        p.line.ch(')');
    }

    pub(super) fn parse(p: &mut Parser<'_>) -> Parsed<Surface> {
        p.c.skip_blanks();
        let mut parsed = Surface { ty: LscAddrType::FLAT, surface: Self::NONE, index: 0 };
        if p.c.peek() == Some(b'[') {
            return Ok(parsed);
        }
        parsed.ty = p.code(p.c.at, "an address model", LscAddrType::NAMED, LscAddrType::name)?;
        if !Self::has_no_surface(parsed.ty) {
            p.c.expect("(")?;
            SimpleVector::parse(p, &mut parsed.surface)?;
            if p.c.eat(",") {
                parsed.index = p.c.number("the index of a surface")?;
            }
            p.c.expect(")")?;
        }
        Ok(parsed)
    }
}

/// Reads or sets the surface of a layout whose surface index exists in some formats only.
macro_rules! surface {
    ($i:ident) => {
        Surface {
            ty: $i.addr_type,
            surface: $i.surface,
            index: $i.surface_index.unwrap_or_default(),
        }
    };
    ($i:ident = $p:ident) => {
        let surface = Surface::parse($p)?;
        ($i.addr_type, $i.surface) = (surface.ty, surface.surface);
        let is_present = $i.surface_index.is_some() || surface.index != 0;
        $i.surface_index = is_present.then_some(surface.index);
    };
}

pub(super) use surface;

/// `:a64`
pub(super) struct AddrSize;

impl Item<LscAddrSize> for AddrSize {
    fn print(p: &mut Printer<'_>, size: &LscAddrSize) {
        p.line.ch(':');
        let is_newer = matches!(*size, LscAddrSize::A32U | LscAddrSize::A32S);
        p.lsc_code(p.supported_name(size.name(), is_newer), size.bits());
    }

    fn parse(p: &mut Parser<'_>, size: &mut LscAddrSize) -> Parsed<()> {
        p.c.expect(":")?;
        *size = p.code(p.c.at, "an address size", LscAddrSize::NAMED, LscAddrSize::name)?;
        Ok(())
    }
}

/// `-0x10`, `+0x10` or nothing.
pub(super) struct Displacement;

impl Item<i32> for Displacement {
    fn print(p: &mut Printer<'_>, &offset: &i32) {
        if offset != 0 {
            p.line.push(if offset < 0 { "-0x" } else { "+0x" });
            p.lower_hex(offset.unsigned_abs());
        }
    }

    fn parse(p: &mut Parser<'_>, offset: &mut i32) -> Parsed<()> {
        const WHAT: &str = "an offset";
        p.c.skip_blanks();
        let start = p.c.at;
        let is_negative = match p.c.peek() {
            Some(b'+') => false,
            Some(b'-') => true,
            _ => return Ok(()),
        };
        p.c.at += 1;
        // The number may have a sign of its own, so that an `i64` could overflow.
        let magnitude: i128 = p.c.number(WHAT)?;
        let value = if is_negative { -magnitude } else { magnitude };
        *offset = i32::try_from(value).map_err(|_| {
            p.c.fail(start..p.c.at, &format!("`{value}` is out of range for {WHAT}"))
        })?;
        Ok(())
    }
}

/// `0x2*`, or nothing for 1.
pub(super) struct Scale;

impl Item<u16> for Scale {
    fn print(p: &mut Printer<'_>, &scale: &u16) {
        if scale > 1 {
            p.line.push("0x");
            p.lower_hex(scale);
            p.line.ch('*');
        }
        p.omit_if(scale == 0);
    }

    fn parse(p: &mut Parser<'_>, scale: &mut u16) -> Parsed<()> {
        p.c.skip_blanks();
        *scale = 1;
        if matches!(p.c.peek(), Some(b'0'..=b'9')) {
            *scale = p.c.number("a scale")?;
            p.c.expect("*")?;
        }
        Ok(())
    }
}

/// The sizes that current compilers print with `u` instead of `c`. A name precedes its own
/// prefixes, so that the parser finds the longest.
const NEWER_SIZES: [(LscDataSize, &str); 3] = [
    (LscDataSize::D16C32H, "d16u32h"),
    (LscDataSize::D16C32, "d16u32"),
    (LscDataSize::D8C32, "d8u32"),
];

pub(super) fn print_data_size(p: &mut Printer<'_>, size: LscDataSize) {
    let newer = NEWER_SIZES.iter().find(|(other, _)| *other == size);
    match newer.filter(|_| p.format.dialect == Dialect::Igc2026) {
        Some((_, name)) => p.line.push(name),
        None => p.lsc_code(size.name(), size.bits()),
    }
}

/// Parses the size at the start of a word, in either spelling, and returns the rest of the word.
pub(super) fn parse_data_size<'t>(
    p: &mut Parser<'t>,
    may_continue: bool,
) -> Parsed<(LscDataSize, &'t str)> {
    let start = p.c.at;
    let word = p.c.word_here();
    // In reverse order, a name precedes its prefixes.
    let named = LscDataSize::NAMED.iter().rev().filter_map(|size| Some((*size, size.name()?)));
    let mut sizes = NEWER_SIZES.into_iter().chain(named);
    let found = sizes.find_map(|(size, name)| Some((size, word.strip_prefix(name)?)));
    found.filter(|(_, rest)| may_continue || rest.is_empty()).ok_or_else(|| {
        p.c.at = start;
        p.c.expected("a data size, such as `d32`")
    })
}

/// The letters of a channel mask, in the order that the grammar requires.
const CHANNELS: [(ChannelMask, &str); 4] =
    [(ChannelMask::R, "x"), (ChannelMask::G, "y"), (ChannelMask::B, "z"), (ChannelMask::A, "w")];

/// The size, order and number of the elements that each lane moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct DataShape {
    size: LscDataSize,
    order: LscDataOrder,
    elems: LscDataElems,
    channels: ChannelMask,
}

impl DataShape {
    fn print(&self, p: &mut Printer<'_>, op: LscOp) {
        p.line.ch(':');
        print_data_size(p, self.size);
        if op.has_channels() {
            p.line.ch('.');
            for (_, letter) in CHANNELS.iter().filter(|(bit, _)| self.channels.contains(*bit)) {
                p.line.push(letter);
            }
            p.omit_if(self.channels.is_empty() || self.elems != LscDataElems::X1);
            return p.omit_if(self.order != LscDataOrder::NONTRANSPOSE);
        }
        if self.elems != LscDataElems::X1 {
            p.lsc_code(self.elems.name(), self.elems.bits());
        }
        match self.order {
            LscDataOrder::NONTRANSPOSE => {}
            LscDataOrder::TRANSPOSE => p.line.ch('t'),
            other => p.lsc_code(None, other.bits()),
        }
        p.omit_if(!self.channels.is_empty());
    }

    pub(super) fn parse(p: &mut Parser<'_>, op: LscOp) -> Parsed<DataShape> {
        p.c.expect(":")?;
        let (size, rest) = parse_data_size(p, true)?;
        let mut shape = DataShape {
            size,
            order: LscDataOrder::NONTRANSPOSE,
            elems: LscDataElems::X1,
            channels: ChannelMask::empty(),
        };
        if op.has_channels() {
            shape.parse_channels(p, rest)?;
            return Ok(shape);
        }
        let elems = rest.strip_suffix('t').unwrap_or(rest);
        if elems != rest {
            shape.order = LscDataOrder::TRANSPOSE;
        }
        let mut counts = LscDataElems::NAMED.iter();
        match counts.find(|count| count.name() == Some(elems) || elems.is_empty()) {
            Some(count) => shape.elems = *count,
            None => {
                p.c.at -= rest.len();
                let what = "an element count of 1, 2, 3, 4, 8, 16, 32 or 64, such as `x4`";
                return Err(p.c.expected(what));
            }
        }
        Ok(shape)
    }

    fn parse_channels(&mut self, p: &mut Parser<'_>, rest: &str) -> Parsed<()> {
        const WHAT: &str = "channels in the order `xyzw`";
        p.c.at -= rest.len();
        if !p.c.eat_here(".") {
            return Err(p.c.expected("`.` and channels, such as `.xyzw`"));
        }
        let start = p.c.at;
        let mut letters = p.c.word_here();
        if letters.is_empty() {
            return Err(p.c.expected(WHAT));
        }
        for (channel, letter) in CHANNELS {
            if let Some(rest) = letters.strip_prefix(letter) {
                (self.channels, letters) = (self.channels | channel, rest);
            }
        }
        if !letters.is_empty() {
            p.c.at = start;
            return Err(p.c.expected(WHAT));
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// Parses `16x8`.
    pub(super) fn width_and_height(&mut self) -> Parsed<(u16, u16)> {
        let width = self.c.decimal_here("a width")?;
        if !self.c.eat_here("x") {
            return Err(self.c.expected("`x` and a height"));
        }
        Ok((width, self.c.decimal_here("a height")?))
    }
}

/// A layout whose data has a [`DataShape`].
pub(super) trait HasDataShape {
    fn shape(&self) -> DataShape;
    fn set_shape(&mut self, shape: DataShape);
}

macro_rules! shaped {
    ($($layout:ident),*) => {$(
        impl HasDataShape for $layout {
            fn shape(&self) -> DataShape {
                DataShape {
                    size: self.data_size,
                    order: self.data_order,
                    elems: self.data_elems,
                    channels: self.channels,
                }
            }

            fn set_shape(&mut self, shape: DataShape) {
                (self.data_size, self.data_order) = (shape.size, shape.order);
                (self.data_elems, self.channels) = (shape.elems, shape.channels);
            }
        }

        /// `V32:d32x2t`
        impl DataText for $layout {
            fn print_data(&self, p: &mut Printer<'_>, register: Raw) {
                Register::print(p, &register);
                self.shape().print(p, self.op);
            }

            fn parse_data(&mut self, p: &mut Parser<'_>, register: &mut Raw) -> Parsed<()> {
                Register::parse(p, register)?;
                self.set_shape(DataShape::parse(p, self.op)?);
                Ok(())
            }
        }
    )*};
}

shaped!(Access, AppendCounter, Strided, TypedAccess);
