//! Entries of the tables of a body, by the class of an id.

use alloc::vec::Vec;

use super::attribute::Attribute;
use super::body::Body;
use super::name::Name;
use super::tables::{LabelInfo, SimpleVariable, Variable};
use crate::isa::{Id, IdClass};
use crate::operand::StringId;

impl Body<'_> {
    /// Returns the first entry of a table with a name. The time is linear in the size of the table.
    pub fn find(&self, class: IdClass, name: &str) -> Option<Id> {
        self.ids(class).find(|id| self.name_of(*id).is_some_and(|found| found == name))
    }

    /// Returns the name of the entry that an id refers to, or the string of a string id; `None` if
    /// the routine does not declare the entry, or it has no name.
    pub fn name_of(&self, id: impl Into<Id>) -> Option<&Name> {
        let id = id.into();
        let string = match id.class {
            IdClass::String => StringId(id.number),
            _ => self.entry(id)?.0,
        };
        self.strings.get(string.0 as usize).filter(|name| !name.is_empty())
    }

    /// Returns the number of entries.
    pub(super) fn count(&self, class: IdClass) -> usize {
        match class {
            IdClass::Variable => self.variables.len(),
            IdClass::Label => self.labels.len(),
            IdClass::String => self.strings.len(),
            _ => self.simple(class).map_or(0, Vec::len),
        }
    }

    /// Returns the table of a class whose entries are [`SimpleVariable`]s.
    pub(super) fn simple(&self, class: IdClass) -> Option<&Vec<SimpleVariable>> {
        match class {
            IdClass::Address => Some(&self.addresses),
            IdClass::Predicate => Some(&self.predicates),
            IdClass::Surface => Some(&self.surfaces),
            IdClass::Sampler => Some(&self.samplers),
            IdClass::Variable | IdClass::Label | IdClass::String => None,
        }
    }

    /// Returns whether the routine declares an entry. Predefined entries are not declared.
    pub fn declares(&self, id: impl Into<Id>) -> bool {
        self.place(id.into()).is_some()
    }

    /// Returns the place of an entry in its table; `None` if the routine does not declare it.
    pub(super) fn place(&self, id: Id) -> Option<usize> {
        let place = id.number.checked_sub(id.class.first_declared())? as usize;
        (place < self.count(id.class)).then_some(place)
    }

    /// Returns the ids of the entries of a table, in their order.
    ///
    /// ```
    /// use genvisa::isa::IdClass;
    /// use genvisa::object::{Align, Body};
    /// use genvisa::operand::DataType;
    ///
    /// let mut body = Body::default();
    /// let x = body.add_variable("x", DataType::UD, 8, Align::DWORD);
    /// assert!(body.ids(IdClass::Variable).eq([x.into()]));
    /// assert!(body.declares(x));
    /// ```
    pub fn ids(&self, class: IdClass) -> impl Iterator<Item = Id> + Clone + use<> {
        let first = class.first_declared();
        (0..self.count(class) as u32).map(move |place| Id { class, number: first + place })
    }

    /// Returns the name and the attributes of an entry; `None` if it is not declared, or a string.
    pub(super) fn entry(&self, id: Id) -> Option<(StringId, &[Attribute])> {
        let place = self.place(id)?;
        match id.class {
            IdClass::Variable => {
                let Variable { name, attributes, .. } = &self.variables[place];
                Some((*name, attributes))
            }
            IdClass::Label => {
                let LabelInfo { name, attributes, .. } = &self.labels[place];
                Some((*name, attributes))
            }
            class => {
                let SimpleVariable { name, attributes, .. } = &self.simple(class)?[place];
                Some((*name, attributes))
            }
        }
    }
}
