//! An access to a root, with its units, their lanes, and its effect on liveness.

use crate::analysis::access::Access;
use crate::analysis::footprint::Footprint;

/// An access to a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) instruction: u32,
    pub(super) effect: Effect,
    pub(super) units: Units,
    pub(super) mapping: Mapping,
}

impl Event {
    /// Makes a read by lane a read of units of any lane.
    pub(super) fn forget_lanes(&mut self) {
        if self.effect.is_read() {
            self.effect = Effect::Read { by_lane: false };
        }
    }
}

/// The units of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Units {
    /// Of a root of at most 64 units.
    Word(u64),
    /// Of a larger root.
    Footprint(Footprint),
}

/// The effect of an access on liveness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Reads the units. `true` if each active lane reads its own units only.
    Read { by_lane: bool },
    /// Writes some of the units, or none.
    MayWrite,
    /// Writes the units of active lanes, while others may be inactive.
    WriteLanes,
    /// Writes all units.
    Write,
    /// The values are lost.
    Discard,
}

impl Effect {
    pub(super) fn is_read(self) -> bool {
        matches!(self, Effect::Read { .. })
    }

    /// Returns whether units may have a value afterwards.
    pub(super) fn defines(self) -> bool {
        matches!(self, Effect::MayWrite | Effect::WriteLanes | Effect::Write)
    }

    /// Returns whether no lane needs the value before the access because of reads after it.
    pub(super) fn kills_for_any(self) -> bool {
        matches!(self, Effect::Write | Effect::Discard)
    }

    /// Returns whether the own lane does not need the value before the access because of reads after
    /// it.
    pub(super) fn kills_for_own(self) -> bool {
        matches!(self, Effect::WriteLanes | Effect::Write | Effect::Discard)
    }
}

/// The lanes of consecutive units: unit `u` belongs to lane `(u + offset) / pitch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    /// 0 if units do not belong to lanes.
    pub(super) pitch: u16,
    pub(super) offset: i32,
}

impl Mapping {
    /// Returns the lanes of the first row of an access.
    #[inline]
    pub(super) fn new(access: &Access) -> Mapping {
        let Some(lanes) = access.lanes else { return Mapping::default() };
        let offset = i32::from(lanes.first) * i32::from(lanes.pitch);
        Mapping { pitch: lanes.pitch, offset: offset.wrapping_sub(access.footprint.start as i32) }
    }
}
