//! Rules for messages, control flow and miscellaneous instructions.
//!
//! The common fields of several instructions are copied to a struct, and the rules are about that
//! struct.

mod atomics;
mod data_port;
mod dpas;
mod flow;
mod lsc;
mod misc;
mod sampler;
mod svm;
mod video;
mod xe3p;

use super::context::{Context, RuleContext};
use super::rule::Rule;
use crate::isa::Instruction;
use crate::isa::lsc::{LscTyped, LscUntyped};
use crate::isa::svm::Svm;

/// The rules of this module.
pub(super) static RULES: &[&[&Rule]] = &[
    data_port::oword::RULES,
    data_port::media_st::RULES,
    data_port::gather::RULES,
    data_port::scatter4_typed::RULES,
    data_port::channels::RULES,
    data_port::blocks::RULES,
    data_port::scaled::RULES,
    data_port::qword::RULES,
    atomics::dword::RULES,
    atomics::typed::RULES,
    svm::block::RULES,
    svm::gather::RULES,
    svm::atomic::RULES,
    svm::scaled::RULES,
    sampler::declared::RULES,
    sampler::memory::RULES,
    sampler::channels::RULES,
    sampler::simd::RULES,
    sampler::unorm::RULES,
    sampler::avs::RULES,
    sampler::texels::RULES,
    sampler::load::RULES,
    sampler::gather4::RULES,
    video::filter::RULES,
    video::lbp::RULES,
    video::min_max::RULES,
    video::pixels::RULES,
    video::payloads::RULES,
    video::ime::RULES,
    video::fbr::RULES,
    flow::jmp::RULES,
    flow::switch_jmp::RULES,
    flow::call::RULES,
    flow::sizes::RULES,
    flow::ifcall::RULES,
    flow::faddr::RULES,
    misc::lengths::RULES,
    misc::raw::RULES,
    misc::send::RULES,
    misc::descriptors::RULES,
    misc::sends::RULES,
    misc::sendg::RULES,
    misc::urb::RULES,
    misc::lifetime::RULES,
    misc::wait::RULES,
    misc::fence::RULES,
    misc::barrier::RULES,
    misc::nbarrier::RULES,
    dpas::dpas::RULES,
    dpas::operands::RULES,
    dpas::bounds::RULES,
    dpas::dpasw::RULES,
    dpas::dpasw_precision::RULES,
    dpas::bdpas::RULES,
    xe3p::shfl_idx4::RULES,
    xe3p::lfsr::RULES,
    xe3p::dnscl::RULES,
    lsc::cache::cache::RULES,
    lsc::flags::RULES,
    lsc::operation::RULES,
    lsc::address::address::RULES,
    lsc::address::surface::RULES,
    lsc::shape::coding::RULES,
    lsc::shape::shape::RULES,
    lsc::data::data::RULES,
    lsc::data::bounds::RULES,
    lsc::address::pitch::RULES,
    lsc::address::coordinates::RULES,
    lsc::counter::RULES,
    lsc::cache::cache_control::RULES,
    lsc::block2d::block2d::RULES,
    lsc::block2d::block2d_4_2::RULES,
    lsc::block2d::bounds::RULES,
    lsc::block2d::typed_block2d::RULES,
    lsc::fence::RULES,
];

