//! The indirect accesses of a routine, from which the events of each root follow.

use alloc::vec::Vec;
use core::ops::Range;

use super::events::Effect;
use crate::analysis::graph::Cfg;
use crate::analysis::indirect::AddressTargets;
use crate::analysis::storage::Storage;
use crate::isa::Id;

/// The instructions with indirect accesses, by the set of their targets.
///
/// An indirect access may concern many roots, so it is recorded once. All units of a root are accessed,
/// and nothing is killed. Thus of the indirect accesses in a part of a block without other accesses of
/// the root, only the last read and the first write change which units are live.
#[derive(Default)]
pub(super) struct Indirect {
    /// For each set, the instructions that read its targets, and those that write them.
    accesses: Vec<[Vec<u32>; 2]>,
    /// Pairs of a target and a set, in ascending order.
    sets: Vec<(u32, u32)>,
    /// The instruction after the last access that has been recorded.
    pub(super) end: u32,
    /// The events that are returned: the instruction and the kind of each.
    found: Vec<(u32, u8)>,
}

const READ: u8 = 0;
const WRITE: u8 = 1;

impl Indirect {
    pub(super) fn new(targets: &AddressTargets, storage: &Storage) -> Indirect {
        let mut result = Indirect::default();
        for set in 0..targets.set_count() {
            result.accesses.push(Default::default());
            let roots = targets.of_set(set).iter().filter_map(|target| storage.index(*target));
            result.sets.extend(roots.map(|root| (root as u32, set as u32)));
        }
        result.sets.sort_unstable();
        result
    }

    /// Returns the targets of all sets; some repeatedly.
    pub(super) fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        self.sets.iter().map(|(root, _)| *root as usize)
    }

    /// Records an access through an address variable.
    pub(super) fn add(&mut self, at: u32, address: Id, is_written: bool, targets: &AddressTargets) {
        let Some(set) = targets.set(address) else { return };
        if let Some(accesses) = self.accesses.get_mut(set) {
            accesses[usize::from(is_written)].push(at);
            self.end = at + 1;
        }
    }

    /// Returns the events of a root in a range of instructions, of which only the first one may access
    /// the root directly: the instruction, the block and the effect of each, in the order of the code.
    pub(super) fn events(
        &mut self,
        root: usize,
        instructions: Range<u32>,
        cfg: &Cfg,
    ) -> impl Iterator<Item = (u32, u32, Effect)> {
        let first = self.sets.partition_point(|(other, _)| (*other as usize) < root);
        let sets = self.sets[first..].iter().take_while(|(other, _)| *other as usize == root);
        let after_first = instructions.end.min(instructions.start.saturating_add(1));
        self.found.clear();
        for (_, set) in sets {
            let [reads, writes] = &self.accesses[*set as usize];
            for Range { start: mut at, end } in
                [instructions.start..after_first, after_first..instructions.end]
            {
                loop {
                    let (read, write) = (first_from(reads, at), first_from(writes, at));
                    let Some(next) = read.into_iter().chain(write).min().filter(|next| *next < end)
                    else {
                        break;
                    };
                    let block = cfg.block_of(next as usize);
                    let block_end = block
                        .map_or(end, |block| cfg.blocks()[block.index()].instructions.end as u32);
                    at = end.min(block_end);
                    let last_read = last_before(reads, at).filter(|read| *read >= next);
                    self.found.extend(last_read.map(|read| (read, READ)));
                    let first_write = write.filter(|write| *write < at);
                    self.found.extend(first_write.map(|write| (write, WRITE)));
                }
            }
        }
        self.found.sort_unstable();
        let block_of = |at: u32| cfg.block_of(at as usize).map_or(0, |block| block.0);
        self.found.drain(..).map(move |(at, kind)| match kind {
            READ => (at, block_of(at), Effect::Read { by_lane: false }),
            _ => (at, block_of(at), Effect::MayWrite),
        })
    }
}

/// Returns the first instruction of a list from an instruction on.
fn first_from(list: &[u32], from: u32) -> Option<u32> {
    list.get(list.partition_point(|at| *at < from)).copied()
}

/// Returns the last instruction of a list before an instruction.
fn last_before(list: &[u32], before: u32) -> Option<u32> {
    list[..list.partition_point(|at| *at < before)].last().copied()
}
