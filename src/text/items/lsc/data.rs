//! The data of LSC messages: registers, and the size and shape of what is moved.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::address::{Coordinates, LscAddrSizeText, LscRegister, ORDER};
use super::gated;
use super::head::LscExec;
use crate::format::Dialect;
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, Raw};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::items::Item;
use crate::text::recorder::CompletionKind;

/// Returns the class of an operation, which determines its operands in the text.
fn class_in_text(op: LscOp) -> LscOpClass {
    match op {
        // Before 4.2, its layout has fields that its text lacks.
        LscOp::EXTENDED_CACHE_CTRL => LscOpClass::Other,
        op => op.class(),
    }
}

/// A register, and the fields that describe the data in it.
pub(in crate::text) trait Data {
    fn op(&self) -> LscOp;
    fn register(&mut self) -> &mut Raw;
    fn print_shape(&self, p: &mut Printer<'_>);
    fn parse_shape(&mut self, p: &mut Parser<'_>) -> Parsed<()>;
}

fn print_data<D: Data + Copy>(p: &mut Printer<'_>, data: &D) {
    p.line.push("  ");
    LscRegister::print(p, (*data).clone().register());
    data.print_shape(p);
}

fn parse_data<D: Data>(p: &mut Parser<'_>, data: &mut D) -> Parsed<()> {
    parse_register(p, data.register())?;
    data.parse_shape(p)
}

/// Parses the register, which is the second field after the operation.
fn parse_register(p: &mut Parser<'_>, register: &mut Raw) -> Parsed<()> {
    let start = p.c.at;
    if let Err(failed) = LscRegister::parse(p, register) {
        p.c.at = start;
        let name = p.c.name().map(|(name, _)| name);
        if LscAddrType::NAMED.iter().any(|model| model.name() == name) {
            p.c.diagnostics.set_last_help(Some(ORDER.into()));
        }
        return Err(failed);
    }
    p.c.record_part(1, start);
    Ok(())
}

/// The destination of a load or an atomic, `V32:d32x2`.
pub(in crate::text) struct LscDst;

impl<D: Data + Copy> Item<D> for LscDst {
    fn print(p: &mut Printer<'_>, data: &D) {
        match class_in_text(data.op()) {
            LscOpClass::Load | LscOpClass::Atomic { .. } => print_data(p, data),
            LscOpClass::Store | LscOpClass::Other => {
                let is_null = *(*data).clone().register() == Raw::NULL;
                p.omit_if(!is_null);
            }
        }
    }

    fn parse(p: &mut Parser<'_>, data: &mut D) -> Parsed<()> {
        match class_in_text(data.op()) {
            LscOpClass::Load | LscOpClass::Atomic { .. } => parse_data(p, data),
            LscOpClass::Store | LscOpClass::Other => Ok(()),
        }
    }
}

/// The source of a store, `V32:d32x2`, or the first source of an atomic, `V32`.
pub(in crate::text) struct LscSrc1;

impl<D: Data + Copy> Item<D> for LscSrc1 {
    fn print(p: &mut Printer<'_>, data: &D) {
        let class = class_in_text(data.op());
        match class {
            LscOpClass::Store | LscOpClass::Other => {
                print_data(p, data);
                p.omit_if(class == LscOpClass::Other);
            }
            _ => LscSrc2::print(p, &(data.op(), *(*data).clone().register())),
        }
    }

    fn parse(p: &mut Parser<'_>, data: &mut D) -> Parsed<()> {
        match class_in_text(data.op()) {
            LscOpClass::Store | LscOpClass::Other => parse_data(p, data),
            _ => {
                let mut parts = (data.op(), Raw::NULL);
                LscSrc2::parse(p, &mut parts)?;
                *data.register() = parts.1;
                Ok(())
            }
        }
    }
}

/// The second source of an atomic, which is always written.
pub(in crate::text) struct LscSrc2;

impl Item<(LscOp, Raw)> for LscSrc2 {
    fn print(p: &mut Printer<'_>, (op, source): &(LscOp, Raw)) {
        if !matches!(class_in_text(*op), LscOpClass::Atomic { .. }) {
            return p.omit_if(*source != Raw::NULL);
        }
        p.line.push("  ");
        LscRegister::print(p, source);
    }

    fn parse(p: &mut Parser<'_>, (op, source): &mut (LscOp, Raw)) -> Parsed<()> {
        match class_in_text(*op) {
            LscOpClass::Atomic { .. } => parse_register(p, source),
            _ => Ok(()),
        }
    }
}

/// Returns the syntax of an item for an operation, which determines what the text has.
pub(in crate::text) fn lsc_syntax(syntax: &'static str, op: LscOp) -> &'static str {
    let class = class_in_text(op);
    match (syntax, class) {
        (LscDst::SYNTAX, _) if op == LscOp::READ_STATE_INFO => " dst",
        (LscExec::SYNTAX, _) if op == LscOp::READ_STATE_INFO => "",
        (Coordinates::SYNTAX, _) if op == LscOp::READ_STATE_INFO => "[u]",
        (LscDst::SYNTAX, LscOpClass::Load | LscOpClass::Atomic { .. }) => " dst:data_size",
        (LscSrc1::SYNTAX, LscOpClass::Store | LscOpClass::Other) => " src1:data_size",
        (LscSrc1::SYNTAX, LscOpClass::Atomic { .. }) => " src1",
        (LscSrc2::SYNTAX, LscOpClass::Atomic { .. }) => " src2",
        (LscDst::SYNTAX | LscSrc1::SYNTAX | LscSrc2::SYNTAX, _) => "",
        (syntax, _) => syntax,
    }
}

fn print_data_size(p: &mut Printer<'_>, size: LscDataSize, has_channels: bool) {
    // The compiler cannot read the newer names before channels.
    let dialect = match has_channels && p.is_v4_2() {
        true => Dialect::default(),
        false => p.format.dialect,
    };
    p.lsc_code(size.name_in(dialect), size.bits());
}

/// Parses the size at the start of a word, in any spelling, and returns the rest of the word.
fn parse_data_size<'t>(p: &mut Parser<'t>, may_continue: bool) -> Parsed<(LscDataSize, &'t str)> {
    let start = p.c.at;
    let word = p.c.word_here();
    // In reverse order, a name precedes its prefixes.
    let all = LscDataSize::NAMED.iter().rev();
    let newer = all.clone().filter_map(|size| Some((*size, size.newer_name()?)));
    let named = all.filter_map(|size| Some((*size, size.name()?)));
    let mut sizes = newer.chain(named.clone());
    let found =
        sizes.find_map(|(size, name)| Some((size, word.strip_prefix(name)?))).or_else(|| {
            // `u32` is the same as `d32`, and `u8c32` as `d8c32`.
            let digits = word.strip_prefix('u')?;
            let mut sizes = named.map(|(size, name)| (size, &name[1..]));
            sizes.find_map(|(size, name)| Some((size, digits.strip_prefix(name)?)))
        });
    found.filter(|(_, rest)| may_continue || rest.is_empty()).ok_or_else(|| {
        p.c.at = start;
        let names = LscDataSize::NAMED.iter().filter_map(|size| size.name());
        p.c.complete_words(CompletionKind::Word, names);
        p.c.expected("a data size, such as `d32`")
    })
}

/// The letters of a channel mask, in the order that the grammar requires.
const CHANNELS: [(ChannelMask, &str); 4] =
    [(ChannelMask::R, "x"), (ChannelMask::G, "y"), (ChannelMask::B, "z"), (ChannelMask::A, "w")];

/// Returns the letters of the channels, in the order of the grammar.
fn letters(channels: ChannelMask) -> impl Iterator<Item = &'static str> {
    let present = CHANNELS.into_iter().filter(move |(channel, _)| channels.contains(*channel));
    present.map(|(_, letter)| letter)
}

fn parse_channels(p: &mut Parser<'_>, rest: &str) -> Parsed<ChannelMask> {
    const WHAT: &str = "channels in the order `xyzw`";
    p.c.at -= rest.len();
    // IGC 2.40 accepts a number of elements, and reads its code as a channel mask.
    let is_count = |elems: &&LscDataElems| elems.name() == Some(rest);
    let mut counts = LscDataElems::NAMED.iter().filter(|elems| **elems != LscDataElems::X1);
    if let Some(elems) = counts.find(is_count) {
        let becomes: String = letters(ChannelMask::from_bits_truncate(elems.bits())).collect();
        return Err(p.c.expected(&format!(
            "channels, such as `.xyzw` (IGC miscompiles `{rest}`: it would become `.{becomes}`)"
        )));
    }
    if !p.c.eat_here(".") {
        return Err(p.c.expected("`.` and channels, such as `.xyzw`"));
    }
    let start = p.c.at;
    let mut letters = p.c.word_here();
    if letters.is_empty() {
        return Err(p.c.expected(WHAT));
    }
    let mut channels = ChannelMask::empty();
    for (channel, letter) in CHANNELS {
        if let Some(rest) = letters.strip_prefix(letter) {
            (channels, letters) = (channels | channel, rest);
        }
    }
    if !letters.is_empty() {
        p.c.at = start;
        return Err(p.c.expected(WHAT));
    }
    Ok(channels)
}

type Shape = (LscDataSize, LscDataOrder, LscDataElems, ChannelMask);

/// The data of READ_STATE_INFO, which its text omits.
const STATE_INFO: Shape =
    (LscDataSize::D32, LscDataOrder::NONTRANSPOSE, LscDataElems::X1, ChannelMask::empty());

/// The elements that each lane moves, `:d32x2t` or `:d32.xy`.
type Vectors = (LscOp, Raw, LscDataSize, LscDataOrder, LscDataElems, ChannelMask);

impl Data for Vectors {
    fn op(&self) -> LscOp {
        self.0
    }

