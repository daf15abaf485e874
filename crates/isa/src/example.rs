//! An instruction that the verifier accepts, for each row: found by changing one field at a time until no rule is broken.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use genvisa::error::PathSegment;
use genvisa::isa::Ret;
use genvisa::object::{Align, Body, Code, Kernel, LabelInfo, Module, SimpleVariable, Variable};
use genvisa::operand::{
    AddrId, AddrWidth, Aoffimmi, DataType, Exec, ExecSize, Imm, LabelId, Pred, PredId, Raw, Region,
    SamplerId, ShortStringId, Slot, Stride, StringId, SurfaceId, VarId, Vector, VisitorMut,
};
use genvisa::text::FileListing;
use genvisa::verify::{Severity, Verifier};
use genvisa::wire::TracedField;
use genvisa::{Format, Instruction, Platform};

use crate::row::{Row, decode, field, is_number};

/// An instruction with the types of the variables that it uses.
#[derive(Clone)]
pub struct Example {
    pub instruction: Instruction,
    pub bytes: Vec<u8>,
    format: Format,
    /// The types of the variables, from the first declared one on.
    types: Vec<DataType>,
    /// The operands that variables belong to.
    pub operands: Vec<Operand>,
}

/// An operand in a variable.
#[derive(Clone, PartialEq, Eq)]
pub struct Operand {
    pub field: &'static str,
    pub is_written: bool,
    /// Whether it has elements of a type, instead of bytes.
    pub is_vector: bool,
}

/// The types of variables in a format.
fn types(format: Format) -> impl Iterator<Item = DataType> {
    let has = move |ty: &DataType| ty.has_binary_form() || format == Format::V4_2;
    DataType::NAMED.iter().copied().filter(|ty| ty.can_be_declared()).filter(has)
}

/// The bytes of each variable: less than the registers of every platform.
const SIZE: u32 = 2048;

/// The number of steps of a search.
const STEPS: usize = 16;

/// Gives each operand a variable.
#[derive(Default)]
struct Operands(Vec<Operand>);

impl Operands {
    fn add(&mut self, slot: Slot, is_written: bool, is_vector: bool) -> VarId {
        let id = VarId(VarId::FIRST_DECLARED.0 + self.0.len() as u32);
        self.0.push(Operand { field: slot.field, is_written, is_vector });
        id
    }
}

impl VisitorMut for Operands {
    fn exec(&mut self, _: Slot, exec: &mut Exec) {
        exec.size = ExecSize::S8;
    }

    fn vector(&mut self, slot: Slot, operand: &mut Vector) {
        let region = Region::new(Stride::S1, Stride::S1, Stride::S0);
        let region = if slot.is_scalar { Region::SCALAR } else { region };
        *operand = Vector::general(self.add(slot, false, true), region);
    }

    fn dst(&mut self, slot: Slot, operand: &mut Vector) {
        *operand = Vector::general(self.add(slot, true, true), Region::dst(Stride::S1));
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        *operand = Vector::predicate(Pred::new(PredId::FIRST_DECLARED).unwrap_or(Pred::NONE));
    }

    fn address_of(&mut self, slot: Slot, operand: &mut Vector) {
        *operand = Vector::general(self.add(slot, false, true), Region::SCALAR);
    }

    fn raw(&mut self, slot: Slot, operand: &mut Raw) {
        *operand = Raw::new(self.add(slot, slot.is_written, false), 0);
    }

    fn aoffimmi(&mut self, _: Slot, aoffimmi: &mut Aoffimmi) {
        *aoffimmi = Aoffimmi::default();
    }

    fn surface(&mut self, _: Slot, surface: &mut SurfaceId) {
        *surface = SurfaceId::FIRST_DECLARED;
    }

    fn sampler(&mut self, _: Slot, sampler: &mut SamplerId) {
        *sampler = SamplerId(0);
    }

    fn label(&mut self, _: Slot, label: &mut LabelId) {
        *label = LabelId(0);
    }

    fn string(&mut self, _: Slot, string: &mut StringId) {
        *string = StringId(1);
    }

    fn short_string(&mut self, _: Slot, string: &mut ShortStringId) {
        *string = ShortStringId(1);
    }
}

/// Replaces the operand of a field.
struct Replaced {
    field: &'static str,
    vector: Vector,
    raw: Raw,
}

impl VisitorMut for Replaced {
    fn vector(&mut self, slot: Slot, operand: &mut Vector) {
        if slot.field == self.field {
            *operand = self.vector;
        }
    }

