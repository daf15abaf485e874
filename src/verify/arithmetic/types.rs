//! Rules for the types of operands and their combinations.

use super::logic::refused_shift_types;
use super::operand_set::*;
use super::operation::{Operation, PerSource};
use super::signature::{Agree, LOGICAL};
use crate::isa::Kind;
use crate::operand::DataType;
use crate::platform::Platform;
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;

/// Returns whether the platform has neither IEEE macros nor arithmetic on 64-bit integers.
fn is_without_64_bits(c: &RuleContext<'_, '_>) -> bool {
    use Platform::*;
    matches!(c.platform(), Some(Icllp | Tgllp | Dg2 | Mtl | Arl))
}

/// Returns the illegal combinations of a source's type with the destination's: the field of the
/// source, the type of the destination, the type of the source. A type that is illegal by itself is
/// skipped.
fn disagreeing(
    o: &Operation<'_>,
    c: &RuleContext<'_, '_>,
    agree: Agree,
) -> PerSource<(Field, DataType, DataType)> {
    let dst = o.dst_ty(c).filter(|ty| o.signature.dst.has(*ty));
    let mut all = [None; 4];
    for (item, (field, operand, ty)) in all.iter_mut().zip(o.src_types(c)) {
        let Some(dst) = dst else { break };
        let is_constant = OperandSet::class(operand) == IMMEDIATE;
        let agrees = agree.sources(dst).has(ty) && (is_constant || !PACKED.has(ty));
        *item = (o.signature.src.has(ty) && !agrees).then_some((field, dst, ty));
    }
    all.into_iter().flatten()
}

/// Reports that the platform does not have the instruction with a destination of this type.
#[cold]
fn report_unavailable(ty: DataType, c: &mut RuleContext<'_, '_>) {
    let platform = c.platform().map_or("this platform", Platform::name);
    let mnemonic = c.mnemonic();
    c.report(
        field!(Add.dst),
        format_args!("`{mnemonic}` of type {ty} is not available on {platform}"),
    );
}

