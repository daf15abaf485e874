//! Atoms: ranges of units of a root that all of its accesses contain or do not contain.

use alloc::vec::Vec;
use core::ops::Range;

use super::event::{Event, Units};
use crate::analysis::mask;

/// The atoms of a root, in ascending order. The buffers are reused for other roots.
#[derive(Default)]
pub(super) struct Atoms {
    /// The start of each atom, and the end of the last one.
    bounds: Vec<u32>,
    /// The bounds as a set of units, and the number of bounds before each word.
    starts: Vec<(u64, u32)>,
}

/// The different units of the events of a root. Most accesses repeat earlier ones. The buffers are
/// reused for other roots.
#[derive(Default)]
pub(super) struct Distinct {
    pub(super) units: Vec<Units>,
    /// For each event, the index of its units.
    pub(super) of_event: Vec<u32>,
    table: Vec<u32>,
}

impl Distinct {
    /// Replaces the units with the units of a root's events.
    pub(super) fn assign(&mut self, events: &[Event]) {
        let Distinct { units: distinct, of_event, table } = self;
        distinct.clear();
        of_event.clear();
        table.clear();
        table.resize((events.len() * 2).next_power_of_two(), u32::MAX);
        let mut last = None;
        for event in events {
            if let Some((_, index)) = last.filter(|(units, _)| *units == event.units) {
                of_event.push(index);
                continue;
            }
            let mut slot = hash(&event.units) as usize & (table.len() - 1);
            let index = loop {
                match distinct.get(table[slot] as usize) {
                    Some(units) if *units == event.units => break table[slot],
                    Some(_) => slot = (slot + 1) & (table.len() - 1),
                    None => {
                        table[slot] = distinct.len() as u32;
                        distinct.push(event.units);
                        break table[slot];
                    }
                }
            };
            last = Some((event.units, index));
            of_event.push(index);
        }
    }
}

fn hash(units: &Units) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(FACTOR).rotate_left(23);
    let hash = match units {
        Units::Word(word) => mix(0, *word),
        Units::Footprint(f) => {
            let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
            let hash = mix(mix(1, pair(f.start, f.element)), pair(f.columns, f.column_stride));
            mix(hash, pair(f.rows, f.row_stride))
        }
    };
    (hash >> 32) as u32
}

impl Atoms {
    /// Replaces the atoms with the atoms of a root, which contain all of its `units`.
    pub(super) fn assign(&mut self, distinct: &[Units], units: u32) {
        let Atoms { bounds, starts } = self;
        // Whether an atom starts at each unit.
        starts.clear();
        starts.resize(mask::words(units + 1), (0u64, 0));
        let mut start_at = |unit: u32| {
            let unit = unit.min(units);
            starts[(unit / 64) as usize].0 |= 1 << (unit % 64);
        };
        start_at(0);
        start_at(units);
        for one in distinct {
            let mut add = |range: Range<u32>| {
                start_at(range.start);
                start_at(range.end);
            };
            match one {
                Units::Word(word) => ranges(*word, add),
                Units::Footprint(footprint) => footprint.ranges().for_each(&mut add),
            }
        }
        bounds.clear();
        for (index, (word, before)) in starts.iter_mut().enumerate() {
            *before = bounds.len() as u32;
            let mut word = *word;
            while word != 0 {
                bounds.push(index as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    /// Returns the start of each atom, and the end of the last one.
    pub(super) fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// Returns the number of atoms.
    pub(super) fn count(&self) -> u32 {
        self.bounds.len().saturating_sub(1) as u32
    }

    /// Adds the atoms of the units of an event to a mask.
    pub(super) fn insert(&self, mask: &mut [u64], units: &Units) {
        let count = self.count();
        let mut insert = |range: Range<u32>| mask::insert(mask, self.atoms(range), count);
        match units {
            Units::Word(word) => ranges(*word, insert),
            Units::Footprint(footprint) => footprint.ranges().for_each(&mut insert),
        }
    }

    fn atoms(&self, units: Range<u32>) -> Range<u32> {
        let index = |unit: u32| match self.starts.get((unit / 64) as usize) {
            Some((word, before)) => before + (word & ((1 << (unit % 64)) - 1)).count_ones(),
            None => self.count(),
        };
        index(units.start)..index(units.end)
    }
}

/// Toggles the units of atoms. `bounds` are the starts of the atoms from the first one of the word on.
pub(super) fn toggle(atoms: u64, bounds: &[u32], units: &mut [u64]) {
    ranges(atoms, |atoms| {
        mask::toggle(units, bounds[atoms.start as usize]..bounds[atoms.end as usize]);
    });
}

/// Calls a function with the ranges of bits that are set.
fn ranges(mut word: u64, mut each: impl FnMut(Range<u32>)) {
    while word != 0 {
        let start = word.trailing_zeros();
        let end = start + (word >> start).trailing_ones();
        each(start..end);
        word = if end == 64 { 0 } else { word >> end << end };
    }
}
