//! Dominators, by the algorithm of Lengauer and Tarjan with path compression.

use alloc::vec;
use alloc::vec::Vec;

use super::{BlockId, Cfg};

/// The tree of the dominators of a control-flow graph.
///
/// A block dominates another one if control always enters it, or is at the entry, before it enters
/// the other one. A call of a subroutine may enter the subroutine, and may continue after it if the
/// subroutine returns; thus the call dominates the block after it, and the entry of a subroutine is
/// dominated by the blocks that dominate all of its calls.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator of each block.
    immediate: Vec<Option<BlockId>>,
    /// The numbers of the blocks of the subtree below each block, in the preorder of the tree. Empty
    /// for unreachable blocks.
    subtrees: Vec<core::ops::Range<u32>>,
    /// The reachable blocks in the preorder of the tree.
    preorder: Vec<BlockId>,
}

/// The number of a block that has not been visited.
const NONE: u32 = u32::MAX;

impl Cfg {
    /// Returns the dominators of the reachable blocks. The time is O(n log n) for n edges.
    pub fn dominators(&self) -> Dominators {
        Dominators::new(self)
    }
}

impl Dominators {
    /// Returns the immediate dominator of a block: the last one on the paths to it. `None` for the
    /// entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.immediate.get(block.index()).copied().flatten()
    }

    /// Returns whether block `a` dominates block `b`, in constant time. A reachable block dominates
    /// itself. An unreachable block neither dominates nor is dominated.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.subtrees.get(a.index()), self.subtrees.get(b.index())) {
            (Some(a), Some(b)) => !b.is_empty() && a.contains(&b.start),
            _ => false,
        }
    }

    /// Returns whether control may enter a block ([`Cfg::is_reachable`]).
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.subtrees.get(block.index()).is_some_and(|subtree| !subtree.is_empty())
    }

    /// Returns the reachable blocks, each after its dominators.
    pub fn preorder(&self) -> &[BlockId] {
        &self.preorder
    }

    fn new(cfg: &Cfg) -> Dominators {
        let search = Search::new(cfg);
        let immediate = search.immediate_dominators(cfg);
        // The sizes of subtrees. Dominators have smaller numbers than the blocks below them.
        let count = search.order.len();
        let mut sizes = vec![1u32; count];
        for number in (1..count).rev() {
            sizes[immediate[number] as usize] += sizes[number];
        }
        let mut next = vec![0u32; count];
        let mut dominators = Dominators {
            immediate: vec![None; cfg.blocks.len()],
            subtrees: vec![0..0; cfg.blocks.len()],
            preorder: vec![BlockId::ENTRY; count],
        };
        for (number, block) in search.order.iter().enumerate() {
            let above = immediate[number] as usize;
            let start = next[above];
            next[above] += sizes[number];
            next[number] = start + 1;
            dominators.subtrees[block.index()] = start..start + sizes[number];
            dominators.preorder[start as usize] = *block;
            if number > 0 {
                dominators.immediate[block.index()] = Some(search.order[above]);
            }
        }
        dominators
    }
}

/// A depth-first search from the entry. Blocks have the numbers of its preorder.
struct Search {
    /// The blocks by number.
    order: Vec<BlockId>,
    /// The number of each block, or [`NONE`].
    numbers: Vec<u32>,
    /// The parent of each number in the tree of the search.
    parents: Vec<u32>,
}

impl Search {
    fn new(cfg: &Cfg) -> Search {
        let mut search = Search {
            order: Vec::new(),
            numbers: vec![NONE; cfg.blocks.len()],
            parents: Vec::new(),
        };
        let mut stack = Vec::new();
        stack.extend(cfg.blocks.first().map(|_| (0, BlockId::ENTRY)));
        while let Some((parent, block)) = stack.pop() {
            if search.numbers[block.index()] != NONE {
                continue;
            }
            let number = search.order.len() as u32;
            search.numbers[block.index()] = number;
            search.order.push(block);
            search.parents.push(parent);
            stack.extend(cfg.flow(block).map(|next| (number, next)));
        }
        search
    }

    /// Returns the number of the immediate dominator of each number. That of 0 is 0.
    fn immediate_dominators(&self, cfg: &Cfg) -> Vec<u32> {
        let count = self.order.len();
        let mut forest = Forest::new(&self.parents);
        let mut immediate = vec![0u32; count];
        // Lists of the numbers that have each semidominator.
        let mut first_of = vec![NONE; count];
        let mut next_of = vec![NONE; count];
        for number in (1..count as u32).rev() {
            let mut semi = self.parents[number as usize];
            for from in cfg.reverse_flow(self.order[number as usize]) {
                let from = self.numbers[from.index()];
                if from != NONE {
                    let best = forest.best(from, number + 1);
                    semi = semi.min(forest.semi[best as usize]);
                }
            }
            forest.semi[number as usize] = semi;
            next_of[number as usize] = first_of[semi as usize];
            first_of[semi as usize] = number;
            let parent = self.parents[number as usize];
            let mut item = core::mem::replace(&mut first_of[parent as usize], NONE);
            while item != NONE {
                let best = forest.best(item, number);
                let is_lower = forest.semi[best as usize] < forest.semi[item as usize];
                immediate[item as usize] = if is_lower { best } else { parent };
                item = next_of[item as usize];
            }
        }
        for number in 1..count {
            if immediate[number] != forest.semi[number] {
                immediate[number] = immediate[immediate[number] as usize];
            }
        }
        immediate
    }
}

/// The search tree. The edges to the numbers from a bound on are linked.
struct Forest {
    /// An ancestor of each number, linked or the parent.
    ancestors: Vec<u32>,
    /// The number with the smallest semidominator on the linked path up to the ancestor.
    best: Vec<u32>,
    /// The semidominator of each number; the number itself until it is computed.
    semi: Vec<u32>,
    /// The path that is compressed.
    path: Vec<u32>,
}

impl Forest {
    fn new(parents: &[u32]) -> Forest {
        let numbers: Vec<u32> = (0..parents.len() as u32).collect();
        Forest {
            ancestors: parents.to_vec(),
            best: numbers.clone(),
            semi: numbers,
            path: Vec::new(),
        }
    }

    /// Returns the number with the smallest semidominator among `number` and its linked ancestors.
    /// The numbers from `first_linked` on are linked to their parents.
    fn best(&mut self, number: u32, first_linked: u32) -> u32 {
        let mut at = number;
        while self.ancestors[at as usize] >= first_linked {
            self.path.push(at);
            at = self.ancestors[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let (above_best, below_best) = (self.best[at as usize], self.best[below as usize]);
            if self.semi[above_best as usize] < self.semi[below_best as usize] {
                self.best[below as usize] = above_best;
            }
            self.ancestors[below as usize] = self.ancestors[at as usize];
            at = below;
        }
        self.best[number as usize]
    }
}