rules! { types for Operation<'_>;
    /// The instruction accepts the type of its destination.
    fn dst_type "dst-type" (Refuses, ANY, "the pages' Supported Types; IGC") |o, c| {
        let checked = if o.signature.kind == Kind::Logic { LOGICAL } else { TYPES };
        if let Some(ty) = o.dst_ty(c) {
            if checked.has(ty) && !o.signature.dst.has(ty) {
                c.fail(field!(Add.dst), ty, o.signature.dst.and(TYPES));
            }
        }
    }

    /// The instruction accepts the types of its sources.
    fn src_type "src-type" (Refuses, ANY, "the pages' Supported Types; IGC") |o, c| {
        let checked = if o.signature.kind == Kind::Logic { LOGICAL } else { TYPES };
        for (field, _, ty) in o.src_types(c) {
            if checked.has(ty) && !o.signature.src.has(ty) {
                c.fail(field, ty, o.signature.src.and(TYPES));
            }
        }
    }

    /// The instruction's page lists the types of its operands.
    // IGC accepts more than the pages list, and shipped kernels have MOVS of type D.
    fn manual_type "listed-type" (Accepts, ANY, "the pages' Supported Types") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let (accepted, listed) = o.accepted_and_on_page(is_dst);
            let ty = if is_dst { o.dst_ty(c) } else { o.src_ty(operand, c) };
            // Predicates are checked by their class.
            if let Some(ty) = ty.filter(|ty| accepted.has(*ty) && *ty != DataType::BOOL) {
                if !listed.has(ty) {
                    c.fail(field, ty, listed.and(TYPES).without(PACKED.or(VF)));
                }
            }
        }
    }

    /// If arithmetic has a float operand, sources have the destination's type. F can be combined
    /// with HF, and VF with F.
    fn float_agree "float-agree" (Refuses, ANY, "the pages' Operand type maps; IGC") |o, c| {
        if o.signature.kind != Kind::Arith {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree.mixed()) {
            if FLOATS.has(dst) || FLOATS.has(ty) {
                c.fail(field, ty, format_args!("{dst}, as in dst"));
            }
        }
    }

    /// If arithmetic has no float operand, sources are integers or constants of type V or UV.
    fn int_src "int-src" (Refuses, ANY, "the pages' Operand type maps; IGC") |o, c| {
        if o.signature.kind != Kind::Arith {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree.mixed()) {
            if !FLOATS.has(dst) && !FLOATS.has(ty) {
                c.fail(field, ty, "an integer type");
            }
        }
    }

    /// ADD, FRC, LRP, PLANE and the rounding instructions do not combine F with HF.
    fn float_mix "float-mix" (Accepts, ANY, "ADD.md, RNDD.md, Operand type maps") |o, c| {
        if o.signature.agree != Agree::Strict {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, Agree::Strict) {
            if Agree::Mixed.sources(dst).has(ty) {
                c.fail(field, ty, format_args!("{dst}, as in dst"));
            }
        }
    }

    /// The operands of SEL are integers, or F and HF, or DF.
    fn sel_type "sel-type" (Accepts, ANY, "SEL.md, Operand type maps") |o, c| {
        if o.signature.kind != Kind::Mov {
            return;
        }
        for (field, dst, ty) in disagreeing(o, c, o.signature.agree) {
            c.report(field, format_args!("type {ty} cannot be combined with {dst}"));
        }
    }

    /// The operands of MULH and of BFE have the same type.
    // Shipped kernels have MULH of D and UD.
    fn same_type "same-type" (Accepts, ANY, "MULH.md, Description; BFE.md, Operand type maps")
    |o, c| {
        let is_checked = |ty: &DataType| o.signature.same && o.signature.dst_on_page.has(*ty);
        let Some(dst) = o.dst_ty(c).filter(is_checked) else { return };
        for (field, _, ty) in o.src_types(c) {
            if ty != dst && UD.or(D).has(ty) {
                c.fail(field, ty, format_args!("{dst}, as in dst"));
            }
        }
    }

    /// Of the arithmetic instructions, only ADD, MUL, MAD, DIV, INV, SQRT, SQRTM and DIVM accept
    /// DF.
    fn df_opcode "df-opcode" (Refuses, ANY, "IGC") |o, c| {
        if !o.is_without_doubles() {
            return;
        }
        for (field, operand, _) in o.operands() {
            if c.ty(operand) == Some(DataType::DF) {
                c.report(field, format_args!("`{}` does not accept type df", c.mnemonic()));
            }
        }
    }

    /// ICLLP, TGLLP, DG2, MTL and ARL have no IEEE macros, and therefore neither DIV, INV and SQRT
    /// of DF nor DIVM, SQRTM, INVM and RSQTM.
    fn ieee_platform "ieee-platform" (Refuses, ANY, "DIVM.md, SQRTM.md; IGC") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.ieee.has(*ty)) {
            if is_without_64_bits(c) {
                report_unavailable(ty, c);
            }
        }
    }

    /// From Xe2 on, arithmetic has no constants of type VF. MOV, SEL, FMINMAX and CMP have them.
    fn vf_platform "vf-platform" (Refuses, since(Xe2), "IGC") |o, c| {
        if o.signature.kind != Kind::Arith {
            return;
        }
        for (field, _, ty) in o.src_types(c) {
            if VF.has(ty) && o.signature.src.has(ty) {
                c.fail(field, ty, "another type");
            }
        }
    }

    /// Integer division does not exist from XeHP_SDV on.
    fn int_div_platform "int-div-platform"
    (Refuses, since(XeHpSdv), "6_instructions, MOD; IGC") |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.int_div.has(*ty)) {
            report_unavailable(ty, c);
        }
    }

    /// ICLLP, TGLLP, DG2, MTL and ARL have no MUL, SEL, SHL and SHR of 64-bit integers.
    fn int64_platform "int64-platform" (Accepts, ANY, "MUL.md, SEL.md, SHL.md, SHR.md, Notes")
    |o, c| {
        if let Some(ty) = o.dst_ty(c).filter(|ty| o.signature.long.has(*ty)) {
            // `shift-int64-platform` is about shifts that the compiler refuses.
            if is_without_64_bits(c) && !refused_shift_types(c).has(ty) {
                report_unavailable(ty, c);
            }
        }
    }
}
