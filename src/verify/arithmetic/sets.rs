//! Classes, modifiers, saturation and execution size: what a row of the table says about any
//! instruction.

use super::operation::Operation;
use super::set::*;
use crate::operand::Modifier;
use crate::verify::kind::Kind;
use crate::verify::rule::rules;

/// Whether modifiers of the operand count.
fn is_modified(class: Set) -> bool {
    GENERAL.or(INDIRECT).holds(class)
}

rules! { sets for Operation<'_>;
    /// The destination is of a class that the instruction writes.
    fn dst_class "dst-class" (Error, ANY, "the pages' Dst; reference") |o, c| {
        let class = Set::class(o.dst);
        // A constant is refused whatever the instruction.
        if !o.profile.dst.holds(class) && class != IMMEDIATE {
            c.fail("dst", class, o.profile.dst.and(ANY_CLASS));
        }
    }

    /// Sources are of classes that the instruction reads.
    fn src_class "src-class" (Error, ANY, "the pages' Src; reference") |o, c| {
        for (field, operand) in o.named_sources() {
            let class = Set::class(operand);
            if !o.profile.src.holds(class) {
                c.fail(field, class, o.profile.src.and(ANY_CLASS));
            }
        }
    }

    /// Operands are of the classes that the instruction's page lists.
    // Readers take more than the pages list.
    fn listed_class "listed-class" (Warning, ANY, "the pages' Dst and Src") |o, c| {
        for (field, operand, is_dst) in o.operands() {
            let (held, listed) = o.taken_and_listed(is_dst);
            let class = Set::class(operand);
            if held.holds(class) && !listed.holds(class) && !(is_dst && class == IMMEDIATE) {
                c.fail(field, class, listed.and(ANY_CLASS));
            }
        }
    }

    /// A destination has no modifier but saturation.
    fn dst_modifier "dst-modifier" (Error, ANY, "reference") |o, c| {
        let modifier = Set::modifier(o.dst.modifier);
        let counts = is_modified(Set::class(o.dst)) && SIGNS.holds(modifier);
        if counts && o.profile.kind != Kind::Logic && !o.profile.dst.holds(modifier) {
            c.fail("dst", o.dst.modifier, "sat or none");
        }
    }

    /// Sources of arithmetic have signs for modifiers, those of FCVT and SRND none.
    fn src_modifier "src-modifier" (Error, ANY, "the pages' Source Modifier; reference") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = Set::modifier(operand.modifier);
            let counts = is_modified(Set::class(operand)) && SIGNS.or(SAT).holds(modifier);
            if counts && o.profile.kind != Kind::Logic && !o.profile.src.holds(modifier) {
                let expected =
                    if o.profile.src.meets(SIGNS) { "abs, neg or none" } else { "none" };
                c.fail(field, operand.modifier, expected);
            }
        }
    }

    /// Sources have the modifiers that the instruction's page lists.
    // Readers take more than the pages list.
    fn listed_modifier "listed-modifier" (Warning, ANY, "the pages' Source Modifier") |o, c| {
        for (field, operand) in o.named_sources() {
            let modifier = Set::modifier(operand.modifier);
            let counts = is_modified(Set::class(operand)) && SIGNS.or(SAT).or(NOT).holds(modifier);
            if counts && o.profile.src.holds(modifier) && !o.profile.listed_src.holds(modifier) {
                c.fail(field, operand.modifier, "a modifier that the page lists");
            }
        }
    }

    /// Only destinations of types that the instruction saturates do so.
    fn saturation "saturation" (Error, ANY, "the pages' Saturation; reference") |o, c| {
        if o.saturates() && !o.may_saturate(o.profile.sat, c) {
            c.fail("dst", Modifier::SAT, "none");
        }
    }

    /// Only destinations of types that the instruction's page saturates do so.
    // Kernels that ship saturate ASR.
    fn listed_saturation "listed-saturation" (Warning, ANY, "the pages' Saturation") |o, c| {
        // Media kernels saturate ASR, which has no saturation on its page.
        let is_taken = o.may_saturate(o.profile.sat, c);
        if o.saturates() && is_taken && !o.may_saturate(o.profile.listed_sat, c) {
            c.fail("dst", Modifier::SAT, "none");
        }
    }

    /// The execution size is one that the instruction's page lists: 8 or 16 for PLANE, up to 16 for
    /// MADW, any but 2 for BFE and BFI.
    // The reference lets it pass.
    fn listed_exec_size "listed-exec-size" (Warning, ANY, "PLN.md, MADW.md, BFE.md, BFI.md") |o, c| {
        if o.profile.lanes & 1 << o.exec.size as u8 == 0 {
            c.fail("exec", o.exec.size.lanes(), "a size that the page lists");
        }
    }

    /// SEL and ADD3.O have a predicate.
    // Readers take more than the pages list.
    fn predicate_needed "predicate-needed" (Warning, ANY, "SEL.md, ADD3O.md") |o, c| {
        if o.profile.predicated && o.pred.is_none() {
            c.fail("pred", "none", "a predicate");
        }
    }
}
