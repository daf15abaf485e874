//! Classes, modifiers, saturation and execution size: what a row of the table says about any
//! instruction.

use super::operand_set::*;
use super::operation::Operation;
use crate::isa::Kind;
use crate::operand::Modifier;
use crate::verify::rule::rules;

/// Whether modifiers of the operand count.
fn is_modified(class: OperandSet) -> bool {
    GENERAL.or(INDIRECT).contains(class)
}

rules! { class_and_modifier for Operation<'_>;
    /// The destination is of a class that the instruction writes.
    fn dst_class "dst-class" (Error, ANY, "the pages' Dst; reference") |o, c| {
        let class = OperandSet::class(o.dst);
        // A constant is refused whatever the instruction.
        if !o.signature.dst.contains(class) && class != IMMEDIATE {
            c.fail("dst", class, o.signature.dst.and(ANY_CLASS));
        }
    }

    /// Sources are of classes that the instruction reads.
    fn src_class "src-class" (Error, ANY, "the pages' Src; reference") |o, c| {
        for (field, operand) in o.named_sources() {
            let class = OperandSet::class(operand);
            if !o.signature.src.contains(class) {
                c.fail(field, class, o.signature.src.and(ANY_CLASS));
            }
        }
    }

    /// Operands are of the classes that the instruction's page lists.
    // Readers take more than the pages list.
    fn listed_class "listed-class" (Warning, ANY, "the pages' Dst and Src") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let (held, listed) = o.accepted_and_on_page(is_dst);
            let class = OperandSet::class(operand);
            if held.contains(class) && !listed.contains(class) && !(is_dst && class == IMMEDIATE) {
                c.fail(field, class, listed.and(ANY_CLASS));
            }
        }
    }

    /// A destination has no modifier but saturation.
    fn dst_modifier "dst-modifier" (Error, ANY, "reference") |o, c| {
        let modifier = OperandSet::modifier(o.dst.modifier);
        let counts = is_modified(OperandSet::class(o.dst)) && SIGNS.contains(modifier);
        if counts && o.signature.kind != Kind::Logic && !o.signature.dst.contains(modifier) {
            c.fail("dst", o.dst.modifier, "sat or none");
        }
    }

    /// Sources of arithmetic have signs for modifiers, those of FCVT and SRND none.
    fn src_modifier "src-modifier" (Error, ANY, "the pages' Source Modifier; reference") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = OperandSet::modifier(operand.modifier);
            let counts = is_modified(OperandSet::class(operand)) && SIGNS.or(SAT).contains(modifier);
            if counts && o.signature.kind != Kind::Logic && !o.signature.src.contains(modifier) {
                let expected =
                    if o.signature.src.intersects(SIGNS) { "abs, neg or none" } else { "none" };
                c.fail(field, operand.modifier, expected);
            }
        }
    }

    /// Sources have the modifiers that the instruction's page lists.
    // Readers take more than the pages list.
    fn listed_modifier "listed-modifier" (Warning, ANY, "the pages' Source Modifier") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = OperandSet::modifier(operand.modifier);
            let counts = is_modified(OperandSet::class(operand)) && SIGNS.or(SAT).or(NOT).contains(modifier);
            if counts && o.signature.src.contains(modifier) && !o.signature.src_on_page.contains(modifier) {
                c.fail(field, operand.modifier, "a modifier that the page lists");
            }
        }
    }

    /// Only destinations of types that the instruction saturates do so.
    fn saturation "saturation" (Error, ANY, "the pages' Saturation; reference") |o, c| {
        if o.saturates() && !o.may_saturate(o.signature.sat, c) {
            c.fail("dst", Modifier::SAT, "none");
        }
    }

    /// Only destinations of types that the instruction's page saturates do so.
    // Kernels that ship saturate ASR.
    fn listed_saturation "listed-saturation" (Warning, ANY, "the pages' Saturation") |o, c| {
        // Media kernels saturate ASR, which has no saturation on its page.
        let is_taken = o.may_saturate(o.signature.sat, c);
        if o.saturates() && is_taken && !o.may_saturate(o.signature.sat_on_page, c) {
            c.fail("dst", Modifier::SAT, "none");
        }
    }

    /// The execution size is one that the instruction's page lists: 8 or 16 for PLANE, up to 16 for
    /// MADW, any but 2 for BFE and BFI.
    // The reference lets it pass.
    fn listed_exec_size "listed-exec-size" (Warning, ANY, "PLN.md, MADW.md, BFE.md, BFI.md") |o, c| {
        if o.signature.lanes & 1 << o.exec.size as u8 == 0 {
            c.fail("exec", o.exec.size.lanes(), "a size that the page lists");
        }
    }

    /// SEL and ADD3.O have a predicate.
    // Readers take more than the pages list.
    fn predicate_needed "predicate-needed" (Warning, ANY, "SEL.md, ADD3O.md") |o, c| {
        if o.signature.predicated && o.pred.is_none() {
            c.fail("pred", "none", "a predicate");
        }
    }
}
