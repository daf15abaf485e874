//! The variables that indirect operands may access.

use alloc::vec;
use alloc::vec::Vec;

use super::access::{Access, AccessKind};
use super::storage::Storage;
use crate::isa::{Id, IdClass, Instruction};
use crate::operand::{Slot, Vector, VectorKind, Visitor};

/// The variables whose addresses each address variable may contain.
///
/// ADDR_ADD takes the address of a variable; copies and sums of addresses contain the same
/// addresses. The order of the instructions does not matter. An address variable that receives a
/// value of another origin, such as an element of a variable, may contain every address that the
/// routine takes.
#[derive(Clone, Debug, Default)]
pub struct AddressTargets {
    /// For each address variable, the set that it belongs to: another address variable, or itself.
    sets: Vec<u32>,
    targets: Vec<Vec<Id>>,
    /// Whether the address variables of a set may contain every address.
    is_unknown: Vec<bool>,
    all: Vec<Id>,
}

impl AddressTargets {
    /// Returns the targets of the address variables of a routine.
    pub fn new(instructions: &[Instruction], storage: &Storage) -> AddressTargets {
        let count = storage.address_count();
        let mut result = AddressTargets {
            sets: (0..count as u32).collect(),
            targets: vec![Vec::new(); count],
            is_unknown: vec![false; count],
            all: Vec::new(),
        };
        if count == 0 {
            return result;
        }
        let mut accesses = Vec::new();
        for instruction in instructions.iter().filter(|instruction| computes_address(instruction)) {
            accesses.clear();
            storage.visit_accesses(instruction, |access| accesses.push(access));
            result.add(instruction, &accesses);
        }
        for number in 0..count {
            result.sets[number] = result.find(number) as u32;
        }
        for targets in result.targets.iter_mut().chain([&mut result.all]) {
            targets.sort_unstable();
            targets.dedup();
        }
        result
    }

    /// Returns the variables that indirect operands of an address variable may access: roots, in
    /// ascending order.
    pub fn of(&self, address: Id) -> impl Iterator<Item = Id> + '_ {
        self.set(address).map_or(&[][..], |set| self.of_set(set)).iter().copied()
    }

    /// Returns the set of the targets of an address variable: below [`set_count`](Self::set_count).
    /// Returns whether indirect operands of an address variable may access a root.
    pub(super) fn contains(&self, address: Id, root: Id) -> bool {
        self.set(address).is_some_and(|set| self.of_set(set).binary_search(&root).is_ok())
    }

    pub(super) fn set(&self, address: Id) -> Option<usize> {
        if address.class != IdClass::Address {
            return None;
        }
        let set = *self.sets.get(address.number as usize)? as usize;
        // The last set contains every address.
        Some(if self.is_unknown[set] { self.sets.len() } else { set })
    }

    /// Returns the targets of a set.
    pub(super) fn of_set(&self, set: usize) -> &[Id] {
        self.targets.get(set).unwrap_or(&self.all)
    }

    /// Returns the number of sets; 0 if no address is taken.
    pub(super) fn set_count(&self) -> usize {
        if self.all.is_empty() { 0 } else { self.sets.len() + 1 }
    }

    /// Returns the set of an address variable, and shortens the path to it.
    fn find(&mut self, mut number: usize) -> usize {
        while self.sets[number] as usize != number {
            self.sets[number] = self.sets[self.sets[number] as usize];
            number = self.sets[number] as usize;
        }
        number
    }

    /// Records the addresses that an instruction computes.
    fn add(&mut self, instruction: &Instruction, accesses: &[Access]) {
        let of_kind = |kind: AccessKind| {
            accesses.iter().filter(move |access| access.kind == kind).map(|access| access.root)
        };
        let is_address = |id: &Id| id.class == IdClass::Address;
        self.all.extend(of_kind(AccessKind::AddressTaken));
        let Some(written) = of_kind(AccessKind::Write).find(is_address) else { return };
        let set = self.find(written.number as usize);
        let mut is_known = false;
        for target in of_kind(AccessKind::AddressTaken) {
            self.targets[set].push(target);
            is_known = true;
        }
        let is_sum = matches!(instruction, Instruction::AddrAdd(_));
        let is_indirect = of_kind(AccessKind::IndirectRead).next().is_some();
        if !is_indirect {
            for source in of_kind(AccessKind::Read).filter(is_address) {
                self.merge(source.number as usize, written.number as usize);
                is_known = true;
            }
        }
        // The offset of ADDR_ADD is not an address.
        let has_other =
            is_indirect || of_kind(AccessKind::Read).any(|root| root.class == IdClass::Variable);
        if !is_known || has_other && !is_sum {
            let set = self.find(written.number as usize);
            self.is_unknown[set] = true;
        }
    }

    /// Merges the sets of two address variables, the smaller into the larger.
    fn merge(&mut self, first: usize, second: usize) {
        let (first, second) = (self.find(first), self.find(second));
        if first == second {
            return;
        }
        let first_is_larger = self.targets[first].len() >= self.targets[second].len();
        let (large, small) = if first_is_larger { (first, second) } else { (second, first) };
        self.sets[small] = large as u32;
        self.is_unknown[large] |= self.is_unknown[small];
        let moved = core::mem::take(&mut self.targets[small]);
        self.targets[large].extend(moved);
    }
}

/// Returns whether an instruction writes an address variable, or takes the address of a variable.
fn computes_address(instruction: &Instruction) -> bool {
    struct Search(bool);
    impl Visitor for Search {
        #[inline]
        fn dst(&mut self, _: Slot, operand: &Vector) {
            self.0 |= matches!(operand.kind, VectorKind::Address { .. });
        }
        #[inline]
        fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
            self.dst(slot, operand);
        }
        #[inline]
        fn address_of(&mut self, _: Slot, _: &Vector) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    instruction.visit(&mut search);
    search.0
}
