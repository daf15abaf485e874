//! Items of arithmetic, comparisons, BFN and DPAS.

use alloc::format;

use super::{Item, Word, names};
use crate::operand::{
    Dst, MinMaxOp, Modifier, Precision, Region, RelOp, Relation, Stride, Vector, VectorKind,
};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::words::Quirk;
use crate::text::words::Style;

/// `.eq`, the relation of a CMP.
pub(in crate::text) struct CmpRelation;

impl CmpRelation {
    /// The code of a CMP without a relation.
    const UNDEFINED: RelOp = RelOp::from_low_bits(6);
}

impl Item<Relation> for CmpRelation {
    fn print(p: &mut Printer<'_>, relation: &Relation) {
        if p.style == Style::Complete && *relation == Self::UNDEFINED.into() {
            return;
        }
        p.line.ch('.');
        relation.print(p);
    }

    fn parse(p: &mut Parser<'_>, relation: &mut Relation) -> Parsed<()> {
        if p.c.eat_dot() {
            return relation.parse(p);
        }
        *relation = Self::UNDEFINED.into();
        Ok(())
    }
}

/// `.sat` of the first of two destinations.
pub(in crate::text) struct CarrySat;

impl Item<Dst> for CarrySat {
    fn print(p: &mut Printer<'_>, dst: &Dst) {
        if dst.saturates() && !p.has(Quirk::CarrySaturationForgotten) {
            p.line.push(".sat");
            p.has_pending_sat = true;
        }
    }

    fn parse(p: &mut Parser<'_>, _: &mut Dst) -> Parsed<()> {
        p.c.skip_blanks_before_dot();
        p.state.sat = p.c.eat_here(".sat");
        Ok(())
    }
}

/// `min` or `max`
pub(in crate::text) struct MinMaxWord;

impl Word<MinMaxOp> for MinMaxWord {
    const WORDS: &'static [&'static str] = &names!(MinMaxOp::NAMED);

    fn print(p: &mut Printer<'_>, op: &MinMaxOp) {
        p.code(op.name(), op.bits());
    }

    fn parse(p: &Parser<'_>, op: &mut MinMaxOp) {
        let named = MinMaxOp::NAMED.iter().find(|op| op.name() == Some(p.word()));
        *op = named.copied().unwrap_or_default();
    }
}

/// `.hf`, the precision of a source of DPAS and DPASW. Unlike in BDPAS, the case of all precisions
/// except `tf32` is ignored.
pub(in crate::text) struct DpasPrecision;

impl Item<Precision> for DpasPrecision {
    fn print(p: &mut Printer<'_>, precision: &Precision) {
        p.line.ch('.');
        precision.print(p);
    }

    fn parse(p: &mut Parser<'_>, precision: &mut Precision) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        let word = p.c.word_here();
        let is_same = |precision: &&Precision| {
            **precision != Precision::TF32
                && precision.name().is_some_and(|name| name.eq_ignore_ascii_case(word))
        };
        match Precision::NAMED.iter().find(is_same) {
            Some(found) => *precision = *found,
            None => {
                p.c.at = start;
                precision.parse(p)?;
            }
        }
        Ok(())
    }
}

/// The third source of DPAS and DPASW, which has no region.
pub(in crate::text) struct DpasSource;

impl DpasSource {
    /// The region that the text implies.
    const REGION: Region = Region::new(Stride::S1, Stride::S1, Stride::S0);
}

impl Item<Vector> for DpasSource {
    fn print(p: &mut Printer<'_>, src2: &Vector) {
        match src2.kind {
            VectorKind::General { var, row, col, region } => {
                p.line.ch(' ');
                p.modifier(src2.modifier);
                p.var(var);
                p.row_and_column(row, col);
                p.omit_if(region != Self::REGION || src2.modifier != Modifier::NONE);
            }
            _ => {
                src2.operand(p);
                p.is_incomplete = true;
            }
        }
    }

    fn parse(p: &mut Parser<'_>, src2: &mut Vector) -> Parsed<()> {
        let (var, _) = p.var()?;
        let (row, col) = p.row_and_column()?;
        *src2 = Vector::general_at(var, row, col, Self::REGION);
        Ok(())
    }
}

/// `.xd8`
pub(in crate::text) struct TruthTable;

impl Item<u8> for TruthTable {
    fn print(p: &mut Printer<'_>, table: &u8) {
        p.line.push(".x");
        p.line.hex_digits((*table).into(), 1);
    }

    fn parse(p: &mut Parser<'_>, table: &mut u8) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        let digits = p.c.word_here().strip_prefix('x');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(digits) => *table = digits,
            None => {
                p.c.at = start;
                // IGC 2.40 accepts `x1ca`, and drops the upper digits.
                let low = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let what = match low {
                    Some(bits) => format!(
                        "a truth table of 8 bits (IGC miscompiles more: it would become `x{:x}`)",
                        bits & 0xff
                    ),
                    None => "a truth table, such as `xd8`".into(),
                };
                return Err(p.c.expected(&what));
            }
        }
        Ok(())
    }
}
