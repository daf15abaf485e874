//! The storage of variables: roots and the aliases that share them.

use crate::platform::RegisterSize;
use alloc::vec::Vec;

use crate::isa::{Id, IdClass};
use crate::object::{AliasScope, Attribute, Routine, Variable};
use crate::operand::{DataType, PredId, VarId};

/// The maximum offset of an alias. The offsets of legal aliases are smaller by far.
const MAX_OFFSET: u32 = 1 << 24;

/// The maximum size of a variable, so that footprints do not overflow. Text may state more.
const MAX_SIZE: u32 = 1 << 30;

/// The storage of the variables, address variables and predicates of a routine.
///
/// An alias shares the storage of its root: the variable at the end of the chain of aliases. Other
/// variables are their own roots.
#[derive(Clone, Debug)]
pub struct Storage {
    registers: RegisterSize,
    /// Predefined variables, variables, addresses and predicates, in this order.
    entries: Vec<Entry>,
    first_address: usize,
    first_predicate: usize,
    /// The bytes of the return value of a function.
    return_bytes: u32,
}

/// Where a variable is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Location {
    /// The variable that has the storage.
    pub root: Id,
    /// The offset of the variable in it, in units: bytes, or bits of a predicate.
    pub offset: u32,
    /// The size of the variable, in units.
    pub size: u32,
    /// The size of an element, in units.
    pub element: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The index of the root.
    root: u32,
    offset: u32,
    size: u32,
    element: u8,
}

impl Storage {
    /// Returns the storage of the variables of a routine.
    pub fn new(routine: &Routine<'_, '_>, registers: RegisterSize) -> Storage {
        let body = routine.body;
        let declared = VarId::FIRST_DECLARED.0 as usize;
        let first_address = declared + body.variables.len();
        let first_predicate = first_address + body.addresses.len();
        let predicates = usize::from(PredId::FIRST_DECLARED.0) + body.predicates.len();
        let mut entries: Vec<Entry> = Vec::with_capacity(first_predicate + predicates);
        let own = |root: usize, size: u32, element: u8| Entry {
            root: root as u32,
            offset: 0,
            size,
            element,
        };
        for index in 0..declared {
            let var = VarId(index as u32);
            let element = var.predefined_type().unwrap_or_default().size() as u8;
            let size = var.predefined_bytes(registers.bytes()).unwrap_or_default();
            entries.push(own(index, size, element));
        }
        for variable in &body.variables {
            let (size, element) = size_of(variable);
            let alias = match variable.alias_scope {
                AliasScope::LOCAL if variable.is_null || variable.alias != VarId::NULL => {
                    // An alias of a later variable is an error, so it is its own root.
                    entries.get(variable.alias.0 as usize)
                }
                _ => None,
            };
            let entry = match alias {
                Some(of) => {
                    // Limited so that footprints do not overflow.
                    let offset = (of.offset + u32::from(variable.alias_offset)).min(MAX_OFFSET);
                    Entry { root: of.root, offset, size, element }
                }
                None => own(entries.len(), size, element),
            };
            entries.push(entry);
        }
        for address in &body.addresses {
            let element = DataType::UW.size() as u8;
            let size = u32::from(address.num_elements) * u32::from(element);
            entries.push(own(entries.len(), size, element));
        }
        // P0 means that there is no predicate.
        for _ in 0..PredId::FIRST_DECLARED.0 {
            entries.push(own(entries.len(), 0, 1));
        }
        for predicate in &body.predicates {
            entries.push(own(entries.len(), predicate.num_elements.into(), 1));
        }
        let return_size = routine.stack_sizes.map_or(0, |(_, return_size)| return_size);
        let return_size = u32::from(return_size).max(stated_return_size(routine));
        let return_bytes = return_size * registers.bytes();
        Storage { registers, entries, first_address, first_predicate, return_bytes }
    }

    /// Returns the size of a register.
    pub fn registers(&self) -> RegisterSize {
        self.registers
    }

    /// Returns where a variable, address variable or predicate is stored; `None` if it is not
    /// declared, or has another class.
    #[inline]
    pub fn location(&self, id: impl Into<Id>) -> Option<Location> {
        let entry = self.entries.get(self.index(id.into())?)?;
        let root = self.id(entry.root as usize);
        let element = entry.element.into();
        Some(Location { root, offset: entry.offset, size: entry.size, element })
    }

    /// Returns where a variable is stored, as [`location`](Self::location) does.
    #[inline]
    pub(super) fn variable(&self, var: VarId) -> Option<Location> {
        let entry = self.entries[..self.first_address].get(var.0 as usize)?;
        let root = Id { class: IdClass::Variable, number: entry.root };
        let element = entry.element.into();
        Some(Location { root, offset: entry.offset, size: entry.size, element })
    }

    /// Returns the roots: the variables, address variables and predicates that are not aliases.
    pub fn roots(&self) -> impl Iterator<Item = Location> + '_ {
        let entries = self.entries.iter().enumerate();
        entries.filter(|(index, entry)| entry.root as usize == *index && entry.size > 0).map(
            |(index, entry)| Location {
                root: self.id(index),
                offset: 0,
                size: entry.size,
                element: entry.element.into(),
            },
        )
    }

    /// Returns the number of bytes that a function returns.
    pub(super) fn return_bytes(&self) -> u32 {
        self.return_bytes
    }

    /// Returns the number of units of a root; 0 for an alias.
    pub(super) fn size_of_root(&self, index: usize) -> u32 {
        let entry = self.entries.get(index).filter(|entry| entry.root as usize == index);
        entry.map_or(0, |entry| entry.size)
    }

    /// Returns the number of address variables.
    pub(super) fn address_count(&self) -> usize {
        self.first_predicate - self.first_address
    }

    /// Returns the number of entries: the upper bound of [`index`](Self::index).
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the index of an entry.
    #[inline]
    pub(super) fn index(&self, id: Id) -> Option<usize> {
        let number = id.number as usize;
        let (index, end) = match id.class {
            IdClass::Variable => (number, self.first_address),
            IdClass::Address => (self.first_address + number, self.first_predicate),
            IdClass::Predicate => (self.first_predicate + number, self.entries.len()),
            _ => return None,
        };
        (index < end).then_some(index)
    }

    /// Returns the id of the entry at an index.
    #[inline]
    pub(super) fn id(&self, index: usize) -> Id {
        let (class, first) = if index < self.first_address {
            (IdClass::Variable, 0)
        } else if index < self.first_predicate {
            (IdClass::Address, self.first_address)
        } else {
            (IdClass::Predicate, self.first_predicate)
        };
        Id { class, number: (index - first) as u32 }
    }
}

/// Returns the size of the return value in registers that text of 4.2 states as an attribute; 0 for
/// none.
fn stated_return_size(routine: &Routine<'_, '_>) -> u32 {
    let strings = &routine.body.strings;
    let is_size = |attribute: &&Attribute| {
        strings.get(attribute.name.0 as usize).is_some_and(|name| *name == "RetValSize")
    };
    let attribute = routine.body.attributes.iter().find(is_size);
    attribute.and_then(|attribute| attribute.value.first()).map_or(0, |size| u32::from(*size))
}

/// Returns the sizes of a variable and of its elements in bytes.
fn size_of(variable: &Variable) -> (u32, u8) {
    let element = variable.ty.size() as u8;
    (variable.num_elements.saturating_mul(element.into()).min(MAX_SIZE), element)
}
