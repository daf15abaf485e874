//! Printers of the items that a row writes in braces: text that is not a field after a separator.

mod control;
mod lsc;
mod memory;
mod sampler;
mod video;

pub(super) use control::*;
pub(super) use lsc::{Does, LSC_CHANNELS, does, has_channels};
pub(super) use memory::*;
pub(super) use sampler::*;
pub(super) use video::*;
