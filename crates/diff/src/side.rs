//! One of the two routines of a comparison: its declarations and instructions without ids.

use std::collections::HashMap;
use std::hash::Hash;

use genvisa::RegisterSize;
use genvisa::error::Result;
use genvisa::format::Format;
use genvisa::isa::{Id, IdClass, Instruction};
use genvisa::object::{
    AliasScope, Attribute, AttributeKind, Body, LabelKind, Module, Name, Routine,
};
use genvisa::operand::{AddressOf, DataType, PredId, Raw, StringId, SurfaceId, VarId, VectorKind};
use genvisa::text::complete_text;

/// Numbers for values, which are equal if the values are.
pub(super) struct Interner<K> {
    numbers: HashMap<K, u32>,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Interner { numbers: HashMap::new() }
    }
}

impl<K: Hash + Eq> Interner<K> {
    pub(super) fn number(&mut self, key: K) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }
}

impl Interner<Vec<u32>> {
    /// Returns the number of a key without allocating if the key is known.
    pub(super) fn number_of(&mut self, key: &[u32]) -> u32 {
        match self.numbers.get(key) {
            Some(number) => *number,
            None => self.number(key.into()),
        }
    }
}

impl Interner<Vec<u8>> {
    fn text(&mut self, text: &[u8]) -> u32 {
        match self.numbers.get(text) {
            Some(number) => *number,
            None => self.number(text.into()),
        }
    }
}

/// The interners that both routines of a comparison share.
#[derive(Default)]
pub(super) struct Interners {
    forms: Interner<Form>,
    texts: Interner<Vec<u8>>,
    declarations: Interner<Declaration>,
    shapes: Interner<(IdClass, Option<DataType>, u32, LabelKind)>,
    inputs: Interner<Vec<(u8, i16, u16)>>,
}

/// An instruction without its ids.
#[derive(PartialEq, Eq, Hash)]
enum Form {
    Instruction(Instruction),
    /// The complete text in the [common](Common) format, if the formats differ: fields that only one of
    /// them has are not in the text if they have their usual value.
    Text(String),
}

/// How to compare instructions of different formats: by their texts in one format, the first in which
/// the text is complete.
#[derive(Clone, Copy)]
pub(super) struct Common {
    pub(super) formats: [Format; 2],
    /// The size of a register, which determines the offsets of addresses in files.
    pub(super) registers: RegisterSize,
}

/// What a declaration says about a variable, surface, sampler or label, except its name.
#[derive(PartialEq, Eq, Hash)]
struct Declaration {
    class: IdClass,
    ty: Option<DataType>,
    align: u8,
    num_elements: u32,
    alias: Alias,
    alias_offset: u16,
    kind: LabelKind,
    attributes: Vec<(u32, AttributeValue)>,
}

/// What a variable is an alias of.
#[derive(PartialEq, Eq, Hash)]
enum Alias {
    /// A declared variable, which is the parent of the entry.
    Declared,
    /// A variable of the file, by its name and the number of earlier variables of this name.
    File(Vec<u8>, u32),
    /// `%null`.
    Null,
    /// Another id in a scope, or none.
    Id(u8, u32),
}

/// The value of an attribute as readers interpret it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum AttributeValue {
    Integer(i32),
    Bytes(Vec<u8>),
}

impl AttributeValue {
    pub(super) fn new(name: &[u8], attribute: &Attribute) -> AttributeValue {
        match (AttributeKind::of(name), attribute.as_integer()) {
            (Some(AttributeKind::Bool | AttributeKind::Integer), Some(value)) => {
                AttributeValue::Integer(value)
            }
            _ => AttributeValue::Bytes(attribute.value.clone()),
        }
    }
}

/// What an id of an instruction refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Referent {
    /// An entry of the tables.
    Entry(u32),
    /// A string, by its text.
    Text(u32),
    /// A predefined variable or surface, or an id that is not declared.
    Fixed(Id),
}

