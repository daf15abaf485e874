//! Operations, flags and parameters of 3D_SAMPLE, 3D_LOAD and 3D_GATHER4 (3D_SAMPLE.md;
//! docs/format.md, 4.5).

mod op_word;
pub(crate) mod operations;
mod param;

pub(super) use op_word::OpWord;
pub use op_word::SampleFlags;
pub use operations::{SampleOp, SamplerOp};
pub use param::Param;
