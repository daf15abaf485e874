//! Messages to memory and untyped surfaces.

use super::{Address, Shape, address, block, operands, shape};
use crate::isa::lsc::{Access, AppendCounter, Block2d, Strided};
use crate::isa::{LscUntyped, lsc};
use crate::operand::lsc::*;
use crate::operand::{Raw, Vector, VectorKind};
use crate::text::print::{Printer, Token};

impl Token for LscUntyped {
    fn print(&self, p: &mut Printer<'_>) {
        match self {
            lsc::LscUntyped::Access(access) => {
                access.print(p);
                // TGM makes it a typed message.
                p.omit_if(access.sfid == LscSfid::TGM);
            }
            lsc::LscUntyped::Strided(access) => access.print(p),
            lsc::LscUntyped::Block2d(access) => {
                access.print(p);
                p.omit_if(access.sfid == LscSfid::TGM);
            }
            lsc::LscUntyped::AppendCounter(atomic) => atomic.print(p),
        }
    }
}

impl Token for Access {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, self.sfid, self.l1, self.l3);
        self.exec.operand(p);
        let print_address = |p: &mut Printer<'_>| {
            let address = address!(self);
            p.surface_of(&address);
            p.line.ch('[');
            p.scale(self.addr_scale);
            p.register(self.addrs);
            p.displacement(self.addr_offset);
            p.line.ch(']');
            p.addr_size(address.size);
        };
        operands(p, self.op, &shape!(self), [self.dst, self.src1, self.src2], print_address);
    }
}

impl Token for Strided {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, self.sfid, self.l1, self.l3);
        self.exec.operand(p);
        let print_address = |p: &mut Printer<'_>| {
            let address = address!(self);
            p.surface_of(&address);
            p.line.ch('[');
            p.scale(self.addr_scale);
            p.register(self.addr_base);
            p.displacement(self.addr_offset);
            if !is_null(&self.addr_pitch) {
                p.line.push(", ");
                p.simple(&self.addr_pitch);
            } else {
                p.omit_if(self.addr_pitch != Vector::default());
            }
            p.line.ch(']');
            p.addr_size(address.size);
        };
        operands(p, self.op, &shape!(self), [self.dst, self.src1, Raw::NULL], print_address);
    }
}

/// Whether an operand is the null variable, at whatever place.
fn is_null(vector: &Vector) -> bool {
    matches!(vector.kind, VectorKind::General { var: crate::operand::VarId::NULL, .. })
}

impl Token for Block2d {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, self.sfid, self.l1, self.l3);
        self.exec.operand(p);
        p.line.push("  ");
        let data = |p: &mut Printer<'_>, raw: Raw| {
            p.register(raw);
            p.line.ch(':');
            p.data_size(self.data_size);
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
        };
        let address = |p: &mut Printer<'_>| {
            p.line.push("flat[");
            p.simple(&self.surface_base);
            let rest =
                [&self.surface_width, &self.surface_height, &self.surface_pitch, &self.x, &self.y];
            for operand in rest {
                p.lsc_separator();
                p.simple(operand);
            }
            p.line.ch(']');
        };
        block(p, self.op, self.dst, self.src1, data, address);
    }
}

impl Token for AppendCounter {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, self.sfid, self.l1, self.l3);
        self.exec.operand(p);
        p.line.push("  ");
        let shape = shape!(self);
        p.data(self.dst, &shape);
        p.line.push("  ");
        p.surface_of(&Address {
            ty: self.addr_type,
            surface: &self.surface,
            surface_index: Some(self.surface_index),
            size: LscAddrSize::A32,
        });
        p.line.push("  ");
        p.data(self.src, &shape);
    }
}
