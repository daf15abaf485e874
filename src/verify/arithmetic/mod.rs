//! Rules for the operands of arithmetic, logic, moves and comparisons: their types, classes and
//! modifiers.
//!
//! The [`signature`] of an instruction describes the operands that it accepts. The instruction's
//! row of the table contains the name of the signature.

mod bf;
mod class_and_modifier;
mod compare;
mod early_out;
mod fast_path;
mod logic;
mod moves;
mod operand_set;
mod operation;
mod signature;
mod sums;
mod types;

pub(super) use operation::is_known_legal;

use super::context::Context;
use super::rule::Rule;
use crate::isa::{Instruction, Invm, Kind, Rsqtm};
use crate::verify::field::field;
use operand_set::{OperandSet, PREDICATE};
use operation::Operation;

/// The rules of this module.
pub(super) static RULES: &[&[&Rule]] = &[
    class_and_modifier::class_and_modifier::RULES,
    class_and_modifier::plane::RULES,
    class_and_modifier::mad::RULES,
    types::types::RULES,
    bf::bf::RULES,
    logic::logic::RULES,
    moves::flag::RULES,
    moves::newer::RULES,
    moves::setp::RULES,
    moves::movs::RULES,
    moves::fminmax::RULES,
    moves::fcvt::RULES,
    sums::sad::RULES,
    sums::carry::RULES,
    sums::line::RULES,
    sums::srnd::RULES,
    early_out::early_out::RULES,
    compare::relation::RULES,
    compare::compare::RULES,
    compare::addr_add::RULES,
];

/// Applies the rules to an instruction, if it has a signature.
#[inline(never)]
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    let Some(operation) = &Operation::of(instruction) else { return };
    if cx.fast_path && operation.obeys_signature(cx) {
        return;
    }
    let has_bf = operation.signature.kind != Kind::Logic && operation.has_bf(cx);
    let has_own_rules = operation.signature.bf == signature::Bf::Own;
    if has_bf && !has_own_rules {
        bf::bf::check(operation, cx);
    }
    // The signatures of other arithmetic are about types other than BF.
    if !has_bf || has_own_rules || operation.signature.kind != Kind::Arith {
        class_and_modifier::class_and_modifier::check(operation, cx);
    }
    if !has_bf {
        types::types::check(operation, cx);
    }
    match instruction {
        Instruction::Mov(i) if OperandSet::class(&i.src0) == PREDICATE => {
            moves::flag::check(operation, cx);
        }
        Instruction::Mov(_) => {
            if let Some(conversion) = moves::NewerMove::of(operation, cx) {
                moves::newer::check(&conversion, cx);
            }
        }
        Instruction::Setp(_) => moves::setp::check(operation, cx),
        Instruction::Movs(_) => moves::movs::check(operation, cx),
        Instruction::Fminmax(i) => moves::fminmax::check(i, cx),
        Instruction::Fcvt(_) => moves::fcvt::check(operation, cx),
        Instruction::Sad2(_) | Instruction::Sad2add(_) => sums::sad::check(operation, cx),
        Instruction::Plane(i) => class_and_modifier::plane::check(i, cx),
        Instruction::Mad(i) => class_and_modifier::mad::check(i, cx),
        Instruction::Addc(i) => {
            sums::carry::check(&sums::Carry { field: field!(Addc.carry), operand: &i.carry.0 }, cx);
        }
        Instruction::Subb(i) => {
            sums::carry::check(
                &sums::Carry { field: field!(Subb.borrow), operand: &i.borrow.0 },
                cx,
            );
        }
        Instruction::Line(_) => sums::line::check(operation, cx),
        Instruction::Srnd(_) => sums::srnd::check(operation, cx),
        Instruction::Invm(Invm { early_out, pred, .. })
        | Instruction::Rsqtm(Rsqtm { early_out, pred, .. }) => {
            early_out::early_out::check(&early_out::EarlyOut(&early_out.0, *pred), cx);
        }
        Instruction::Cmp(i) => {
            compare::relation::check(i, cx);
            compare::compare::check(operation, cx);
        }
        Instruction::AddrAdd(i) => compare::addr_add::check(i, cx),
        _ if operation.signature.kind == Kind::Logic => logic::logic::check(operation, cx),
        _ => {}
    }
}
