//! What refers to the entries of a routine's tables.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;

use super::attribute::Attribute;
use super::body::Body;
use super::name::Name;
use super::tables::{AliasScope, LabelInfo, SimpleVariable, Variable};
use crate::error::Result;
use crate::isa::{Id, IdClass};
use crate::operand::{StringId, VarId};

/// A place that refers to an entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Use {
    /// The instruction with this index.
    Instruction(usize),
    /// The declaration of this variable, which is an alias.
    Alias(VarId),
    /// The input with this index.
    Input(usize),
    /// The name of this entry, or of an attribute of it. Only for strings.
    Name(Id),
    /// The name of the routine, or of an attribute of it. Only for strings.
    Routine,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Use::Instruction(index) => write!(f, "instruction {index}"),
            Use::Alias(id) => write!(f, "the alias V{}", id.0),
            Use::Input(index) => write!(f, "input {index}"),
            Use::Name(id) => write!(f, "the declaration of {}{}", id.class.letter(), id.number),
            Use::Routine => f.write_str("the routine"),
        }
    }
}

/// The new ids of the entries of a routine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbering {
    /// The new number of each entry whose table has changed; `None` if it was removed.
    numbers: BTreeMap<Id, Option<u32>>,
}

impl Renumbering {
    /// Returns the new id of an entry; `None` if it was removed.
    pub fn get(&self, id: impl Into<Id>) -> Option<Id> {
        let id = id.into();
        match self.numbers.get(&id) {
            Some(number) => number.map(|number| Id { number, ..id }),
            None => Some(id),
        }
    }

    /// Returns the new number of an entry that was kept.
    pub(super) fn number(&self, id: Id) -> u32 {
        self.get(id).unwrap_or(id).number
    }
}

