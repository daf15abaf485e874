//! The tables of A with the entries that only B has, which name the ids of both routines.

use std::collections::{HashMap, HashSet};

use genvisa::isa::{Id, IdClass, Instruction};
use genvisa::object::{Attribute, Body, Input, LabelInfo, Name, SimpleVariable, Variable};
use genvisa::operand::{StringId, VarId};

use super::matching::Matching;
use super::side::{Numbering, Side};

/// The merged tables, and the ids of B in them. The ids of A do not change.
pub(super) struct Merged {
    pub(super) body: Body<'static>,
    strings: HashMap<Vec<u8>, u32>,
    /// For each entry of B, its id.
    ids: Vec<Id>,
    numbering: Numbering,
    /// The first name of B that has the suffix, without it.
    pub(super) with_suffix: Option<Name>,
}

/// The suffix of names of B if A has another entry of the same name.
pub(super) const SUFFIX: &str = "_b";

impl Merged {
    pub(super) fn new(a: &Side<'_, '_>, b: &Side<'_, '_>, matching: &Matching) -> Merged {
        let of_a = a.routine.body;
        let mut merged = Merged {
            body: Body {
                strings: of_a.strings.clone(),
                name: of_a.name,
                variables: of_a.variables.clone(),
                addresses: of_a.addresses.clone(),
                predicates: of_a.predicates.clone(),
                labels: of_a.labels.clone(),
                samplers: of_a.samplers.clone(),
                surfaces: of_a.surfaces.clone(),
                ..Body::default()
            },
            strings: HashMap::new(),
            ids: Vec::new(),
            numbering: Numbering::default(),
            with_suffix: None,
        };
        for (string, number) in of_a.strings.iter().zip(0..) {
            merged.strings.entry(string.as_bytes().into()).or_insert(number);
        }
        merged.add_entries(a, b, matching);
        merged.numbering = Numbering::new(&merged.body);
        merged
    }

    fn add_entries(&mut self, a: &Side<'_, '_>, b: &Side<'_, '_>, matching: &Matching) {
        let namespace = |side: &Side<'_, '_>, entry| match side.numbering.id(entry).class {
            IdClass::Variable | IdClass::Address | IdClass::Predicate => IdClass::Variable,
            class => class,
        };
        let entries = 0..a.entries.len() as u32;
        let mut used: HashSet<(IdClass, Vec<u8>)> =
            entries.map(|entry| (namespace(a, entry), a.name(entry).into())).collect();
        let mut unmatched = Vec::new();
        for y in 0..b.entries.len() as u32 {
            if let Some(x) = matching.b[y as usize] {
                self.ids.push(a.numbering.id(x));
                continue;
            }
            let namespace = namespace(b, y);
            let with_suffix = || [b.name(y), SUFFIX.as_bytes()].concat();
            let mut names = [b.name(y).to_vec(), with_suffix()].into_iter();
            // Without a name, text contains the id.
            let name =
                names.find(|name| used.insert((namespace, name.clone()))).unwrap_or_default();
            let name = if b.name(y).is_empty() { Vec::new() } else { name };
            if self.with_suffix.is_none() && !name.is_empty() && name != b.name(y) {
                self.with_suffix = Some(b.name(y).into());
            }
            let name = self.string(&name);
            let id = self.reserve(b.numbering.id(y).class, name);
            self.ids.push(id);
            unmatched.push(y);
        }
        // Aliases may refer to entries that are declared later.
        for y in unmatched {
            let Id { class, number } = self.ids[y as usize];
            let name = self.name_of(class, number);
            let index = (number - first_id(class)) as usize;
            match self.declaration(b, y, name) {
                Declared::Variable(variable) => self.body.variables[index] = variable,
                Declared::Simple(variable) => {
                    if let Some(slot) = self.simple_mut(class).and_then(|list| list.get_mut(index))
                    {
                        *slot = variable;
                    }
                }
                Declared::Label(label) => self.body.labels[index] = label,
            }
        }
    }

    fn simple_mut(&mut self, class: IdClass) -> Option<&mut Vec<SimpleVariable>> {
        match class {
            IdClass::Address => Some(&mut self.body.addresses),
            IdClass::Predicate => Some(&mut self.body.predicates),
            IdClass::Surface => Some(&mut self.body.surfaces),
            IdClass::Sampler => Some(&mut self.body.samplers),
            _ => None,
        }
    }

    /// Adds an entry that only has a name, and returns its id.
    fn reserve(&mut self, class: IdClass, name: StringId) -> Id {
        let index = match class {
            IdClass::Label => {
                self.body.labels.push(LabelInfo { name, ..LabelInfo::default() });
                self.body.labels.len() - 1
            }
            _ => match self.simple_mut(class) {
                Some(list) => {
                    list.push(SimpleVariable { name, ..SimpleVariable::default() });
                    list.len() - 1
                }
                None => {
                    self.body.variables.push(Variable { name, ..Variable::default() });
                    self.body.variables.len() - 1
                }
            },
        };
        Id { class, number: index as u32 + first_id(class) }
    }

    fn name_of(&mut self, class: IdClass, number: u32) -> StringId {
        let index = (number - first_id(class)) as usize;
        match class {
            IdClass::Label => self.body.labels[index].name,
            IdClass::Variable => self.body.variables[index].name,
            _ => self.simple_mut(class).map_or(StringId(0), |list| list[index].name),
        }
    }

