//! Messages of the load-store cache.

mod typed;
mod untyped;

use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::format::Dialect;
use crate::operand::lsc::*;
use crate::operand::{ChannelMask, Imm, Modifier, Raw, Region, Vector, VectorKind};

impl Token for LscSfid {
    fn print(&self, p: &mut Printer<'_>) {
        p.lsc_code(p.known(self.name(), *self == LscSfid::URB), self.bits());
    }
}

/// The class of an operation, which decides the order of its operands in the text.
pub(in super::super) fn class_in_text(op: LscOp) -> LscOpClass {
    match op {
        // Their text has one operand less than their layout.
        LscOp::EXTENDED_CACHE_CTRL | LscOp::READ_STATE_INFO => LscOpClass::Other,
        op => op.class(),
    }
}

/// The letters of a channel mask, in the order that the grammar requires.
pub(in super::super) const LSC_CHANNELS: [(ChannelMask, &str); 4] =
    [(ChannelMask::R, "x"), (ChannelMask::G, "y"), (ChannelMask::B, "z"), (ChannelMask::A, "w")];

/// How many elements of what size each lane moves, and in what order.
struct Shape {
    size: LscDataSize,
    order: LscDataOrder,
    elems: LscDataElems,
    channels: ChannelMask,
    /// Whether channels say what elements say elsewhere.
    by_channel: bool,
}

/// Where a message goes, and what is added to each address.
struct Address<'i> {
    ty: LscAddrType,
    surface: &'i Vector,
    surface_index: Option<u32>,
    size: LscAddrSize,
}

impl Printer<'_> {
    fn lsc_head(&mut self, op: LscOp, sfid: LscSfid, l1: LscCache, l3: LscCache) {
        self.upper = false;
        self.line.push("lsc_");
        match op.name() {
            Some(name) => self.line.push(name),
            None => {
                self.line.hex(op.bits());
                self.lossy = true;
            }
        }
        self.line.ch('.');
        sfid.print(self);
        if (l1, l3) != (LscCache::DEFAULT, LscCache::DEFAULT) {
            self.cache(l1);
            self.cache(l3);
        }
    }

    fn cache(&mut self, cache: LscCache) {
        let name = self.known(cache.name(), cache == LscCache::CONSTCACHED);
        if name.is_some() {
            self.line.ch('.');
        }
        self.lsc_code(name, cache.bits());
    }

    /// The name of a code, but for one that is too new for the reference.
    fn known<'t>(&self, name: Option<&'t str>, is_newer: bool) -> Option<&'t str> {
        name.filter(|_| !(is_newer && self.has(Quirk::NewerLscCodes)))
    }

    /// A code's name, or what the reference writes for one that has none.
    fn lsc_code(&mut self, name: Option<&str>, bits: u8) {
        match name {
            Some(name) => self.line.push(name),
            None => {
                self.line.push("<<");
                self.upper_hex(bits);
                self.line.push("?>>");
                self.lossy = true;
            }
        }
    }

    /// A register, with its offset only if it has one.
    fn register(&mut self, raw: Raw) {
        self.var(raw.var);
        if raw.offset != 0 {
            self.id('.', raw.offset);
        }
    }

    /// A register or an immediate, without region or type.
    fn simple(&mut self, vector: &Vector) {
        self.omit_if(vector.modifier != Modifier::NONE);
        match vector.kind {
            VectorKind::Immediate(imm) => {
                self.line.push("0x");
                self.upper_hex(self.imm_bits(imm) & u64::from(u32::MAX));
                self.omit_if(u32::try_from(imm.bits()).is_ok_and(|bits| imm != Imm::ud(bits)));
                self.omit_if(imm.bits() > u32::MAX.into());
            }
            VectorKind::General { var, row, col, region } => {
                self.var(var);
                if (row, col) != (0, 0) {
                    self.place(row, col);
                }
                self.omit_if(region != Region::SCALAR);
            }
            _ => {
                self.line.push("<<BAD_OPERAND_VECTOR_KIND>>");
                self.lossy = true;
            }
        }
    }

    fn surface_of(&mut self, address: &Address<'_>) {
        let name = self.known(address.ty.name(), address.ty == LscAddrType::SURF);
        self.lsc_code(name, address.ty.bits());
        if name.is_none() && self.has(Quirk::NewerLscCodes) {
            return;
        }
        let index = address.surface_index.unwrap_or_default();
        if matches!(address.ty, LscAddrType::FLAT | LscAddrType::ARG) {
            let none = Vector::imm(Imm::ud(0));
            return self.omit_if(*address.surface != none || index != 0);
        }
        self.line.ch('(');
        self.simple(address.surface);
        if index != 0 {
            self.line.push(", ");
            self.line.hex(index);
        }
        self.line.ch(')');
    }

    /// Today's compilers write `u` where the reference wrote `c`.
    fn data_size(&mut self, size: LscDataSize) {
        let newest = self.format.dialect == Dialect::Igc2026;
        match size {
            LscDataSize::D8C32 if newest => self.line.push("d8u32"),
            LscDataSize::D16C32 if newest => self.line.push("d16u32"),
            LscDataSize::D16C32H if newest => self.line.push("d16u32h"),
            size => self.lsc_code(size.name(), size.bits()),
        }
    }

    fn addr_size(&mut self, size: LscAddrSize) {
        self.line.ch(':');
        let is_newer = matches!(size, LscAddrSize::A32U | LscAddrSize::A32S);
        self.lsc_code(self.known(size.name(), is_newer), size.bits());
    }

    fn shape(&mut self, shape: &Shape) {
        self.line.ch(':');
        self.data_size(shape.size);
        if shape.by_channel {
            self.line.ch('.');
            for (channel, letter) in LSC_CHANNELS {
                if shape.channels.contains(channel) {
                    self.line.push(letter);
                }
            }
            self.omit_if(shape.channels.is_empty() || shape.elems != LscDataElems::X1);
            return self.omit_if(shape.order != LscDataOrder::NONTRANSPOSE);
        }
        if shape.elems != LscDataElems::X1 {
            self.lsc_code(shape.elems.name(), shape.elems.bits());
        }
        match shape.order {
            LscDataOrder::NONTRANSPOSE => {}
            LscDataOrder::TRANSPOSE => self.line.ch('t'),
            other => self.lsc_code(None, other.bits()),
        }
        self.omit_if(!shape.channels.is_empty());
    }

    fn data(&mut self, raw: Raw, shape: &Shape) {
        self.register(raw);
        self.shape(shape);
    }

    /// Between the parts of an address. Today's compiler writes no blank there.
    fn lsc_separator(&mut self) {
        self.line.push(if self.format.dialect == Dialect::Igc2026 { "," } else { ", " });
    }

    fn upper_hex(&mut self, value: impl Into<u64>) {
        self.upper = true;
        self.line.hex_digits_upper(value.into());
    }

    /// Digits that are in upper case only where the reference left its stream that way.
    fn lower_hex(&mut self, value: impl Into<u64>) {
        if self.upper && self.has(Quirk::LscUpperCaseSticks) {
            self.line.hex_digits_upper(value.into());
        } else {
            self.line.hex_digits(value.into(), 1);
        }
    }

    /// `-0x10`, `+0x10` or nothing.
    fn displacement(&mut self, offset: i32) {
        if offset != 0 {
            self.line.push(if offset < 0 { "-0x" } else { "+0x" });
            self.lower_hex(offset.unsigned_abs());
        }
    }

    fn scale(&mut self, scale: u16) {
        if scale > 1 {
            self.line.push("0x");
            self.lower_hex(scale);
            self.line.ch('*');
        }
        self.omit_if(scale == 0);
    }
}

