//! Rules for classes, modifiers, saturation, execution sizes and predicates, which follow from the
//! signature of an instruction.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::{Kind, Mad, Plane};
use crate::operand::{ExecSize, Modifier};
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;

/// Returns whether the modifiers of operands of this class are checked.
fn can_have_modifier(class: OperandSet) -> bool {
    GENERAL.or(INDIRECT).contains(class)
}

/// Reports an operand whose class is not among the classes of a set.
#[cold]
fn fail_class(field: Field, class: OperandSet, expected: OperandSet, c: &mut RuleContext<'_, '_>) {
    let expected = expected.and(ANY_CLASS);
    c.fail(field, class, format_args!("an operand of class {expected}"));
}

rules! { class_and_modifier for Operation<'_>;
    /// The instruction accepts the class of its destination.
    fn dst_class "dst-class" (Refuses, ANY, "the pages' Dst; IGC") |o, c| {
        let class = OperandSet::class(o.dst);
        // `imm-dst` rejects an immediate for every instruction.
        if !o.signature.dst.contains(class) && class != IMMEDIATE {
            fail_class(field!(Add.dst), class, o.signature.dst, c);
        }
    }

    /// The instruction accepts the classes of its sources.
    fn src_class "src-class" (Refuses, ANY, "the pages' Src; IGC") |o, c| {
        for (field, operand) in o.named_sources() {
            let class = OperandSet::class(operand);
            if !o.signature.src.contains(class) {
                fail_class(field, class, o.signature.src, c);
            }
        }
    }

    /// The instruction's page lists the classes of its operands.
    // Readers accept more than the pages list.
    fn manual_class "listed-class" (Accepts, ANY, "the pages' Dst and Src") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let (accepted, listed) = o.accepted_and_on_page(is_dst);
            let class = OperandSet::class(operand);
            let is_unlisted = accepted.contains(class) && !listed.contains(class);
            if is_unlisted && !(is_dst && class == IMMEDIATE) {
                fail_class(field, class, listed, c);
            }
        }
    }

    /// A destination has no modifier except saturation.
    fn dst_modifier "dst-modifier" (Accepts, ANY, "IGC") |o, c| {
        let modifier = OperandSet::modifier(o.dst.modifier);
        let is_checked = can_have_modifier(OperandSet::class(o.dst)) && SIGNS.contains(modifier);
        if is_checked && o.signature.kind != Kind::Logic && !o.signature.dst.contains(modifier) {
            c.fail(field!(Add.dst), o.dst.modifier, "modifier sat, or none");
        }
    }

    /// Sources of arithmetic have the modifiers abs, neg and neg_abs only; those of FCVT and SRND
    /// have none.
    fn src_modifier "src-modifier" (Refuses, ANY, "the pages' Source Modifier; IGC") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = OperandSet::modifier(operand.modifier);
            let is_checked = can_have_modifier(OperandSet::class(operand))
                && SIGNS.or(SAT).contains(modifier)
                && o.signature.kind != Kind::Logic;
            if is_checked && !o.signature.src.contains(modifier) {
                let has_signs = o.signature.src.intersects(SIGNS);
                let expected =
                    if has_signs { "modifier abs or neg, or none" } else { "no modifier" };
                c.fail(field, operand.modifier, expected);
            }
        }
    }

    /// The instruction's page lists the modifiers of its sources.
    // Readers accept more than the pages list.
    fn manual_modifier "listed-modifier" (Accepts, ANY, "the pages' Source Modifier") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = OperandSet::modifier(operand.modifier);
            let is_checked = can_have_modifier(OperandSet::class(operand))
                && SIGNS.or(SAT).or(NOT).contains(modifier);
            let (accepted, listed) = o.accepted_and_on_page(false);
            let is_accepted = accepted.contains(modifier) && !o.loses(operand);
            if is_checked && is_accepted && !listed.contains(modifier) {
                let (modifier, mnemonic) = (operand.modifier, c.mnemonic());
                let message =
                    alloc::format!("the manual lists no modifier {modifier} for `{mnemonic}`");
                c.report(field, message);
            }
        }
    }

    /// The sources of rotations, DP4A, ADDC and SUBB have no modifiers, and the sources of shifts, of BFE,
    /// BFI, BFN, BFREV, CBIT, FBH and FBL no modifier not.
    fn lost_modifier "lost-modifier" (Miscompiles, ANY, "IGC") |o, c| {
        for (field, operand) in o.named_sources().filter(|(_, operand)| o.loses(operand)) {
            let is_negated =
                o.signature.kind == Kind::Logic && o.signature.src_on_page.intersects(SIGNS);
            let becomes = if is_negated { "modifier neg" } else { "no modifier" };
            c.fail_changed(field, operand.modifier, "no modifier", becomes);
        }
    }

    /// Logic does not saturate, except shifts.
    fn lost_saturation "lost-saturation" (Changes, ANY, "IGC") |o, c| {
        if o.saturates() && o.signature.lost.contains(SAT) && o.may_saturate(o.signature.sat, c) {
            let mnemonic = c.mnemonic();
            c.fail_changed(field!(Add.dst), Modifier::SAT, "no modifier", format_args!("`{mnemonic}`"));
        }
    }

    // Xe3P multiplies dwords in one instruction. Others need two, and the second one does not saturate.
    /// Before Xe3P, MUL of two dwords does not saturate.
    fn mul_saturation "mul-saturation" (Miscompiles, before(Xe3pCri), "IGC") |o, c| {
        if o.is_saturated_product(c) {
            c.fail_changed(field!(Add.dst), Modifier::SAT, "no modifier", "`mul`");
        }
    }

    /// The instruction can saturate the type of its destination.
    fn saturation "saturation" (Refuses, ANY, "the pages' Saturation; IGC") |o, c| {
        if o.saturates() && !o.may_saturate(o.signature.sat, c) {
            match c.ty(o.dst) {
                Some(ty) => {
                    let mnemonic = c.mnemonic();
                    c.report(field!(Add.dst), format_args!("`{mnemonic}` cannot saturate type {ty}"));
                }
                None => c.report(field!(Add.dst), format_args!("`{}` cannot saturate", c.mnemonic())),
            }
        }
    }

    /// The instruction's page lists saturation for the type of the destination.
    // Shipped media kernels saturate ASR, whose page lists no saturation.
    fn manual_saturation "listed-saturation" (Accepts, ANY, "the pages' Saturation") |o, c| {
        let is_lost = o.signature.lost.contains(SAT)
            || o.is_saturated_product(c) && c.is_on(before(Xe3pCri));
        let is_accepted = o.may_saturate(o.signature.sat, c) && !is_lost;
        if o.saturates() && is_accepted && !o.may_saturate(o.signature.sat_on_page, c) {
            let mnemonic = c.mnemonic();
            let message =
                alloc::format!("the manual lists no saturation of this type for `{mnemonic}`");
            c.report(field!(Add.dst), message);
        }
    }

    /// The instruction's page lists the execution size: up to 16 for MADW, any except 2 for BFE and BFI.
    fn manual_exec_size "listed-exec-size" (Accepts, ANY, "MADW.md, BFE.md, BFI.md")
    |o, c| {
        if o.signature.lanes & 1 << o.exec.size as u8 == 0 {
            let (lanes, mnemonic) = (o.exec.size.lanes(), c.mnemonic());
            let message = alloc::format!("the manual does not list {lanes} lanes for `{mnemonic}`");
            c.report(field!(Add.exec), message);
        }
    }

    /// SEL has a predicate.
    fn predicate_needed "predicate-needed" (Accepts, ANY, "SEL.md") |o, c| {
        if o.signature.predicated && o.signature.kind == Kind::Mov && o.pred.is_none() {
            c.fail(field!(Add.pred), "none", "a predicate");
        }
    }

    /// ADD3.O has a predicate.
    fn add3o_predicate "add3o-predicate" (Crashes, ANY, "ADD3O.md") |o, c| {
        if o.signature.predicated && o.signature.kind != Kind::Mov && o.pred.is_none() {
            c.fail(field!(Add.pred), "none", "a predicate");
        }
    }
}

rules! { plane for Plane;
    // Since TGLLP, IGC compiles PLANE to two instructions of 8 lanes.
    /// PLANE has 8 or 16 lanes.
    fn exec_size "plane-exec-size" (Miscompiles, ANY, "PLN.md; IGC") |i, c| {
        if !matches!(i.exec.size, ExecSize::S8 | ExecSize::S16) {
            c.fail_changed(field!(Plane.exec), i.exec.size.lanes(), "8 or 16 lanes", "8 lanes");
        }
    }
}

rules! { mad for Mad;
    /// MAD does not saturate integers.
    fn saturation "mad-saturation" (Refuses [since(IGC_2_38), else Miscompiles], ANY, "IGC") |i, c| {
        let integer = c.ty(&i.dst.0).filter(|ty| INTS.has(*ty));
        if let Some(ty) = integer.filter(|_| i.dst.0.modifier == Modifier::SAT) {
            c.report(field!(Mad.dst), format_args!("`mad` cannot saturate type {ty}"));
        }
    }
}
