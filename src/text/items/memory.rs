//! Items of block and scattered messages, and of SVM.

use super::Item;
use crate::operand::{Atomic, OwordNum, SvmBlock};
use crate::text::codes;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};
use crate::text::quirk::Quirk;

/// `.mod`
pub(in crate::text) struct Modified;

impl Item<u8> for Modified {
    fn print(p: &mut Printer<'_>, byte: &u8) {
        if p.has(Quirk::ModifiedForgotten) {
            return;
        }
        if byte & 1 != 0 {
            p.line.push(".mod");
        }
        p.omit_if(*byte > 1);
    }

    fn parse(p: &mut Parser<'_>, byte: &mut u8) -> Parsed<()> {
        *byte = p.c.eat(".mod").into();
        Ok(())
    }
}

/// A field that has no text and must be zero.
pub(in crate::text) struct Zero;

impl<N: Copy + Into<u16>> Item<N> for Zero {
    fn print(p: &mut Printer<'_>, field: &N) {
        p.omit_if((*field).into() != 0);
    }

    fn parse(_: &mut Parser<'_>, _: &mut N) -> Parsed<()> {
        Ok(())
    }
}

/// `.add` or `.add.64`
pub(in crate::text) struct DataPortAtomic;

impl Item<Atomic> for DataPortAtomic {
    fn print(p: &mut Printer<'_>, op: &Atomic) {
        let width = match op.width() {
            64 if p.has(Quirk::AtomicWidthForgotten) => 32,
            width => width,
        };
        p.line.ch('.');
        codes::print_atomic(p, *op, width);
    }

    fn parse(p: &mut Parser<'_>, op: &mut Atomic) -> Parsed<()> {
        p.dot()?;
        op.parse(p)
    }
}

/// `.unaligned (4)`
pub(in crate::text) struct SvmSize;

impl Item<SvmBlock> for SvmSize {
    fn print(p: &mut Printer<'_>, block: &SvmBlock) {
        if block.is_unaligned() && !p.has(Quirk::UnalignedForgotten) {
            p.line.push(".unaligned");
        }
        p.line.push(" (");
        OwordNum::print(&block.size(), p);
        p.line.ch(')');
        p.omit_if(*block != SvmBlock::new(block.size(), block.is_unaligned()));
    }

    fn parse(p: &mut Parser<'_>, block: &mut SvmBlock) -> Parsed<()> {
        let is_unaligned = p.c.eat_here(".unaligned");
        if !is_unaligned {
            p.c.eat_here(".aligned");
        }
        p.c.expect("(")?;
        let mut size = OwordNum::default();
        size.parse(p)?;
        p.c.expect(")")?;
        *block = SvmBlock::new(size, is_unaligned);
        Ok(())
    }
}
