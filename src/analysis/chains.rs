//! The definitions and uses of values.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::access::{Access, AccessKind};
use super::footprint::Footprint;
use super::graph::BlockId;
use super::{Analysis, Storage, mask};
use crate::isa::Id;

/// The writes that may produce a value, and the reads that may use it.
///
/// An access counts if it may touch the same units as the other one, and some path connects the two
/// without a write that replaces these units. A write replaces units if it writes them whichever lanes
/// are active, or where all lanes are active ([`Divergence`](super::Divergence)). What callers of the
/// routine read and write is not part of the chains.
///
/// ```
/// use genvisa::analysis::Analysis;
/// use genvisa::RegisterSize;
/// use genvisa::build::Builder;
/// use genvisa::object::Align;
/// use genvisa::operand::{DataType, ExecSize::*};
/// use genvisa::{Format, Module};
///
/// let mut k = Builder::new("k", Format::default());
/// let x = k.add_variable("x", DataType::D, 8, Align::GRF);
/// let y = k.add_variable("y", DataType::D, 8, Align::GRF);
/// k.mov(S8, x, 1).mov(S8, x, 2).add(S8, y, x, x).ret(S1);
/// let mut module = Module::new(Format::default());
/// module.kernels.push(k.into_kernel()?);
///
/// let routine = module.routines().next().unwrap();
/// let analysis = Analysis::new(&routine, RegisterSize::default())?;
/// let chains = analysis.chains();
/// assert_eq!(chains.definitions(2, x.id()).instructions, [1]);
/// assert_eq!(chains.uses(1, x.id()), [2]);
/// assert!(chains.uses(0, x.id()).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chains<'a> {
    analysis: &'a Analysis,
    /// The direct accesses, sorted by root and then by instruction. The reads of an instruction precede
    /// its writes.
    direct: Vec<Event>,
    /// Where the accesses of each root begin in `direct`.
    first: Vec<usize>,
    /// The indirect accesses, by instruction, with the address variable.
    indirect: Vec<(usize, Id, bool)>,
    /// The pairs of blocks that are executed one after the other by different lanes, sorted by the first
    /// block, and with the second block first. Lanes that wait keep their values.
    resumed: Vec<(BlockId, BlockId)>,
    resuming: Vec<(BlockId, BlockId)>,
}

/// The definitions of the value that an instruction reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definitions {
    /// The instructions that may have written a part of the value, in ascending order.
    pub instructions: Vec<usize>,
    /// Whether a part may have the value that it had at the start of the routine.
    pub is_from_start: bool,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    instruction: usize,
    kind: AccessKind,
    footprint: Footprint,
    replaces: bool,
}

/// An access to units of one root: whether it reads, whether it writes, and the units.
struct Touch<'e> {
    instruction: usize,
    reads: bool,
    event: Option<&'e Event>,
}

/// The direction of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Backward,
    Forward,
}

impl Analysis {
    /// Returns the chains of definitions and uses. The time is linear; each query takes time that is
    /// linear in the blocks between definitions and uses.
    pub fn chains(&self) -> Chains<'_> {
        let mut direct = Vec::new();
        let mut indirect = Vec::new();
        for (index, block) in self.cfg.blocks().iter().enumerate() {
            let is_divergent = self.divergence.is_divergent(BlockId(index as u32));
            for at in block.instructions.clone() {
                let Some(instruction) = self.instructions.get(at) else { continue };
                self.storage.visit_accesses(instruction, |access| match access.kind {
                    AccessKind::IndirectRead => indirect.push((at, access.root, true)),
                    AccessKind::IndirectWrite => indirect.push((at, access.root, false)),
                    AccessKind::AddressTaken => {}
                    AccessKind::Read | AccessKind::Write | AccessKind::Discard => {
                        let Some(root) = self.storage.index(access.root) else { return };
                        direct.push((root, Event::new(at, &access, is_divergent)));
                    }
                });
            }
        }
        direct.sort_by_key(|(root, event)| (*root, event.instruction, !event.reads()));
        let mut first = vec![0; self.storage.len() + 1];
        for (root, _) in &direct {
            first[root + 1] += 1;
        }
        for root in 1..first.len() {
            first[root] += first[root - 1];
        }
        let direct = direct.into_iter().map(|(_, event)| event).collect();
        let mut resumed = self.divergence.resumptions().to_vec();
        let mut resuming: Vec<_> = resumed.iter().map(|(from, to)| (*to, *from)).collect();
        resumed.sort_unstable();
        resuming.sort_unstable();
        Chains { analysis: self, direct, first, indirect, resumed, resuming }
    }
}