/// A variable, surface, sampler or label of a routine.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The number of its declaration, which does not depend on other entries.
    pub(super) declaration: u32,
    /// The number of its inputs.
    pub(super) inputs: u32,
    pub(super) has_inputs: bool,
    /// The offset and the size of its only input.
    pub(super) input: Option<(i16, u16)>,
    /// The number of its class, type and size.
    pub(super) shape: u32,
    /// The entry that it is an alias of.
    pub(super) parent: Option<u32>,
    pub(super) name: StringId,
}

/// The tables of entries, in the order of the entries, with the first id of each.
const TABLES: [(IdClass, u32); 6] = [
    (IdClass::Variable, VarId::FIRST_DECLARED.0),
    (IdClass::Address, 0),
    (IdClass::Predicate, PredId::FIRST_DECLARED.0 as u32),
    (IdClass::Surface, SurfaceId::FIRST_DECLARED.0 as u32),
    (IdClass::Sampler, 0),
    (IdClass::Label, 0),
];

/// The numbering of the entries of a routine.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbering {
    /// For each table, its first entry; then the number of all entries.
    starts: [u32; TABLES.len() + 1],
}

impl Numbering {
    pub(super) fn new(body: &Body<'_>) -> Numbering {
        let counts = [
            body.variables.len(),
            body.addresses.len(),
            body.predicates.len(),
            body.surfaces.len(),
            body.samplers.len(),
            body.labels.len(),
        ];
        let mut starts = [0; TABLES.len() + 1];
        for (table, count) in counts.into_iter().enumerate() {
            starts[table + 1] = starts[table] + count as u32;
        }
        Numbering { starts }
    }

    pub(super) fn entry(&self, id: Id) -> Option<u32> {
        let table = TABLES.iter().position(|(class, _)| *class == id.class)?;
        let index = id.number.checked_sub(TABLES[table].1)?;
        let count = self.starts[table + 1] - self.starts[table];
        (index < count).then(|| self.starts[table] + index)
    }

    /// Returns the first id that routines declare.
    pub(super) fn first_id(class: IdClass) -> u32 {
        TABLES.iter().find(|(other, _)| *other == class).map_or(0, |(_, first)| *first)
    }

    pub(super) fn id(&self, entry: u32) -> Id {
        let table = self.starts[1..TABLES.len()].partition_point(|start| *start <= entry);
        let (class, first) = TABLES[table];
        Id { class, number: entry - self.starts[table] + first }
    }
}

/// A routine to compare.
pub(super) struct Side<'m, 'a> {
    pub(super) routine: Routine<'m, 'a>,
    pub(super) numbering: Numbering,
    pub(super) entries: Vec<Entry>,
    /// For each entry, how often instructions refer to it.
    pub(super) uses: Vec<u32>,
    pub(super) instructions: Vec<Instruction>,
    /// The indices of the instructions in the routine.
    pub(super) indices: Vec<usize>,
    /// The numbers of the instructions without their ids.
    pub(super) forms: Vec<u32>,
    /// For each instruction, the end of its ids in `referents`.
    ends: Vec<usize>,
    referents: Vec<Referent>,
}

impl<'m, 'a> Side<'m, 'a> {
    /// Decodes a routine. `is_compared` selects the instructions. With a `text_format`, they are
    /// compared by their text in this format.
    pub(super) fn new(
        routine: Routine<'m, 'a>,
        file_names: &FileNames,
        interners: &mut Interners,
        common: Option<Common>,
        is_compared: impl Fn(&Instruction) -> bool,
    ) -> Result<Self> {
        let numbering = Numbering::new(routine.body);
        let entries = entries(&routine, numbering, file_names, interners);
        let mut side = Side {
            routine,
            numbering,
            uses: vec![0; entries.len()],
            entries,
            instructions: Vec::new(),
            indices: Vec::new(),
            forms: Vec::new(),
            ends: Vec::new(),
            referents: Vec::new(),
        };
        for (index, item) in routine.instructions().enumerate() {
            let (_, instruction) = item?;
            if is_compared(&instruction) {
                side.push(index, instruction, common, interners);
            }
        }
        Ok(side)
    }

