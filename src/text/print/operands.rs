//! Printing of operands (docs/format.md, 6.4).

use super::{Print, Printer};
use crate::operand::*;
use crate::text::items::Suffix;
use crate::text::quirk::Quirk;
use crate::text::words::Words;

impl Printer<'_> {
    /// Prints a predicate as `(!P1.any) `, or nothing if there is none.
    #[inline]
    pub(in crate::text) fn pred_prefix(&mut self, pred: impl Predicate) {
        let pred = pred.predicate();
        if !pred.is_none() {
            self.pred(pred);
        }
    }

    fn pred(&mut self, pred: Pred) {
        self.line.ch('(');
        if pred.is_inverted() {
            self.line.ch('!');
        }
        self.pred_name(pred.id());
        match pred.control() {
            PredControl::NONE => {}
            PredControl::ANY => self.line.push(".any"),
            PredControl::ALL => self.line.push(".all"),
            _ => self.is_incomplete = true,
        }
        self.line.push(") ");
        // `P0` cannot be declared.
        self.omit_if(pred.id() == PredId(0));
    }

    /// Prints a number of a region: the elements, or -1 for a code without a meaning.
    fn stride(&mut self, stride: Stride) {
        static STRIDES: Words<16> = Words::new({
            let mut names = ["-1"; 16];
            let mut i = 0;
            while i < Stride::NAMED.len() {
                if let (Some(_), Some(name)) =
                    (Stride::NAMED[i].elements(), Stride::NAMED[i].name())
                {
                    names[Stride::NAMED[i].bits() as usize] = name;
                }
                i += 1;
            }
            names
        });
        self.line.word(&STRIDES, stride.bits());
        self.omit_if(stride.elements().is_none() && stride != Stride::NULL);
    }

    #[inline]
    pub(in crate::text) fn dst_region(&mut self, region: Region) {
        const ROW: Region = Region::dst(Stride::S1);
        if region == ROW {
            return self.line.push("<1>");
        }
        self.line.ch('<');
        self.stride(region.horizontal());
        self.line.ch('>');
        self.omit_if(region != Region::dst(region.horizontal()));
        self.omit_if(region.horizontal() == Stride::NULL);
    }

    /// Prints `<v;w,h>`, `<h>` without a width, or `<w,h>` without a vertical stride.
    fn src_region(&mut self, region: Region, is_indirect: bool) {
        // Fast path: most sources have one of three regions.
        const ROW_OF_8: Region = Region::new(Stride::S8, Stride::S8, Stride::S1);
        const ROW_OF_16: Region = Region::new(Stride::S16, Stride::S16, Stride::S1);
        match region {
            Region::SCALAR => return self.line.push("<0;1,0>"),
            ROW_OF_8 => return self.line.push("<8;8,1>"),
            ROW_OF_16 => return self.line.push("<16;16,1>"),
            _ => {}
        }
        let (v, w, h) = (region.vertical(), region.width(), region.horizontal());
        self.line.ch('<');
        if w == Stride::NULL {
            // The compiler reads `<h>`, other readers do not.
            self.omit_if(!is_indirect || v != Stride::NULL || !self.is_v4_2());
        } else {
            if v != Stride::NULL {
                self.stride(v);
                self.line.ch(';');
            }
            self.stride(w);
            self.line.ch(',');
        }
        self.stride(h);
        self.line.ch('>');
        self.omit_if(v == Stride::NULL && !is_indirect || h == Stride::NULL);
    }

    pub(in crate::text) fn modifier(&mut self, modifier: Modifier) {
        if modifier != Modifier::NONE {
            self.line.push(modifier.prefix());
            self.omit_if(modifier.prefix().is_empty());
        }
    }

    /// Prints `(row,col)`.
    #[inline]
    pub(in crate::text) fn row_and_column(&mut self, row: u8, col: u8) {
        if row < 10 && col == 0 {
            let start = 5 * usize::from(row);
            return self.line.push(&FIRST_COLUMNS[start..start + 5]);
        }
        self.line.ch('(');
        self.line.dec(row);
        self.line.ch(',');
        self.line.dec(col);
        self.line.ch(')');
    }

    fn indirect(&mut self, addr: AddrId, addr_offset: u8, offset: i16) {
        self.line.push("r[");
        self.addr(addr);
        self.line.ch('(');
        self.line.dec(addr_offset);
        self.line.push("),");
        self.line.signed(offset);
        self.line.ch(']');
    }

    fn ty(&mut self, ty: TypeByte) {
        self.line.ch(':');
        self.type_name(ty.ty());
        self.omit_if(ty.bits() != ty.ty().bits());
    }

    #[inline]
    pub(in crate::text) fn type_name(&mut self, ty: DataType) {
        static TYPES: Words<20> = Words::new({
            let mut names = [""; 20];
            let mut code = 0;
            while code < names.len() {
                if let Some(name) = DataType::from_low_bits(code as u8).name() {
                    names[code] = name;
                }
                code += 1;
            }
            names
        });
        self.line.word(&TYPES, ty.bits());
    }

    fn imm(&mut self, imm: Imm) {
        let bits = self.imm_bits(imm);
        self.line.hex(bits);
        self.ty(imm.type_byte());
        self.omit_if(!is_immediate(imm.ty(), bits));
        self.omit_if(imm.ty() == DataType::BF && self.is_v4_2());
    }

    /// Returns the bits that are printed for an immediate.
    pub(in crate::text) fn imm_bits(&self, imm: Imm) -> u64 {
        let bits = imm.bits();
        if self.has(Quirk::ImmediatesExtended) {
            extended_by_reference(imm.ty(), bits)
        } else {
            bits
        }
    }
}

