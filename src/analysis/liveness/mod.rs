//! Liveness of the storage of a routine, and register pressure.

mod boundary;
mod events;
mod lanes;
mod mask;
mod solver;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use self::boundary::Boundary;
use self::events::Events;
use self::solver::Solver;
use super::graph::{Cfg, Divergence};
use super::indirect::AddressTargets;
use super::storage::{Location, RegisterSize, Storage};
use crate::isa::{Id, IdClass, Instruction};
use crate::object::Routine;
use crate::operand::VarId;

/// The units of storage that are live at each instruction, and the registers that they take.
///
/// A unit is live at an instruction if the instruction, or one that is executed after it, may read
/// the value that the unit has before the instruction. Units that no instruction has written are
/// not live, except those of inputs and of predefined variables.
/// `docs/analysis.md`, 3 defines this for lanes that are inactive.
///
/// Units of a variable after its first 16384 bytes, the size of the register file, are not analysed.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    pressure: Vec<Pressure>,
    /// In the order of the roots, and of the instructions.
    segments: Vec<Segment>,
    /// The roots with segments, in the order of [`Storage::roots`].
    roots: Vec<LiveRoot>,
    /// The masks of the segments, each after its length in words.
    masks: Vec<u64>,
    registers: RegisterSize,
}

/// A root that is live at some instruction.
#[derive(Clone, Debug)]
struct LiveRoot {
    id: Id,
    segments: Range<u32>,
    weight: Weight,
}

/// How a root contributes to pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// By the registers that contain live bytes.
    Registers,
    /// By its live bytes, because it is smaller than a register.
    Bytes,
    Address,
    Predicate,
    /// A register of the architecture.
    Nothing,
}

/// A range of instructions before which the same units of a root are live.
#[derive(Clone, Debug)]
struct Segment {
    instructions: Range<u32>,
    /// The index of its first word in the masks.
    mask: u32,
}

/// The live units before an instruction, and the registers that they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Pressure {
    /// The number of live bytes of general variables.
    pub bytes: u32,
    /// The number of registers that contain live bytes, if each variable of at least the size of a
    /// register starts at a register, and smaller variables are packed without gaps.
    pub registers: u32,
    /// The number of live bytes of address variables.
    pub address_bytes: u32,
    /// The number of live bits of predicates.
    pub predicate_bits: u32,
}

/// The live units of a root before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Live {
    /// The variable, address variable or predicate.
    pub root: Id,
    /// The number of live units: bytes, or bits of a predicate.
    pub units: u32,
    /// The number of registers that contain live bytes; 0 for a variable that is smaller than a
    /// register, and for address variables and predicates.
    pub registers: u32,
}

/// The largest number of units of a root that are analysed.
const MAX_UNITS: u32 = 1 << 14;

impl Liveness {
    /// Computes the liveness of the instructions of a routine.
    ///
    /// The time is linear in the number of accesses and in the number of blocks in which each root
    /// is live.
    pub fn new(
        routine: &Routine<'_, '_>,
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
        divergence: &Divergence,
        targets: &AddressTargets,
    ) -> Liveness {
        let boundary = Boundary::new(routine, storage, cfg);
        let events = Events::new(instructions, storage, cfg, divergence, targets);
        let mut solver = Solver::new(cfg, divergence, &boundary.exits);
        let mut result = Liveness { registers: storage.registers(), ..Liveness::default() };
        let mut changes = vec![Change::default(); instructions.len() + 1];
        for location in storage.roots() {
            let Some(root) = storage.index(location.root) else { continue };
            let at_entry = boundary.is_defined_at_entry(root);
            let at_exit = boundary.is_live_at_exit(root);
            let first = result.segments.len();
            solver.solve(root, &events, at_entry, at_exit, |range, mask| {
                result.push(first, range, mask);
            });
            result.finish(location, first, &mut changes);
        }
        result.pressure = pressure(&changes, storage.registers().bytes());
        result
    }

    /// Returns the pressure before each instruction.
    pub fn pressure(&self) -> &[Pressure] {
        &self.pressure
    }

    /// Returns the first instruction at which the number of registers is largest, and its pressure;
    /// `None` if there is no instruction.
    pub fn peak(&self) -> Option<(usize, Pressure)> {
        let most = self.pressure.iter().map(|pressure| pressure.registers).max()?;
        let at = self.pressure.iter().position(|pressure| pressure.registers == most)?;
        Some((at, self.pressure[at]))
    }

