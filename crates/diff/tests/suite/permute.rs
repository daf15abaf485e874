//! Modules with other ids, names and orders of declarations.

use genvisa::Module;
use genvisa::isa::{Id, IdClass, Instruction};
use genvisa::object::{AliasScope, Attribute, Body, Code, Input, SimpleVariable, Variable};
use genvisa::operand::{PredId, StringId, SurfaceId, VarId};
use genvisa_test_support::rng::Rng;

/// For each table, the new position of each old entry.
struct Permutation {
    tables: Vec<(IdClass, u32, Vec<usize>)>,
    strings: Vec<usize>,
}

impl Permutation {
    fn new(body: &Body<'_>, rng: &mut Rng) -> Permutation {
        let mut shuffled = |len: usize| {
            let mut positions: Vec<usize> = (0..len).collect();
            rng.shuffle(&mut positions);
            positions
        };
        let tables = vec![
            (IdClass::Variable, VarId::FIRST_DECLARED.0, shuffled(body.variables.len())),
            (IdClass::Address, 0, shuffled(body.addresses.len())),
            (IdClass::Predicate, PredId::FIRST_DECLARED.0.into(), shuffled(body.predicates.len())),
            (IdClass::Surface, SurfaceId::FIRST_DECLARED.0.into(), shuffled(body.surfaces.len())),
            (IdClass::Sampler, 0, shuffled(body.samplers.len())),
            (IdClass::Label, 0, shuffled(body.labels.len())),
        ];
        Permutation { tables, strings: shuffled(body.strings.len()) }
    }

    fn table(&self, class: IdClass) -> &[usize] {
        &self.tables.iter().find(|(other, ..)| *other == class).expect("a table").2
    }

    /// Returns the new id; an id that is not declared does not change.
    fn id(&self, id: Id) -> u32 {
        if id.class == IdClass::String {
            return self.string(StringId(id.number)).0;
        }
        let (_, first, positions) =
            self.tables.iter().find(|(class, ..)| *class == id.class).expect("a table");
        let index = id.number.checked_sub(*first).map(|index| index as usize);
        match index.and_then(|index| positions.get(index)) {
            Some(position) => *position as u32 + first,
            None => id.number,
        }
    }

    fn string(&self, id: StringId) -> StringId {
        StringId(self.strings.get(id.0 as usize).map_or(id.0, |position| *position as u32))
    }

    fn attributes(&self, attributes: &mut [Attribute]) {
        attributes.iter_mut().for_each(|attribute| attribute.name = self.string(attribute.name));
    }
}

fn permuted<T: Clone>(items: &[T], positions: &[usize]) -> Vec<T> {
    let mut new = items.to_vec();
    for (item, position) in items.iter().zip(positions) {
        new[*position] = item.clone();
    }
    new
}

/// Returns the module with shuffled tables, other names, and code and inputs that refer to the same
/// entries as before.
pub fn permute<'a>(module: &Module<'a>, rng: &mut Rng) -> Module<'a> {
    let mut new = module.clone();
    let format = module.format;
    let mut permutations = Vec::new();
    for body in new.bodies_mut() {
        let permutation = Permutation::new(body, rng);
        permute_body(body, &permutation, rng);
        if let Code::Present { bytes, .. } = &body.code {
            let instructions = genvisa::Instructions::new(bytes, format);
            let rename = |item: genvisa::Result<(usize, Instruction)>| {
                let mut instruction = item.expect("legal code").1;
                instruction.replace_ids(|id| permutation.id(id)).expect("the same tables");
                instruction
            };
            let instructions: Vec<Instruction> = instructions.map(rename).collect();
            body.code = Code::from_instructions(&instructions, format).expect("encodable");
        }
        permutations.push(permutation);
    }
    for (kernel, permutation) in new.kernels.iter_mut().zip(&permutations) {
        rng.shuffle(&mut kernel.inputs);
        for input in &mut kernel.inputs {
            permute_input(input, permutation);
        }
    }
    new
}

fn permute_input(input: &mut Input, permutation: &Permutation) {
    if let Some(id) = input.id() {
        input.index = permutation.id(id);
    }
}

fn permute_body(body: &mut Body<'_>, permutation: &Permutation, rng: &mut Rng) {
    let table = |class| permutation.table(class);
    body.strings = permuted(&body.strings, &permutation.strings).into();
    body.name = permutation.string(body.name);
    permutation.attributes(&mut body.attributes);
    // Names are other strings of the pool, or none. New strings could get an id that instructions
    // use although it is not declared.
    let count = body.strings.len();
    let mut new_name = || match count == 0 || rng.one_in(4) {
        true => StringId(u32::MAX),
        false => StringId(rng.below(count) as u32),
    };
    let variable = |old: &Variable| {
        let mut new = old.clone();
        if old.alias_scope == AliasScope::LOCAL {
            new.alias = VarId(permutation.id(old.alias.into()));
        }
        permutation.attributes(&mut new.attributes);
        new
    };
    let variables: Vec<Variable> = body.variables.iter().map(variable).collect();
    body.variables = permuted(&variables, table(IdClass::Variable));
    body.variables.iter_mut().for_each(|variable| variable.name = new_name());
    let mut simple = |variables: &mut Vec<SimpleVariable>, class| {
        *variables = permuted(variables, table(class));
        for variable in variables {
            permutation.attributes(&mut variable.attributes);
            variable.name = new_name();
        }
    };
    simple(&mut body.addresses, IdClass::Address);
    simple(&mut body.predicates, IdClass::Predicate);
    simple(&mut body.surfaces, IdClass::Surface);
    simple(&mut body.samplers, IdClass::Sampler);
    body.labels = permuted(&body.labels, table(IdClass::Label));
    for label in &mut body.labels {
        permutation.attributes(&mut label.attributes);
        label.name = new_name();
    }
}
