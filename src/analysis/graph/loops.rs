//! Natural loops, and cycles that have no header.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::spans::Sets;
use super::{BlockId, Cfg, Dominators};

/// The natural loops of a control-flow graph.
///
/// A back edge leads to a block that dominates its origin, the header. The loop of a header contains
/// the blocks that reach one of its back edges without passing the header. Loops with different
/// headers are disjoint or nested. Paths are defined as in [`Dominators`]: a call of a subroutine continues
/// at the next block, so that two calls of a subroutine do not make a loop.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Each loop is followed by the loops that it contains.
    loops: Vec<Loop>,
    /// The innermost loop of each block.
    innermost: Vec<Option<LoopId>>,
    /// The blocks of loops, by their innermost loop.
    blocks: Vec<BlockId>,
    back_edges: Vec<(BlockId, BlockId)>,
    /// The blocks of irreducible cycles, each set of connected cycles followed by the next.
    irreducible: Vec<BlockId>,
    irreducible_ranges: Vec<Range<usize>>,
}

/// The index of a loop. A loop has a smaller index than the loops that it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

impl LoopId {
    /// Returns the index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A natural loop.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loop {
    /// The only block through which control enters the loop.
    pub header: BlockId,
    /// The innermost loop that contains this one.
    pub parent: Option<LoopId>,
    /// The number of loops that contain its blocks: 1 for outermost loops.
    pub depth: u32,
    /// Its blocks, including the blocks of nested loops.
    blocks: Range<usize>,
    /// The end of the loops that it contains.
    end: u32,
    back_edges: Range<usize>,
}

impl Cfg {
    /// Finds the loops, which [`Loops::loops`] returns. The time is almost linear.
    ///
    /// # Panics
    /// May panic if the dominators are of another graph.
    pub fn loops(&self, dominators: &Dominators) -> Loops {
        Loops::new(self, dominators)
    }
}

impl Loops {
    /// Returns the loops, each before the loops that it contains.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Returns the innermost loop that contains a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost.get(block.index()).copied().flatten()
    }

    /// Returns the number of loops that contain a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id.index()].depth)
    }

    /// Returns whether a loop contains a block.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let end = self.loops.get(id.index()).map_or(0, |looped| looped.end);
        self.innermost(block).is_some_and(|innermost| innermost >= id && innermost.0 < end)
    }

    /// Returns the blocks of a loop, first those that are in no inner loop.
    pub fn blocks(&self, id: LoopId) -> &[BlockId] {
        self.loops.get(id.index()).map_or(&[], |looped| &self.blocks[looped.blocks.clone()])
    }

    /// Returns the back edges of a loop, as pairs of their origin and the header, in the order of the
    /// origins.
    pub fn back_edges(&self, id: LoopId) -> &[(BlockId, BlockId)] {
        self.loops.get(id.index()).map_or(&[], |looped| &self.back_edges[looped.back_edges.clone()])
    }

    /// Returns the sets of blocks that are connected by cycles without back edges. Control enters
    /// such a cycle at several blocks, and no block dominates the others.
    pub fn irreducible(&self) -> impl Iterator<Item = &[BlockId]> + '_ {
        self.irreducible_ranges.iter().map(|range| &self.irreducible[range.clone()])
    }

    fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let count = cfg.blocks.len();
        let mut nest =
            Nest { parents: Vec::new(), headers: Vec::new(), innermost: vec![None; count] };
        let mut edges: Vec<Vec<BlockId>> = Vec::new();
        let mut sets = Sets::new(count);
        // Inner loops first, so that outer loops contain them as if they were one block.
        for header in dominators.preorder().iter().rev() {
            let mut origins: Vec<BlockId> = cfg
                .reverse_flow(*header)
                .filter(|from| dominators.dominates(*header, *from))
                .collect();
            if origins.is_empty() {
                continue;
            }
            origins.sort_unstable();
            origins.dedup();
            nest.add(cfg, dominators, &mut sets, *header, &origins);
            edges.push(origins);
        }
        let mut loops = nest.finish(&edges);
        loops.find_irreducible(cfg, dominators);
        loops
    }

    fn find_irreducible(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let components = Components::new(cfg, |from, to| !dominators.dominates(to, from));
        for range in components.ranges {
            if range.len() > 1 {
                let start = self.irreducible.len();
                self.irreducible.extend_from_slice(&components.blocks[range]);
                self.irreducible[start..].sort_unstable();
                self.irreducible_ranges.push(start..self.irreducible.len());
            }
        }
        let blocks = &self.irreducible;
        self.irreducible_ranges.sort_by_key(|range| blocks[range.start]);
    }
}

/// The loops in the order in which they are found, the inner ones first.
struct Nest {
    headers: Vec<BlockId>,
    parents: Vec<Option<u32>>,
    /// The innermost loop of each block.
    innermost: Vec<Option<u32>>,
}

