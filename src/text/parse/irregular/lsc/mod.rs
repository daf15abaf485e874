//! Messages of the load-store cache.

mod typed;
mod untyped;

use typed::{read_state_info, typed_access, typed_block2d};
use untyped::{access, append_counter, block2d, strided};

use super::super::Parser;
use super::super::cursor::Parsed;
use super::super::operands::Parse;
use super::super::rows::Head;
use crate::format::Dialect;
use crate::isa::Instruction;
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, Exec, Imm, Pred, Raw, Vector};
use crate::text::class_in_text;
use crate::text::irregular::LSC_CHANNELS;

/// What all messages begin with.
struct Start {
    op: LscOp,
    pred: Pred,
    sfid: LscSfid,
    l1: LscCache,
    l3: LscCache,
}

/// `flat`, or a kind of surface with the surface.
struct Address {
    ty: LscAddrType,
    surface: Vector,
    index: u32,
}

/// `:d32x2t` or `:d32.xyz`
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    size: LscDataSize,
    order: LscDataOrder,
    elems: LscDataElems,
    channels: ChannelMask,
}

pub(in super::super) fn lsc(
    p: &mut Parser<'_>,
    name: &str,
    head: &mut Head,
) -> Parsed<Instruction> {
    let Some(op) = LscOp::NAMED.iter().find(|op| op.name() == Some(name)).copied() else {
        let span = p.word.clone();
        return Err(p.unknown_instruction(span));
    };
    p.dot()?;
    let sfid_start = p.c.at;
    let mut sfid = LscSfid::default();
    sfid.parse(p)?;
    if op == LscOp::READ_STATE_INFO && sfid != LscSfid::TGM {
        p.c.at = sfid_start;
        return Err(p.c.expected("`tgm`"));
    }
    let (l1, l3) = caches(p)?;
    let start = Start { op, pred: head.pred(), sfid, l1, l3 };
    let typed = sfid == LscSfid::TGM;
    match op {
        LscOp::READ_STATE_INFO => read_state_info(p, start),
        LscOp::LOAD_BLOCK2D | LscOp::STORE_BLOCK2D if typed => typed_block2d(p, start),
        LscOp::LOAD_BLOCK2D | LscOp::STORE_BLOCK2D => block2d(p, start),
        LscOp::LOAD_STRIDED | LscOp::STORE_STRIDED => strided(p, start),
        LscOp::APNDCTR_ATOMIC_ADD | LscOp::APNDCTR_ATOMIC_SUB => append_counter(p, start),
        _ if typed => typed_access(p, start),
        _ => access(p, start),
    }
}

fn caches(p: &mut Parser<'_>) -> Parsed<(LscCache, LscCache)> {
    if p.c.peek() != Some(b'.') {
        return Ok((LscCache::DEFAULT, LscCache::DEFAULT));
    }
    Ok((cache(p)?, cache(p)?))
}

fn cache(p: &mut Parser<'_>) -> Parsed<LscCache> {
    p.dot()?;
    code(p, "a caching option", LscCache::NAMED.iter().copied(), LscCache::name)
}

/// A code by its name.
fn code<C: Copy>(
    p: &mut Parser<'_>,
    what: &str,
    codes: impl Iterator<Item = C> + Clone,
    name: impl Fn(C) -> Option<&'static str>,
) -> Parsed<C> {
    let start = p.c.at;
    let word = p.c.word_here();
    match codes.clone().find(|code| name(*code) == Some(word)) {
        Some(code) => Ok(code),
        None => {
            p.c.at = start;
            Err(p.expected_word(what, codes.filter_map(name)))
        }
    }
}

/// A register, with an offset or without.
fn register(p: &mut Parser<'_>) -> Parsed<Raw> {
    let (var, _) = p.var()?;
    let offset = if p.c.eat_here(".") { p.c.number("an offset in bytes")? } else { 0 };
    Ok(Raw::new(var, offset))
}

/// A register or an immediate, without region or type.
fn simple(p: &mut Parser<'_>) -> Parsed<Vector> {
    p.c.skip_blanks();
    if matches!(p.c.peek(), Some(b'0'..=b'9')) {
        return Ok(Imm::ud(p.c.number("a number of 32 bits")?).into());
    }
    let (var, _) = p.var()?;
    let (row, col) = if p.c.peek() == Some(b'(') { p.place()? } else { (0, 0) };
    Ok(Vector::general_at(var, row, col, crate::operand::Region::SCALAR))
}

fn address(p: &mut Parser<'_>) -> Parsed<Address> {
    p.c.skip_blanks();
    let none = Vector::imm(Imm::ud(0));
    if p.c.peek() == Some(b'[') {
        return Ok(Address { ty: LscAddrType::FLAT, surface: none, index: 0 });
    }
    let ty = code(p, "an address model", LscAddrType::NAMED.iter().copied(), LscAddrType::name)?;
    let mut address = Address { ty, surface: none, index: 0 };
    if !matches!(ty, LscAddrType::FLAT | LscAddrType::ARG) {
        p.c.expect("(")?;
        address.surface = simple(p)?;
        if p.c.eat(",") {
            address.index = p.c.number("a surface's index")?;
        }
        p.c.expect(")")?;
    }
    Ok(address)
}