    /// Returns the id of a string, and adds it if it is new.
    fn string(&mut self, text: &[u8]) -> StringId {
        let next = self.body.strings.len() as u32;
        let id = *self.strings.entry(text.into()).or_insert(next);
        if id == next {
            self.body.strings.push(Name::from(text));
        }
        StringId(id)
    }

    /// Returns the id of an entry of B.
    pub(super) fn id(&self, entry: u32) -> Id {
        self.ids[entry as usize]
    }

    /// Returns the declaration of an entry of B, with the ids of these tables and a name.
    pub(super) fn declaration(&mut self, b: &Side<'_, '_>, entry: u32, name: StringId) -> Declared {
        let Id { class, number } = b.numbering.id(entry);
        let (index, body) = ((number - first_id(class)) as usize, b.routine.body);
        let simple = match class {
            IdClass::Variable => {
                let mut variable = body.variables[index].clone();
                if let Some(parent) = b.entries[entry as usize].parent {
                    variable.alias = VarId(self.id(parent).number);
                }
                variable.name = name;
                variable.attributes = self.attributes(b, &variable.attributes);
                return Declared::Variable(variable);
            }
            IdClass::Address => &body.addresses,
            IdClass::Predicate => &body.predicates,
            IdClass::Surface => &body.surfaces,
            IdClass::Sampler => &body.samplers,
            _ => {
                let mut label = body.labels[index].clone();
                label.name = name;
                label.attributes = self.attributes(b, &label.attributes);
                return Declared::Label(label);
            }
        };
        let mut variable = simple[index].clone();
        variable.name = name;
        variable.attributes = self.attributes(b, &variable.attributes);
        Declared::Simple(variable)
    }

    /// Returns the declaration of an entry of B with the name that it has in these tables.
    pub(super) fn named_declaration(&mut self, b: &Side<'_, '_>, entry: u32) -> Declared {
        let Id { class, number } = self.id(entry);
        let name = self.name_of(class, number);
        self.declaration(b, entry, name)
    }

    /// Returns attributes of B with the string ids of these tables.
    pub(super) fn attributes(&mut self, b: &Side<'_, '_>, list: &[Attribute]) -> Vec<Attribute> {
        let attribute = |attribute: &Attribute| Attribute {
            name: self.string(b.string(attribute.name)),
            value: attribute.value.clone(),
        };
        list.iter().map(attribute).collect()
    }

    /// Returns an input of B with the ids of these tables.
    pub(super) fn input(&self, b: &Side<'_, '_>, input: &Input) -> Input {
        let id = input.id().and_then(|id| b.numbering.entry(id)).map(|entry| self.id(entry));
        Input { index: id.map_or(input.index, |id| id.number), ..*input }
    }

    /// Adds the strings that an instruction of B names.
    fn add_strings(&mut self, b: &Side<'_, '_>, instruction: &Instruction) {
        if matches!(
            instruction,
            Instruction::File(_) | Instruction::Fcall(_) | Instruction::Faddr(_)
        ) {
            instruction.visit_ids(|id| {
                if let (IdClass::String, Some(text)) =
                    (id.class, b.routine.body.strings.get(id.number as usize))
                {
                    self.string(text.as_bytes());
                }
            });
        }
    }

    /// Returns the instructions of B with the ids of these tables.
    pub(super) fn rename(&mut self, b: &Side<'_, '_>) -> Vec<Renamed> {
        b.instructions.iter().for_each(|instruction| self.add_strings(b, instruction));
        let strings = &b.routine.body.strings;
        let replace = |id: Id| match (id.class, b.numbering.entry(id)) {
            (_, Some(entry)) => Some(self.id(entry).number),
            (IdClass::String, None) => {
                let text = strings.get(id.number as usize)?;
                self.strings.get(text.as_bytes()).copied()
            }
            _ => None,
        };
        b.instructions.iter().map(|instruction| self.replace(instruction, replace)).collect()
    }

    /// Returns the instructions of A, which already have the ids of these tables.
    pub(super) fn check(&self, a: &Side<'_, '_>) -> Vec<Renamed> {
        let replace = |id: Id| {
            let is_string =
                id.class == IdClass::String && (id.number as usize) < a.routine.body.strings.len();
            (is_string || a.numbering.entry(id).is_some()).then_some(id.number)
        };
        a.instructions.iter().map(|instruction| self.replace(instruction, replace)).collect()
    }

    fn replace(&self, instruction: &Instruction, replace: impl Fn(Id) -> Option<u32>) -> Renamed {
        let (mut renamed, mut is_ambiguous) = (*instruction, false);
        let result = renamed.replace_ids(|id| {
            replace(id).unwrap_or_else(|| {
                // The id is not declared, but would be in these tables.
                let is_string =
                    id.class == IdClass::String && (id.number as usize) < self.body.strings.len();
                is_ambiguous |= is_string || self.numbering.entry(id).is_some();
                id.number
            })
        });
        match result {
            Ok(()) if !is_ambiguous => Renamed { instruction: renamed, has_names: true },
            _ => Renamed { instruction: *instruction, has_names: false },
        }
    }
}

/// An instruction with the ids of the merged tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renamed {
    pub(super) instruction: Instruction,
    /// Whether the tables name its ids. Otherwise it has its own ids, because one is not declared or
    /// too large for its field.
    pub(super) has_names: bool,
}

/// The declaration of an entry.
pub(super) enum Declared {
    Variable(Variable),
    Simple(SimpleVariable),
    Label(LabelInfo),
}

/// Returns the first id that routines declare.
fn first_id(class: IdClass) -> u32 {
    Numbering::first_id(class)
}
