//! Items of LSC messages.

mod parts;
mod typed;
mod untyped;

pub(in crate::text) use typed::TypedOperands;
pub(in crate::text) use untyped::AppendOperands;

use self::parts::{Cache, Register};
use super::{Item, Word};
use crate::isa::lsc::*;
use crate::operand::Raw;
use crate::operand::lsc::*;
use crate::text::mnemonics::prefix;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};

/// Returns the class of an operation, which determines the order of the operands in the text.
fn class_in_text(op: LscOp) -> LscOpClass {
    match op {
        // Their text has one operand fewer than their layout.
        LscOp::EXTENDED_CACHE_CTRL | LscOp::READ_STATE_INFO => LscOpClass::Other,
        op => op.class(),
    }
}

/// Returns the operation with a name.
pub(in crate::text) fn lsc_op(name: &str) -> Option<LscOp> {
    LscOp::NAMED.iter().find(|op| op.name() == Some(name)).copied()
}

/// The mnemonic and its suffixes, such as `lsc_load.ugm.ca.ca`. It determines the layout.
#[derive(Clone, Copy, Default)]
pub(in crate::text) struct LscHead {
    op: LscOp,
    sfid: LscSfid,
    l1: LscCache,
    l3: LscCache,
}

impl LscHead {
    fn print(self, p: &mut Printer<'_>) {
        p.is_upper_case = false;
        p.line.push(prefix!(Lsc));
        p.code(self.op.name(), self.op.bits());
        p.line.ch('.');
        self.sfid.print(p);
        if (self.l1, self.l3) != (LscCache::DEFAULT, LscCache::DEFAULT) {
            Cache::print(p, &self.l1);
            Cache::print(p, &self.l3);
        }
    }

    /// Parses the suffixes after the operation.
    pub(in crate::text) fn parse(p: &mut Parser<'_>, op: LscOp) -> Parsed<LscHead> {
        let mut head = LscHead { op, ..LscHead::default() };
        p.dot()?;
        let start = p.c.at;
        head.sfid.parse(p)?;
        if op == LscOp::READ_STATE_INFO && !head.is_typed() {
            p.c.at = start;
            return Err(p.c.expected("`tgm`"));
        }
        if p.c.peek() == Some(b'.') {
            Cache::parse(p, &mut head.l1)?;
            Cache::parse(p, &mut head.l3)?;
        }
        Ok(head)
    }

    pub(in crate::text) fn is_typed(self) -> bool {
        self.sfid == LscSfid::TGM
    }
}

/// A layout whose head can be read and set.
pub(in crate::text) trait Layout {
    fn head(&self) -> LscHead;
    fn set_head(&mut self, head: LscHead);

    /// Returns whether the text of this instruction is parsed as another layout.
    fn is_ambiguous(&self) -> bool {
        false
    }
}

macro_rules! untyped {
    ($($layout:ident $($tgm:ident)?;)*) => {$(
        impl Layout for $layout {
            fn head(&self) -> LscHead {
                LscHead { op: self.op, sfid: self.sfid, l1: self.l1, l3: self.l3 }
            }

            fn set_head(&mut self, head: LscHead) {
                (self.op, self.sfid, self.l1, self.l3) = (head.op, head.sfid, head.l1, head.l3);
            }

            $(fn is_ambiguous(&self) -> bool {
                self.sfid == LscSfid::$tgm
            })?
        }
    )*};
}

untyped! {
    Access TGM;
    Strided;
    Block2d TGM;
    AppendCounter;
}

macro_rules! typed {
    ($($layout:ident),*) => {$(
        impl Layout for $layout {
            fn head(&self) -> LscHead {
                LscHead { op: self.op, sfid: LscSfid::TGM, l1: self.l1, l3: self.l3 }
            }

            fn set_head(&mut self, head: LscHead) {
                (self.op, self.l1, self.l3) = (head.op, head.l1, head.l3);
            }
        }
    )*};
}

typed!(TypedAccess, TypedBlock2d);

impl<L: Layout> Word<L> for LscHead {
    const WORDS: &'static [&'static str] = &[];

    fn print(p: &mut Printer<'_>, layout: &L) {
        layout.head().print(p);
        p.omit_if(layout.is_ambiguous());
    }

    fn parse(p: &Parser<'_>, layout: &mut L) {
        layout.set_head(p.lsc);
    }
}

/// A register with the size and shape of its data.
trait DataText {
    fn print_data(&self, p: &mut Printer<'_>, register: Raw);
    fn parse_data(&mut self, p: &mut Parser<'_>, register: &mut Raw) -> Parsed<()>;
}

/// The address of a message.
trait AddressText {
    fn print_address(&self, p: &mut Printer<'_>);
    fn parse_address(&mut self, p: &mut Parser<'_>) -> Parsed<()>;
}

/// A layout with data in registers and an address.
trait Message: Layout + DataText + AddressText {
    /// Returns the destination and the sources, which are null if the layout lacks them.
    fn registers(&self) -> [Raw; 3];
    fn set_registers(&mut self, registers: [Raw; 3]);
}

macro_rules! messages {
    ($($layout:ident $($src2:ident)?;)*) => {$(
        impl Message for $layout {
            fn registers(&self) -> [Raw; 3] {
                #[allow(unused_mut)]
                let mut registers = [self.dst, self.src1, Raw::NULL];
                $(registers[2] = self.$src2;)?
                registers
            }

            fn set_registers(&mut self, registers: [Raw; 3]) {
                [self.dst, self.src1, _] = registers;
                $(self.$src2 = registers[2];)?
            }
        }
    )*};
}

messages! {
    Access src2;
    Strided;
    Block2d;
    TypedAccess src2;
    TypedBlock2d;
}

/// Destination, address and sources, in an order that depends on the operation.
pub(in crate::text) struct LscOperands;

impl<M: Message> Item<M> for LscOperands {
    fn print(p: &mut Printer<'_>, message: &M) {
        let class = class_in_text(message.head().op);
        let [dst, src1, src2] = message.registers();
        p.line.push("  ");
        match class {
            LscOpClass::Load | LscOpClass::Atomic { .. } => {
                message.print_data(p, dst);
                p.line.push("  ");
                message.print_address(p);
                if class == LscOpClass::Load {
                    return p.omit_if((src1, src2) != (Raw::NULL, Raw::NULL));
                }
                for source in [src1, src2] {
                    p.line.push("  ");
                    Register::print(p, &source);
                }
            }
            LscOpClass::Store | LscOpClass::Other => {
                message.print_address(p);
                p.line.push("  ");
                message.print_data(p, src1);
                p.omit_if((dst, src2) != (Raw::NULL, Raw::NULL) || class == LscOpClass::Other);
            }
        }
    }

    fn parse(p: &mut Parser<'_>, message: &mut M) -> Parsed<()> {
        let class = class_in_text(message.head().op);
        let [mut dst, mut src1, mut src2] = [Raw::NULL; 3];
        match class {
            LscOpClass::Load | LscOpClass::Atomic { .. } => {
                message.parse_data(p, &mut dst)?;
                message.parse_address(p)?;
                if class != LscOpClass::Load {
                    Register::parse(p, &mut src1)?;
                    Register::parse(p, &mut src2)?;
                }
            }
            LscOpClass::Store | LscOpClass::Other => {
                message.parse_address(p)?;
                message.parse_data(p, &mut src1)?;
            }
        }
        message.set_registers([dst, src1, src2]);
        Ok(())
    }
}