impl Chains<'_> {
    /// Returns the definitions of what an instruction reads of a variable, address variable or
    /// predicate: none if it reads nothing of it.
    pub fn definitions(&self, instruction: usize, id: impl Into<Id>) -> Definitions {
        let mut result = Definitions::default();
        let found = self.search(Direction::Backward, instruction, id.into());
        (result.instructions, result.is_from_start) = found;
        result
    }

    /// Returns the instructions that may read what an instruction writes to a variable, address variable
    /// or predicate, in ascending order.
    pub fn uses(&self, instruction: usize, id: impl Into<Id>) -> Vec<usize> {
        self.search(Direction::Forward, instruction, id.into()).0
    }

    /// Returns the instructions that are found, and whether the end of the search is reached: the start
    /// of the routine, or its end.
    fn search(&self, direction: Direction, from: usize, id: Id) -> (Vec<usize>, bool) {
        let none = (Vec::new(), false);
        let storage = &self.analysis.storage;
        let Some(location) = storage.location(id) else { return none };
        let Some(root) = storage.index(location.root) else { return none };
        let cfg = &self.analysis.cfg;
        let Some(start) = cfg.block_of(from) else { return none };
        let mut search = Search {
            direction,
            units: Units::new(storage, root),
            found: Vec::new(),
            is_at_end: false,
            pending: Vec::new(),
            seen: vec![None; cfg.blocks().len()],
        };
        let mut left = search.units.none();
        for touch in self.touches(root, location.root, from..from + 1) {
            if touch.reads == (direction == Direction::Backward) {
                search.units.add(&mut left, touch.event);
            }
        }
        let range = &cfg.blocks()[start.index()].instructions;
        let rest = match direction {
            Direction::Backward => range.start..from,
            Direction::Forward => from + 1..range.end,
        };
        self.scan(&mut search, root, location.root, rest, left, start);
        while let Some((block, left)) = search.pending.pop() {
            let range = cfg.blocks()[block.index()].instructions.clone();
            self.scan(&mut search, root, location.root, range, left, block);
        }
        search.found.sort_unstable();
        search.found.dedup();
        (search.found, search.is_at_end)
    }

    /// Searches a part of a block for units, and continues in the blocks next to it.
    fn scan(
        &self,
        search: &mut Search,
        root: usize,
        id: Id,
        range: Range<usize>,
        mut left: Box<[u64]>,
        block: BlockId,
    ) {
        let mut touches = self.touches(root, id, range);
        if search.direction == Direction::Backward {
            touches.reverse();
        }
        for touch in touches {
            if mask::is_empty(&left) {
                return;
            }
            let is_wanted = touch.reads == (search.direction == Direction::Forward)
                && touch.event.is_none_or(|event| event.kind != AccessKind::Discard);
            if is_wanted && search.units.overlap(&left, touch.event) {
                search.found.push(touch.instruction);
            }
            if let Some(event) = touch.event.filter(|event| event.replaces) {
                search.units.remove(&mut left, &event.footprint);
            }
        }
        if mask::is_empty(&left) {
            return;
        }
        let cfg = &self.analysis.cfg;
        let mut next: Vec<BlockId> = match search.direction {
            Direction::Backward => cfg.predecessors(block).iter().map(|edge| edge.from).collect(),
            Direction::Forward => cfg.successors(block).iter().map(|edge| edge.to).collect(),
        };
        match search.direction {
            Direction::Backward => next.extend(next_to(&self.resuming, block)),
            Direction::Forward => next.extend(next_to(&self.resumed, block)),
        }
        let is_entry = search.direction == Direction::Backward && block == BlockId::ENTRY;
        search.is_at_end |= next.is_empty() || is_entry;
        next.into_iter().for_each(|next| search.visit(next, &left));
    }

    /// Returns the accesses of some instructions to a root, in their order.
    fn touches(&self, root: usize, id: Id, range: Range<usize>) -> Vec<Touch<'_>> {
        let events = &self.direct[self.first[root]..self.first[root + 1]];
        let start = events.partition_point(|event| event.instruction < range.start);
        let end = events.partition_point(|event| event.instruction < range.end);
        let direct = events[start..end].iter().map(|event| Touch {
            instruction: event.instruction,
            reads: event.reads(),
            event: Some(event),
        });
        let mut touches: Vec<_> = direct.collect();
        let start = self.indirect.partition_point(|(at, ..)| *at < range.start);
        let end = self.indirect.partition_point(|(at, ..)| *at < range.end);
        let targets = &self.analysis.targets;
        let direct = touches.len();
        for (instruction, address, reads) in &self.indirect[start..end] {
            if targets.contains(*address, id) {
                touches.push(Touch { instruction: *instruction, reads: *reads, event: None });
            }
        }
        if touches.len() > direct {
            touches.sort_by_key(|touch| (touch.instruction, !touch.reads));
        }
        touches
    }
}