    fn dst(&mut self, slot: Slot, operand: &mut Vector) {
        self.vector(slot, operand);
    }

    fn raw(&mut self, slot: Slot, operand: &mut Raw) {
        if slot.field == self.field {
            *operand = self.raw;
        }
    }
}

/// Searches examples of a row.
pub struct Search<'r> {
    row: &'r Row,
    verifier: Verifier,
    values: Rc<Values>,
    /// The names of the rules that instructions have broken.
    pub broken: BTreeSet<&'static str>,
}

impl<'r> Search<'r> {
    /// Finds an example for a platform, or for the newest that has one.
    pub fn find(
        row: &'r Row,
        platform: Option<Platform>,
    ) -> Option<(Platform, Example, Search<'r>)> {
        let candidates = Platform::ALL.iter().rev().copied();
        let mut candidates = candidates.filter(|it| platform.is_none_or(|wanted| wanted == *it));
        let values = Rc::default();
        candidates.find_map(|platform| {
            let mut search = Search::new(row, platform, &values);
            Some((platform, search.example()?, search))
        })
    }

    fn new(row: &'r Row, platform: Platform, values: &Rc<Values>) -> Search<'r> {
        let verifier = Verifier::new().with_platform(platform);
        Search { row, verifier, values: values.clone(), broken: BTreeSet::new() }
    }

    /// Returns an instruction without findings.
    pub fn example(&mut self) -> Option<Example> {
        /// The most elements of a list that are tried.
        const ELEMENTS: u8 = 6;
        let firsts = (0..=ELEMENTS).filter_map(|count| self.first(count));
        let firsts: Vec<Example> = firsts.filter(|first| !self.is_whole(first)).collect();
        self.improve(firsts)
    }

    /// Returns an instruction with usual operands, and a number of elements in its list.
    fn first(&self, elements: u8) -> Option<Example> {
        let format = self.row.format;
        let bytes = self.row.with_elements(elements, format)?;
        let bytes = self.values.name(bytes, self.row.start().len(), format);
        let (mut instruction, _) = decode(&bytes, format).ok()?;
        let mut operands = Operands::default();
        instruction.visit_mut(&mut operands);
        let types = vec![DataType::D; operands.0.len()];
        let bytes = instruction.to_bytes(format).ok()?;
        Some(Example { instruction, bytes, format, types, operands: operands.0 })
    }

    /// Changes a field at a time, those with the fewest findings first.
    fn improve(&mut self, firsts: Vec<Example>) -> Option<Example> {
        let mut seen = HashSet::new();
        let firsts = firsts.into_iter().filter(|first| seen.insert(first.key()));
        let firsts: Vec<Example> = firsts.collect();
        let mut open: Vec<_> =
            firsts.into_iter().map(|first| (self.score(&first), first)).collect();
        for _ in 0..STEPS {
            let best = (0..open.len()).min_by_key(|index| open[*index].0)?;
            let (score, example) = open.swap_remove(best);
            if score == 0 {
                return Some(example);
            }
            for changed in self.values.changes(&example) {
                if seen.insert(changed.key()) {
                    let changed_score = self.score(&changed);
                    if changed_score == 0 {
                        return Some(changed);
                    }
                    // Another error may follow from a step in the right direction.
                    if changed_score <= score + 16 {
                        open.push((changed_score, changed));
                    }
                }
            }
        }
        None
    }

    /// Returns the number of findings; errors count more than warnings.
    fn score(&mut self, example: &Example) -> usize {
        let mut score = 0;
        let broken = &mut self.broken;
        self.verifier.visit_module(&example.module(), |finding| {
            if finding.instruction == Some(0) {
                broken.insert(finding.rule.name);
                score += if finding.severity == Severity::Error { 16 } else { 1 };
            }
        });
        score
    }

    /// Returns whether an error is about the instruction itself, so that no other operand helps.
    fn is_whole(&self, example: &Example) -> bool {
        let mut is_whole = false;
        self.verifier.visit_module(&example.module(), |finding| {
            is_whole |= finding.instruction == Some(0)
                && finding.severity == Severity::Error
                && matches!(finding.path.last(), Some(PathSegment::Instruction { .. }));
        });
        is_whole
    }

    /// Returns whether there are no findings.
    fn accepts(&mut self, example: &Example) -> bool {
        self.score(example) == 0
    }

    /// Finds rules that instructions break which differ from an example in a field.
    pub fn find_rules(&mut self, example: &Example) {
        for changed in self.values.changes(example) {
            self.score(&changed);
        }
    }

    /// Returns the platforms that accept an example with some number of lanes, or one that is found from it, oldest
    /// first.
    pub fn platforms(&self, example: &Example) -> Vec<Platform> {
        let accepts = |platform: &Platform| {
            let mut search = Search::new(self.row, *platform, &self.values);
            search.accepts(example)
                || !search.exec_sizes(example).is_empty()
                || !search.is_whole(example)
                    && (search.improve(vec![example.clone()]).is_some()
                        || search.example().is_some())
        };
        Platform::ALL.iter().copied().filter(accepts).collect()
    }

    /// Returns the numbers of lanes that the verifier accepts.
    pub fn exec_sizes(&mut self, example: &Example) -> Vec<usize> {
        struct Sized(ExecSize);

        impl VisitorMut for Sized {
            fn exec(&mut self, _: Slot, exec: &mut Exec) {
                exec.size = self.0;
            }
        }

        let accepts = |size: &ExecSize| {
            let mut instruction = example.instruction;
            instruction.visit_mut(&mut Sized(*size));
            let bytes = instruction.to_bytes(example.format);
            bytes
                .is_ok_and(|bytes| self.accepts(&Example { instruction, bytes, ..example.clone() }))
        };
        ExecSize::ALL.into_iter().filter(accepts).map(ExecSize::lanes).collect()
    }

    /// Returns the types of each vector operand that the verifier accepts, alone or if all operands have them.
    pub fn types_of(&mut self, example: &Example) -> Vec<Vec<DataType>> {
        let mut accepted = vec![Vec::new(); example.operands.len()];
        for ty in types(example.format) {
            let all = Example { types: vec![ty; example.types.len()], ..example.clone() };
            let all_agree = self.accepts(&all);
            for (index, accepted) in accepted.iter_mut().enumerate() {
                if !example.operands[index].is_vector || !example.uses(index) {
                    continue;
                }
                let mut one = example.clone();
                one.types[index] = ty;
                if all_agree || self.accepts(&one) {
                    accepted.push(ty);
                }
            }
        }
        accepted
    }
}

/// The values of each field of one byte that are tried. They are found once for a row, by decoding.
#[derive(Default)]
struct Values(RefCell<HashMap<String, Rc<[u8]>>>);

impl Values {
    /// Returns the values of a field: those with names, if some have names.
    fn of(&self, bytes: &[u8], shown: &TracedField, format: Format) -> Rc<[u8]> {
        if let Some(values) = self.0.borrow().get(&*shown.name) {
            return values.clone();
        }
        let candidates = (0..=u8::MAX).filter(|value| *value < 16 || value.is_power_of_two());
        let has_name = |value: &u8| {
            let mut bytes = bytes.to_vec();
            bytes[shown.offset] = *value;
            let traced = decode(&bytes, format).map(|(_, traced)| traced).unwrap_or_default();
            field(&traced, &shown.name).is_some_and(|field| !is_number(field, *value))
        };
        let (named, others): (Vec<u8>, Vec<u8>) = candidates.partition(has_name);
        let values: Rc<[u8]> = if named.is_empty() { others } else { named }.into();
        self.0.borrow_mut().insert(shown.name.to_string(), values.clone());
        values
    }

