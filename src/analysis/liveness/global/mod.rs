//! Roots that are live in several blocks: data flow over sets of bits, one for each atom.

mod batch;
mod flow;
mod row;
mod sweep;

use alloc::vec::Vec;

use self::batch::Batch;
use self::flow::{Flow, Sets};
use self::sweep::Sweep;
use super::event::Event;
use super::indirect::Indirect;
use super::segments::Segments;
use crate::analysis::graph::{BlockId, Cfg, Divergence};

/// Solves roots that may be live in several blocks.
pub(super) struct Global<'c> {
    cfg: &'c Cfg,
    divergence: &'c Divergence,
    exits: &'c [BlockId],
    indirect: &'c Indirect,
    /// The block of each instruction.
    block_of: Vec<u32>,
    flow: Flow,
    /// The roots that have been added since the last batch was solved.
    batch: Batch,
    /// The sets of the last batch.
    sets: Sets,
}

/// A root that may be live in several blocks.
#[derive(Clone, Copy)]
pub(super) struct GlobalRoot {
    /// The index of the root.
    pub(super) root: usize,
    /// The number of its units.
    pub(super) units: u32,
    pub(super) is_defined_at_entry: bool,
    pub(super) is_live_at_exit: bool,
}

/// The number of words of a set of a batch, so that all sets fit into the cache.
const BATCH_WORDS: usize = 1 << 13;

/// The number of words for a block, if there are so many blocks that [`BATCH_WORDS`] are fewer: visiting a
/// block costs more than a word.
const BLOCK_WORDS: usize = 4;

impl<'c> Global<'c> {
    pub(super) fn new(
        cfg: &'c Cfg,
        divergence: &'c Divergence,
        exits: &'c [BlockId],
        indirect: &'c Indirect,
    ) -> Self {
        let mut block_of = Vec::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            block_of.resize(block.instructions.end.max(block_of.len()), index as u32);
        }
        let flow = Flow::new(cfg, divergence);
        let (batch, sets) = Default::default();
        Global { cfg, divergence, exits, indirect, block_of, flow, batch, sets }
    }

    /// Adds a root with its events. The segments of the roots before it are added if there are enough
    /// for a batch.
    pub(super) fn add(&mut self, root: GlobalRoot, events: &[Event], segments: &mut Segments) {
        let blocks = self.cfg.blocks().len();
        self.batch.add(root, events, self.indirect, blocks);
        // A word that has room for other roots costs as much as a full one.
        if self.batch.full_words() >= BLOCK_WORDS.max(BATCH_WORDS / blocks.max(1)) {
            self.finish(segments);
        }
    }

    /// Adds the segments of the roots that have been added.
    pub(super) fn finish(&mut self, segments: &mut Segments) {
        if self.batch.roots.is_empty() {
            return;
        }
        self.batch.sort(self.indirect, self.cfg.blocks().len(), &self.block_of);
        let mut sets = core::mem::take(&mut self.sets);
        self.flow.solve(self, &self.batch, &mut sets);
        Sweep::new(self, &self.batch, &sets, segments).run();
        self.sets = sets;
        self.batch.clear();
    }
}