/// The text of column 0 of the first ten rows.
const FIRST_COLUMNS: &str = "(0,0)(1,0)(2,0)(3,0)(4,0)(5,0)(6,0)(7,0)(8,0)(9,0)";

/// Returns whether the parser accepts these bits for a constant of a type: a value of the type,
/// possibly sign-extended to 32 bits.
#[inline]
pub(in crate::text) const fn is_immediate(ty: DataType, bits: u64) -> bool {
    // For narrow types, the bits above the type, and these bits with the sign bit.
    let (above, above_and_sign) = match ty {
        DataType::UB | DataType::B | DataType::BOOL => (0xffff_ff00, 0xffff_ff80),
        DataType::UW | DataType::W | DataType::BF => (0xffff_0000, 0xffff_8000),
        DataType::HF => (0xffff_0000, u64::MAX),
        DataType::DF | DataType::UQ | DataType::Q => return true,
        _ => return bits <= u32::MAX as u64,
    };
    bits <= u32::MAX as u64 && (bits & above == 0 || bits & above_and_sign == above_and_sign)
}

/// Returns the bits that the reference's builder stores for an immediate: it extends words and
/// bytes to 32 bits, and does not support `bool` and `bf`.
const fn extended_by_reference(ty: DataType, bits: u64) -> u64 {
    match ty {
        DataType::W => (bits as i16 as u32) as u64,
        DataType::UW | DataType::HF => bits as u16 as u64,
        DataType::B => (bits as i8 as u32) as u64,
        DataType::UB => bits as u8 as u64,
        DataType::BOOL | DataType::BF => u32::MAX as u64,
        _ => bits,
    }
}

/// A predicate field, which may exist in some formats only.
pub(in crate::text) trait Predicate {
    fn predicate(&self) -> Pred;
}

impl Predicate for &Pred {
    fn predicate(&self) -> Pred {
        **self
    }
}

impl Predicate for &Option<Pred> {
    fn predicate(&self) -> Pred {
        self.unwrap_or_default()
    }
}

impl Print for Vector {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        match self.kind {
            VectorKind::General { var, row, col, region } => {
                p.modifier(self.modifier);
                p.var(var);
                p.row_and_column(row, col);
                p.src_region(region, false);
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                p.modifier(self.modifier);
                p.indirect(addr, addr_offset, offset);
                p.src_region(region, true);
                p.ty(ty);
            }
            _ => self.print_without_region(p),
        }
    }
}

impl Vector {
    /// Prints an operand of a class that has no region and no modifier.
    ///
    /// Its text is the same for sources and destinations.
    fn print_without_region(&self, p: &mut Printer<'_>) {
        p.omit_if(self.modifier != Modifier::NONE);
        match self.kind {
            VectorKind::Address { addr, offset, width } => {
                p.addr(addr);
                p.line.ch('(');
                p.line.dec(offset);
                p.line.push(")<");
                match width.name() {
                    Some(_) if width == AddrWidth::W32 && p.has(Quirk::AddressWidthForgotten) => {
                        p.line.ch('0');
                    }
                    Some(name) => p.line.push(name),
                    None => p.line.hex(width.bits()),
                }
                p.line.ch('>');
                p.omit_if(width.name().is_none());
            }
            VectorKind::Predicate(pred) => {
                p.pred_name(pred.id());
                p.omit_if(pred.bits() != pred.id().0);
            }
            VectorKind::Immediate(imm) => p.imm(imm),
            VectorKind::State { class, index, offset } => {
                p.state(class, index);
                p.line.ch('(');
                p.line.dec(offset);
                p.line.ch(')');
            }
            VectorKind::General { .. } | VectorKind::Indirect { .. } => {}
        }
    }
}

