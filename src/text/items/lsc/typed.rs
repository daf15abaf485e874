//! Items of LSC messages to typed surfaces.

use super::parts::{AddrSize, Displacement, Register, SimpleVector, Surface, surface};
use super::{AddressText, DataText, LscOperands};
use crate::isa::lsc::{TypedAccess, TypedBlock2d};
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, ExecSize, Raw};
use crate::text::items::Item;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};
use crate::text::quirk::Quirk;

impl AddressText for TypedAccess {
    /// Prints `bti(0x1)[u+0x1, v, r, lod]:a32`, up to the last coordinate that is not null.
    fn print_address(&self, p: &mut Printer<'_>) {
        let coordinates = [
            (self.u, self.u_offset),
            (self.v, self.v_offset),
            (self.r, self.r_offset),
            (self.lod, None),
        ];
        let is_present =
            |(raw, offset): &(Raw, Option<i32>)| *raw != Raw::NULL || offset.unwrap_or(0) != 0;
        let count = match coordinates.iter().rposition(is_present) {
            _ if p.has(Quirk::NullCoordinatesPrinted) => coordinates.len(),
            Some(last) => last + 1,
            None => 1,
        };
        surface!(self).print(p);
        p.line.ch('[');
        for (i, (raw, offset)) in coordinates.iter().take(count).enumerate() {
            if i > 0 {
                p.lsc_separator();
            }
            if p.has(Quirk::LscOffsetsOmitted) {
                p.var(raw.var);
            } else {
                Register::print(p, raw);
                Displacement::print(p, &offset.unwrap_or_default());
            }
        }
        p.line.ch(']');
        AddrSize::print(p, &self.addr_size);
    }

    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        surface!(self = p);
        p.c.expect("[")?;
        let mut coordinates = [(Raw::NULL, 0); 4];
        let mut offset_start = p.c.at;
        for (i, (raw, offset)) in coordinates.iter_mut().enumerate() {
            if i > 0 && !p.c.eat(",") {
                break;
            }
            Register::parse(p, raw)?;
            offset_start = p.c.at;
            Displacement::parse(p, offset)?;
        }
        let offset = |old: Option<i32>, new| (old.is_some() || new != 0).then_some(new);
        let [u, v, r, lod] = coordinates;
        if lod.1 != 0 {
            return Err(p.c.fail(offset_start..p.c.at, "a LOD takes no offset"));
        }
        (self.u, self.u_offset) = (u.0, offset(self.u_offset, u.1));
        (self.v, self.v_offset) = (v.0, offset(self.v_offset, v.1));
        (self.r, self.r_offset) = (r.0, offset(self.r_offset, r.1));
        self.lod = lod.0;
        p.c.expect("]")?;
        AddrSize::parse(p, &mut self.addr_size)
    }
}

/// The execution size and the operands. READ_STATE_INFO has no execution size and no data shape,
/// and in the reference style no address.
pub(in crate::text) struct TypedOperands;

impl Item<TypedAccess> for TypedOperands {
    fn print(p: &mut Printer<'_>, access: &TypedAccess) {
        if access.op != LscOp::READ_STATE_INFO {
            access.exec.operand(p);
            return LscOperands::print(p, access);
        }
        p.line.push("  ");
        Register::print(p, &access.dst);
        p.line.push("  ");
        surface!(access).print(p);
        if p.has(Quirk::StateInfoAddressOmitted) {
            return;
        }
        p.line.ch('[');
        Register::print(p, &access.u);
        p.line.ch(']');
        p.omit_if(with_implied_fields(*access) != *access);
    }

    fn parse(p: &mut Parser<'_>, i: &mut TypedAccess) -> Parsed<()> {
        if i.op != LscOp::READ_STATE_INFO {
            i.exec.parse(p)?;
            return LscOperands::parse(p, i);
        }
        Register::parse(p, &mut i.dst)?;
        surface!(i = p);
        if p.c.eat("[") {
            Register::parse(p, &mut i.u)?;
            p.c.expect("]")?;
        }
        *i = with_implied_fields(*i);
        Ok(())
    }
}

/// Sets the fields of a READ_STATE_INFO that its text implies.
fn with_implied_fields(access: TypedAccess) -> TypedAccess {
    TypedAccess {
        exec: ExecSize::S1.into(),
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        channels: ChannelMask::empty(),
        u_offset: access.u_offset.and(Some(0)),
        v: Raw::NULL,
        v_offset: access.v_offset.and(Some(0)),
        r: Raw::NULL,
        r_offset: access.r_offset.and(Some(0)),
        lod: Raw::NULL,
        src1: Raw::NULL,
        src2: Raw::NULL,
        ..access
    }
}

impl DataText for TypedBlock2d {
    /// Prints `V32:32x8`.
    fn print_data(&self, p: &mut Printer<'_>, register: Raw) {
        Register::print(p, &register);
        p.id(':', self.block_width);
        p.id('x', self.block_height);
    }

    fn parse_data(&mut self, p: &mut Parser<'_>, register: &mut Raw) -> Parsed<()> {
        Register::parse(p, register)?;
        p.c.expect(":")?;
        (self.block_width, self.block_height) = p.width_and_height()?;
        Ok(())
    }
}

impl AddressText for TypedBlock2d {
    /// Prints `bti(0x1)[x,y]`.
    fn print_address(&self, p: &mut Printer<'_>) {
        let (ty, surface, index) = (self.addr_type, self.surface, self.surface_index);
        Surface { ty, surface, index }.print(p);
        p.line.ch('[');
        SimpleVector::print(p, &self.x);
        p.line.ch(',');
        SimpleVector::print(p, &self.y);
        p.line.ch(']');
    }

    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let surface = Surface::parse(p)?;
        (self.addr_type, self.surface) = (surface.ty, surface.surface);
        self.surface_index = surface.index;
        p.c.expect("[")?;
        SimpleVector::parse(p, &mut self.x)?;
        p.c.expect(",")?;
        SimpleVector::parse(p, &mut self.y)?;
        p.c.expect("]")
    }
}
