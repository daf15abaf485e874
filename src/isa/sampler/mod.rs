//! Operations, flags and parameters of 3D_SAMPLE, 3D_LOAD and 3D_GATHER4 (3D_SAMPLE.md;
//! docs/format.md, 4.5).

mod op_word;
pub(crate) mod operations;
pub(crate) mod param;

pub(super) use op_word::OpWord;
pub use op_word::SampleFlags;
pub use operations::{SampleOp, SamplerOp};
pub use param::Param;

use super::Instruction;
use crate::operand::Raw;

impl Instruction {
    /// Returns the paired surface of a sampler message, which only newer formats have. `None` for other
    /// instructions.
    pub fn paired_surface_mut(&mut self) -> Option<&mut Option<Raw>> {
        match self {
            Instruction::Sample3d(message) => Some(&mut message.paired_surface),
            Instruction::Load3d(message) => Some(&mut message.paired_surface),
            Instruction::Gather4(message) => Some(&mut message.paired_surface),
            _ => None,
        }
    }
}
