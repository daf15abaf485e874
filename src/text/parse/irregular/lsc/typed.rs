//! Messages to typed surfaces.

use super::{
    Start, addr_size, address, displacement, exec, operands, register, simple, surface_index,
};
use crate::format::Dialect;
use crate::isa::Instruction;
use crate::isa::lsc::{TypedAccess, TypedBlock2d};
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, ExecSize, Raw};
use crate::text::class_in_text;
use crate::text::parse::Parser;
use crate::text::parse::cursor::Parsed;

/// The coordinates of a typed message with their offsets, and the size of addresses.
fn coordinates(p: &mut Parser<'_>) -> Parsed<([(Raw, i32); 4], LscAddrSize)> {
    p.c.expect("[")?;
    let mut coordinates = [(Raw::NULL, 0); 4];
    for (i, coordinate) in coordinates.iter_mut().enumerate() {
        if i > 0 && !p.c.eat(",") {
            break;
        }
        *coordinate = (register(p)?, displacement(p)?);
    }
    p.c.expect("]")?;
    Ok((coordinates, addr_size(p)?))
}

pub(super) fn typed_access(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let exec = exec(p)?;
    let operands = operands(p, start.op, |p| Ok((address(p)?, coordinates(p)?)))?;
    let (address, ([u, v, r, lod], size)) = operands.address;
    let newest = p.format.dialect == Dialect::Igc2026;
    let offset = |(_, offset): (Raw, i32)| (newest || offset != 0).then_some(offset);
    if lod.1 != 0 {
        return Err(p.c.expected("a LOD without an offset"));
    }
    Ok(TypedAccess {
        op: start.op,
        exec,
        pred: start.pred,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        addr_size: size,
        data_size: operands.shape.size,
        data_order: operands.shape.order,
        data_elems: operands.shape.elems,
        channels: operands.shape.channels,
        surface: address.surface,
        surface_index: surface_index(p, address.index),
        dst: operands.dst,
        u: u.0,
        u_offset: offset(u),
        v: v.0,
        v_offset: offset(v),
        r: r.0,
        r_offset: offset(r),
        lod: lod.0,
        src1: operands.src1,
        src2: operands.src2,
    }
    .into())
}

/// Neither exec size nor shape is written; the address is not either, in the reference's text.
pub(super) fn read_state_info(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let dst = register(p)?;
    let address = address(p)?;
    let mut u = Raw::NULL;
    if p.c.eat("[") {
        u = register(p)?;
        p.c.expect("]")?;
    }
    let offset = (p.format.dialect == Dialect::Igc2026).then_some(0);
    Ok(TypedAccess {
        op: start.op,
        exec: ExecSize::S1.into(),
        pred: start.pred,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        channels: ChannelMask::empty(),
        surface: address.surface,
        surface_index: surface_index(p, address.index),
        dst,
        u,
        u_offset: offset,
        v_offset: offset,
        r_offset: offset,
        ..TypedAccess::default()
    }
    .into())
}

/// `:32x8`
fn typed_block(p: &mut Parser<'_>) -> Parsed<(u16, u16)> {
    p.c.expect(":")?;
    let width = p.c.decimal_here("a width")?;
    if !p.c.eat_here("x") {
        return Err(p.c.expected("`x` and a height"));
    }
    Ok((width, p.c.decimal_here("a height")?))
}

pub(super) fn typed_block2d(p: &mut Parser<'_>, start: Start) -> Parsed<Instruction> {
    let place = |p: &mut Parser<'_>| {
        let address = address(p)?;
        p.c.expect("[")?;
        let x = simple(p)?;
        p.c.expect(",")?;
        let y = simple(p)?;
        p.c.expect("]")?;
        Ok((address, x, y))
    };
    let (mut dst, mut src1) = (Raw::NULL, Raw::NULL);
    let ((block_width, block_height), (address, x, y)) =
        if class_in_text(start.op) == LscOpClass::Load {
            dst = register(p)?;
            let block = typed_block(p)?;
            (block, place(p)?)
        } else {
            let place = place(p)?;
            src1 = register(p)?;
            (typed_block(p)?, place)
        };
    Ok(TypedBlock2d {
        op: start.op,
        exec: ExecSize::S1.into(),
        pred: start.pred,
        l1: start.l1,
        l3: start.l3,
        addr_type: address.ty,
        block_width,
        block_height,
        surface: address.surface,
        surface_index: address.index,
        dst,
        x,
        y,
        src1,
    }
    .into())
}
