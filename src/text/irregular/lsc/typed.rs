//! Messages to typed surfaces.

use super::{Address, Shape, address, block, operands, shape};
use crate::isa::lsc::{TypedAccess, TypedBlock2d};
use crate::isa::{LscTyped, lsc};
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, Exec, ExecSize, Raw};
use crate::text::print::{Printer, Token};
use crate::text::quirk::Quirk;

impl Token for LscTyped {
    fn print(&self, p: &mut Printer<'_>) {
        match self {
            lsc::LscTyped::TypedAccess(access) if access.op == LscOp::READ_STATE_INFO => {
                read_state_info(access, p);
            }
            lsc::LscTyped::TypedAccess(access) => access.print(p),
            lsc::LscTyped::TypedBlock2d(access) => access.print(p),
        }
    }
}

impl Token for TypedAccess {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, LscSfid::TGM, self.l1, self.l3);
        self.exec.operand(p);
        let coordinates = [
            (self.u, self.u_offset),
            (self.v, self.v_offset),
            (self.r, self.r_offset),
            (self.lod, None),
        ];
        let is_there =
            |(raw, offset): &(Raw, Option<i32>)| *raw != Raw::NULL || offset.unwrap_or(0) != 0;
        // At least one, and all that follow up to the last that is there.
        let count = match coordinates.iter().rposition(is_there) {
            _ if p.has(Quirk::NullCoordinatesPrinted) => coordinates.len(),
            Some(last) => last + 1,
            None => 1,
        };
        let print_address = |p: &mut Printer<'_>| {
            let address = address!(self);
            p.surface_of(&address);
            p.line.ch('[');
            for (i, (raw, offset)) in coordinates.iter().take(count).enumerate() {
                if i > 0 {
                    p.lsc_separator();
                }
                if p.has(Quirk::LscOffsetsOmitted) {
                    p.var(raw.var);
                } else {
                    p.register(*raw);
                    p.displacement(offset.unwrap_or_default());
                }
            }
            p.line.ch(']');
            p.addr_size(address.size);
        };
        operands(p, self.op, &shape!(self), [self.dst, self.src1, self.src2], print_address);
    }
}

/// READ_STATE_INFO has neither exec size nor shape in its text.
fn read_state_info(access: &TypedAccess, p: &mut Printer<'_>) {
    p.pred_prefix(&access.pred);
    p.lsc_head(access.op, LscSfid::TGM, access.l1, access.l3);
    p.line.push("  ");
    p.register(access.dst);
    p.line.push("  ");
    p.surface_of(&address!(access));
    if p.has(Quirk::StateInfoAddressOmitted) {
        return;
    }
    p.line.ch('[');
    p.register(access.u);
    p.line.ch(']');
    let said = TypedAccess {
        op: access.op,
        exec: Exec::from(ExecSize::S1),
        addr_size: LscAddrSize::A32,
        data_size: LscDataSize::D32,
        data_order: LscDataOrder::NONTRANSPOSE,
        data_elems: LscDataElems::X1,
        channels: ChannelMask::empty(),
        v: Raw::NULL,
        v_offset: access.v_offset.and(Some(0)),
        u_offset: access.u_offset.and(Some(0)),
        r: Raw::NULL,
        r_offset: access.r_offset.and(Some(0)),
        lod: Raw::NULL,
        src1: Raw::NULL,
        src2: Raw::NULL,
        ..*access
    };
    p.omit_if(said != *access);
}

impl Token for TypedBlock2d {
    fn print(&self, p: &mut Printer<'_>) {
        p.pred_prefix(&self.pred);
        p.lsc_head(self.op, LscSfid::TGM, self.l1, self.l3);
        p.line.push("  ");
        let data = |p: &mut Printer<'_>, raw: Raw| {
            p.register(raw);
            p.id(':', self.block_width);
            p.id('x', self.block_height);
        };
        let address = |p: &mut Printer<'_>| {
            p.surface_of(&Address {
                ty: self.addr_type,
                surface: &self.surface,
                surface_index: Some(self.surface_index),
                size: LscAddrSize::A32,
            });
            p.line.ch('[');
            p.simple(&self.x);
            p.line.ch(',');
            p.simple(&self.y);
            p.line.ch(']');
        };
        block(p, self.op, self.dst, self.src1, data, address);
        p.omit_if(self.exec != Exec::from(ExecSize::S1));
    }
}
