//! Inputs that share registers with other inputs.

use alloc::vec::Vec;
use core::ops::Range;

use super::access::AccessKind;
use super::{Analysis, Storage};
use crate::isa::Id;
use crate::object::{Input, InputClass};

/// An instruction that writes an input, and so changes another one that is read later.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Overwrite {
    /// The index of the instruction.
    pub instruction: usize,
    /// The variable that it writes.
    pub written: Id,
    /// The input that it changes.
    pub changed: Id,
    /// The first bytes of the changed input that it writes and that are read later.
    pub bytes: Range<u32>,
}

/// The bytes of the payload that an input shares with another one.
#[derive(Clone, Copy)]
struct Shared {
    other: Id,
    /// The first shared byte in the root of the written input.
    start: i64,
    /// The end of the shared bytes in this root.
    end: i64,
    /// What is added to a position in this root for the position in the root of the other input.
    distance: i64,
}

/// Compilers write one or two pseudo inputs. Of each input, so many of the next inputs that share bytes with
/// it are seen.
const MAX_SHARED: usize = 16;

impl Analysis {
    /// Returns the instructions that change an input by writing another one in the same registers, if the
    /// changed bytes may be read later; for each pair of inputs the first.
    ///
    /// Inputs share bytes if the offsets of a pseudo input are those of an argument. Indirect writes are
    /// not seen.
    pub fn overwrites(&self, inputs: &[Input]) -> Vec<Overwrite> {
        let mut shared = shared_bytes(inputs, &self.storage);
        let mut result = Vec::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            self.storage.visit_accesses(instruction, |access| {
                if access.kind != AccessKind::Write {
                    return;
                }
                let of_root = |(written, _): &(Id, Shared)| written.cmp(&access.root);
                let (Ok(first) | Err(first)) =
                    shared.binary_search_by(|it| of_root(it).then(core::cmp::Ordering::Greater));
                let count = shared[first..].partition_point(|it| of_root(it).is_eq());
                let span = access.footprint.span();
                let found = (first..first + count).filter_map(|at| {
                    let (written, one) = shared[at];
                    let start = one.start.max(span.start.into()) + one.distance;
                    let end = one.end.min(span.end.into()) + one.distance;
                    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(end).ok()?);
                    let bytes = self.liveness.live_within(one.other, index + 1, start..end)?;
                    let changed = one.other;
                    Some((at, Overwrite { instruction: index, written, changed, bytes }))
                });
                let found: Vec<_> = found.collect();
                for (at, overwrite) in found.into_iter().rev() {
                    shared.remove(at);
                    result.push(overwrite);
                }
            });
        }
        result.sort_by_key(|it| (it.instruction, it.changed));
        result
    }
}

/// Returns the pairs of inputs that share bytes, in both directions, sorted by the written input.
fn shared_bytes(inputs: &[Input], storage: &Storage) -> Vec<(Id, Shared)> {
    let place = |input: &Input| {
        let is_variable = input.kind.class() == InputClass::GENERAL && input.size > 0;
        let location = storage.location(input.id().filter(|_| is_variable)?)?;
        let start = i64::from(input.offset);
        let end = start + i64::from(input.size);
        // The position in the payload of the start of the root.
        Some((start, end, start - i64::from(location.offset), location.root))
    };
    let mut places: Vec<_> = inputs.iter().filter_map(place).collect();
    places.sort_unstable();
    let mut result = Vec::new();
    for (at, &(start, end, origin, root)) in places.iter().enumerate() {
        let others = places[at + 1..].iter().take_while(|(other, ..)| *other < end);
        for &(other_start, other_end, other_origin, other) in others.take(MAX_SHARED) {
            let (start, end) = (start.max(other_start), end.min(other_end));
            if start >= end || other == root {
                continue;
            }
            for (root, origin, other, other_origin) in
                [(root, origin, other, other_origin), (other, other_origin, root, origin)]
            {
                let (start, end) = (start - origin, end - origin);
                let distance = origin - other_origin;
                result.push((root, Shared { other, start, end, distance }));
            }
        }
    }
    result.sort_by_key(|(root, shared)| (*root, shared.other));
    result
}
