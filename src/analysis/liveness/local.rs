//! Roots whose accesses are all in one block, before which they have no needed value.

use alloc::vec::Vec;

use super::event::{Effect, Event, Units};
use super::events::Events;
use super::segments::Segments;
use crate::analysis::mask::{self, only_if};

/// The units that are needed, in a word.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Needs {
    /// Those that any lane needs.
    pub(super) any: u64,
    /// Those that their own lane needs.
    pub(super) own: u64,
}

impl Needs {
    /// Changes the needed units from after an access to before it.
    #[inline]
    pub(super) fn step_back(&mut self, effect: Effect, units: u64) {
        self.any &= !only_if(effect.kills_for_any(), units);
        self.own &= !only_if(effect.kills_for_own(), units);
        self.any |= only_if(effect == Effect::Read { by_lane: false }, units);
        self.own |= only_if(effect == Effect::Read { by_lane: true }, units);
    }

    /// Returns the units that any lane or their own lane needs.
    #[inline]
    pub(super) fn all(self) -> u64 {
        self.any | self.own
    }
}

/// Adds the units of an event to a mask of a root of a number of units.
pub(super) fn add_units(mask: &mut [u64], units: &Units, count: u32) {
    match units {
        Units::Word(word) => mask[0] |= word,
        Units::Footprint(footprint) => {
            for range in footprint.ranges() {
                mask::insert(mask, range, count);
            }
        }
    }
}

/// Solves local roots. The buffers are reused.
#[derive(Default)]
pub(super) struct Local {
    /// The segments in descending order: the start and end of each.
    ranges: Vec<(u32, u32)>,
    masks: Vec<u64>,
    needs: Vec<Needs>,
    accessed: Vec<u64>,
}

impl Local {
    /// Adds the segments of a root, if its units are certainly written before they are read.
    /// Otherwise returns false.
    ///
    /// Without events by lane, the needs of any lane and of the own lane do not differ.
    pub(super) fn solve(&mut self, root: usize, events: &Events, segments: &mut Segments) -> bool {
        let facts = events.root(root);
        if facts.units > 64 {
            return self.solve_words(root, facts.units, events.backwards(root), segments);
        }
        self.ranges.clear();
        self.masks.clear();
        let (mut live, mut end) = (0, 0);
        for event in events.backwards(root) {
            let after = event.instruction + 1;
            if live != 0 && after < end {
                self.ranges.push((after, end));
                self.masks.push(live);
            }
            end = after;
            let Units::Word(units) = event.units else { return false };
            // The value that is needed is not defined.
            if event.effect == Effect::Discard && live & units != 0 {
                return false;
            }
            live &= !only_if(event.effect.kills_for_own(), units);
            live |= only_if(event.effect.is_read(), units);
        }
        if live == 0 {
            for (range, mask) in self.ranges.iter().zip(&self.masks).rev() {
                segments.push(root, range.0..range.1, core::slice::from_ref(mask));
            }
        }
        live == 0
    }

    /// Does the same for a root of any size, some of whose accesses may be by lane. The events are in
    /// descending order.
    pub(super) fn solve_words(
        &mut self,
        root: usize,
        units: u32,
        events: impl Iterator<Item = Event>,
        segments: &mut Segments,
    ) -> bool {
        let words = mask::words(units);
        self.ranges.clear();
        self.masks.clear();
        self.needs.clear();
        self.needs.resize(words, Needs::default());
        let mut is_needed = false;
        let mut end = 0;
        for event in events {
            let after = event.instruction + 1;
            if after < end && is_needed {
                self.ranges.push((after, end));
                self.masks.extend(self.needs.iter().map(|needs| needs.all()));
            }
            end = after;
            self.accessed.clear();
            self.accessed.resize(words, 0);
            add_units(&mut self.accessed, &event.units, units);
            let mut discards_needed = false;
            is_needed = false;
            for (needs, accessed) in self.needs.iter_mut().zip(&self.accessed) {
                discards_needed |= needs.all() & accessed != 0;
                needs.step_back(event.effect, *accessed);
                is_needed |= needs.all() != 0;
            }
            // The value that is needed is not defined.
            if event.effect == Effect::Discard && discards_needed {
                return false;
            }
        }
        if !is_needed {
            for (range, mask) in self.ranges.iter().zip(self.masks.chunks_exact(words)).rev() {
                segments.push(root, range.0..range.1, mask);
            }
        }
        !is_needed
    }
}