impl Nest {
    fn add(
        &mut self,
        cfg: &Cfg,
        dominators: &Dominators,
        sets: &mut Sets,
        header: BlockId,
        origins: &[BlockId],
    ) {
        let id = self.headers.len() as u32;
        self.headers.push(header);
        self.parents.push(None);
        // No other loop has this header.
        self.innermost[header.index()] = Some(id);
        let mut stack = origins.to_vec();
        while let Some(block) = stack.pop() {
            let block = BlockId(sets.find(block.0));
            if block == header {
                continue;
            }
            sets.merge(block.0, header.0);
            match self.innermost[block.index()] {
                // The header of an inner loop.
                Some(inner) => self.parents[inner as usize] = Some(id),
                None => self.innermost[block.index()] = Some(id),
            }
            stack.extend(cfg.reverse_flow(block).filter(|from| dominators.is_reachable(*from)));
        }
    }

    /// Returns the loops in the preorder of their tree.
    fn finish(self, edges: &[Vec<BlockId>]) -> Loops {
        let count = self.headers.len();
        // Parents are found after the loops that they contain.
        let mut sizes = vec![1u32; count];
        for (index, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = parent {
                sizes[*parent as usize] += sizes[index];
            }
        }
        let mut next_root = 0;
        let mut next = vec![0u32; count];
        let mut new = vec![0u32; count];
        let mut order = vec![0usize; count];
        for index in (0..count).rev() {
            let at =
                self.parents[index].map_or(&mut next_root, |parent| &mut next[parent as usize]);
            let start = *at;
            *at += sizes[index];
            next[index] = start + 1;
            new[index] = start;
            order[start as usize] = index;
        }
        let mut loops: Vec<Loop> = Vec::with_capacity(count);
        let mut back_edges = Vec::new();
        for (at, index) in order.into_iter().enumerate() {
            let header = self.headers[index];
            let parent = self.parents[index].map(|parent| LoopId(new[parent as usize]));
            let depth = parent.map_or(0, |parent| loops[parent.index()].depth) + 1;
            let start = back_edges.len();
            back_edges.extend(edges[index].iter().map(|origin| (*origin, header)));
            let end = at as u32 + sizes[index];
            let back = start..back_edges.len();
            loops.push(Loop { header, parent, depth, blocks: 0..0, end, back_edges: back });
        }
        let innermost: Vec<Option<LoopId>> =
            self.innermost.iter().map(|id| id.map(|id| LoopId(new[id as usize]))).collect();
        let mut starts = vec![0usize; count + 1];
        for id in innermost.iter().flatten() {
            starts[id.index() + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        for (index, looped) in loops.iter_mut().enumerate() {
            looped.blocks = starts[index]..starts[looped.end as usize];
        }
        let mut blocks = vec![BlockId::ENTRY; starts[count]];
        for (block, id) in innermost.iter().enumerate() {
            let Some(id) = id else { continue };
            blocks[starts[id.index()]] = BlockId(block as u32);
            starts[id.index()] += 1;
        }
        let (irreducible, irreducible_ranges) = (Vec::new(), Vec::new());
        Loops { loops, innermost, blocks, back_edges, irreducible, irreducible_ranges }
    }
}

/// The strongly connected components of the reachable blocks, by the algorithm of Tarjan.
struct Components {
    blocks: Vec<BlockId>,
    ranges: Vec<Range<usize>>,
}

impl Components {
    /// Returns the components over the edges for which `has_edge` returns true.
    fn new(cfg: &Cfg, has_edge: impl Fn(BlockId, BlockId) -> bool) -> Components {
        const DONE: u32 = u32::MAX;
        let mut components = Components { blocks: Vec::new(), ranges: Vec::new() };
        // The smallest number that each block reaches, from 1; 0 for blocks that are not visited.
        let mut low = vec![0u32; cfg.blocks.len()];
        let mut count = 0;
        // The blocks that are visited and in no component yet.
        let mut open: Vec<BlockId> = Vec::new();
        // The path of the search: a block, its number, and its successors that are not visited yet.
        let mut path: Vec<(BlockId, u32, usize)> = Vec::new();
        let mut pending: Vec<BlockId> = Vec::new();
        for root in (0..cfg.blocks.len() as u32).map(BlockId) {
            if low[root.index()] != 0 || !cfg.is_reachable(root) {
                continue;
            }
            pending.push(root);
            path.clear();
            let mut enter = Some(root);
            loop {
                if let Some(block) = enter.take() {
                    count += 1;
                    low[block.index()] = count;
                    open.push(block);
                    path.push((block, count, pending.len()));
                    pending.extend(cfg.flow(block).filter(|to| has_edge(block, *to)));
                }
                let Some((block, number, first)) = path.last().copied() else { break };
                if pending.len() > first {
                    let Some(to) = pending.pop() else { break };
                    match low[to.index()] {
                        0 => enter = Some(to),
                        DONE => {}
                        reached => low[block.index()] = low[block.index()].min(reached),
                    }
                    continue;
                }
                path.pop();
                let reached = low[block.index()];
                if let Some((above, ..)) = path.last() {
                    low[above.index()] = low[above.index()].min(reached);
                }
                if reached == number {
                    let start = components.blocks.len();
                    while let Some(member) = open.pop() {
                        low[member.index()] = DONE;
                        components.blocks.push(member);
                        if member == block {
                            break;
                        }
                    }
                    components.ranges.push(start..components.blocks.len());
                }
            }
            pending.clear();
        }
        components
    }
}