/// Returns the second blocks of the pairs with a first block.
fn next_to(pairs: &[(BlockId, BlockId)], block: BlockId) -> impl Iterator<Item = BlockId> {
    let start = pairs.partition_point(|(first, _)| *first < block);
    pairs[start..].iter().take_while(move |(first, _)| *first == block).map(|(_, second)| *second)
}

impl Event {
    fn new(instruction: usize, access: &Access, is_divergent: bool) -> Event {
        let Access { kind, footprint, .. } = *access;
        let replaces = match kind {
            AccessKind::Write => access.is_complete(is_divergent),
            kind => kind == AccessKind::Discard,
        };
        Event { instruction, kind, footprint, replaces }
    }

    fn reads(&self) -> bool {
        self.kind == AccessKind::Read
    }
}

/// The state of a search.
struct Search {
    direction: Direction,
    units: Units,
    found: Vec<usize>,
    is_at_end: bool,
    /// The blocks to search, with the units to search for.
    pending: Vec<(BlockId, Box<[u64]>)>,
    /// The units that were searched for in each block.
    seen: Vec<Option<Box<[u64]>>>,
}

impl Search {
    /// Searches a block for the units that were not searched for in it.
    fn visit(&mut self, block: BlockId, left: &[u64]) {
        let seen = self.seen[block.index()].get_or_insert_with(|| self.units.none());
        let mut new: Box<[u64]> = left.into();
        mask::subtract(&mut new, seen);
        if !mask::is_empty(&new) {
            mask::union(seen, &new);
            self.pending.push((block, new));
        }
    }
}

/// The units of a root. A large root has at most `LIMIT` groups of units instead.
struct Units {
    count: u32,
    shift: u32,
}

impl Units {
    const LIMIT: u32 = 1 << 14;

    fn new(storage: &Storage, root: usize) -> Units {
        let size = storage.size_of_root(root);
        let shift = (size / Units::LIMIT).checked_ilog2().map_or(0, |log| log + 1);
        Units { count: size.div_ceil(1 << shift), shift }
    }

    fn none(&self) -> Box<[u64]> {
        vec![0; mask::words(self.count)].into()
    }

    /// Returns the groups that contain units of a range.
    fn touched(&self, range: Range<u32>) -> Range<u32> {
        let end = u64::from(range.end).div_ceil(1 << self.shift);
        range.start >> self.shift..end as u32
    }

    /// Adds the units of an event; without an event, all.
    fn add(&self, units: &mut [u64], event: Option<&Event>) {
        match event {
            Some(event) => event.footprint.ranges().for_each(|range| {
                mask::insert(units, self.touched(range), self.count);
            }),
            None => mask::insert(units, 0..self.count, self.count),
        }
    }

    fn overlap(&self, units: &[u64], event: Option<&Event>) -> bool {
        let mut touched = self.none();
        self.add(&mut touched, event);
        units.iter().zip(&touched).any(|(a, b)| a & b != 0)
    }

    /// Removes the groups of which all units are replaced.
    fn remove(&self, units: &mut [u64], footprint: &Footprint) {
        let mut replaced = self.none();
        for range in footprint.ranges() {
            let start = u64::from(range.start).div_ceil(1 << self.shift) as u32;
            mask::insert(&mut replaced, start..range.end >> self.shift, self.count);
        }
        mask::subtract(units, &replaced);
    }
}
