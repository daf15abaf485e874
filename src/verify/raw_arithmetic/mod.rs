//! Rules for instructions that compute with raw operands.

mod dpas;
mod xe3p;

use super::context::Context;
use super::rule::Rule;
use crate::isa::Instruction;

/// The rules of this module.
pub(super) static RULES: &[&[&Rule]] = &[
    dpas::common::RULES,
    dpas::operands::RULES,
    dpas::bounds::RULES,
    dpas::dpasw::RULES,
    dpas::dpasw_precision::RULES,
    dpas::bdpas::RULES,
    xe3p::shfl_idx4::RULES,
    xe3p::lfsr::RULES,
    xe3p::dnscl::RULES,
];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::Dpas(i) => {
            dpas::common::check(&i.into(), cx);
            dpas::operands::check(&i.into(), cx);
            dpas::bounds::check(&i.into(), cx);
        }
        Instruction::Dpasw(i) => {
            dpas::common::check(&i.into(), cx);
            dpas::operands::check(&i.into(), cx);
            dpas::bounds::check(&i.into(), cx);
            dpas::dpasw::check(i, cx);
            dpas::dpasw_precision::check(i, cx);
        }
        Instruction::Bdpas(i) => dpas::bdpas::check(i, cx),
        Instruction::ShflIdx4(i) => xe3p::shfl_idx4::check(i, cx),
        Instruction::Lfsr(i) => xe3p::lfsr::check(i, cx),
        Instruction::Dnscl(i) => xe3p::dnscl::check(i, cx),
        _ => {}
    }
}
