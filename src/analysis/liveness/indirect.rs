//! The indirect accesses of a routine.

use alloc::vec::Vec;

use crate::analysis::indirect::AddressTargets;
use crate::analysis::storage::Storage;
use crate::isa::Id;

/// The instructions with indirect accesses, by the set of their targets.
///
/// An indirect access may concern many roots, so it is recorded once. All units of a root are accessed,
/// and nothing is killed.
#[derive(Default)]
pub(super) struct Indirect {
    sets: Vec<Accesses>,
    /// Pairs of a target and a set, in ascending order.
    targets: Vec<(u32, u32)>,
}

/// The indirect accesses to a set of targets.
#[derive(Default)]
pub(super) struct Accesses {
    /// The instructions that read the targets.
    pub(super) reads: Vec<u32>,
    /// The instructions that write the targets.
    pub(super) writes: Vec<u32>,
}

impl Indirect {
    /// Records an access through an address variable.
    pub(super) fn add(&mut self, at: u32, address: Id, is_written: bool, targets: &AddressTargets) {
        let Some(set) = targets.set(address) else { return };
        self.sets.resize_with(targets.set_count(), Accesses::default);
        if let Some(Accesses { reads, writes }) = self.sets.get_mut(set) {
            if is_written { writes } else { reads }.push(at);
        }
    }

    /// Finds the targets of the recorded accesses.
    pub(super) fn find_targets(&mut self, targets: &AddressTargets, storage: &Storage) {
        for (set, accesses) in self.sets.iter().enumerate() {
            if !accesses.reads.is_empty() || !accesses.writes.is_empty() {
                let roots = targets.of_set(set).iter().filter_map(|target| storage.index(*target));
                self.targets.extend(roots.map(|root| (root as u32, set as u32)));
            }
        }
        self.targets.sort_unstable();
    }

    /// Returns the pairs of a target and a set.
    pub(super) fn targets(&self) -> &[(u32, u32)] {
        &self.targets
    }

    /// Returns the sets that contain a root.
    pub(super) fn sets_of(&self, root: usize) -> impl Iterator<Item = u32> + '_ {
        let first = self.targets.partition_point(|(other, _)| (*other as usize) < root);
        let pairs = self.targets[first..].iter();
        pairs.take_while(move |(other, _)| *other as usize == root).map(|(_, set)| *set)
    }

    /// Returns the accesses to a set of targets.
    pub(super) fn accesses(&self, set: u32) -> &Accesses {
        &self.sets[set as usize]
    }
}
