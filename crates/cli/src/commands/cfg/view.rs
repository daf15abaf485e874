//! What is drawn of a graph: a part of its blocks, and which of them share a box.

use std::collections::BTreeSet;
use std::ops::Range;

use anyhow::bail;
use clap::ValueEnum;
use genvisa::analysis::{BlockId, Cfg, Loops};

use super::Graph;
use crate::words::count;

/// Which blocks share a box.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Collapse {
    /// Straight chains: a block with one successor, and this successor if it has no other predecessor
    Chains,
    /// Also conditionals without loops whose branches meet again
    Branches,
}

/// A range of instructions, as `$3-$9` or `3-9`.
#[derive(Clone, PartialEq, Eq)]
pub struct InstructionRange(Range<usize>);

impl InstructionRange {
    pub fn parse(text: &str) -> Result<InstructionRange, String> {
        let number = |text: &str| text.strip_prefix('$').unwrap_or(text).parse::<usize>().ok();
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last && last < usize::MAX => {
                Ok(InstructionRange(first..last + 1))
            }
            (Some(first), Some(last)) => Err(format!("${first} is after ${last}")),
            _ => Err("expected two numbers of instructions, such as 12-40".into()),
        }
    }
}

/// The blocks that are drawn. Each belongs to a box, which is named after its first block.
#[derive(Clone)]
pub struct View {
    heads: Vec<BlockId>,
    is_drawn: Vec<bool>,
    /// The part that is drawn, unless it is the whole routine.
    pub part: Option<String>,
}

impl View {
    /// Returns the view of the whole graph with a box for each block.
    pub fn new(cfg: &Cfg) -> View {
        let count = cfg.blocks().len();
        View {
            heads: (0..count as u32).map(BlockId).collect(),
            is_drawn: vec![true; count],
            part: None,
        }
    }

    pub fn contains(&self, id: BlockId) -> bool {
        self.is_drawn[id.index()]
    }

    /// Returns the block that names the box of a block.
    pub fn head(&self, id: BlockId) -> BlockId {
        self.heads[id.index()]
    }

    /// Returns the blocks that are drawn, in the order of the code.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..self.heads.len() as u32).map(BlockId).filter(|id| self.contains(*id))
    }

    /// Returns the boxes with their blocks in the order of the code, in the order of the heads.
    pub fn boxes(&self) -> Vec<(BlockId, Vec<BlockId>)> {
        let mut boxes: Vec<Vec<BlockId>> = vec![Vec::new(); self.heads.len()];
        for id in self.blocks() {
            boxes[self.head(id).index()].push(id);
        }
        (0..).map(BlockId).zip(boxes).filter(|(_, blocks)| !blocks.is_empty()).collect()
    }

    /// Returns the blocks outside the part with an edge to or from it.
    pub fn neighbors(&self, cfg: &Cfg) -> BTreeSet<BlockId> {
        let edges = (0..self.heads.len() as u32).map(BlockId).flat_map(|id| cfg.successors(id));
        let of_part = edges.filter(|edge| self.contains(edge.from) != self.contains(edge.to));
        of_part.map(|edge| if self.contains(edge.from) { edge.to } else { edge.from }).collect()
    }

    fn select(&mut self, part: String, is_selected: impl Fn(BlockId) -> bool) {
        for (id, is_drawn) in (0..).map(BlockId).zip(&mut self.is_drawn) {
            *is_drawn = is_selected(id);
        }
        self.part = Some(part);
    }

    /// Merges boxes until no two are straight.
    pub fn collapse(&mut self, what: Collapse, cfg: &Cfg, loops: &Loops) {
        let mut boxes = Boxes::new(self, cfg, loops);
        // Inner conditionals usually follow the outer condition, so few passes are needed. The limit
        // bounds the time for graphs that were made to need many.
        for _ in 0..32 {
            let mut is_changed = false;
            for id in (0..self.heads.len() as u32).rev() {
                while boxes.merge_at(id, what) {
                    is_changed = true;
                }
            }
            if !is_changed {
                break;
            }
        }
        let mut merged_into = boxes.merged_into;
        for id in 0..self.heads.len() {
            let mut head = id;
            while let Some(into) = merged_into[head] {
                // Shorten the path for the next block.
                merged_into[head] = merged_into[into as usize].or(Some(into));
                head = into as usize;
            }
            self.heads[id] = BlockId(head as u32);
        }
    }
}

/// The edges between boxes while they are merged.
struct Boxes<'v> {
    cfg: &'v Cfg,
    loops: &'v Loops,
    is_drawn: &'v [bool],
    successors: Vec<BTreeSet<u32>>,
    predecessors: Vec<BTreeSet<u32>>,
    merged_into: Vec<Option<u32>>,
}

