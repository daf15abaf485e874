//! The lanes that the units of a variable belong to.

use alloc::vec::Vec;

use super::events::{Effect, Event};
use crate::analysis::access::Lanes;
use crate::analysis::footprint::Footprint;

/// The number of units that have a common mapping.
const ROW: u32 = 32;

/// The mapping of a row: unit `u` belongs to lane `(u + offset) / pitch`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mapping {
    pitch: u16,
    offset: i64,
}

/// For each row of a root, the lanes that its units belong to.
#[derive(Default)]
pub(super) struct LaneMap {
    rows: Vec<Option<Mapping>>,
}

impl LaneMap {
    /// Assigns units to lanes, and limits the effects of events that access the units of other
    /// lanes than their own. The first write of a row by lane determines its mapping.
    ///
    /// Returns whether any event writes by lane.
    pub(super) fn assign(&mut self, events: &mut [Event], units: u32) -> bool {
        if !events.iter().any(|event| event.effect == Effect::WriteLanes) {
            for event in events {
                if let Effect::Read { by_lane } = &mut event.effect {
                    *by_lane = false;
                }
            }
            return false;
        }
        self.rows.clear();
        self.rows.resize(units.div_ceil(ROW) as usize, None);
        for event in events.iter_mut().filter(|event| event.effect == Effect::WriteLanes) {
            if !self.agrees(event.footprint, event.lanes, true) {
                event.effect = Effect::MayWrite;
            }
        }
        for event in events {
            if event.effect == (Effect::Read { by_lane: true })
                && !self.agrees(event.footprint, event.lanes, false)
            {
                event.effect = Effect::Read { by_lane: false };
            }
        }
        true
    }

    /// Returns whether lanes access their own units. Sets the mapping of rows that have none, if
    /// `claims` is true.
    fn agrees(&mut self, footprint: Footprint, lanes: Option<Lanes>, claims: bool) -> bool {
        let Some(lanes) = lanes.filter(|lanes| lanes.pitch > 0) else { return false };
        let mut agrees = true;
        // The lanes start again in each row of the footprint.
        for row in 0..footprint.rows {
            let part = Footprint {
                start: footprint.start + row * footprint.row_stride,
                rows: 1,
                ..footprint
            };
            let span = part.span();
            let offset = i64::from(lanes.first) * i64::from(lanes.pitch) - i64::from(span.start);
            let mapping = Mapping { pitch: lanes.pitch, offset };
            for row in span.start / ROW..span.end.div_ceil(ROW) {
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
