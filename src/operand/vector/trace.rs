//! Tracing of vector operands: the parts of an operand and explanations of them.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::{Modifier, Vector, VectorKind};
use crate::format::Format;
use crate::operand::{Imm, Region};
use crate::wire::{Describe, Reader, Trace};

impl Vector {
    /// Reports the parts of the operand to the trace. `start` is the offset of its first byte.
    pub(super) fn trace_parts<T: Trace>(&self, r: &mut Reader<'_, T>, start: usize) {
        let (end, tag) = (r.offset(), self.tag());
        let mut at = start;
        let mut part = |name, len, value: &dyn Describe| {
            r.part(name, at, at + len, value);
            at += len;
        };
        part("tag", 1, &Tag(tag));
        match self.kind {
            VectorKind::General { var, row, col, region } => {
                part("var", end - start - 5, &var);
                part("row", 1, &row);
                part("col", 1, &col);
                part("region", 2, &region);
            }
            VectorKind::Address { addr, offset, width } => {
                part("addr", 2, &addr);
                part("offset", 1, &offset);
                part("width", 1, &width);
            }
            VectorKind::Predicate(pred) => part("predicate", 2, &pred),
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                part("addr", 2, &addr);
                part("addr_offset", 1, &addr_offset);
                part("offset", 2, &offset);
                part("type", 1, &ty);
                part("region", 2, &region);
            }
            VectorKind::Immediate(imm) => {
                part("type", 1, &imm.type_byte());
                part("bits", end - start - 2, &ImmBits(imm));
            }
            VectorKind::State { class, index, offset } => {
                part("class", 1, &class);
                part("index", 2, &index);
                part("offset", 1, &offset);
            }
        }
    }
}

impl Describe for Vector {
    fn meaning(&self, format: Format) -> String {
        let meaning = match self.kind {
            VectorKind::Immediate(imm) => imm.meaning(),
            VectorKind::Predicate(pred) => pred.meaning(format),
            VectorKind::General { region: Region::SCALAR, .. } => "one element".to_string(),
            _ => String::new(),
        };
        // For the other modifiers of these operands, the text of the operand has a prefix.
        let has_modifier =
            matches!(self.kind, VectorKind::General { .. } | VectorKind::Indirect { .. });
        let modifier = match (self.modifier, self.modifier.name()) {
            (Modifier::SAT, _) => "saturated",
            (_, None) => "unknown modifier",
            (Modifier::NONE, _) => return meaning,
            (_, Some(_)) if has_modifier => return meaning,
            (Modifier::ABS, _) => "ignored modifier abs",
            (Modifier::NEG, _) => "ignored modifier neg",
            (Modifier::NEG_ABS, _) => "ignored modifier neg_abs",
            _ => "ignored modifier not",
        };
        if meaning.is_empty() { modifier.into() } else { format!("{meaning}, {modifier}") }
    }
}

/// The first byte of a vector operand, for tracing.
struct Tag(u8);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 & Vector::CLASS {
            0 => "general",
            1 => "address",
            2 => "predicate",
            3 => "indirect",
            5 => "immediate",
            _ => "state",
        })
    }
}

impl Describe for Tag {
    fn meaning(&self, _: Format) -> String {
        match Modifier::from_low_bits(self.0 >> 3) {
            Modifier::NONE => String::new(),
            modifier => format!("modifier {modifier}"),
        }
    }
}

/// The bits of an immediate, for tracing.
struct ImmBits(Imm);

impl fmt::Display for ImmBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0.bits())
    }
}

impl Describe for ImmBits {
    fn meaning(&self, _: Format) -> String {
        self.0.meaning()
    }
}
