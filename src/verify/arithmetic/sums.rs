//! Rules for SAD2, SAD2ADD, ADDC, SUBB, LINE and SRND.

use super::operand_set::*;
use super::operation::Operation;
use crate::format::Format;
use crate::operand::{DataType, Vector, VectorKind};
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;

/// Returns whether an operand is a constant that fits in a signed or unsigned integer of this size.
fn fits(operand: &Vector, bits: u32) -> bool {
    let VectorKind::Immediate(imm) = operand.kind else { return false };
    // Elements of packed vectors have four bits.
    PACKED.has(imm.ty())
        || imm.as_integer().is_some_and(|value| (-1 << (bits - 1)..1 << bits).contains(&value))
}

rules! { sad for Operation<'_>;
    /// SAD2 and SAD2ADD do not exist from TGLLP on.
    fn platform "sad-platform" (Refuses, since(Tgllp), "6_instructions, SAD2; IGC") |_o, c| {
        c.report_unavailable(before(Tgllp));
    }

    /// The operands of SAD2 and SAD2ADD have type B or UB, the addend and the destination W or UW.
    /// Constants of other integer types are legal if their value fits.
    fn types "sad-types" (RefusedIn2022, ANY, "SAD2.md, SAD2ADD.md, Dst and Src; IGC")
    |o, c| {
        let words = W.or(UW);
        if let Some(ty) = o.dst_ty(c).filter(|ty| !words.has(*ty)) {
            c.fail(field!(Add.dst), ty, words);
        }
        for (field, operand, ty) in o.src_types(c) {
            let (types, bits) = if field == field!(Mad.src2) { (words, 16) } else { (B.or(UB), 8) };
            if !types.has(ty) && !fits(operand, bits) {
                c.fail(field, ty, types);
            }
        }
    }
}

/// The carry of ADDC or the borrow of SUBB.
pub(super) struct Carry<'o> {
    pub(super) field: Field,
    pub(super) operand: &'o Vector,
}

rules! { carry for Carry<'_>;
    /// A carry or borrow is a general or an indirect operand.
    fn class "carry-class" (Accepts, ANY, "ADDC.md, Carry; SUBB.md, Borrow") |s, c| {
        let class = OperandSet::class(s.operand);
        if !GENERAL.or(INDIRECT).or(IMMEDIATE).contains(class) {
            let expected = GENERAL.or(INDIRECT);
            c.fail(s.field, class, format_args!("an operand of class {expected}"));
        }
    }

    /// A carry or borrow does not have type BF.
    fn bf "carry-bf" (Refuses, ANY, "IGC") |s, c| {
        if c.ty(s.operand) == Some(DataType::BF) {
            c.fail(s.field, DataType::BF, DataType::UD);
        }
    }

    /// A carry or borrow has type UD.
    fn ty "carry-type" (Accepts, ANY, "ADDC.md, SUBB.md, Supported Types") |s, c| {
        let is_class = GENERAL.or(INDIRECT).contains(OperandSet::class(s.operand));
        // BF breaks another rule.
        let is_wrong = |ty: &DataType| is_class && !UD.or(BF).has(*ty);
        if let Some(ty) = c.ty(s.operand).filter(is_wrong) {
            c.fail(s.field, ty, DataType::UD);
        }
    }
}

rules! { line for Operation<'_>;
    /// Source 0 of LINE is not a constant.
    fn src0 "line-src0" (Refuses, ANY, "IGC") |o, c| {
        let is_constant = |src: &&Vector| IMMEDIATE.contains(OperandSet::class(src));
        if o.sources().next().is_some_and(|src| is_constant(&src)) {
            c.fail(field!(Add.src0), "a constant", "a variable");
        }
    }
}

rules! { srnd for Operation<'_>;
    /// SRND rounds HF to UB (BF8), or F to HF; since Xe3P also HF or BF to UB or B (HF8).
    fn types "srnd-types" (Refuses, ANY, "SRND.md, Description; IGC") |o, c| {
        use DataType as T;
        let src0 = o.src_types(c).find(|(field, _, _)| *field == field!(Add.src0));
        let Some(((field, _, src), dst)) = src0.zip(o.dst_ty(c)) else { return };
        // In 4.2, an unknown platform may be Xe3P.
        let may_be_xe3p = c.format() == Format::V4_2 && c.platform().is_none();
        let fits = match (dst, src) {
            (T::UB, T::HF) | (T::HF, T::F) => true,
            (T::UB, T::BF) | (T::B, T::HF | T::BF) => may_be_xe3p || c.is_on(since(Xe3pCri)),
            _ => false,
        };
        if !fits {
            c.report(field, format_args!("`srnd` cannot round {src} to {dst}"));
        }
    }

    /// The random number of SRND has type UB, UW, F or HF.
    fn random "srnd-random-type" (Refuses, ANY, "SRND.md, Notes; IGC") |o, c| {
        // IGC of 2022 requires the type of `src0`, and rejects what the page requires.
        let allowed = UB.or(UW).or(F).or(HF);
        let src1 = o.src_types(c).find(|(field, _, _)| *field == field!(Add.src1));
        if let Some((field, _, ty)) = src1.filter(|(_, _, ty)| !allowed.has(*ty)) {
            c.fail(field, ty, allowed);
        }
    }

    /// The random number of SRND has type UB if the destination is UB or B, and UW if it is HF.
    // IGC accepts other types.
    fn random_listed "srnd-random-listed" (Accepts, ANY, "SRND.md, Notes") |o, c| {
        let src1 = o.src_types(c).find(|(field, _, _)| *field == field!(Add.src1));
        let Some(((field, _, ty), dst)) = src1.zip(o.dst_ty(c)) else { return };
        let listed = match dst {
            DataType::UB | DataType::B => DataType::UB,
            DataType::HF => DataType::UW,
            _ => return,
        };
        if ty != listed && UB.or(UW).or(F).or(HF).has(ty) {
            c.fail(field, ty, listed);
        }
    }

    /// SRND has a NoMask mask.
    fn no_mask "srnd-no-mask" (Refuses, ANY, "SRND.md, Notes; IGC") |o, c| {
        if !o.exec.mask.is_no_mask() {
            c.fail(field!(Add.exec), o.exec.mask, "a mask that ends in _NM");
        }
    }
}
