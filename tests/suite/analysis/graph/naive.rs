//! The definitions of dominators, loops and divergence, applied naively.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::Instruction;
use genvisa::analysis::{BlockId, Cfg};
use genvisa::isa::{Fret, Ret};
use genvisa::operand::{Exec, ExecSize, LabelId, Pred};

/// The blocks of a graph, and what the instructions at their ends do.
pub struct Model {
    pub count: usize,
    /// The last instruction of each block.
    last: Vec<Option<Instruction>>,
    part: Vec<u32>,
    labels: BTreeMap<LabelId, usize>,
}

impl Model {
    pub fn new(cfg: &Cfg, instructions: &[Instruction]) -> Model {
        let mut labels = BTreeMap::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            if let Some(label) = block.label {
                labels.entry(label).or_insert(index);
            }
        }
        let last = |block: &genvisa::analysis::Block| {
            instructions[block.instructions.clone()].last().cloned()
        };
        Model {
            count: cfg.blocks().len(),
            last: cfg.blocks().iter().map(last).collect(),
            part: cfg.blocks().iter().map(|block| block.subroutine).collect(),
            labels,
        }
    }

    fn target(&self, label: LabelId) -> Option<usize> {
        self.labels.get(&label).copied()
    }

    /// Returns the next block that is not empty.
    fn next(&self, block: usize) -> Option<usize> {
        (block + 1..self.count).find(|next| self.last[*next].is_some())
    }

    /// Returns the empty block at the end of a part.
    fn exit(&self, part: u32) -> Option<usize> {
        (0..self.count).find(|block| self.part[*block] == part && self.last[*block].is_none())
    }

    /// Returns the block that a block calls, and whether the call has a predicate.
    fn call(&self, block: usize) -> Option<(usize, bool)> {
        match &self.last[block] {
            Some(Instruction::Call(call)) => Some((self.target(call.label)?, !call.pred.is_none())),
            _ => None,
        }
    }

    fn returns(&self, block: usize) -> bool {
        self.part[block] > 0 && matches!(self.last[block], Some(Instruction::Ret(_)))
    }

    /// Returns the edges between reachable blocks, where calls enter subroutines and continue after
    /// them.
    pub fn flow(&self) -> (BTreeSet<usize>, BTreeSet<(usize, usize)>) {
        let mut reached = BTreeSet::from([0]);
        let mut edges = BTreeSet::new();
        loop {
            let before = (reached.len(), edges.len());
            for block in reached.clone() {
                let mut to: Vec<usize> = Vec::new();
                match &self.last[block] {
                    None => {}
                    Some(Instruction::Jmp(jump)) => to.extend(self.target(jump.label)),
                    Some(Instruction::Goto(jump)) => to.extend(self.target(jump.label)),
                    Some(Instruction::SwitchJmp(jump)) => {
                        to.extend(jump.labels.iter().filter_map(|label| self.target(*label)));
                    }
                    Some(Instruction::Ret(_)) if self.part[block] > 0 => {
                        to.extend(self.exit(self.part[block]));
                    }
                    _ => {}
                }
                let falls_through =
                    self.last[block].as_ref().is_some_and(Instruction::falls_through);
                if let Some((callee, is_predicated)) = self.call(block) {
                    to.push(callee);
                    let part = self.part[callee];
                    let comes_back = reached
                        .iter()
                        .any(|block| self.part[*block] == part && self.returns(*block));
                    to.extend(self.next(block).filter(|_| is_predicated || comes_back));
                } else if falls_through {
                    to.extend(self.next(block));
                }
                reached.extend(&to);
                edges.extend(to.into_iter().map(|to| (block, to)));
            }
            if before == (reached.len(), edges.len()) {
                return (reached, edges);
            }
        }
    }

    /// Returns the blocks that are divergent, and for each block at which lanes wait the first block
    /// that others execute and whether they call.
    pub fn divergence(&self) -> (BTreeSet<usize>, BTreeMap<usize, (usize, bool)>) {
        let (reached, edges) = self.flow();
        let back: Vec<(usize, usize)> = edges
            .iter()
            .copied()
            .filter(|(from, to)| to <= from && self.branches(*from, *to))
            .collect();
        // The ranges that others execute while lanes wait at the end of the range, or are done.
        let mut ranges: BTreeSet<(usize, usize, bool)> = BTreeSet::new();
        loop {
            let before = ranges.len();
            let covered = |block: usize, ranges: &BTreeSet<(usize, usize, bool)>| {
                ranges.iter().any(|(start, end, _)| (*start..*end).contains(&block))
            };
            for block in &reached {
                let is_divergent = covered(*block, &ranges);
                let diverges =
                    |exec: Exec, pred: Pred| !pred.is_none() && exec.size != ExecSize::S1;
                let of_return = |exec: Exec, pred| {
                    let part = self.part[*block];
                    let end = (0..self.count).rev().find(|other| self.part[*other] == part);
                    let is_exit = self.exit(part).is_some();
                    let end = end.expect("its part") + usize::from(!is_exit);
                    let is_scalar = exec.size == ExecSize::S1;
                    let diverges = !is_scalar && (is_divergent || diverges(exec, pred));
                    diverges.then_some((block + 1, end, !is_exit))
                };
                let range =
                    match &self.last[*block] {
                        Some(Instruction::Goto(jump)) => match self.target(jump.label) {
                            Some(to) if to <= *block => {
                                diverges(jump.exec, jump.pred).then_some((to, block + 1, false))
                            }
                            Some(to) => (is_divergent || diverges(jump.exec, jump.pred))
                                .then_some((block + 1, to, false)),
                            None => None,
                        },
                        Some(Instruction::Ret(ret)) => of_return(ret.exec, ret.pred),
                        Some(Instruction::Fret(ret)) => of_return(ret.exec, ret.pred),
                        _ => None,
                    };
                ranges.extend(range.filter(|(start, end, _)| start < end));
            }
            for (start, end, is_done) in ranges.clone() {
                for (from, to) in &back {
                    if (start..end).contains(from) {
                        ranges.insert((start.min(*to), end, is_done));
                    }
                }
            }
            if ranges.len() == before {
                break;
            }
        }
        let mut waits: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
        for (start, end, is_done) in &ranges {
            if !is_done && *end < self.count {
                let wait = waits.entry(*end).or_insert((*start, false));
                wait.0 = wait.0.min(*start);
            }
        }
        let calls = |block: &usize| reached.contains(block) && self.call(*block).is_some();
        for (at, (start, has_calls)) in &mut waits {
            *has_calls = (*start..*at).any(|block| calls(&block));
        }
        let mut divergent: BTreeSet<usize> =
            ranges.iter().flat_map(|(start, end, _)| *start..*end).collect();
        for block in reached.iter().filter(|block| calls(block)) {
            let (_, is_predicated) = self.call(*block).expect("a call");
            if is_predicated && block + 1 < self.count {
                waits.entry(block + 1).or_insert((block + 1, true)).1 = true;
            }
        }
        loop {
            let before = divergent.len();
            for block in reached.iter().filter(|block| calls(block)) {
                let (callee, is_predicated) = self.call(*block).expect("a call");
                if is_predicated || divergent.contains(block) {
                    let part = self.part[callee];
                    divergent.extend((0..self.count).filter(|other| self.part[*other] == part));
                }
            }
            if divergent.len() == before {
                return (divergent, waits);
            }
        }
    }

    fn branches(&self, from: usize, to: usize) -> bool {
        let targets = |label| self.target(label) == Some(to);
        match &self.last[from] {
            Some(Instruction::Jmp(jump)) => targets(jump.label),
            Some(Instruction::Goto(jump)) => targets(jump.label),
            Some(Instruction::SwitchJmp(jump)) => jump.labels.iter().any(|label| targets(*label)),
            _ => false,
        }
    }

    /// Returns the pairs of a block all of whose lanes may branch forward or return, and the next block at
    /// which lanes wait.
    pub fn resumptions(&self) -> BTreeSet<(usize, usize)> {
        let (reached, _) = self.flow();
        let (_, waits) = self.divergence();
        let mut found = BTreeSet::new();
        for block in reached {
            let last = self.last[block].as_ref();
            let part = self.part[block];
            let limit = match last {
                Some(Instruction::Goto(jump)) => self.target(jump.label),
                Some(Instruction::Ret(Ret { exec, .. }) | Instruction::Fret(Fret { exec, .. }))
                    if exec.size != ExecSize::S1 =>
                {
                    let end = (0..self.count).rev().find(|other| self.part[*other] == part);
                    self.exit(part).or(end.map(|end| end + 1))
                }
                _ => None,
            };
            let next = waits
                .iter()
                .find(|(at, (start, _))| **at > block && *start <= block)
                .map(|(at, _)| *at);
            if let (Some(next), Some(limit)) = (next, limit) {
                found.extend((next < limit).then_some((block, next)));
            }
        }
        found
    }
}

/// Returns the blocks that are reached from one over edges without passing a block.
pub fn reached_without(
    edges: &BTreeSet<(usize, usize)>,
    from: usize,
    without: Option<usize>,
) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let before = reached.len();
        for (from, to) in edges {
            if reached.contains(from) && Some(*to) != without {
                reached.insert(*to);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// Returns the blocks of the natural loop of each header.
pub fn loops(
    edges: &BTreeSet<(usize, usize)>,
    dominates: impl Fn(usize, usize) -> bool,
) -> BTreeMap<usize, BTreeSet<usize>> {
    let reversed: BTreeSet<(usize, usize)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
    let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (origin, header) in edges.iter().filter(|(from, to)| dominates(*to, *from)) {
        let body = loops.entry(*header).or_insert_with(|| BTreeSet::from([*header]));
        if origin != header {
            body.extend(reached_without(&reversed, *origin, Some(*header)));
        }
    }
    loops
}

/// Returns the ids of blocks as indexes.
pub fn indexes<'b>(blocks: impl IntoIterator<Item = &'b BlockId>) -> BTreeSet<usize> {
    blocks.into_iter().map(|block| block.index()).collect()
}
