//! Items of block and scattered messages, and of SVM.

use alloc::format;

use super::Item;
use crate::operand::{Atomic, OwordNum, SvmBlock};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::operands::print_atomic;
use crate::text::words::Quirk;

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
        print_atomic(p, *op, width);
    }

    fn parse(p: &mut Parser<'_>, op: &mut Atomic) -> Parsed<()> {
        p.dot()?;
        op.parse(p)
    }
}

/// `.unaligned (4)` or `.aligned (4)`
pub(in crate::text) struct SvmSize;

impl Item<SvmBlock> for SvmSize {
    fn print(p: &mut Printer<'_>, block: &SvmBlock) {
        if !p.has(Quirk::UnalignedForgotten) {
            // Compilers differ in the meaning of a block without a word.
            p.line.push(if block.is_unaligned() { ".unaligned" } else { ".aligned" });
        }
        p.line.push(" (");
        OwordNum::print(&block.size(), p);
        p.line.ch(')');
        p.omit_if(*block != SvmBlock::new(block.size(), block.is_unaligned()));
    }

    fn parse(p: &mut Parser<'_>, block: &mut SvmBlock) -> Parsed<()> {
        p.c.skip_blanks_before_dot();
        let is_unaligned = if p.c.eat_here(".unaligned") {
            true
        } else if p.c.eat_here(".aligned") {
            false
        } else {
            let (is_aligned, is_ambiguous) = p.has_aligned_svm_blocks();
            if is_ambiguous && !p.symbols.is_trial {
                p.warn_about_alignment(is_aligned);
            }
            !is_aligned
        };
        p.c.expect("(")?;
        let mut size = OwordNum::default();
        size.parse(p)?;
        p.c.expect(")")?;
        *block = SvmBlock::new(size, is_unaligned);
        Ok(())
    }
}

impl Parser<'_> {
    fn warn_about_alignment(&mut self, is_aligned: bool) {
        let word = self.word();
        let read_as = if is_aligned { "aligned" } else { "unaligned" };
        let message = format!(
            "`{word}` is read as {read_as}: GenX_IR 1.0.12504.6 aligns such a block, IGC \
             2.40.14 does not; write `{word}.aligned` or `{word}.unaligned`"
        );
        self.warn(&self.word_span(), message);
    }
}