    fn register(&mut self) -> &mut Raw {
        &mut self.1
    }

    fn print_shape(&self, p: &mut Printer<'_>) {
        let &(op, _, size, order, elems, channels) = self;
        if op == LscOp::READ_STATE_INFO {
            return p.omit_if((size, order, elems, channels) != STATE_INFO);
        }
        p.line.ch(':');
        print_data_size(p, size, op.has_channels());
        if op.has_channels() {
            p.line.ch('.');
            letters(channels).for_each(|letter| p.line.push(letter));
            p.omit_if(channels.is_empty() || elems != LscDataElems::X1);
            return p.omit_if(order != LscDataOrder::NONTRANSPOSE);
        }
        if elems != LscDataElems::X1 {
            p.lsc_code(elems.name(), elems.bits());
        }
        match order {
            LscDataOrder::NONTRANSPOSE => {}
            LscDataOrder::TRANSPOSE => p.line.ch('t'),
            other => p.lsc_code(None, other.bits()),
        }
        p.omit_if(!channels.is_empty());
    }

    fn parse_shape(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (op, _, size, order, elems, channels) = self;
        (*size, *order, *elems, *channels) = STATE_INFO;
        if *op == LscOp::READ_STATE_INFO {
            return Ok(());
        }
        parse_colon(p)?;
        let start = p.c.at;
        let rest;
        (*size, rest) = parse_data_size(p, true)?;
        let (size_end, end) = (p.c.at - rest.len(), p.c.at);
        p.c.record_part_at(2, start..size_end);
        if op.has_channels() {
            *channels = parse_channels(p, rest)?;
            p.c.record_part(5, size_end);
            return Ok(());
        }
        let count = rest.strip_suffix('t').unwrap_or(rest);
        if count != rest {
            *order = LscDataOrder::TRANSPOSE;
        }
        p.c.record_part_at(4, size_end..size_end + count.len());
        p.c.record_part_at(3, size_end + count.len()..end);
        let mut counts = LscDataElems::NAMED.iter();
        match counts.find(|elems| elems.name() == Some(count) || count.is_empty()) {
            Some(found) => *elems = *found,
            None => {
                p.c.at -= rest.len();
                let what = "an element count of 1, 2, 3, 4, 8, 16, 32 or 64, such as `x4`";
                return Err(p.c.expected(what));
            }
        }
        Ok(())
    }
}

/// Parses the colon between a register and the size of its data.
fn parse_colon(p: &mut Parser<'_>) -> Parsed<()> {
    p.c.skip_blanks();
    let has_region = matches!(p.c.peek(), Some(b'(' | b'<'));
    p.c.expect(":").map_err(|failed| match has_region {
        true => p.with_help(
            failed,
            "a raw operand is a name, or a name and an offset in bytes, as in `V32.64`",
        ),
        false => failed,
    })
}

/// The size of a 2D block, `:d32.2x16x8tn`.
type Blocks = (LscOp, Raw, LscDataSize, LscDataOrder, u8, u16, u16, u8);

impl Data for Blocks {
    fn op(&self) -> LscOp {
        self.0
    }

