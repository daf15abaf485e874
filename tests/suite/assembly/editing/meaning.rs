//! The meaning of a routine: its tables and code, with keys in place of ids.

use std::collections::BTreeMap;

use genvisa::isa;
use genvisa::object::{
    AliasScope, Align, Attribute, Body, Input, InputClass, LabelKind, SimpleVariable, Variable,
};
use genvisa::operand::*;
use genvisa::{Instruction, Module};

/// The key of an added declaration or label.
pub const NEW: u32 = 1 << 20;

/// The classes of declarations, as in `v_type`.
pub const CLASSES: [char; 5] = ['G', 'A', 'P', 'S', 'T'];

/// The target of an operand or alias: a key if it is declared, else an id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    Declared(char, u32),
    Predefined(char, u32),
    Text(Vec<u8>),
}

pub type Attributes = Vec<(Vec<u8>, Vec<u8>)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: Vec<u8>,
    /// Only general variables have a type, an alignment and an alias.
    pub ty: DataType,
    pub align: Align,
    pub alias: Option<(Reference, u16, AliasScope)>,
    pub num_elements: u32,
    pub attributes: Attributes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    pub declarations: BTreeMap<(char, u32), Declaration>,
    pub labels: BTreeMap<u32, (Vec<u8>, LabelKind, Attributes)>,
    pub inputs: Vec<(Input, Reference)>,
    pub attributes: Attributes,
    /// The instructions with zeros in place of ids, and the targets of the ids.
    pub code: Vec<(Instruction, Vec<Reference>)>,
}

/// The keys of the declarations in the order of their ids, and the keys of labels by their names.
#[derive(Clone)]
pub struct Keys {
    pub classes: [Vec<u32>; 5],
    pub labels: BTreeMap<Vec<u8>, u32>,
}

impl Keys {
    pub fn of(body: &Body<'_>) -> Keys {
        let counts = [
            body.variables.len(),
            body.addresses.len(),
            body.predicates.len(),
            body.samplers.len(),
            body.surfaces.len(),
        ];
        let labels = body.labels.iter().zip(0..);
        Keys {
            classes: counts.map(|count| (0..count as u32).collect()),
            labels: labels.map(|(label, key)| (string(body, label.name), key)).collect(),
        }
    }

    fn refer(&self, class: char, id: u32) -> Reference {
        let (index, first) = match class {
            'G' => (0, VarId::FIRST_DECLARED.0),
            'A' => (1, 0),
            'P' => (2, PredId::FIRST_DECLARED.0.into()),
            'S' => (3, 0),
            _ => (4, SurfaceId::FIRST_DECLARED.0.into()),
        };
        let key =
            id.checked_sub(first).and_then(|index_in| self.classes[index].get(index_in as usize));
        key.map_or(Reference::Predefined(class, id), |key| Reference::Declared(class, *key))
    }
}

fn string(body: &Body<'_>, id: StringId) -> Vec<u8> {
    body.strings.get(id.0 as usize).map(|name| name.as_bytes().to_vec()).unwrap_or_default()
}

fn attributes(body: &Body<'_>, attributes: &[Attribute]) -> Attributes {
    attributes.iter().map(|a| (string(body, a.name), a.value.clone())).collect()
}

/// Replaces the ids of an instruction with zeros.
struct Take<'m> {
    body: &'m Body<'m>,
    keys: &'m Keys,
    taken: Vec<Reference>,
}

impl Take<'_> {
    fn take(&mut self, class: char, id: u32) {
        self.taken.push(self.keys.refer(class, id));
    }

    fn predicate(&mut self, pred: &mut Pred) {
        self.take('P', pred.id().0.into());
        let bits = pred.bits() - pred.id().0;
        *pred = Pred::from_bits(bits).expect("it had these bits");
    }

    fn operand(&mut self, operand: &mut Vector) {
        match &mut operand.kind {
            VectorKind::General { var, .. } => self.take('G', std::mem::take(&mut var.0)),
            VectorKind::Address { addr, .. } | VectorKind::Indirect { addr, .. } => {
                self.take('A', std::mem::take(&mut addr.0).into());
            }
            VectorKind::Predicate(pred) => self.predicate(pred),
            VectorKind::Immediate(_) => {}
            VectorKind::State { class, index, .. } => {
                let class = if *class == StateClass::SAMPLER { 'S' } else { 'T' };
                self.take(class, std::mem::take(index).into());
            }
        }
    }

    fn string(&mut self, id: u32) {
        self.taken.push(Reference::Text(string(self.body, StringId(id))));
    }
}

