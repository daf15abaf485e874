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
mod set;
mod sets;
mod sums;
mod types;

use super::context::Cx;
use super::kind::Kind;
use super::operands;
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

/// Applies them, and the rules for operands, to an instruction of one of these kinds. Returns whether
/// it is one.
#[inline]
pub(super) fn check(instruction: &Instruction, cx: &mut Cx<'_>) -> bool {
    let Some(operation) = Operation::of(instruction) else { return false };
    // Carry and borrow are seen only when operands are looked at one by one.
    let has_second_dst = matches!(instruction, Instruction::Addc(_) | Instruction::Subb(_));
    let lanes = (operation.exec, operation.pred);
    let kind = operation.profile.kind;
    let (mut dst, mut dst_ty, mut src) = (Set::EMPTY, None, Set::EMPTY);
    let see = |operand, ty, is_dst| {
        if is_dst {
            (dst, dst_ty) = (Set::of(operand, ty), ty);
        } else {
            src = src.or(Set::of(operand, ty));
        }
    };
    let sources = operation.sources();
    let is_legal = !has_second_dst
        && operands::screen(instruction, kind, lanes, operation.dst, sources, cx, see);
    let is_plain = if is_legal {
        operation.is_plain_by(dst, dst_ty, src)
    } else {
        operands::check(instruction, kind, cx);
        operation.is_plain(cx)
    };
    if !is_plain {
        check_closely(instruction, &operation, cx);
    }
    true
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