    fn register(&mut self) -> &mut Raw {
        &mut self.1
    }

    fn print_shape(&self, p: &mut Printer<'_>) {
        let &(_, _, size, order, blocks, width, height, vnni) = self;
        p.line.ch(':');
        print_data_size(p, size, false);
        p.line.ch('.');
        if blocks != 1 {
            p.line.dec(blocks);
            p.line.ch('x');
        }
        p.line.dec(width);
        p.id('x', height);
        p.line.ch(if order == LscDataOrder::TRANSPOSE { 't' } else { 'n' });
        p.line.ch(if vnni != 0 { 't' } else { 'n' });
        p.omit_if(vnni > 1 || order.name().is_none());
    }

    fn parse_shape(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let (_, _, size, order, blocks, width, height, vnni) = self;
        parse_colon(p)?;
        let start = p.c.at;
        (*size, _) = parse_data_size(p, false)?;
        p.c.record_part(2, start);
        p.dot()?;
        let start = p.c.at;
        let mut count = 1;
        let (mut widths, mut heights);
        [(*width, widths), (*height, heights)] = p.width_and_height()?;
        if p.c.eat_here("x") {
            p.c.record_part_at(4, widths);
            (count, *width, widths) = (*width, *height, heights);
            let start = p.c.at;
            *height = p.c.decimal_here("a height")?;
            heights = start..p.c.at;
        }
        *blocks = u8::try_from(count).map_err(|_| {
            p.c.fail(start..p.c.at, &format!("expected at most 255 blocks, found `{count}`"))
        })?;
        p.c.record_part_at(5, widths);
        p.c.record_part_at(6, heights);
        let start = p.c.at;
        let is_transposed = parse_t_or_n(p);
        *order = if is_transposed { LscDataOrder::TRANSPOSE } else { LscDataOrder::NONTRANSPOSE };
        p.c.record_part(3, start);
        let start = p.c.at;
        *vnni = parse_t_or_n(p).into();
        p.c.record_part(7, start);
        Ok(())
    }
}

/// Parses `t`, `n` or nothing, which means `n`. Returns whether it is `t`.
fn parse_t_or_n(p: &mut Parser<'_>) -> bool {
    let has_t = p.c.eat_here("t");
    if !has_t {
        p.c.eat_here("n");
    }
    has_t
}

impl Parser<'_> {
    /// Parses `16x8`: the width and the height, each with its span.
    fn width_and_height(&mut self) -> Parsed<[(u16, Range<usize>); 2]> {
        let start = self.c.at;
        let width = (self.c.decimal_here("a width")?, start..self.c.at);
        if !self.c.eat_here("x") {
            return Err(self.c.expected("`x` and a height"));
        }
        let start = self.c.at;
        Ok([width, (self.c.decimal_here("a height")?, start..self.c.at)])
    }
}