    /// Replaces bytes that have no name by the first that has one, in fields whose values have names.
    fn name(&self, mut bytes: Vec<u8>, start: usize, format: Format) -> Vec<u8> {
        let Ok((_, traced)) = decode(&bytes, format) else { return bytes };
        for shown in traced.iter().filter(|field| field.depth == 0 && field.len == Some(1)) {
            let values = self.of(&bytes, shown, format);
            if shown.offset >= start && !values.contains(&bytes[shown.offset]) {
                bytes[shown.offset] = values.first().copied().unwrap_or_default();
            }
        }
        bytes
    }

    /// Returns the instructions that differ in one field, and those in which all variables have another type.
    fn changes(&self, example: &Example) -> Vec<Example> {
        let mut changes = Vec::new();
        for ty in types(example.format) {
            changes.push(Example { types: vec![ty; example.types.len()], ..example.clone() });
            for index in 0..example.types.len() {
                let mut changed = example.clone();
                changed.types[index] = ty;
                changes.push(changed);
            }
        }
        let mut add = |instruction: Instruction| {
            if let Ok(bytes) = instruction.to_bytes(example.format) {
                changes.push(Example { instruction, bytes, ..example.clone() });
            }
        };
        let Ok((_, traced)) = decode(&example.bytes, example.format) else { return changes };
        for field in traced.iter().filter(|field| field.depth == 0 && field.len == Some(1)) {
            let values = self.of(&example.bytes, field, example.format);
            for &value in values.iter() {
                let mut bytes = example.bytes.clone();
                let is_other = std::mem::replace(&mut bytes[field.offset], value) != value;
                if is_other && field.offset >= example.start() {
                    if let Ok(instruction) = Instruction::from_bytes(&bytes, example.format) {
                        add(instruction);
                    }
                }
            }
        }
        let address = Vector::address(AddrId(0), 0, AddrWidth::default());
        let predicate = Vector::predicate(Pred::new(PredId::FIRST_DECLARED).unwrap_or(Pred::NONE));
        for operand in &example.operands {
            for vector in [
                Vector::imm(Imm::ud(0)),
                Vector::imm(Imm::ud(1)),
                Vector::imm(Imm::ud(64)),
                address,
                predicate,
            ] {
                let mut changed = example.instruction;
                changed.visit_mut(&mut Replaced { field: operand.field, vector, raw: Raw::NULL });
                add(changed);
            }
        }
        changes
    }
}

impl Example {
    fn key(&self) -> (Vec<u8>, Vec<DataType>) {
        (self.bytes.clone(), self.types.clone())
    }

