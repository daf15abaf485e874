//! Rules for arithmetic, logic, moves and comparison: types, classes and modifiers of their operands.
//!
//! What an instruction takes is a row of [`profile`]; most instructions are plain, which is seen from
//! the row at once, and are not looked at any further.

mod bf;
mod compare;
mod logic;
mod moves;
mod operation;
mod profile;
mod screen;
mod set;
mod sets;
mod sums;
mod types;

use super::context::Cx;
use super::kind::Kind;
use super::rule::Rule;
use crate::isa::Instruction;
use operation::Operation;
use set::{PREDICATE, Set};

/// The rules of this file and those below it.
pub(super) static RULES: &[&[&Rule]] = &[
    sets::sets::RULES,
    types::types::RULES,
    bf::bf::RULES,
    logic::logic::RULES,
    moves::flag::RULES,
    moves::setp::RULES,
    moves::movs::RULES,
    moves::fminmax::RULES,
    moves::fcvt::RULES,
    sums::sad::RULES,
    sums::carry::RULES,
    sums::srnd::RULES,
    compare::relation::RULES,
    compare::compare::RULES,
    compare::addr_add::RULES,
];

/// Whether an instruction is one of these kinds, and no rule at all can be against it.
#[inline(always)]
pub(super) fn is_fine(instruction: &Instruction, cx: &Cx<'_>) -> bool {
    Operation::of(instruction).is_some_and(|operation| screen::is_fine(&operation, cx))
}

/// Applies them to an instruction, if it is one of these kinds.
pub(super) fn check(instruction: &Instruction, cx: &mut Cx<'_>) {
    if let Some(operation) = Operation::of(instruction) {
        if !cx.fast_path || !operation.is_plain(cx) {
            check_closely(instruction, &operation, cx);
        }
    }
}

#[inline(never)]
fn check_closely(instruction: &Instruction, operation: &Operation<'_>, cx: &mut Cx<'_>) {
    let has_bf = operation.profile.kind != Kind::Logic && operation.has_bf(cx);
    if has_bf && operation.profile.bf != profile::Bf::Own {
        bf::bf::check(operation, cx);
    }
    // Arithmetic on BF is not judged by what holds for the other types.
    if !has_bf || operation.profile.kind != Kind::Arith {
        sets::sets::check(operation, cx);
    }
    if !has_bf {
        types::types::check(operation, cx);
    }
    match instruction {
        Instruction::Mov(i) if Set::class(&i.src0) == PREDICATE => {
            moves::flag::check(operation, cx);
        }
        Instruction::Setp(_) => moves::setp::check(operation, cx),
        Instruction::Movs(_) => moves::movs::check(operation, cx),
        Instruction::Fminmax(i) => moves::fminmax::check(i, cx),
        Instruction::Fcvt(_) => moves::fcvt::check(operation, cx),
        Instruction::Sad2(_) | Instruction::Sad2add(_) => sums::sad::check(operation, cx),
        Instruction::Addc(i) => {
            sums::carry::check(&sums::Carry { field: "carry", operand: &i.carry.0 }, cx);
        }
        Instruction::Subb(i) => {
            sums::carry::check(&sums::Carry { field: "borrow", operand: &i.borrow.0 }, cx);
        }
        Instruction::Srnd(_) => sums::srnd::check(operation, cx),
        Instruction::Cmp(i) => {
            compare::relation::check(i, cx);
            compare::compare::check(operation, cx);
        }
        Instruction::AddrAdd(i) => compare::addr_add::check(i, cx),
        _ if operation.profile.kind == Kind::Logic => logic::logic::check(operation, cx),
        _ => {}
    }
}