impl<'v> Boxes<'v> {
    fn new(view: &'v View, cfg: &'v Cfg, loops: &'v Loops) -> Boxes<'v> {
        let ids = || (0..cfg.blocks().len() as u32).map(BlockId);
        let successors = |id| cfg.successors(id).iter().map(|edge| edge.to.0).collect();
        let predecessors = |id| cfg.predecessors(id).iter().map(|edge| edge.from.0).collect();
        Boxes {
            cfg,
            loops,
            is_drawn: &view.is_drawn,
            successors: ids().map(successors).collect(),
            predecessors: ids().map(predecessors).collect(),
            merged_into: vec![None; cfg.blocks().len()],
        }
    }

    /// Merges the boxes that are straight after a box into it. Returns whether there are any.
    fn merge_at(&mut self, id: u32, what: Collapse) -> bool {
        if self.merged_into[id as usize].is_some() {
            return false;
        }
        let next: Vec<u32> = self.successors[id as usize].iter().copied().take(3).collect();
        let merged = match next[..] {
            [next] if self.is_only_after(id, next) => vec![next],
            [a, b] if what == Collapse::Branches => self.branches(id, a, b),
            _ => Vec::new(),
        };
        for other in &merged {
            self.merge(id, *other);
        }
        !merged.is_empty()
    }

    /// Returns the boxes after a condition that lead to the same box as the other branch.
    fn branches(&self, id: u32, a: u32, b: u32) -> Vec<u32> {
        let only = |of: u32| {
            let mut next = self.successors[of as usize].iter();
            next.next().copied().filter(|_| next.next().is_none())
        };
        let (after_a, after_b) = (only(a), only(b));
        let is_branch = |of: u32| self.is_only_after(id, of);
        if after_a == Some(b) && is_branch(a) {
            vec![a]
        } else if after_b == Some(a) && is_branch(b) {
            vec![b]
        } else if after_a.is_some() && after_a == after_b && is_branch(a) && is_branch(b) {
            vec![a, b]
        } else {
            Vec::new()
        }
    }

    /// Returns whether a box is entered from one other only, in the same loop and subroutine.
    fn is_only_after(&self, id: u32, next: u32) -> bool {
        let predecessors = &self.predecessors[next as usize];
        let of_loop = |id| self.loops.innermost(BlockId(id));
        let subroutine = |id: u32| self.cfg.blocks()[id as usize].subroutine;
        next != id
            && BlockId(next) != BlockId::ENTRY
            && predecessors.len() == 1
            && predecessors.contains(&id)
            && of_loop(id) == of_loop(next)
            && subroutine(id) == subroutine(next)
            && self.is_drawn[id as usize]
            && self.is_drawn[next as usize]
    }

    fn merge(&mut self, id: u32, other: u32) {
        self.merged_into[other as usize] = Some(id);
        self.successors[id as usize].remove(&other);
        for next in std::mem::take(&mut self.successors[other as usize]) {
            self.successors[id as usize].insert(next);
            let predecessors = &mut self.predecessors[next as usize];
            predecessors.remove(&other);
            predecessors.insert(id);
        }
    }
}

impl Graph {
    /// Draws only a loop, which a label or block states: its header.
    pub fn select_loop(&mut self, name: &str) -> anyhow::Result<()> {
        let labels = || self.loops.loops().iter().map(|found| &self.labels[found.header.index()]);
        let by_label = labels().position(|label| label.as_deref() == Some(name));
        let number = name.strip_prefix('B').unwrap_or(name).parse::<u32>().ok();
        let by_block = || {
            let header = BlockId(number?);
            self.loops.loops().iter().position(|found| found.header == header)
        };
        let Some(index) = by_label.or_else(by_block) else { bail!("{}", self.no_loop(name)) };
        let id = genvisa::analysis::LoopId(index as u32);
        let part = format!("loop {}", self.block_name(self.loops.loops()[index].header));
        let loops = &self.loops;
        self.view.select(part, |block| loops.contains(id, block));
        Ok(())
    }

    /// Returns the error message for a loop that the routine does not contain.
    fn no_loop(&self, name: &str) -> String {
        const MAX_NAMES: usize = 30;
        let loops = self.loops.loops();
        let mut names: Vec<String> =
            loops.iter().take(MAX_NAMES).map(|found| self.block_name(found.header)).collect();
        if loops.len() > MAX_NAMES {
            names.push(format!("and {} more", loops.len() - MAX_NAMES));
        }
        let (kind, routine) = (self.kind, &self.name);
        let name = crate::words::printable(name);
        match names.is_empty() {
            true => format!("no loop `{name}`; {kind} `{routine}` has no loops"),
            false => format!(
                "no loop `{name}`; the loops of {kind} `{routine}` are: {}",
                names.join(", ")
            ),
        }
    }

    /// Draws only the blocks with instructions of a range.
    pub fn select_range(&mut self, range: &InstructionRange) -> anyhow::Result<()> {
        let InstructionRange(range) = range;
        let total = self.instructions.len();
        if range.start >= total {
            let (kind, name) = (self.kind, &self.name);
            let instructions = count(total, "instruction");
            bail!("no instruction ${}; {kind} `{name}` has {instructions}", range.start);
        }
        let blocks = self.analysis.cfg.blocks();
        let part = format!("${}-${}", range.start, range.end.min(total) - 1);
        self.view.select(part, |id| {
            let block = &blocks[id.index()].instructions;
            block.start < range.end && range.start < block.end
        });
        Ok(())
    }

    /// Draws blocks in common boxes.
    pub fn collapse(&mut self, what: Collapse) {
        self.view.collapse(what, &self.analysis.cfg, &self.loops);
    }
}