macro_rules! shape {
    ($i:ident) => {
        Shape {
            size: $i.data_size,
            order: $i.data_order,
            elems: $i.data_elems,
            channels: $i.channels,
            by_channel: $i.op.has_channels(),
        }
    };
}

macro_rules! address {
    ($i:ident) => {
        Address {
            ty: $i.addr_type,
            surface: &$i.surface,
            surface_index: $i.surface_index,
            size: $i.addr_size,
        }
    };
}

use {address, shape};

/// The operands in the order that the operation has them in.
fn operands(
    p: &mut Printer<'_>,
    op: LscOp,
    shape: &Shape,
    [dst, src1, src2]: [Raw; 3],
    address: impl Fn(&mut Printer<'_>),
) {
    p.line.push("  ");
    let class = class_in_text(op);
    match class {
        LscOpClass::Load => {
            p.data(dst, shape);
            p.line.push("  ");
            address(p);
            p.omit_if((src1, src2) != (Raw::NULL, Raw::NULL));
        }
        LscOpClass::Atomic { .. } => {
            p.data(dst, shape);
            p.line.push("  ");
            address(p);
            for source in [src1, src2] {
                p.line.push("  ");
                p.register(source);
            }
        }
        LscOpClass::Store | LscOpClass::Other => {
            address(p);
            p.line.push("  ");
            p.data(src1, shape);
            p.omit_if((dst, src2) != (Raw::NULL, Raw::NULL) || class == LscOpClass::Other);
        }
    }
}

/// What is loaded before the address of a block, or the address before what is stored.
fn block(
    p: &mut Printer<'_>,
    op: LscOp,
    dst: Raw,
    src1: Raw,
    data: impl Fn(&mut Printer<'_>, Raw),
    address: impl Fn(&mut Printer<'_>),
) {
    if class_in_text(op) == LscOpClass::Load {
        data(p, dst);
        p.line.push("  ");
        address(p);
        p.omit_if(src1 != Raw::NULL);
    } else {
        address(p);
        p.line.push("  ");
        data(p, src1);
        p.omit_if(dst != Raw::NULL);
    }
}