/// The size of a 2D block of a typed surface, `:32x8`.
type TypedBlocks = (LscOp, Raw, u16, u16);

impl Data for TypedBlocks {
    fn op(&self) -> LscOp {
        self.0
    }

    fn register(&mut self) -> &mut Raw {
        &mut self.1
    }

    fn print_shape(&self, p: &mut Printer<'_>) {
        p.id(':', self.2);
        p.id('x', self.3);
    }

    fn parse_shape(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        parse_colon(p)?;
        let [width, height] = p.width_and_height()?;
        (self.2, self.3) = (width.0, height.0);
        p.c.record_part_at(2, width.1);
        p.c.record_part_at(3, height.1);
        Ok(())
    }
}

/// The source of an append counter, `V33:d32`. With efficient 64-bit addressing, an address without
/// register precedes it, and a second source follows: `[%null]  V33  %null`.
pub(in crate::text) struct CounterSource;

type Counter =
    (LscOp, Raw, LscDataSize, LscDataOrder, LscDataElems, ChannelMask, Option<LscAddrSize>);

impl Item<Counter> for CounterSource {
    fn print(p: &mut Printer<'_>, &(op, src, size, order, elems, channels, addr_size): &Counter) {
        if addr_size == Some(LscAddrSize::A32U) {
            p.line.push("[%null]  ");
            LscRegister::print(p, &src);
            return p.line.push("  %null");
        }
        print_data(p, &(op, src, size, order, elems, channels));
        p.omit_if(addr_size.unwrap_or_default() != LscAddrSize::default());
    }

    fn parse(p: &mut Parser<'_>, counter: &mut Counter) -> Parsed<()> {
        let (op, src, size, order, elems, channels, addr_size) = counter;
        if !p.c.eat("[") {
            let shape = (*size, *order, *elems, *channels);
            let mut data = (*op, Raw::NULL, *size, *order, *elems, *channels);
            parse_register(p, src)?;
            p.c.skip_blanks();
            let start = p.c.at;
            data.parse_shape(p)?;
            if (data.2, data.3, data.4, data.5) != shape {
                let message = "the source and the destination must have the same data size";
                return Err(p.c.fail(start..p.c.at, message));
            }
            return Ok(());
        }
        p.c.expect("%null")?;
        p.c.expect("]")?;
        let mut found = LscAddrSize::A32U;
        p.c.skip_blanks();
        let start = p.c.at;
        if p.c.peek() == Some(b':') {
            LscAddrSizeText::parse(p, &mut found)?;
        }
        if found != LscAddrSize::A32U {
            return Err(p.c.fail(start..p.c.at, "the address size of `[%null]` is `a32u`"));
        }
        p.c.record_part(6, start);
        *addr_size = gated(*addr_size, found);
        parse_register(p, src)?;
        p.c.skip_blanks();
        let start = p.c.at;
        let mut src2 = Raw::NULL;
        LscRegister::parse(p, &mut src2)?;
        if src2 != Raw::NULL {
            return Err(p.c.fail(start..p.c.at, "an append counter has one source: use `%null`"));
        }
        Ok(())
    }
}
