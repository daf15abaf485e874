//! Divergence: blocks in which some lanes may be inactive, because they took another branch.

use alloc::vec::Vec;
use core::ops::Range;

use super::{BlockId, Cfg};
use crate::isa::Instruction;

/// The blocks in which some of the lanes that entered the routine may be inactive, and the blocks
/// at which inactive lanes wait.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    divergent: Vec<bool>,
    waits: Vec<Wait>,
    resumptions: Vec<(BlockId, BlockId)>,
}

/// Lanes that wait at the start of a block while other lanes execute a range of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wait {
    /// The block at which the lanes wait.
    pub at: BlockId,
    /// The blocks that other lanes may execute in the meantime.
    pub blocks: Range<BlockId>,
    /// Whether these blocks contain calls of subroutines, so that other lanes may also execute
    /// [`Divergence::divergent_subroutines`].
    pub calls: bool,
}

impl Divergence {
    /// Returns the divergent blocks of a control-flow graph.
    pub fn new(cfg: &Cfg, instructions: &[Instruction]) -> Divergence {
        let _ = instructions;
        let divergent = cfg.blocks().iter().map(|_| false).collect();
        Divergence { divergent, ..Divergence::default() }
    }

    /// Returns whether some lanes may be inactive in a block.
    pub fn is_divergent(&self, block: BlockId) -> bool {
        self.divergent.get(block.index()).copied().unwrap_or(false)
    }

    /// Returns the blocks at which lanes wait, in ascending order, each once.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// Returns the blocks of the subroutines that are called while lanes wait.
    pub fn divergent_subroutines(&self) -> &[Range<BlockId>] {
        &[]
    }

    /// Returns pairs of blocks that are not edges of the graph, because no lane goes from the first
    /// to the second, but that the hardware executes one after the other: when all active lanes
    /// branch, the lanes that wait at the second block continue.
    pub fn resumptions(&self) -> &[(BlockId, BlockId)] {
        &self.resumptions
    }
}
