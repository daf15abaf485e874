//! Liveness of the storage of a routine, and register pressure.

mod atoms;
mod boundary;
mod event;
mod events;
mod global;
mod indirect;
mod lanes;
mod local;
mod parts;
mod segments;

use alloc::vec::Vec;
use core::ops::Range;

use self::boundary::Boundary;
use self::event::Event;
use self::events::Events;
use self::global::{Global, GlobalRoot};
use self::lanes::LaneMap;
use self::local::Local;
use self::parts::Parts;
use self::segments::{Segments, Weight, Weights};
use super::graph::{Cfg, Divergence};
use super::indirect::AddressTargets;
use super::mask;
use super::storage::Storage;
use crate::isa::{Id, Instruction};
use crate::object::Routine;

/// The units of storage that are live at each instruction, and the registers that they take.
///
/// A unit is live at an instruction if the instruction, or one that is executed after it, may read
/// the value that the unit has before the instruction. Units that no instruction has written are
/// not live, except in inputs and predefined variables.
/// `docs/analysis.md`, 3 defines this for lanes that are inactive.
///
/// To limit the memory, a variable of more than 16384 bytes, the size of the register file, is analysed
/// in parts of several bytes: a part is live as a whole. A variable that has very many accesses or parts
/// in a routine with very many blocks (their product is above 2^26) is analysed as one part.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    pressure: Vec<Pressure>,
    segments: Segments,
    /// The roots with segments, in the order of [`Storage::roots`].
    roots: Vec<LiveRoot>,
}

/// A root that is live at some instruction.
#[derive(Clone, Debug)]
struct LiveRoot {
    id: Id,
    /// Its index in the storage.
    root: usize,
    parts: Parts,
    weight: Weight,
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

/// The registers that the finalizer takes beside those of live variables; see
/// [`Pressure::estimated_registers`].
const ALLOCATION_OVERHEAD: u32 = 10;

impl Pressure {
    /// Returns an estimate of the registers that the finalizer needs where the pressure is largest: 10
    /// more than are live, for the header of the thread, temporary values and gaps.
    ///
    /// 10 is the median for kernels that IGC allocates by graph colouring
    /// (`docs/analysis.md`, 4 has the figures). The estimate is too high where the finalizer moves
    /// instructions to where their results are used, and it does not contain registers that calls save.
    pub const fn estimated_registers(&self) -> u32 {
        self.registers.saturating_add(ALLOCATION_OVERHEAD)
    }
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

impl Liveness {
    /// Computes the liveness of the instructions of a routine.
    ///
    /// The time is linear in the number of accesses, and for roots that are live in several blocks in the product of
    /// the number of blocks and of these roots, of which about 256 are solved at a time. An indirect access takes the time of one access for every 64 roots that it may concern.
    ///
    /// # Panics
    /// May panic if the arguments are of different routines.
    pub fn new(
        routine: &Routine<'_, '_>,
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
        divergence: &Divergence,
        targets: &AddressTargets,
    ) -> Liveness {
        let boundary = Boundary::new(routine, instructions, storage, cfg);
        let events = Events::new(instructions, storage, cfg, divergence, targets);
        let mut segments = Segments::with_capacity(instructions.len());
        let mut local = Local::default();
        let mut lanes = LaneMap::default();
        let mut global = Global::new(cfg, divergence, &boundary.exits, &events.indirect);
        let mut list: Vec<Event> = Vec::new();
        for root in 0..storage.len() {
            let facts = events.root(root);
            let at_exit = boundary.is_live_at_exit(root);
            if facts.units == 0 || !facts.is_read && !at_exit {
                continue;
            }
            let may_be_local = facts.is_local && !at_exit;
            if may_be_local && !facts.is_by_lane && local.solve(root, &events, &mut segments) {
                continue;
            }
            events.of_root(root, &mut list);
            if facts.is_by_lane {
                lanes.assign(&mut list, facts.units);
                let events = list.iter().rev().copied();
                if may_be_local && local.solve_words(root, facts.units, events, &mut segments) {
                    continue;
                }
            } else {
                list.iter_mut().for_each(Event::forget_lanes);
            }
            let global_root = GlobalRoot {
                root,
                units: facts.units,
                is_defined_at_entry: boundary.is_defined_at_entry(root),
                is_live_at_exit: at_exit,
            };
            global.add(global_root, &list, &mut segments);
        }
        global.finish(&mut segments);
        segments.sort(storage.len());
        let weights = Weights { storage };
        let pressure = segments.pressure(instructions.len(), &weights);
        let is_live = |root: &usize| !segments.of_root(*root).is_empty();
        let roots = (0..storage.len()).filter(is_live).map(|root| LiveRoot {
            id: storage.id(root),
            root,
            parts: weights.parts(root),
            weight: weights.weight(root),
        });
        let roots = roots.collect();
        Liveness { pressure, segments, roots }
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
            let mask = self.mask(root, instruction)?;
            let registers = root.weight.registers(mask, root.parts);
            Some(Live { root: root.id, units: mask::count(mask) << root.parts.shift, registers })
        })
    }

