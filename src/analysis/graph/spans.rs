//! Sets of merged neighbours, for intervals of blocks and for loops.

use alloc::vec::Vec;

/// Disjoint sets of indexes, each with a representative that the caller chooses.
pub struct Sets {
    /// An index closer to the representative, or the index itself.
    above: Vec<u32>,
}

impl Sets {
    /// Returns a set for each index below `count`.
    pub fn new(count: usize) -> Sets {
        Sets { above: (0..count as u32).collect() }
    }

    /// Returns the representative of the set of an index.
    pub fn find(&mut self, index: u32) -> u32 {
        let mut at = index;
        while self.above[at as usize] != at {
            // Halve the path.
            let above = self.above[self.above[at as usize] as usize];
            self.above[at as usize] = above;
            at = above;
        }
        at
    }

    /// Adds the set of the representative `index` to the set of the representative `to`.
    pub fn merge(&mut self, index: u32, to: u32) {
        self.above[index as usize] = to;
    }
}