    fn push(
        &mut self,
        index: usize,
        instruction: Instruction,
        common: Option<Common>,
        interners: &mut Interners,
    ) {
        let (strings, mut form) = (&self.routine.body.strings, instruction);
        if common.is_some() {
            omit_null(&mut form);
        }
        // This cannot fail: the new ids fit in all fields.
        let _ = form.replace_ids(|id| {
            // Null is part of the form: it is like an operand that is absent.
            if id == VarId::NULL.into() {
                return id.number;
            }
            let referent = match (id.class, self.numbering.entry(id)) {
                (_, Some(entry)) => {
                    self.uses[entry as usize] += 1;
                    Referent::Entry(entry)
                }
                (IdClass::String, _) => match strings.get(id.number as usize) {
                    Some(text) => Referent::Text(interners.texts.text(text.as_bytes())),
                    None => Referent::Fixed(id),
                },
                _ => Referent::Fixed(id),
            };
            self.referents.push(referent);
            Numbering::first_id(id.class)
        });
        self.instructions.push(instruction);
        self.indices.push(index);
        let text = common.and_then(|common| {
            common.formats.into_iter().find_map(|format| {
                let mut form = form;
                self.convert_address(&instruction, &mut form, format, common.registers);
                complete_text(&form, format)
            })
        });
        let form = text.map_or(Form::Instruction(form), Form::Text);
        self.forms.push(interners.forms.number(form));
        self.ends.push(self.referents.len());
    }

    /// Converts the address of a variable to a format. `instruction` has the ids of the routine.
    fn convert_address(
        &self,
        instruction: &Instruction,
        form: &mut Instruction,
        format: Format,
        registers: RegisterSize,
    ) {
        let (Instruction::AddrAdd(own), Instruction::AddrAdd(form)) = (instruction, form) else {
            return;
        };
        let (VectorKind::General { var, .. }, VectorKind::General { row, col, .. }) =
            (own.src0.0.kind, &mut form.src0.0.kind)
        else {
            return;
        };
        let index = var.0.checked_sub(VarId::FIRST_DECLARED.0);
        let declared = index.and_then(|index| self.routine.body.variables.get(index as usize));
        let ty = declared.map_or_else(|| var.predefined_type(), |variable| Some(variable.ty));
        let ty = ty.unwrap_or_default();
        let offset = own.src0.offset(ty, self.routine.format(), registers);
        let converted = offset.and_then(|at| AddressOf::at_offset(var, at, ty, format, registers));
        if let Some(VectorKind::General { row: new_row, col: new_col, .. }) =
            converted.map(|one| one.0.kind)
        {
            (*row, *col) = (new_row, new_col);
        }
    }

    /// Returns what the ids of an instruction refer to.
    pub(super) fn referents(&self, index: usize) -> &[Referent] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.referents[start..self.ends[index]]
    }

    pub(super) fn string(&self, id: StringId) -> &'m [u8] {
        self.routine.body.strings.get(id.0 as usize).map_or(b"", Name::as_bytes)
    }

    pub(super) fn name(&self, entry: u32) -> &'m [u8] {
        self.string(self.entries[entry as usize].name)
    }
}

/// Removes the paired surface, an operand that only newer formats have, if it is null.
fn omit_null(instruction: &mut Instruction) {
    if let Some(paired) = instruction.paired_surface_mut() {
        *paired = paired.filter(|surface| *surface != Raw::NULL);
    }
}

/// For each variable of a file, the number of earlier variables of the same name.
pub(super) struct FileNames(Vec<u32>);

impl FileNames {
    pub(super) fn new(module: &Module<'_>) -> FileNames {
        let mut counts: HashMap<&Name, u32> = HashMap::new();
        let occurrence = |name| {
            let count = counts.entry(name).or_default();
            *count += 1;
            *count
        };
        FileNames(
            module.file_scope_vars.iter().map(|variable| &variable.name).map(occurrence).collect(),
        )
    }
}

