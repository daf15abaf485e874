//! The lanes that the units of a variable belong to.

use alloc::vec::Vec;

use super::event::{Effect, Event, Mapping, Units};
use crate::analysis::footprint::Footprint;

/// The number of units that have a common mapping.
const ROW: u32 = 32;

/// For each row of a root, the lanes that its units belong to.
#[derive(Default)]
pub(super) struct LaneMap {
    rows: Vec<Option<Mapping>>,
}

impl LaneMap {
    /// Assigns units to lanes, and limits the effects of events that access the units of other
    /// lanes than their own. The first write of a row by lane determines its mapping.
    pub(super) fn assign(&mut self, events: &mut [Event], units: u32) {
        self.rows.clear();
        self.rows.resize(units.div_ceil(ROW) as usize, None);
        for event in events.iter_mut().filter(|event| event.effect == Effect::WriteLanes) {
            if !self.agrees(event, true) {
                event.effect = Effect::MayWrite;
            }
        }
        for event in events {
            let reads_own = event.effect == Effect::Read { by_lane: true };
            if reads_own && !self.agrees(event, false) {
                event.forget_lanes();
            }
        }
    }

    /// Returns whether lanes access their own units. Sets the mapping of rows that have none, if
    /// `claims` is true.
    fn agrees(&mut self, event: &Event, claims: bool) -> bool {
        if event.mapping.pitch == 0 {
            return false;
        }
        let footprint = match event.units {
            Units::Word(0) => Footprint::contiguous(0, 0),
            Units::Word(word) => {
                let start = word.trailing_zeros();
                Footprint::contiguous(start, 64 - word.leading_zeros() - start)
            }
            Units::Footprint(footprint) => footprint,
        };
        let mut agrees = true;
        // The lanes start again in each row of the footprint.
        for row in 0..footprint.rows {
            let distance = row * footprint.row_stride;
            let span = Footprint { rows: 1, ..footprint }.span();
            let offset = event.mapping.offset.wrapping_sub(distance as i32);
            let mapping = Mapping { offset, ..event.mapping };
            for row in (span.start + distance) / ROW..(span.end + distance).div_ceil(ROW) {
                let Some(entry) = self.rows.get_mut(row as usize) else { break };
                match entry {
                    Some(known) => agrees &= *known == mapping,
                    None if claims => *entry = Some(mapping),
                    None => agrees = false,
                }
            }
        }
        agrees
    }
}
