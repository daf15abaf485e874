//! Accesses of instructions to storage.

use super::footprint::Footprint;
use crate::isa::Id;

/// An access of an instruction to the storage of a variable, predicate or address variable.
///
/// [`Storage::visit_accesses`](super::Storage::visit_accesses) reports these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Access {
    /// The variable that has the storage: the root of the variable that the operand names.
    pub root: Id,
    /// What the instruction does with the units.
    pub kind: AccessKind,
    /// The units of the root.
    pub footprint: Footprint,
    /// Which of the units the instruction accesses.
    pub condition: Condition,
    /// The lanes that access the units; `None` if units do not belong to lanes, for example in
    /// payloads and in regions that several lanes read.
    pub lanes: Option<Lanes>,
}

impl Access {
    /// Returns whether all units are accessed, in a block in which lanes may have diverged or not.
    #[inline]
    pub(super) fn is_complete(&self, is_divergent: bool) -> bool {
        self.condition == Condition::Always
            || self.condition == Condition::ActiveLanes && !is_divergent
    }
}

/// What an instruction does with storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessKind {
    /// It reads the units.
    Read,
    /// It writes the units.
    Write,
    /// The values of the units are lost: LIFETIME starts or ends the life of the variable.
    Discard,
    /// It takes the address of the units. Indirect accesses may read and write the whole root later.
    AddressTaken,
    /// It reads an unknown part of the variables whose addresses the address variable `root`
    /// contains. The footprint counts the elements of `root`.
    IndirectRead,
    /// It writes an unknown part of the variables whose addresses the address variable `root`
    /// contains. The footprint counts the elements of `root`.
    IndirectWrite,
}

/// Which units of its footprint an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Condition {
    /// All units, whichever lanes are active.
    Always,
    /// The units of active lanes. If all lanes are active, these are all units.
    ActiveLanes,
    /// The units of lanes for which the predicate is true: of active lanes, or with `_NM` of all lanes.
    Predicated,
    /// Some units, or none: the length of the operand is not known, or is an upper bound.
    Possible,
}

/// The lanes that access the units of a footprint: each element, or each `pitch` units of an
/// element, belongs to the next lane.
///
/// In a footprint of several rows with one column each, the lanes start again in each row, as in
/// messages that return several channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lanes {
    /// The lane of the first unit, 0 to 31.
    pub first: u8,
    /// The number of lanes.
    pub count: u8,
    /// The distance of the units of consecutive lanes.
    pub pitch: u16,
    /// Whether inactive lanes do not access their units: the execution mask has no `_NM`.
    pub is_masked: bool,
}
