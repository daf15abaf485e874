//! Items of LSC messages to memory and untyped surfaces.

use alloc::format;

use super::parts::{
    AddrSize, DataShape, Displacement, HasDataShape, Register, Scale, SimpleVector, Surface,
    parse_data_size, print_data_size, surface,
};
use super::{AddressText, DataText};
use crate::isa::lsc::{Access, AppendCounter, Block2d, Strided};
use crate::operand::lsc::*;
use crate::operand::{Raw, VarId, Vector, VectorKind};
use crate::text::items::Item;
use crate::text::parse::{Parsed, Parser};
use crate::text::print::Printer;

impl AddressText for Access {
    /// Prints `flat[0x2*V32+0x10]:a64`.
    fn print_address(&self, p: &mut Printer<'_>) {
        surface!(self).print(p);
        p.line.ch('[');
        Scale::print(p, &self.addr_scale);
        Register::print(p, &self.addrs);
        Displacement::print(p, &self.addr_offset);
        p.line.ch(']');
        AddrSize::print(p, &self.addr_size);
    }

    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        surface!(self = p);
        p.c.expect("[")?;
        Scale::parse(p, &mut self.addr_scale)?;
        Register::parse(p, &mut self.addrs)?;
        Displacement::parse(p, &mut self.addr_offset)?;
        p.c.expect("]")?;
        AddrSize::parse(p, &mut self.addr_size)
    }
}

impl AddressText for Strided {
    /// Prints `flat[0x2*V32+0x10, V33]:a64`.
    fn print_address(&self, p: &mut Printer<'_>) {
        surface!(self).print(p);
        p.line.ch('[');
        Scale::print(p, &self.addr_scale);
        Register::print(p, &self.addr_base);
        Displacement::print(p, &self.addr_offset);
        if let VectorKind::General { var: VarId::NULL, .. } = self.addr_pitch.kind {
            p.omit_if(self.addr_pitch != Vector::default());
        } else {
            p.line.push(", ");
            SimpleVector::print(p, &self.addr_pitch);
        }
        p.line.ch(']');
        AddrSize::print(p, &self.addr_size);
    }

    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        surface!(self = p);
        p.c.expect("[")?;
        Scale::parse(p, &mut self.addr_scale)?;
        Register::parse(p, &mut self.addr_base)?;
        Displacement::parse(p, &mut self.addr_offset)?;
        if p.c.eat(",") {
            SimpleVector::parse(p, &mut self.addr_pitch)?;
        }
        p.c.expect("]")?;
        AddrSize::parse(p, &mut self.addr_size)
    }
}

impl DataText for Block2d {
    /// Prints `V32:d32.2x16x8tn`.
    fn print_data(&self, p: &mut Printer<'_>, register: Raw) {
        Register::print(p, &register);
        p.line.ch(':');
        print_data_size(p, self.data_size);
        p.line.ch('.');
        if self.blocks != 1 {
            p.line.dec(self.blocks);
            p.line.ch('x');
        }
        p.line.dec(self.block_width);
        p.id('x', self.block_height);
        p.line.ch(if self.data_order == LscDataOrder::TRANSPOSE { 't' } else { 'n' });
        p.line.ch(if self.vnni != 0 { 't' } else { 'n' });
        p.omit_if(self.vnni > 1 || self.data_order.name().is_none());
    }

    fn parse_data(&mut self, p: &mut Parser<'_>, register: &mut Raw) -> Parsed<()> {
        Register::parse(p, register)?;
        p.c.expect(":")?;
        (self.data_size, _) = parse_data_size(p, false)?;
        p.dot()?;
        let start = p.c.at;
        let (first, second) = p.width_and_height()?;
        let mut blocks = 1;
        (self.block_width, self.block_height) = (first, second);
        if p.c.eat_here("x") {
            (blocks, self.block_width) = (first, second);
            self.block_height = p.c.decimal_here("a height")?;
        }
        self.blocks = u8::try_from(blocks).map_err(|_| {
            p.c.fail(start..p.c.at, &format!("expected at most 255 blocks, found `{blocks}`"))
        })?;
        let is_transposed = parse_t_or_n(p);
        self.data_order =
            if is_transposed { LscDataOrder::TRANSPOSE } else { LscDataOrder::NONTRANSPOSE };
        self.vnni = parse_t_or_n(p).into();
        Ok(())
    }
}

impl AddressText for Block2d {
    /// Prints `flat[base, width, height, pitch, x, y]`.
    fn print_address(&self, p: &mut Printer<'_>) {
        p.line.push("flat[");
        SimpleVector::print(p, &self.surface_base);
        let rest =
            [&self.surface_width, &self.surface_height, &self.surface_pitch, &self.x, &self.y];
        for operand in rest {
            p.lsc_separator();
            SimpleVector::print(p, operand);
        }
        p.line.ch(']');
    }

    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        p.c.expect("flat")?;
        p.c.expect("[")?;
        SimpleVector::parse(p, &mut self.surface_base)?;
        let rest = [
            &mut self.surface_width,
            &mut self.surface_height,
            &mut self.surface_pitch,
            &mut self.x,
            &mut self.y,
        ];
        for operand in rest {
            p.c.expect(",")?;
            SimpleVector::parse(p, operand)?;
        }
        p.c.expect("]")
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

/// The operands of an append counter: `V32:d32  bti(0x1)  V33:d32`.
pub(in crate::text) struct AppendOperands;

impl Item<AppendCounter> for AppendOperands {
    fn print(p: &mut Printer<'_>, i: &AppendCounter) {
        p.line.push("  ");
        i.print_data(p, i.dst);
        p.line.push("  ");
        Surface { ty: i.addr_type, surface: i.surface, index: i.surface_index }.print(p);
        p.line.push("  ");
        i.print_data(p, i.src);
    }

    fn parse(p: &mut Parser<'_>, i: &mut AppendCounter) -> Parsed<()> {
        let mut dst = Raw::NULL;
        i.parse_data(p, &mut dst)?;
        i.dst = dst;
        let surface = Surface::parse(p)?;
        (i.addr_type, i.surface, i.surface_index) = (surface.ty, surface.surface, surface.index);
        let shape = i.shape();
        Register::parse(p, &mut i.src)?;
        p.c.skip_blanks();
        let start = p.c.at;
        if DataShape::parse(p, i.op)? != shape {
            let message = "the source and the destination must have the same data size";
            return Err(p.c.fail(start..p.c.at, message));
        }
        Ok(())
    }
}