    /// Returns the roots that are live before an instruction: predefined variables, variables,
    /// address variables, then predicates, in the order of their numbers.
    ///
    /// The time is linear in the number of roots.
    pub fn live_at(&self, instruction: usize) -> impl Iterator<Item = Live> + '_ {
        self.roots.iter().filter_map(move |root| {
            let mask = self.mask(self.segment_at(root, instruction)?);
            let registers = match root.weight {
                Weight::Registers => mask::registers(mask, self.registers.bytes()),
                _ => 0,
            };
            Some(Live { root: root.id, units: mask::count(mask), registers })
        })
    }

    /// Returns the ranges of instructions before which units of a root are live, in ascending order.
    pub fn ranges(&self, root: impl Into<Id>) -> impl Iterator<Item = Range<usize>> + '_ {
        let root = self.root(root.into());
        let mut segments = root.map_or(&[][..], |root| self.segments(root)).iter().peekable();
        core::iter::from_fn(move || {
            let mut range = segments.next()?.instructions.clone();
            while let Some(next) = segments.next_if(|next| next.instructions.start == range.end) {
                range.end = next.instructions.end;
            }
            Some(range.start as usize..range.end as usize)
        })
    }

    /// Returns the units of a root that are live before an instruction, as ranges in ascending
    /// order.
    pub fn live_units(
        &self,
        root: impl Into<Id>,
        instruction: usize,
    ) -> impl Iterator<Item = Range<u32>> + '_ {
        let segment = self.root(root.into()).and_then(|root| self.segment_at(root, instruction));
        let mask = segment.map_or(&[][..], |segment| self.mask(segment));
        let is_live = |unit: &u32| mask[(unit / 64) as usize] >> (unit % 64) & 1 != 0;
        let end = mask.len() as u32 * 64;
        let mut next = 0;
        core::iter::from_fn(move || {
            let start = (next..end).find(is_live)?;
            next = (start..end).find(|unit| !is_live(unit)).unwrap_or(end);
            Some(start..next)
        })
    }

    fn root(&self, id: Id) -> Option<&LiveRoot> {
        let order = |id: Id| (class_order(id.class), id.number);
        let index = self.roots.binary_search_by_key(&order(id), |root| order(root.id)).ok()?;
        self.roots.get(index)
    }

    fn segments(&self, root: &LiveRoot) -> &[Segment] {
        &self.segments[root.segments.start as usize..root.segments.end as usize]
    }

    fn segment_at(&self, root: &LiveRoot, instruction: usize) -> Option<&Segment> {
        let segments = self.segments(root);
        let index =
            segments.partition_point(|segment| segment.instructions.end as usize <= instruction);
        segments.get(index).filter(|segment| segment.instructions.start as usize <= instruction)
    }

    fn mask(&self, segment: &Segment) -> &[u64] {
        let at = segment.mask as usize;
        &self.masks[at + 1..][..self.masks[at] as usize]
    }

    /// Adds a segment of the current root, or extends the last one.
    fn push(&mut self, first: usize, range: Range<u32>, mask: &[u64]) {
        let last = self.segments[first..].last();
        let is_equal = last
            .is_some_and(|last| last.instructions.end == range.start && self.mask(last) == mask);
        match self.segments.last_mut().filter(|_| is_equal) {
            Some(last) => last.instructions.end = range.end,
            None => {
                let index = self.masks.len() as u32;
                self.masks.push(mask.len() as u64);
                self.masks.extend_from_slice(mask);
                self.segments.push(Segment { instructions: range, mask: index });
            }
        }
    }

    /// Ends the segments of the current root.
    fn finish(&mut self, location: Location, first: usize, changes: &mut [Change]) {
        if first == self.segments.len() {
            return;
        }
        let weight = match location.root.class {
            IdClass::Address => Weight::Address,
            IdClass::Predicate => Weight::Predicate,
            _ if VarId(location.root.number).is_architecture_register() => Weight::Nothing,
            _ if location.size >= self.registers.bytes() => Weight::Registers,
            _ => Weight::Bytes,
        };
        for segment in &self.segments[first..] {
            let mask = self.mask(segment);
            let units = mask::count(mask) as i32;
            let mut change = Change::default();
            match weight {
                Weight::Registers => {
                    change.bytes = units;
                    change.registers = mask::registers(mask, self.registers.bytes()) as i32;
                }
                Weight::Bytes => (change.bytes, change.packed) = (units, units),
                Weight::Address => change.address_bytes = units,
                Weight::Predicate => change.predicate_bits = units,
                Weight::Nothing => {}
            }
            changes[segment.instructions.start as usize].add(change, 1);
            changes[segment.instructions.end as usize].add(change, -1);
        }
        let segments = first as u32..self.segments.len() as u32;
        self.roots.push(LiveRoot { id: location.root, segments, weight });
    }
}

/// The changes of the pressure from one instruction to the next.
#[derive(Clone, Copy, Default)]
struct Change {
    bytes: i32,
    registers: i32,
    /// The bytes of variables that are smaller than a register.
    packed: i32,
    address_bytes: i32,
    predicate_bits: i32,
}

impl Change {
    fn add(&mut self, other: Change, sign: i32) {
        self.bytes += sign * other.bytes;
        self.registers += sign * other.registers;
        self.packed += sign * other.packed;
        self.address_bytes += sign * other.address_bytes;
        self.predicate_bits += sign * other.predicate_bits;
    }
}

/// Returns the pressure before each instruction, given the changes at each.
fn pressure(changes: &[Change], register: u32) -> Vec<Pressure> {
    let mut sum = Change::default();
    let (_, changes) = changes.split_last().unwrap_or((&sum, &[]));
    let mut result = Vec::with_capacity(changes.len());
    for change in changes {
        sum.add(*change, 1);
        result.push(Pressure {
            bytes: sum.bytes as u32,
            registers: sum.registers as u32 + (sum.packed as u32).div_ceil(register),
            address_bytes: sum.address_bytes as u32,
            predicate_bits: sum.predicate_bits as u32,
        });
    }
    result
}

/// The order of the classes of [`Storage::roots`].
fn class_order(class: IdClass) -> u8 {
    match class {
        IdClass::Variable => 0,
        IdClass::Address => 1,
        _ => 2,
    }
}
