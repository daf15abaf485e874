//! Types: those of each operand, and how they go together.

use super::operand_set::*;
use super::operation::{Found, Operation};
use super::signature::{Agree, LOGICAL};
use crate::isa::Kind;
use crate::operand::DataType;
use crate::verify::context::RuleContext;
use crate::verify::platform::Platform;
use crate::verify::rule::rules;

/// Platforms without IEEE macros, and those without arithmetic of 64-bit integers.
fn is_small(c: &RuleContext<'_, '_>) -> bool {
    use Platform::*;
    matches!(c.platform(), Some(Icllp | Tgllp | Dg2 | Mtl | Arl))
}

/// The types of destination and source that arithmetic refuses together, with the source's field.
/// Whatever is wrong by itself is passed over.
fn disagreeing(
    o: &Operation<'_>,
    c: &RuleContext<'_, '_>,
    agree: Agree,
) -> Found<(&'static str, DataType, DataType)> {
    let dst = o.dst_ty(c).filter(|ty| o.signature.dst.has(*ty));
    let mut all = [None; 4];
    for (to, (field, operand, ty)) in all.iter_mut().zip(o.src_types(c)) {
        let Some(dst) = dst else { break };
        let is_constant = OperandSet::class(operand) == IMMEDIATE;
        let agrees = agree.sources(dst).has(ty) && (is_constant || !PACKED.has(ty));
        *to = (o.signature.src.has(ty) && !agrees).then_some((field, dst, ty));
    }
    all.into_iter().flatten()
}

rules! { types for Operation<'_>;
    /// The destination is of a type that the instruction writes.
    fn dst_type "dst-type" (Error, ANY, "the pages' Supported Types; reference") |o, c| {
        let judged = if o.signature.kind == Kind::Logic { LOGICAL } else { TYPES };
        if let Some(ty) = o.dst_ty(c) {
            if judged.has(ty) && !o.signature.dst.has(ty) {
                c.fail("dst", ty, o.signature.dst.and(TYPES));
            }
        }
    }

    /// Sources are of types that the instruction reads.
    fn src_type "src-type" (Error, ANY, "the pages' Supported Types; reference") |o, c| {
        let judged = if o.signature.kind == Kind::Logic { LOGICAL } else { TYPES };
        for (field, _, ty) in o.src_types(c) {
            if judged.has(ty) && !o.signature.src.has(ty) {
                c.fail(field, ty, o.signature.src.and(TYPES));
            }
        }
    }

    /// Operands are of the types that the instruction's page lists.
    // The reference takes more than the pages list: kernels that ship have MOVS of D.
    fn listed_type "listed-type" (Warning, ANY, "the pages' Supported Types") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let (held, listed) = o.accepted_and_on_page(is_dst);
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            // Predicates are a matter of the class.
            if let Some(ty) = ty.filter(|ty| held.has(*ty) && *ty != DataType::BOOL) {
                if !listed.has(ty) {
                    c.fail(field, ty, listed.and(TYPES).without(PACKED.or(VF)));
                }
            }
        }
    }

    /// Where arithmetic has a float, sources have the destination's type, except that F goes with
    /// HF, and packed floats with F.
    fn float_agree "float-agree" (Error, ANY, "the pages' Operand type maps; reference") |o, c| {
        if o.signature.kind != Kind::Arith {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree.mixed()) {
            if FLOATS.has(dst) || FLOATS.has(ty) {
                c.fail(field, ty, format_args!("{dst}, like the destination"));
            }
        }
    }

    /// Where arithmetic has no float, sources are integers, or constants of packed ones.
    fn int_src "int-src" (Error, ANY, "the pages' Operand type maps; reference") |o, c| {
        if o.signature.kind != Kind::Arith {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree.mixed()) {
            if !FLOATS.has(dst) && !FLOATS.has(ty) {
                c.fail(field, ty, "an integer");
            }
        }
    }

    /// F and HF do not mix where the page lists each for itself: in ADD, FRC, LRP, PLANE and the
    /// roundings.
    // The reference lets it pass.
    fn float_mix "float-mix" (Warning, ANY, "ADD.md, RNDD.md, Operand type maps") |o, c| {
        if o.signature.agree != Agree::Strict {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, Agree::Strict) {
            if Agree::Mixed.sources(dst).has(ty) {
                c.fail(field, ty, format_args!("{dst}, like the destination"));
            }
        }
    }

    /// SEL has integers, or floats of a kind: F with HF, or DF alone.
    // The reference lets it pass.
    fn sel_type "sel-type" (Warning, ANY, "SEL.md, Operand type maps") |o, c| {
        if o.signature.kind != Kind::Mov {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree) {
            c.fail(field, ty, format_args!("a type that goes with {dst}"));
        }
    }

    /// All operands of MULH, and all of BFE, are of one type.
    // Kernels that ship have MULH of D and UD.
    fn same_type "same-type" (Warning, ANY, "MULH.md, Description; BFE.md, Operand type maps") |o, c| {
        let Some(dst) = o.dst_ty(c).filter(|ty| o.signature.same && o.signature.dst_on_page.has(*ty))
        else {
            return;
        };
        for (field, _, ty) in o.src_types(c) {
            if ty != dst && UD.or(D).has(ty) {
                c.fail(field, ty, dst);
            }
        }
    }

    /// Of arithmetic, only ADD, MUL, MAD, DIV, INV, SQRT, SQRTM and DIVM take DF.
    fn df_opcode "df-opcode" (Error, ANY, "reference") |o, c| {
        if !o.is_without_doubles() {
            return;
        }
        for (field, operand, _) in o.operands() {
            if c.ty(operand) == Some(DataType::DF) {
                c.fail(field, DataType::DF, "a type of this instruction");
            }
        }
    }

    /// ICLLP, TGLLP, DG2, MTL and ARL have no IEEE macros: no DIV, INV and SQRT of DF, no DIVM and
    /// SQRTM at all.
    fn ieee_platform "ieee-platform" (Error, ANY, "reference; DIVM.md, SQRTM.md") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.ieee.has(*ty)) {
            if is_small(c) {
                c.fail("dst", ty, "a type that the platform computes");
            }
        }
    }

    /// Integers are divided before XeHP_SDV only.
    fn int_div_platform "int-div-platform" (Error, since(XeHpSdv), "6_instructions, MOD; reference")
    |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.int_div.has(*ty)) {
            c.fail("dst", ty, "a float");
        }
    }

    /// ICLLP, TGLLP, DG2, MTL and ARL have no 64-bit integers for MUL, SEL, SHL and SHR.
    // The reference lets it pass.
    fn int64_platform "int64-platform" (Warning, ANY, "MUL.md, SEL.md, SHL.md, SHR.md, Notes") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.long.has(*ty)) {
            if is_small(c) {
                c.fail("dst", ty, "a type that the platform computes");
            }
        }
    }
}
