//! Atoms: ranges of units of a root that all of its accesses contain or do not contain.

use alloc::vec::Vec;
use core::ops::Range;

use super::events::{Event, Units};
use super::mask;

/// The atoms of a root, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    /// The start of each atom, and the end of the last one.
    bounds: Vec<u32>,
}

impl Atoms {
    /// Returns the atoms of a root of a number of units. They contain all of its units.
    pub(super) fn new(events: &[Event], units: u32) -> Atoms {
        let mut bounds = Vec::from([0, units]);
        let mut footprints = Vec::new();
        for event in events {
            match event.units {
                Units::Word(word) => ranges(word, |range| bounds.extend([range.start, range.end])),
                Units::Footprint(footprint) => footprints.push(footprint),
            }
            // Most accesses repeat earlier ones.
            if bounds.len() > 1024 {
                bounds.sort_unstable();
                bounds.dedup();
            }
        }
        footprints.sort_unstable();
        footprints.dedup();
        for footprint in footprints {
            for range in footprint.ranges() {
                bounds.extend([range.start.min(units), range.end.min(units)]);
            }
            if bounds.len() as u32 > 4 * units {
                bounds.sort_unstable();
                bounds.dedup();
            }
        }
        bounds.sort_unstable();
        bounds.dedup();
        Atoms { bounds }
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

    /// Replaces a mask with the units of atoms.
    pub(super) fn expand(&self, atoms: &[u64], units: &mut Vec<u64>) {
        let end = self.bounds.last().copied().unwrap_or(0);
        units.clear();
        units.resize(mask::words(end), 0);
        for (index, word) in atoms.iter().enumerate() {
            ranges(*word, |range| {
                let bound = |atom: u32| self.bounds[index * 64 + atom as usize];
                mask::insert(units, bound(range.start)..bound(range.end), end);
            });
        }
    }

    fn atoms(&self, units: Range<u32>) -> Range<u32> {
        let index = |unit: u32| self.bounds.partition_point(|bound| *bound < unit) as u32;
        index(units.start)..index(units.end)
    }
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
