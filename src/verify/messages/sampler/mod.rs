//! Rules for messages to the sampler.

mod info;
mod load_3d;
pub(super) mod older;
mod sample_3d;

use crate::isa::Instruction;
use crate::verify::context::Context;
use crate::verify::rule::Rule;

/// The rules of this module.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    info::rules::RULES,
    sample_3d::rules::RULES,
    load_3d::texels::RULES,
    load_3d::load::RULES,
    load_3d::gather4::RULES,
    older::declared::RULES,
    older::memory::RULES,
    older::channels::RULES,
    older::simd::RULES,
    older::unorm::RULES,
    older::avs::RULES,
];

/// Applies the rules to an instruction.
#[inline]
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::Info(i) => info::rules::check(i, cx),
        Instruction::Sample3d(i) => sample_3d::rules::check(i, cx),
        Instruction::Load3d(i) => {
            load_3d::texels::check(&i.into(), cx);
            load_3d::load::check(i, cx);
        }
        Instruction::Gather4(i) => {
            load_3d::texels::check(&i.into(), cx);
            load_3d::gather4::check(i, cx);
        }
        Instruction::Sample(i) => older::check_sample(i, cx),
        Instruction::Load(i) => older::check_load(i, cx),
        Instruction::SampleUnorm(i) => older::check_unorm(i, cx),
        Instruction::Avs(i) => older::check_avs(i, cx),
        _ => {}
    }
}