/// Applies the rules to an instruction.
#[inline]
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::OwordLd(i) => data_port::oword::check(&i.into(), cx),
        Instruction::OwordLdUnaligned(i) => data_port::oword::check(&i.into(), cx),
        Instruction::OwordSt(i) => data_port::oword::check(&i.into(), cx),
        Instruction::MediaSt(i) => data_port::media_st::check(i, cx),
        Instruction::Gather(i) => data_port::gather::check(&i.into(), cx),
        Instruction::Scatter(i) => data_port::gather::check(&i.into(), cx),
        Instruction::Scatter4Typed(i) => data_port::scatter4_typed::check(i, cx),
        Instruction::Gather4Scaled(i) => {
            data_port::channels::check(&i.into(), cx);
            data_port::scaled::check(&i.into(), cx);
        }
        Instruction::Scatter4Scaled(i) => {
            data_port::channels::check(&i.into(), cx);
            data_port::scaled::check(&i.into(), cx);
        }
        Instruction::GatherScaled(i) => {
            data_port::blocks::check(&i.into(), cx);
            data_port::scaled::check(&i.into(), cx);
        }
        Instruction::ScatterScaled(i) => {
            data_port::blocks::check(&i.into(), cx);
            data_port::scaled::check(&i.into(), cx);
        }
        Instruction::QwGather(i) => data_port::qword::check(&i.into(), cx),
        Instruction::QwScatter(i) => data_port::qword::check(&i.into(), cx),
        Instruction::DwordAtomic(i) => atomics::dword::check(i, cx),
        Instruction::TypedAtomic(i) => atomics::typed::check(i, cx),
        Instruction::Svm(i) => match i {
            Svm::BlockLd(i) => svm::block::check(&i.into(), cx),
            Svm::BlockSt(i) => svm::block::check(&i.into(), cx),
            Svm::Gather(i) => svm::gather::check(&i.into(), cx),
            Svm::Scatter(i) => svm::gather::check(&i.into(), cx),
            Svm::SvmAtomic(i) => svm::atomic::check(i, cx),
            Svm::Gather4Scaled(i) => svm::scaled::check(&i.into(), cx),
            Svm::Scatter4Scaled(i) => svm::scaled::check(&i.into(), cx),
        },
        Instruction::Sample(i) => sampler::check_sample(i, cx),
        Instruction::Load(i) => sampler::check_load(i, cx),
        Instruction::SampleUnorm(i) => sampler::check_unorm(i, cx),
        Instruction::Avs(i) => sampler::check_avs(i, cx),
        Instruction::Load3d(i) => {
            sampler::texels::check(&i.into(), cx);
            sampler::load::check(i, cx);
        }
        Instruction::Gather4(i) => {
            sampler::texels::check(&i.into(), cx);
            sampler::gather4::check(i, cx);
        }
        Instruction::Va(i) => video::check_va(i, cx),
        Instruction::VaSklPlus(i) => video::check_va_skl_plus(i, cx),
        Instruction::VmeIme(i) => video::check_ime(i, cx),
        Instruction::VmeSic(i) => video::check_sic(i, cx),
        Instruction::VmeFbr(i) => video::check_fbr(i, cx),
        Instruction::VmeIdm(i) => video::check_idm(i, cx),
        Instruction::Jmp(i) => flow::jmp::check(i, cx),
        Instruction::SwitchJmp(i) => flow::switch_jmp::check(i, cx),
        Instruction::Call(i) => flow::call::check(&flow::CallExec(i.exec), cx),
        Instruction::Fcall(i) => {
            flow::call::check(&flow::CallExec(i.exec), cx);
            let (arg_size, return_size) = (i.arg_size, i.return_size);
            flow::sizes::check(&flow::CallSizes { arg_size, return_size }, cx);
        }
        Instruction::Ifcall(i) => {
            flow::call::check(&flow::CallExec(i.exec), cx);
            let (arg_size, return_size) = (i.arg_size, i.return_size);
            flow::sizes::check(&flow::CallSizes { arg_size, return_size }, cx);
            flow::ifcall::check(i, cx);
        }
        Instruction::Faddr(i) => flow::faddr::check(i, cx),
        Instruction::RawSend(i) => {
            misc::raw::check(&misc::RawMessage { is_sendg: false }, cx);
            misc::lengths::check(&i.into(), cx);
            misc::send::check(i, cx);
            let descriptors = misc::Descriptors { ex_msg_desc: None, desc: &i.desc };
            misc::descriptors::check(&descriptors, cx);
        }
        Instruction::RawSends(i) => {
            misc::raw::check(&misc::RawMessage { is_sendg: false }, cx);
            misc::lengths::check(&i.into(), cx);
            misc::sends::check(i, cx);
            let ex_msg_desc = Some(&i.ex_msg_desc);
            misc::descriptors::check(&misc::Descriptors { ex_msg_desc, desc: &i.desc }, cx);
        }
        Instruction::RawSendg(i) => {
            misc::raw::check(&misc::RawMessage { is_sendg: true }, cx);
            misc::sendg::check(i, cx);
        }
        Instruction::UrbWrite(i) => misc::urb::check(i, cx),
        Instruction::Lifetime(i) => misc::lifetime::check(i, cx),
        Instruction::Wait(i) => misc::wait::check(i, cx),
        Instruction::Fence(i) => misc::fence::check(i, cx),
        Instruction::Sbarrier(i) => misc::barrier::check(&misc::BarrierKind(i.mode), cx),
        Instruction::Nbarrier(i) => {
            misc::barrier::check(&misc::BarrierKind(i.mode), cx);
            misc::nbarrier::check(i, cx);
        }
        Instruction::Dpas(i) => {
            dpas::dpas::check(&i.into(), cx);
            dpas::operands::check(&i.into(), cx);
            dpas::bounds::check(&i.into(), cx);
        }
        Instruction::Dpasw(i) => {
            dpas::dpas::check(&i.into(), cx);
            dpas::operands::check(&i.into(), cx);
            dpas::bounds::check(&i.into(), cx);
            dpas::dpasw::check(i, cx);
            dpas::dpasw_precision::check(i, cx);
        }
        Instruction::Bdpas(i) => dpas::bdpas::check(i, cx),
        Instruction::ShflIdx4(i) => xe3p::shfl_idx4::check(i, cx),
        Instruction::Lfsr(i) => xe3p::lfsr::check(i, cx),
        Instruction::Dnscl(i) => xe3p::dnscl::check(i, cx),
        Instruction::LscUntyped(i) => match i {
            LscUntyped::Access(i) => lsc::check_access(i, cx),
            LscUntyped::Strided(i) => lsc::check_strided(i, cx),
            LscUntyped::Block2d(i) => lsc::block2d::check_block2d(i, cx),
            LscUntyped::AppendCounter(i) => lsc::check_append_counter(i, cx),
            LscUntyped::CacheControl(i) => lsc::check_cache_control(i, cx),
        },
        Instruction::LscTyped(i) => match i {
            LscTyped::TypedAccess(i) => lsc::check_typed(i, cx),
            LscTyped::TypedBlock2d(i) => lsc::block2d::check_typed_block2d(i, cx),
        },
        Instruction::LscFence(i) => lsc::fence::check(i, cx),
        _ => {}
    }
}