/// `+0x10`, `-0x10` or nothing.
fn displacement(p: &mut Parser<'_>) -> Parsed<i32> {
    p.c.skip_blanks();
    let start = p.c.at;
    let negative = match p.c.peek() {
        Some(b'+') => false,
        Some(b'-') => true,
        _ => return Ok(0),
    };
    p.c.at += 1;
    let magnitude: i64 = p.c.number("an offset")?;
    i32::try_from(if negative { -magnitude } else { magnitude })
        .map_err(|_| p.c.fail(start..p.c.at, "this offset does not fit into 32 bits"))
}

fn addr_size(p: &mut Parser<'_>) -> Parsed<LscAddrSize> {
    p.c.expect(":")?;
    code(p, "an address size", LscAddrSize::NAMED.iter().copied(), LscAddrSize::name)
}

/// The size of data, in today's words or in those of the reference.
fn data_size(word: &str) -> Option<(LscDataSize, &str)> {
    let names = [
        ("d16u32h", LscDataSize::D16C32H),
        ("d16c32h", LscDataSize::D16C32H),
        ("d16u32", LscDataSize::D16C32),
        ("d16c32", LscDataSize::D16C32),
        ("d8u32", LscDataSize::D8C32),
        ("d8c32", LscDataSize::D8C32),
        ("d64", LscDataSize::D64),
        ("d32", LscDataSize::D32),
        ("d16", LscDataSize::D16),
        ("d8", LscDataSize::D8),
    ];
    names.iter().find_map(|(name, size)| Some((*size, word.strip_prefix(name)?)))
}

fn shape(p: &mut Parser<'_>, op: LscOp) -> Parsed<Shape> {
    p.c.expect(":")?;
    let start = p.c.at;
    let Some((size, rest)) = data_size(p.c.word_here()) else {
        p.c.at = start;
        return Err(p.c.expected("a data size, such as d32"));
    };
    let mut shape = Shape {
        size,
        order: LscDataOrder::NONTRANSPOSE,
        elems: LscDataElems::X1,
        channels: ChannelMask::empty(),
    };
    if op.has_channels() {
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
        for (channel, letter) in LSC_CHANNELS {
            if let Some(rest) = letters.strip_prefix(letter) {
                (shape.channels, letters) = (shape.channels | channel, rest);
            }
        }
        if !letters.is_empty() {
            p.c.at = start;
            return Err(p.c.expected(WHAT));
        }
        return Ok(shape);
    }
    let (elems, transposed) = match rest.strip_suffix('t') {
        Some(elems) => (elems, true),
        None => (rest, false),
    };
    if transposed {
        shape.order = LscDataOrder::TRANSPOSE;
    }
    let mut counts = LscDataElems::NAMED.iter();
    match counts.find(|count| count.name() == Some(elems) || elems.is_empty()) {
        Some(count) => shape.elems = *count,
        None => {
            let message = "expected 1, 2, 3, 4, 8, 16, 32 or 64 elements, such as `x4`";
            return Err(p.c.fail(start..p.c.at, message));
        }
    }
    Ok(shape)
}

/// Destination, address and sources in the order that the operation has them in.
struct Operands<A> {
    dst: Raw,
    shape: Shape,
    address: A,
    src1: Raw,
    src2: Raw,
}

fn operands<A>(
    p: &mut Parser<'_>,
    op: LscOp,
    address: impl Fn(&mut Parser<'_>) -> Parsed<A>,
) -> Parsed<Operands<A>> {
    let (dst, src2) = (Raw::NULL, Raw::NULL);
    match class_in_text(op) {
        LscOpClass::Load => {
            let (dst, shape) = (register(p)?, shape(p, op)?);
            Ok(Operands { dst, shape, address: address(p)?, src1: Raw::NULL, src2 })
        }
        LscOpClass::Atomic { .. } => {
            let (dst, shape) = (register(p)?, shape(p, op)?);
            let address = address(p)?;
            Ok(Operands { dst, shape, address, src1: register(p)?, src2: register(p)? })
        }
        LscOpClass::Store | LscOpClass::Other => {
            let address = address(p)?;
            let (src1, shape) = (register(p)?, shape(p, op)?);
            Ok(Operands { dst, shape, address, src1, src2 })
        }
    }
}

/// The index of a surface, where the format has a place for it.
fn surface_index(p: &Parser<'_>, index: u32) -> Option<u32> {
    (p.format.dialect == Dialect::Igc2026 || index != 0).then_some(index)
}

fn exec(p: &mut Parser<'_>) -> Parsed<Exec> {
    let mut exec = Exec::default();
    exec.parse(p)?;
    Ok(exec)
}
