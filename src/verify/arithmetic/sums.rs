//! SAD2, SAD2ADD, ADDC, SUBB, SRND.

use super::operand_set::*;
use super::operation::Operation;
use crate::operand::{DataType, Vector, VectorKind};
use crate::verify::rule::rules;

/// Whether a constant is one of the integers that a type of this size holds, signed or not.
fn fits(operand: &Vector, bits: u32) -> bool {
    let VectorKind::Immediate(imm) = operand.kind else { return false };
    // Elements of packed vectors have four bits, and fit.
    PACKED.has(imm.ty())
        || imm.as_integer().is_some_and(|value| (-1 << (bits - 1)..1 << bits).contains(&value))
}

rules! { sad for Operation<'_>;
    /// SAD2 and SAD2ADD exist before TGLLP only.
    fn platform "sad-platform" (Error, since(Tgllp), "6_instructions, SAD2; reference") |_o, c| {
        c.fail("", "an instruction of older platforms", "one of this");
    }

    /// SAD2 and SAD2ADD take B or UB, add W or UW, and write W or UW; constants of other integer
    /// types fit where their value does.
    fn types "sad-types" (Error, ANY, "SAD2.md, SAD2ADD.md, Dst and Src; reference") |o, c| {
        let words = W.or(UW);
        if let Some(ty) = o.dst_ty(c).filter(|ty| !words.has(*ty)) {
            c.fail("dst", ty, words);
        }
        for (field, operand, ty) in o.src_types(c) {
            let (types, bits) = if field == "src2" { (words, 16) } else { (B.or(UB), 8) };
            if !types.has(ty) && !fits(operand, bits) {
                c.fail(field, ty, types);
            }
        }
    }
}

/// What ADDC carries and SUBB borrows.
pub(super) struct Carry<'o> {
    pub(super) field: &'static str,
    pub(super) operand: &'o Vector,
}

rules! { carry for Carry<'_>;
    /// A carry or borrow is a general or an indirect operand.
    // The reference lets it pass.
    fn class "carry-class" (Warning, ANY, "ADDC.md, Carry; SUBB.md, Borrow") |s, c| {
        let class = OperandSet::class(s.operand);
        if !GENERAL.or(INDIRECT).or(IMMEDIATE).contains(class) {
            c.fail(s.field, class, GENERAL.or(INDIRECT));
        }
    }

    /// A carry or borrow is of type UD.
    // The reference lets it pass.
    fn ty "carry-type" (Warning, ANY, "ADDC.md, SUBB.md, Supported Types") |s, c| {
        let is_class = GENERAL.or(INDIRECT).contains(OperandSet::class(s.operand));
        if let Some(ty) = c.ty(s.operand).filter(|ty| is_class && *ty != DataType::UD) {
            c.fail(s.field, ty, DataType::UD);
        }
    }
}

rules! { srnd for Operation<'_>;
    /// SRND rounds HF to UB (BF8), or F to HF.
    fn types "srnd-types" (Error, ANY, "SRND.md, Description; reference") |o, c| {
        let src0 = o.src_types(c).find(|(field, _, _)| *field == "src0");
        let Some(((field, _, src), dst)) = src0.zip(o.dst_ty(c)) else { return };
        if !matches!((dst, src), (DataType::UB, DataType::HF) | (DataType::HF, DataType::F)) {
            c.fail(field, src, format_args!("a type that is rounded to {dst}"));
        }
    }

    /// The random number of SRND is UB or UW, or of a float type.
    fn random "srnd-random-type" (Error, ANY, "SRND.md, Notes; reference") |o, c| {
        // The reference of 2022 demands the type of `src0` and refuses what the page demands.
        let allowed = UB.or(UW).or(F).or(HF);
        let src1 = o.src_types(c).find(|(field, _, _)| *field == "src1");
        if let Some((field, _, ty)) = src1.filter(|(_, _, ty)| !allowed.has(*ty)) {
            c.fail(field, ty, allowed);
        }
    }

    /// The random number of SRND is UB for a destination of type UB, else UW.
    // The reference takes other types.
    fn random_listed "srnd-random-listed" (Warning, ANY, "SRND.md, Notes") |o, c| {
        let src1 = o.src_types(c).find(|(field, _, _)| *field == "src1");
        let Some(((field, _, ty), dst)) = src1.zip(o.dst_ty(c)) else { return };
        let listed = match dst {
            DataType::UB => DataType::UB,
            DataType::HF => DataType::UW,
            _ => return,
        };
        if ty != listed && UB.or(UW).or(F).or(HF).has(ty) {
            c.fail(field, ty, listed);
        }
    }

    /// SRND is NoMask.
    fn no_mask "srnd-no-mask" (Error, ANY, "SRND.md, Notes; reference") |o, c| {
        if !o.exec.mask.is_no_mask() {
            c.fail("exec", o.exec.mask, "a mask with _NM");
        }
    }
}