    /// Returns the number of bytes of the opcode and the sub-opcode.
    fn start(&self) -> usize {
        if self.instruction.spec().family.is_empty() { 1 } else { 2 }
    }

    /// Returns whether the instruction still has the variable of an operand.
    fn uses(&self, index: usize) -> bool {
        let mut is_used = false;
        self.instruction.visit_ids(|id| {
            is_used |= id == VarId(VarId::FIRST_DECLARED.0 + index as u32).into();
        });
        is_used
    }

    /// Returns the text of the instruction.
    pub fn text(&self) -> String {
        let listing = self.listing();
        let is_code = |line: &&str| line.starts_with(' ') || line.ends_with(':');
        let line = listing.lines().find(is_code).unwrap_or_default();
        without_annotation(line).into()
    }

    /// Returns the declarations of what the instruction uses, as text.
    pub fn declarations(&self) -> Vec<String> {
        let used = self.text();
        let is_used = |name: &str| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            used.split(|c| !is_name(c)).any(|word| word == name)
        };
        let listing = self.listing();
        let declarations = listing.lines().filter(|line| {
            let mut words = line.split_ascii_whitespace();
            words.next() == Some(".decl") && words.next().is_some_and(is_used)
        });
        declarations.map(|line| without_annotation(line).into()).collect()
    }

    fn listing(&self) -> String {
        let mut text = String::new();
        // Writing to a string never fails, and the instruction can be printed.
        let _ = FileListing::new(&self.module()).with_numbers(false).write_to(&mut text);
        text
    }

    /// Returns a kernel with the instruction.
    pub fn module(&self) -> Module<'static> {
        let mut kernel = Kernel::new("example");
        let body: &mut Body<'_> = &mut kernel.body;
        let one = |num_elements| vec![SimpleVariable { num_elements, ..SimpleVariable::default() }];
        // There are 16 address registers.
        (body.predicates, body.addresses) = (one(32), one(16));
        let single = || vec![SimpleVariable { num_elements: 1, ..SimpleVariable::default() }];
        (body.samplers, body.surfaces) = (single(), single());
        body.labels = vec![LabelInfo::default()];
        body.variables = self.types.iter().map(|ty| variable(*ty)).collect();
        let mut bytes = self.bytes.clone();
        let label = Instruction::from(genvisa::isa::Label { label: LabelId(0) });
        let ret = Instruction::from(Ret { exec: ExecSize::S1.into(), ..Ret::default() });
        for end in [label, ret] {
            bytes.extend(end.to_bytes(self.format).unwrap_or_default());
        }
        body.code = Code::Present { bytes: bytes.into(), offset: 0 };
        let mut module = Module::new(self.format);
        module.kernels.push(kernel);
        module
    }
}

/// Returns a line without what only the complete style states.
fn without_annotation(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim()
}

fn variable(ty: DataType) -> Variable {
    let num_elements = SIZE / u32::try_from(ty.size()).unwrap_or(1).max(1);
    Variable { ty, num_elements, align: Align::GRFX2, ..Variable::default() }
}