impl VisitorMut for Take<'_> {
    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        self.predicate(pred);
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn dst(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand);
    }

    fn raw(&mut self, _: Slot, raw: &mut Raw) {
        self.take('G', std::mem::take(&mut raw.var.0));
    }

    fn aoffimmi(&mut self, _: Slot, aoffimmi: &mut Aoffimmi) {
        self.operand(&mut aoffimmi.0);
    }

    fn surface(&mut self, _: Slot, surface: &mut SurfaceId) {
        self.take('T', std::mem::take(&mut surface.0).into());
    }

    fn sampler(&mut self, _: Slot, sampler: &mut SamplerId) {
        self.take('S', std::mem::take(&mut sampler.0).into());
    }

    fn label(&mut self, _: Slot, label: &mut LabelId) {
        let label = self.body.labels.get(usize::from(std::mem::take(&mut label.0)));
        let name = label.map(|label| string(self.body, label.name)).unwrap_or_default();
        let key = self.keys.labels.get(&name).copied().unwrap_or(u32::MAX);
        self.taken.push(Reference::Declared('L', key));
    }

    fn string(&mut self, _: Slot, string: &mut StringId) {
        self.string(std::mem::take(&mut string.0));
    }

    fn short_string(&mut self, _: Slot, string: &mut ShortStringId) {
        self.string(std::mem::take(&mut string.0).into());
    }
}

pub fn meaning(module: &Module<'_>, keys: &Keys) -> Meaning {
    let routine = module.routines().next().expect("a routine");
    let body = routine.body;
    let mut declarations = BTreeMap::new();
    for (variable, key) in body.variables.iter().zip(&keys.classes[0]) {
        let Variable { ty, align, alias, alias_offset, alias_scope, is_null, .. } = *variable;
        let has_alias = is_null || (alias, alias_offset) != (VarId::NULL, 0);
        let target = match alias_scope {
            AliasScope::LOCAL => keys.refer('G', alias.0),
            _ => Reference::Predefined('F', alias.0),
        };
        let declaration = Declaration {
            name: string(body, variable.name),
            ty,
            align,
            alias: has_alias.then_some((target, alias_offset, alias_scope)),
            num_elements: variable.num_elements,
            attributes: attributes(body, &variable.attributes),
        };
        declarations.insert(('G', *key), declaration);
    }
    let others = [&body.addresses, &body.predicates, &body.samplers, &body.surfaces];
    for ((table, keys), class) in others.into_iter().zip(&keys.classes[1..]).zip(&CLASSES[1..]) {
        for (SimpleVariable { name, num_elements, attributes: list, .. }, key) in
            table.iter().zip(keys)
        {
            let declaration = Declaration {
                name: string(body, *name),
                ty: DataType::UD,
                align: Align::BYTE,
                alias: None,
                num_elements: (*num_elements).into(),
                attributes: attributes(body, list),
            };
            declarations.insert((*class, *key), declaration);
        }
    }
    let labels = body.labels.iter().map(|label| {
        let name = string(body, label.name);
        let key = keys.labels.get(&name).copied().unwrap_or(u32::MAX);
        (key, (name, label.kind, attributes(body, &label.attributes)))
    });
    let input = |input: &Input| {
        let class = match input.kind.class() {
            InputClass::GENERAL => 'G',
            InputClass::SAMPLER => 'S',
            _ => 'T',
        };
        (Input { index: 0, ..*input }, keys.refer(class, input.index))
    };
    let instruction = |item: genvisa::Result<(usize, Instruction)>| {
        let (_, mut instruction) = item.expect("legal code");
        let mut take = Take { body, keys, taken: Vec::new() };
        if let Instruction::Lifetime(isa::Lifetime { properties, variable }) = &mut instruction {
            let class = match properties.class {
                LifetimeClass::ADDRESS => 'A',
                LifetimeClass::PREDICATE => 'P',
                _ => 'G',
            };
            take.take(class, std::mem::take(&mut variable.0));
        }
        instruction.visit_mut(&mut take);
        (instruction, take.taken)
    };
    Meaning {
        declarations,
        labels: labels.collect(),
        inputs: routine.inputs.iter().map(input).collect(),
        attributes: attributes(body, &body.attributes),
        code: routine.instructions().map(instruction).collect(),
    }
}
