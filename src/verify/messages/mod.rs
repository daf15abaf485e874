//! Rules for messages.
//!
//! The common fields of several instructions are copied to a struct, and the rules are about that
//! struct.

pub(super) mod data_port;
pub(super) mod lsc;
pub(super) mod render;
pub(super) mod sampler;
pub(super) mod send;
pub(super) mod svm;
pub(super) mod video;

use super::context::Context;
use crate::isa::{Instruction, Kind};

/// Applies the rules to an instruction.
#[inline]
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction.kind() {
        Kind::DataPort => {
            data_port::check(instruction, cx);
            render::check(instruction, cx);
        }
        Kind::Sampler => {
            sampler::check(instruction, cx);
            video::check(instruction, cx);
        }
        Kind::Svm => svm::check(instruction, cx),
        Kind::Lsc => lsc::check(instruction, cx),
        _ => {
            send::check(instruction, cx);
            render::check(instruction, cx);
            video::check(instruction, cx);
        }
    }
}
