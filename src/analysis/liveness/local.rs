//! Roots whose accesses are all in one block, before which they have no needed value.

use alloc::vec::Vec;

use super::events::{Effect, Event, Events, Units};
use super::mask;
use super::segments::Segments;

/// Changes the needed units from after an access to before it: those that any lane needs, and those
/// that their own lane needs.
#[inline]
pub(super) fn step_back(effect: Effect, mask: &[u64], any: &mut [u64], own: &mut [u64]) {
    match effect {
        Effect::Read { by_lane: false } => mask::union(any, mask),
        Effect::Read { by_lane: true } => mask::union(own, mask),
        Effect::MayWrite => {}
        Effect::WriteLanes => mask::subtract(own, mask),
        Effect::Write | Effect::Discard => {
            mask::subtract(any, mask);
            mask::subtract(own, mask);
        }
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
    scratch: Vec<u64>,
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
            match event.effect {
                Effect::Read { .. } => live |= units,
                Effect::MayWrite => {}
                // The value that is needed is not defined.
                Effect::Discard if live & units != 0 => return false,
                Effect::WriteLanes | Effect::Write | Effect::Discard => live &= !units,
            }
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
        self.scratch.clear();
        self.scratch.resize(words * 3, 0);
        let (any, rest) = self.scratch.split_at_mut(words);
        let (own, accessed) = rest.split_at_mut(words);
        let mut end = 0;
        for event in events {
            let after = event.instruction + 1;
            if after < end && !(mask::is_empty(any) && mask::is_empty(own)) {
                self.ranges.push((after, end));
                self.masks.extend(any.iter().zip(&*own).map(|(any, own)| any | own));
            }
            end = after;
            accessed.fill(0);
            add_units(accessed, &event.units, units);
            let is_needed = mask::intersects(any, accessed) || mask::intersects(own, accessed);
            if event.effect == Effect::Discard && is_needed {
                return false;
            }
            step_back(event.effect, accessed, any, own);
        }
        let is_local = mask::is_empty(any) && mask::is_empty(own);
        if is_local {
            for (range, mask) in self.ranges.iter().zip(self.masks.chunks_exact(words)).rev() {
                segments.push(root, range.0..range.1, mask);
            }
        }
        is_local
    }
}