fn entries(
    routine: &Routine<'_, '_>,
    numbering: Numbering,
    file_names: &FileNames,
    interners: &mut Interners,
) -> Vec<Entry> {
    let body = routine.body;
    let mut inputs = vec![Vec::new(); numbering.starts[TABLES.len()] as usize];
    for input in routine.inputs {
        if let Some(entry) = input.id().and_then(|id| numbering.entry(id)) {
            inputs[entry as usize].push((input.kind.bits(), input.offset, input.size));
        }
    }
    let mut inputs = inputs.into_iter();
    let mut entries = Vec::with_capacity(inputs.len());
    let mut add = |name, declaration: Declaration, parent, interners: &mut Interners| {
        let mut inputs = inputs.next().unwrap_or_default();
        inputs.sort_unstable();
        let Declaration { class, ty, num_elements, kind, .. } = declaration;
        entries.push(Entry {
            shape: interners.shapes.number((class, ty, num_elements, kind)),
            declaration: interners.declarations.number(declaration),
            has_inputs: !inputs.is_empty(),
            input: match inputs[..] {
                [(_, offset, size)] => Some((offset, size)),
                _ => None,
            },
            inputs: interners.inputs.number(inputs),
            parent,
            name,
        });
    };
    for variable in &body.variables {
        let parent = match variable.alias_scope {
            AliasScope::LOCAL => numbering.entry(variable.alias.into()),
            _ => None,
        };
        let declaration = Declaration {
            class: IdClass::Variable,
            ty: Some(variable.ty),
            align: variable.align.bits(),
            num_elements: variable.num_elements,
            alias: match parent {
                Some(_) => Alias::Declared,
                None if variable.is_null => Alias::Null,
                None => alias(variable.alias_scope, variable.alias, routine.module(), file_names),
            },
            alias_offset: variable.alias_offset,
            kind: LabelKind::BLOCK,
            attributes: attributes(body, &variable.attributes, interners),
        };
        add(variable.name, declaration, parent, interners);
    }
    let simple = [
        (IdClass::Address, &body.addresses),
        (IdClass::Predicate, &body.predicates),
        (IdClass::Surface, &body.surfaces),
        (IdClass::Sampler, &body.samplers),
    ];
    for (class, variables) in simple {
        for variable in variables {
            let mut declaration = Declaration::new(class, body, &variable.attributes, interners);
            declaration.num_elements = variable.num_elements.into();
            add(variable.name, declaration, None, interners);
        }
    }
    for label in &body.labels {
        let mut declaration = Declaration::new(IdClass::Label, body, &label.attributes, interners);
        declaration.kind = label.kind;
        add(label.name, declaration, None, interners);
    }
    entries
}

impl Declaration {
    fn new(
        class: IdClass,
        body: &Body<'_>,
        list: &[Attribute],
        interners: &mut Interners,
    ) -> Declaration {
        Declaration {
            class,
            ty: None,
            align: 0,
            num_elements: 0,
            alias: Alias::Id(0, 0),
            alias_offset: 0,
            kind: LabelKind::BLOCK,
            attributes: attributes(body, list, interners),
        }
    }
}

fn alias(scope: AliasScope, id: VarId, module: &Module<'_>, file_names: &FileNames) -> Alias {
    let index = id.0 as usize;
    match (module.file_scope_vars.get(index), file_names.0.get(index)) {
        (Some(variable), Some(occurrence)) if scope == AliasScope::FILE => {
            Alias::File(variable.name.as_bytes().into(), *occurrence)
        }
        _ => Alias::Id(scope.bits(), id.0),
    }
}

/// Returns the names and values of attributes. Those of the same name keep their order.
fn attributes(
    body: &Body<'_>,
    list: &[Attribute],
    interners: &mut Interners,
) -> Vec<(u32, AttributeValue)> {
    let named = |attribute: &Attribute| {
        let name = body.strings.get(attribute.name.0 as usize).map_or(&b""[..], Name::as_bytes);
        (interners.texts.text(name), AttributeValue::new(name, attribute))
    };
    let mut named: Vec<_> = list.iter().map(named).collect();
    named.sort_by_key(|(name, _)| *name);
    named
}
