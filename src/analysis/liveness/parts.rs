//! The parts in which the units of a root are analysed.

use core::ops::Range;

use super::event::Effect;
use crate::analysis::footprint::Footprint;

/// The parts of a root: its units, or blocks of units if it has very many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The number of units of the root.
    size: u32,
    /// The number of parts.
    pub(super) count: u32,
    /// The binary logarithm of the number of units of a part.
    pub(super) shift: u32,
}

/// The largest number of parts of a root, which limits the memory.
const MOST: u32 = 1 << 14;

impl Parts {
    /// Returns the parts of a root of a number of units.
    pub(super) fn new(size: u32) -> Parts {
        let shift = match size {
            ..=MOST => 0,
            _ => size.div_ceil(MOST).next_power_of_two().trailing_zeros(),
        };
        Parts { size, count: size.div_ceil(1 << shift), shift }
    }

    /// Returns the units of a range of parts.
    pub(super) fn units(self, parts: Range<u32>) -> Range<u32> {
        let end = u64::from(parts.end) << self.shift;
        parts.start << self.shift..end.min(self.size.into()) as u32
    }

    /// Calls a function with the effects of an access on parts that have several units. Units that
    /// an access does not contain keep their values, so only a part that is written completely is
    /// certainly written.
    pub(super) fn each_effect(
        self,
        effect: Effect,
        footprint: &Footprint,
        mut each: impl FnMut(Effect, Footprint),
    ) {
        let span = footprint.span();
        let (start, end) = (span.start.min(self.size), span.end.min(self.size));
        if start == end {
            return;
        }
        let part = 1 << self.shift;
        let touched = Footprint::contiguous(start / part, end.div_ceil(part) - start / part);
        let is_contiguous = footprint.ranges().next() == Some(span);
        let last = if end == self.size { self.count } else { end / part };
        let first = start.div_ceil(part);
        let count = if is_contiguous { last.saturating_sub(first) } else { 0 };
        let complete = Footprint::contiguous(first, count);
        match effect {
            Effect::Read { .. } => each(Effect::Read { by_lane: false }, touched),
            Effect::MayWrite | Effect::WriteLanes => each(Effect::MayWrite, touched),
            Effect::Write => {
                each(Effect::MayWrite, touched);
                each(Effect::Write, complete);
            }
            Effect::Discard => each(Effect::Discard, complete),
        }
    }
}
