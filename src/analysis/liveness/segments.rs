//! The ranges of instructions at which units are live, and the pressure that they cause.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::Pressure;
use super::parts::Parts;
use crate::analysis::mask;
use crate::analysis::storage::Storage;
use crate::isa::IdClass;
use crate::operand::VarId;

/// A range of instructions before which the same units of a root are live.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) root: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The index of its first word in the masks.
    mask: u32,
}

/// The segments of all roots.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    list: Vec<Segment>,
    masks: Vec<u64>,
    /// For each root, the index of its first segment; at the end the number of segments.
    first: Vec<u32>,
}

impl Segments {
    /// Returns an empty list, with memory for a number of segments.
    pub(super) fn with_capacity(count: usize) -> Segments {
        let (list, masks) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Segments { list, masks, first: Vec::new() }
    }

    /// Adds a segment after the other segments of its root.
    #[inline]
    pub(super) fn push(&mut self, root: usize, range: Range<u32>, mask: &[u64]) {
        let index = self.masks.len() as u32;
        match mask {
            [word] => self.masks.push(*word),
            _ => self.masks.extend_from_slice(mask),
        }
        let (start, end) = (range.start, range.end);
        self.list.push(Segment { root: root as u32, start, end, mask: index });
    }

    /// Orders the segments of a number of roots by their roots.
    pub(super) fn sort(&mut self, roots: usize) {
        let mut first = vec![0u32; roots + 1];
        for segment in &self.list {
            first[segment.root as usize + 1] += 1;
        }
        for root in 0..roots {
            first[root + 1] += first[root];
        }
        let mut sorted = self.list.clone();
        for segment in &self.list {
            let at = &mut first[segment.root as usize];
            sorted[*at as usize] = *segment;
            *at += 1;
        }
        // Now these are the ends of the segments of the roots.
        first.rotate_right(1);
        first[0] = 0;
        (self.list, self.first) = (sorted, first);
    }

    /// Returns the segments of a root in ascending order.
    pub(super) fn of_root(&self, root: usize) -> &[Segment] {
        match (self.first.get(root), self.first.get(root + 1)) {
            (Some(start), Some(end)) => &self.list[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// Returns the segment of a root that contains an instruction.
    pub(super) fn at(&self, root: usize, instruction: usize) -> Option<&Segment> {
        let segments = self.of_root(root);
        let index = segments.partition_point(|segment| segment.end as usize <= instruction);
        segments.get(index).filter(|segment| segment.start as usize <= instruction)
    }

    /// Returns the units of a segment, given the number of words of the masks of its root.
    pub(super) fn mask(&self, segment: &Segment, words: usize) -> &[u64] {
        &self.masks[segment.mask as usize..][..words]
    }

    /// Returns the pressure before each of a number of instructions.
    pub(super) fn pressure(&self, count: usize, weights: &Weights<'_>) -> Vec<Pressure> {
        let mut changes = vec![Change::default(); count + 1];
        for root in 0..self.first.len().saturating_sub(1) {
            let segments = self.of_root(root);
            if segments.is_empty() {
                continue;
            }
            let (weight, parts) = (weights.weight(root), weights.parts(root));
            let words = mask::words(parts.count);
            for segment in segments {
                let change = weight.change(self.mask(segment, words), parts);
                changes[segment.start as usize].add(change);
                changes[segment.end as usize].subtract(change);
            }
        }
        let register = i64::from(weights.storage.registers().bytes());
        let shift = register.trailing_zeros();
        // Text may state sizes whose sum does not fit.
        let limited = |sum: i64| u32::try_from(sum).unwrap_or(u32::MAX);
        let mut sum = Change::default();
        let pressure = changes.iter().take(count).map(|change| {
            sum.add(*change);
            Pressure {
                bytes: limited(sum.bytes),
                registers: limited(sum.registers + ((sum.packed + register - 1) >> shift)),
                address_bytes: limited(sum.address_bytes),
                predicate_bits: limited(sum.predicate_bits),
            }
        });
        pressure.collect()
    }
}

/// How roots contribute to pressure.
pub(super) struct Weights<'s> {
    pub(super) storage: &'s Storage,
}

/// How a root contributes to pressure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weight {
    /// By the registers, of a size, that contain live bytes.
    Registers(u32),
    /// By its live bytes, because it is smaller than a register.
    Packed,
    Address,
    Predicate,
    /// A register of the architecture.
    Nothing,
}

impl Weights<'_> {
    pub(super) fn parts(&self, root: usize) -> Parts {
        Parts::new(self.storage.size_of_root(root))
    }

    pub(super) fn weight(&self, root: usize) -> Weight {
        let register = self.storage.registers().bytes();
        let id = self.storage.id(root);
        match id.class {
            IdClass::Address => Weight::Address,
            IdClass::Predicate => Weight::Predicate,
            _ if VarId(id.number).is_architecture_register() => Weight::Nothing,
            _ if self.storage.size_of_root(root) >= register => Weight::Registers(register),
            _ => Weight::Packed,
        }
    }
}

impl Weight {
    /// Returns the number of registers that live parts take; 0 if they share registers with other
    /// roots, or take none.
    pub(super) fn registers(self, mask: &[u64], parts: Parts) -> u32 {
        let Weight::Registers(size) = self else { return 0 };
        match size >> parts.shift {
            0 => mask::count(mask) * ((1 << parts.shift) / size),
            group => mask::groups(mask, group),
        }
    }

    fn change(self, mask: &[u64], parts: Parts) -> Change {
        let units = i64::from(mask::count(mask)) << parts.shift;
        match self {
            Weight::Registers(_) => {
                let registers = self.registers(mask, parts).into();
                Change { bytes: units, registers, ..Change::default() }
            }
            Weight::Packed => Change { bytes: units, packed: units, ..Change::default() },
            Weight::Address => Change { address_bytes: units, ..Change::default() },
            Weight::Predicate => Change { predicate_bits: units, ..Change::default() },
            Weight::Nothing => Change::default(),
        }
    }
}

/// The changes of the pressure from one instruction to the next.
#[derive(Clone, Copy, Default)]
struct Change {
    bytes: i64,
    registers: i64,
    /// The bytes of variables that are smaller than a register.
    packed: i64,
    address_bytes: i64,
    predicate_bits: i64,
}

impl Change {
    fn add(&mut self, other: Change) {
        self.bytes += other.bytes;
        self.registers += other.registers;
        self.packed += other.packed;
        self.address_bytes += other.address_bytes;
        self.predicate_bits += other.predicate_bits;
    }

    fn subtract(&mut self, other: Change) {
        self.bytes -= other.bytes;
        self.registers -= other.registers;
        self.packed -= other.packed;
        self.address_bytes -= other.address_bytes;
        self.predicate_bits -= other.predicate_bits;
    }
}