    /// Returns the ranges of instructions before which units of a root are live, in ascending order.
    pub fn ranges(&self, root: impl Into<Id>) -> impl Iterator<Item = Range<usize>> + '_ {
        let segments = self.root(root.into()).map(|root| self.segments.of_root(root.root));
        let mut segments = segments.unwrap_or_default().iter().peekable();
        core::iter::from_fn(move || {
            let first = segments.next()?;
            let mut range = first.start as usize..first.end as usize;
            while let Some(next) = segments.next_if(|next| next.start as usize == range.end) {
                range.end = next.end as usize;
            }
            Some(range)
        })
    }

    /// Returns the units of a root that are live before an instruction, as ranges in ascending
    /// order.
    pub fn live_units(
        &self,
        root: impl Into<Id>,
        instruction: usize,
    ) -> impl Iterator<Item = Range<u32>> + '_ {
        let root = self.root(root.into());
        let mask = root.and_then(|root| self.mask(root, instruction)).unwrap_or_default();
        let is_live = |part: &u32| mask[(part / 64) as usize] >> (part % 64) & 1 != 0;
        let end = mask.len() as u32 * 64;
        let mut next = 0;
        core::iter::from_fn(move || {
            let start = (next..end).find(is_live)?;
            next = (start..end).find(|part| !is_live(part)).unwrap_or(end);
            Some(root?.parts.units(start..next))
        })
    }

    /// Returns the first live units in a range of units of a root before an instruction.
    pub(super) fn live_within(
        &self,
        root: Id,
        instruction: usize,
        units: Range<u32>,
    ) -> Option<Range<u32>> {
        let root = self.root(root)?;
        let mask = self.mask(root, instruction)?;
        let is_live = |part: u32| mask[(part / 64) as usize] >> (part % 64) & 1 != 0;
        let end = (mask.len() as u32 * 64).min(units.end.div_ceil(1 << root.parts.shift));
        let mut part = units.start >> root.parts.shift;
        while part < end && !is_live(part) {
            // Words without live parts are skipped.
            let is_empty = part % 64 == 0 && mask[(part / 64) as usize] == 0;
            part += if is_empty { 64 } else { 1 };
        }
        let last = (part..end).find(|part| !is_live(*part)).unwrap_or(end);
        let live = root.parts.units(part..last);
        let live = live.start.max(units.start)..live.end.min(units.end);
        (!live.is_empty()).then_some(live)
    }

    fn root(&self, id: Id) -> Option<&LiveRoot> {
        let index = self.roots.binary_search_by_key(&id, |root| root.id).ok()?;
        self.roots.get(index)
    }

    fn mask(&self, root: &LiveRoot, instruction: usize) -> Option<&[u64]> {
        let segment = self.segments.at(root.root, instruction)?;
        Some(self.segments.mask(segment, mask::words(root.parts.count)))
    }
}