/// Tables by the class of an id.
impl Body<'_> {
    /// Returns a copy without the code.
    pub(super) fn tables(&self) -> Body<'static> {
        Body {
            strings: self.strings.clone(),
            name: self.name,
            variables: self.variables.clone(),
            addresses: self.addresses.clone(),
            predicates: self.predicates.clone(),
            labels: self.labels.clone(),
            samplers: self.samplers.clone(),
            surfaces: self.surfaces.clone(),
            attributes: self.attributes.clone(),
            efficient_64bit: self.efficient_64bit,
            ..Body::default()
        }
    }

    fn simple_mut(&mut self, class: IdClass) -> Option<&mut Vec<SimpleVariable>> {
        match class {
            IdClass::Address => Some(&mut self.addresses),
            IdClass::Predicate => Some(&mut self.predicates),
            IdClass::Surface => Some(&mut self.surfaces),
            IdClass::Sampler => Some(&mut self.samplers),
            IdClass::Variable | IdClass::Label | IdClass::String => None,
        }
    }

    /// Returns the declared variable whose storage an alias shares.
    pub(super) fn alias_of(&self, id: Id) -> Option<VarId> {
        if id.class != IdClass::Variable {
            return None;
        }
        let variable = &self.variables[self.place(id)?];
        let is_local = variable.alias_scope == AliasScope::LOCAL;
        Some(variable.alias).filter(|alias| is_local && *alias >= VarId::FIRST_DECLARED)
    }

    /// Returns the name and the attributes of an entry; `None` if it is not declared, or a string.
    pub(super) fn entry_mut(&mut self, id: Id) -> Option<(&mut StringId, &mut Vec<Attribute>)> {
        let place = self.place(id)?;
        match id.class {
            IdClass::Variable => {
                let Variable { name, attributes, .. } = &mut self.variables[place];
                Some((name, attributes))
            }
            IdClass::Label => {
                let LabelInfo { name, attributes, .. } = &mut self.labels[place];
                Some((name, attributes))
            }
            class => {
                let SimpleVariable { name, attributes, .. } = &mut self.simple_mut(class)?[place];
                Some((name, attributes))
            }
        }
    }

    /// Sets the name of an entry, and its symbol if text calls it by its name. Returns whether the entry
    /// is declared, and not a string.
    pub(super) fn rename(&mut self, id: Id, name: &str) -> bool {
        if self.entry(id).is_none() {
            return false;
        }
        let old = self.name_of(id).cloned();
        if let Some((place, table)) = self.place(id).zip(self.simple_mut(id.class)) {
            let symbol = &mut table[place].symbol;
            let is_name = |symbol: &str| old.is_some_and(|old| old == *symbol);
            if symbol.as_deref().is_some_and(is_name) {
                *symbol = (!name.is_empty()).then(|| name.into());
            }
        }
        let string = self.add_string(name);
        self.entry_mut(id).is_some_and(|(field, _)| {
            *field = string;
            true
        })
    }

    /// Returns the names of all entries with their classes.
    pub(super) fn names(&self) -> BTreeSet<(IdClass, Name)> {
        let ids = IdClass::NAMED.into_iter().flat_map(|class| self.ids(class));
        ids.filter_map(|id| Some((id.class, self.name_of(id)?.clone()))).collect()
    }

    /// Calls a function with each id in the tables, and with what refers to it.
    pub(super) fn visit_references(&self, mut visit: impl FnMut(Use, Id)) {
        let attributes = |user, attributes: &[Attribute], visit: &mut dyn FnMut(Use, Id)| {
            attributes.iter().for_each(|attribute| visit(user, attribute.name.into()));
        };
        visit(Use::Routine, self.name.into());
        attributes(Use::Routine, &self.attributes, &mut visit);
        for id in IdClass::NAMED.into_iter().flat_map(|class| self.ids(class)) {
            if let Some((name, of_entry)) = self.entry(id) {
                visit(Use::Name(id), name.into());
                attributes(Use::Name(id), of_entry, &mut visit);
            }
            if let Some(alias) = self.alias_of(id) {
                visit(Use::Alias(VarId(id.number)), alias.into());
            }
        }
    }

    /// Removes the entries for which a function returns `false`, and renumbers the strings in the
    /// tables.
    pub(super) fn keep(&mut self, keep: impl Fn(Id) -> bool) -> Renumbering {
        let mut renumbering = Renumbering::default();
        for class in IdClass::NAMED.into_iter().chain([IdClass::String]) {
            let mut next = class.first_declared();
            let ids: Vec<Id> = self.ids(class).collect();
            if ids.iter().all(|id| keep(*id)) {
                continue;
            }
            for id in &ids {
                let number = keep(*id).then_some(next);
                next += u32::from(number.is_some());
                renumbering.numbers.insert(*id, number);
            }
            let mut kept = ids.iter().map(|id| keep(*id));
            let mut is_kept = || kept.next().unwrap_or(true);
            match class {
                IdClass::Variable => self.variables.retain(|_| is_kept()),
                IdClass::Label => self.labels.retain(|_| is_kept()),
                IdClass::String => self.strings.retain(|_| is_kept()),
                _ => self.simple_mut(class).into_iter().for_each(|t| t.retain(|_| is_kept())),
            }
        }
        self.for_each_string(|string| string.0 = renumbering.number((*string).into()));
        renumbering
    }

    /// Calls a function with each string id in the tables.
    fn for_each_string(&mut self, mut visit: impl FnMut(&mut StringId)) {
        visit(&mut self.name);
        let simple = self.addresses.iter_mut().chain(&mut self.predicates);
        let simple = simple.chain(&mut self.surfaces).chain(&mut self.samplers);
        let simple = simple.map(|entry| (&mut entry.name, &mut entry.attributes));
        let variables = self.variables.iter_mut().map(|v| (&mut v.name, &mut v.attributes));
        let labels = self.labels.iter_mut().map(|label| (&mut label.name, &mut label.attributes));
        for (name, attributes) in variables.chain(simple).chain(labels) {
            visit(name);
            attributes.iter_mut().for_each(|attribute| visit(&mut attribute.name));
        }
        self.attributes.iter_mut().for_each(|attribute| visit(&mut attribute.name));
    }

    /// Declares a copy of another routine's entry, with a name and a variable whose storage it shares,
    /// and returns its number.
    pub(super) fn copy_entry(
        &mut self,
        from: &Body<'_>,
        id: Id,
        name: &Name,
        alias: VarId,
    ) -> Result<u32> {
        let Some((place, (_, of_entry))) = from.place(id).zip(from.entry(id)) else {
            return Ok(id.number);
        };
        let mut attributes = Vec::with_capacity(of_entry.len());
        for attribute in of_entry {
            let string = from.strings.get(attribute.name.0 as usize);
            let name = string.map_or(StringId(0), |string| self.strings.intern(string));
            attributes.push(Attribute { name, value: attribute.value.clone() });
        }
        let number = match id.class {
            IdClass::Variable => {
                let mut variable = from.variables[place].clone();
                if variable.alias_scope == AliasScope::LOCAL && alias != VarId::NULL {
                    variable.alias = alias;
                }
                self.variables.push(variable);
                VarId::FIRST_DECLARED.0 + self.variables.len() as u32 - 1
            }
            IdClass::Label => self.add_label("", from.labels[place].kind)?.0.into(),
            IdClass::Address => self.add_address("", 0)?.0.into(),
            IdClass::Predicate => self.add_predicate("", 0)?.0.into(),
            IdClass::Surface => self.add_surface("")?.0.into(),
            IdClass::Sampler => self.add_sampler("")?.0.into(),
            IdClass::String => return Ok(id.number),
        };
        if let Some((table, entry)) = self.simple_mut(id.class).zip(from.simple(id.class)) {
            if let Some(last) = table.last_mut() {
                last.num_elements = entry[place].num_elements;
                let symbol = entry[place].symbol.as_deref();
                let is_name =
                    symbol.is_some_and(|symbol| from.name_of(id).is_some_and(|n| *n == symbol));
                last.symbol = is_name.then(|| name.to_string_lossy().into());
            }
        }
        let string = if name.is_empty() { StringId(0) } else { self.strings.add(name) };
        if let Some(new) = self.entry_mut(Id { number, ..id }) {
            *new.0 = string;
            *new.1 = attributes;
        }
        Ok(number)
    }
}
