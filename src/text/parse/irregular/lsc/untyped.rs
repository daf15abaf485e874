//! Messages to memory and untyped surfaces.

use super::{
    Start, addr_size, address, data_size, displacement, exec, operands, register, shape, simple,
    surface_index,
};
use crate::isa::Instruction;
use crate::isa::lsc::{Access, AppendCounter, Block2d, Strided};
use crate::operand::lsc::*;
use crate::operand::{Raw, Vector};
use crate::text::class_in_text;
use crate::text::parse::Parser;
use crate::text::parse::cursor::Parsed;

/// `[0x2*base+0x10, pitch]:a64`
struct Addresses {
    scale: u16,
    base: Raw,
    offset: i32,
    pitch: Option<Vector>,
    size: LscAddrSize,
}

fn addresses(p: &mut Parser<'_>, is_strided: bool) -> Parsed<Addresses> {
    p.c.expect("[")?;
    p.c.skip_blanks();
    let mut scale = 1;
    if matches!(p.c.peek(), Some(b'0'..=b'9')) {
        scale = p.c.number("a scale")?;
        p.c.expect("*")?;
    }
    let base = register(p)?;
    let offset = displacement(p)?;
    let pitch = if is_strided && p.c.eat(",") { Some(simple(p)?) } else { None };
    p.c.expect("]")?;
    Ok(Addresses { scale, base, offset, pitch, size: addr_size(p)? })
}

pub(super) fn access(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let exec = exec(p)?;
    let operands = operands(p, start.op, |p| Ok((address(p)?, addresses(p, false)?)))?;
    let (address, addresses) = operands.address;
    Ok(Access {
        op: start.op,
        exec,
        pred: start.pred,
        sfid: start.sfid,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        addr_scale: addresses.scale,
        addr_offset: addresses.offset,
        addr_size: addresses.size,
        data_size: operands.shape.size,
        data_order: operands.shape.order,
        data_elems: operands.shape.elems,
        channels: operands.shape.channels,
        surface: address.surface,
        surface_index: surface_index(p, address.index),
        dst: operands.dst,
        addrs: addresses.base,
        src1: operands.src1,
        src2: operands.src2,
    }
    .into())
}

pub(super) fn strided(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let exec = exec(p)?;
    let operands = operands(p, start.op, |p| Ok((address(p)?, addresses(p, true)?)))?;
    let (address, addresses) = operands.address;
    Ok(Strided {
        op: start.op,
        exec,
        pred: start.pred,
        sfid: start.sfid,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        addr_scale: addresses.scale,
        addr_offset: addresses.offset,
        addr_size: addresses.size,
        data_size: operands.shape.size,
        data_order: operands.shape.order,
        data_elems: operands.shape.elems,
        channels: operands.shape.channels,
        surface: address.surface,
        surface_index: surface_index(p, address.index),
        dst: operands.dst,
        addr_base: addresses.base,
        addr_pitch: addresses.pitch.unwrap_or_default(),
        src1: operands.src1,
    }
    .into())
}

/// `:d32.2x16x8tn`
struct Block {
    size: LscDataSize,
    order: LscDataOrder,
    blocks: u8,
    width: u16,
    height: u16,
    vnni: u8,
}

fn block(p: &mut Parser<'_>) -> Parsed<Block> {
    p.c.expect(":")?;
    let start = p.c.at;
    let Some((size, "")) = data_size(p.c.word_here()) else {
        p.c.at = start;
        return Err(p.c.expected("a data size, such as d32"));
    };
    p.dot()?;
    let first: u16 = p.c.decimal_here("a width")?;
    if !p.c.eat_here("x") {
        return Err(p.c.expected("`x` and a height"));
    }
    let second: u16 = p.c.decimal_here("a height")?;
    let (blocks, width, height) = if p.c.eat_here("x") {
        (first, second, p.c.decimal_here("a height")?)
    } else {
        (1, first, second)
    };
    let Ok(blocks) = u8::try_from(blocks) else {
        return Err(p.c.fail(start..p.c.at, "at most 255 blocks are moved"));
    };
    let transposed = is_t(p);
    let vnni = is_t(p);
    let order = if transposed { LscDataOrder::TRANSPOSE } else { LscDataOrder::NONTRANSPOSE };
    Ok(Block { size, order, blocks, width, height, vnni: vnni.into() })
}

/// One of `t` and `n`, or neither, which means `n`.
fn is_t(p: &mut Parser<'_>) -> bool {
    let yes = p.c.eat_here("t");
    if !yes {
        p.c.eat_here("n");
    }
    yes
}

pub(super) fn block2d(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let exec = exec(p)?;
    let address = |p: &mut Parser<'_>| {
        p.c.expect("flat")?;
        p.c.expect("[")?;
        let mut operands = [Vector::default(); 6];
        for (i, operand) in operands.iter_mut().enumerate() {
            if i > 0 {
                p.c.expect(",")?;
            }
            *operand = simple(p)?;
        }
        p.c.expect("]")?;
        Ok(operands)
    };
    let (mut dst, mut src1) = (Raw::NULL, Raw::NULL);
    let (block, address) = if class_in_text(start.op) == LscOpClass::Load {
        dst = register(p)?;
        let block = block(p)?;
        (block, address(p)?)
    } else {
        let address = address(p)?;
        src1 = register(p)?;
        (block(p)?, address)
    };
    let [surface_base, surface_width, surface_height, surface_pitch, x, y] = address;
    Ok(Block2d {
        op: start.op,
        exec,
        pred: start.pred,
        sfid: start.sfid,
        l1: start.l1,
        l3: start.l3,
        data_size: block.size,
        data_order: block.order,
        blocks: block.blocks,
        block_width: block.width,
        block_height: block.height,
        vnni: block.vnni,
        dst,
        surface_base,
        surface_width,
        surface_height,
        surface_pitch,
        x,
        y,
        src1,
    }
    .into())
}

pub(super) fn append_counter(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let exec = exec(p)?;
    let (dst, shape) = (register(p)?, shape(p, start.op)?);
    let address = address(p)?;
    let src = register(p)?;
    p.c.skip_blanks();
    let second_start = p.c.at;
    if self::shape(p, start.op)? != shape {
        let message = "the data sizes of source and destination must be equal";
        return Err(p.c.fail(second_start..p.c.at, message));
    }
    Ok(AppendCounter {
        op: start.op,
        exec,
        pred: start.pred,
        sfid: start.sfid,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        data_size: shape.size,
        data_order: shape.order,
        data_elems: shape.elems,
        channels: shape.channels,
        surface: address.surface,
        surface_index: address.index,
        dst,
        src,
    }
    .into())
}