impl Printer<'_> {
    fn state(&mut self, class: StateClass, index: u16) {
        match class {
            StateClass::SURFACE => self.surface(index),
            StateClass::SAMPLER => self.sampler(index),
            _ => {
                self.id('?', index);
                self.is_incomplete = true;
            }
        }
    }
}

impl Print for Dst {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        let modifier = self.0.modifier;
        match self.0.kind {
            VectorKind::General { var, row, col, region } => {
                p.var(var);
                p.row_and_column(row, col);
                p.dst_region(region);
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                p.indirect(addr, addr_offset, offset);
                p.dst_region(region);
                p.ty(ty);
            }
            _ => {
                Vector { modifier: Modifier::NONE, ..self.0 }.print_without_region(p);
                p.omit_if(matches!(self.0.kind, VectorKind::Immediate(_)));
            }
        }
        let is_printed = modifier == Modifier::SAT && core::mem::take(&mut p.has_pending_sat);
        p.omit_if(modifier != Modifier::NONE && !is_printed);
    }

    fn saturates(&self) -> bool {
        self.0.modifier == Modifier::SAT
    }
}

impl Print for CmpDst {
    fn print(&self, p: &mut Printer<'_>) {
        Dst(self.0).print(p);
    }

    fn saturates(&self) -> bool {
        Dst(self.0).saturates()
    }
}

impl Print for AddressOf {
    fn print(&self, p: &mut Printer<'_>) {
        let is_modified = self.0.modifier != Modifier::NONE;
        let offset = match self.0.kind {
            VectorKind::General { var, row, col, region } => {
                p.line.ch('&');
                p.var(var);
                // The text has no region, and an offset in bytes without row and column.
                p.omit_if(region != Region::SCALAR || is_modified);
                let Some(size) = p.type_of(var).map(DataType::size) else {
                    return p.row_and_column(row, col);
                };
                p.omit_if(usize::from(col) * size >= GRF);
                usize::from(row) * GRF + usize::from(col) * size
            }
            VectorKind::State { class, index, offset } => {
                p.line.ch('&');
                p.state(class, index);
                p.omit_if(is_modified);
                let scale = if p.has(Quirk::StateAddressScaledTwice) { 8 } else { 2 };
                usize::from(offset) * scale
            }
            _ => return self.0.print(p),
        };
        if offset != 0 {
            p.line.ch('[');
            p.line.dec(offset as u64);
            p.line.ch(']');
        }
    }
}

/// The size of a register, the unit of rows, in bytes.
pub(in crate::text) const GRF: usize = 32;

impl Print for Raw {
    #[inline]
    fn print(&self, p: &mut Printer<'_>) {
        p.var(self.var);
        p.id('.', self.offset);
    }
}

impl Print for Aoffimmi {
    fn print(&self, p: &mut Printer<'_>) {
        self.0.print(p);
    }
}

impl Print for SurfaceId {
    fn print(&self, p: &mut Printer<'_>) {
        p.surface(self.0.into());
    }
}

impl Print for SamplerId {
    fn print(&self, p: &mut Printer<'_>) {
        p.sampler(self.0.into());
    }
}

impl<I: Print> Print for State<I> {
    fn print(&self, p: &mut Printer<'_>) {
        match self {
            State::Id(id) => id.print(p),
            State::Address { var, index: 0 } => p.var(*var),
            State::Address { var, index } => {
                p.line.ch('(');
                p.var(*var);
                p.line.push(", ");
                p.line.dec(*index);
                p.line.ch(')');
            }
        }
    }
}

/// The target of a jump.
impl Print for LabelId {
    fn print(&self, p: &mut Printer<'_>) {
        p.label(*self, Suffix::OfSubroutines);
    }
}

/// The name of a source file.
impl Print for StringId {
    fn print(&self, p: &mut Printer<'_>) {
        match p.string(self.0) {
            Some((bytes, is_first)) => {
                p.line.quoted(bytes);
                p.omit_if(!is_first);
            }
            None => {
                p.id('#', self.0);
                p.is_incomplete = true;
            }
        }
    }
}
