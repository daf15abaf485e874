//! The instruction set as JSON.

use std::collections::BTreeMap;

use genvisa::isa::{Dialects, FieldSpec};
use genvisa::wire::NamedValue;
use genvisa::{Format, Platform};
use serde::Serialize;

use crate::example::{Example, Search};
use crate::observed::{Condition, Type, VectorOperands, summary};
use crate::row::{Row, When, format_name, formats, rows};

/// The instruction set.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct InstructionSet {
    /// The formats: dialect and version, or `manual`.
    formats: Vec<String>,
    instructions: Vec<InstructionData>,
    /// The types of fields by their names.
    types: BTreeMap<&'static str, Type>,
    vector_operands: VectorOperands,
}

/// An instruction, or an operation of a family.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Instruction"))]
pub struct InstructionData {
    /// The mnemonic in text of IGC.
    pub mnemonic: String,
    /// The mnemonic in dialect manual; null if it does not have the instruction.
    pub manual_mnemonic: Option<String>,
    /// The first byte.
    pub opcode: u8,
    /// The byte after the opcode; null if it is not an operation of a family.
    pub sub_opcode: Option<u8>,
    /// The name of the struct of the library.
    pub name: &'static str,
    /// What it does.
    pub summary: String,
    /// The syntax in text of IGC.
    pub syntax: String,
    /// The formats that have it.
    pub formats: Vec<String>,
    /// The platforms on which the example has no findings, perhaps with other numbers of lanes; oldest first.
    pub platforms: Vec<&'static str>,
    /// The fields, in the order of their bytes.
    pub fields: Vec<Field>,
    /// An instruction that the verifier accepts; null if none is found.
    pub example: Option<ExampleData>,
    /// The numbers of lanes that the verifier accepts in the example.
    pub exec_sizes: Vec<usize>,
    /// Whether the interpreter has the instruction; null without an example, or if the tool was built without the
    /// interpreter.
    pub runs: Option<bool>,
    /// The rules that instructions break which differ from the example in one field or type.
    pub rules: Vec<&'static str>,
}

/// A field.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct Field {
    /// The name of the struct's field.
    pub name: &'static str,
    /// The name of its type, which is a member of `types`.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// What it means.
    pub meaning: String,
    /// The condition under which it is present, as the table states it; null if it always is.
    pub when: Option<&'static str>,
    /// The formats that have it; null if all formats of the instruction do.
    pub formats: Option<Vec<String>>,
    /// The condition about another field; null if there is none.
    pub condition: Option<Condition>,
    /// The field with the number of its elements; null if there is one.
    pub times: Option<&'static str>,
    /// The role of an operand: `read` or `written`; null if it is none.
    pub role: Option<&'static str>,
    /// The values that have names, unless there are many: those are operations, of which the mnemonic is one.
    pub values: Vec<Value>,
    /// The types of elements that the verifier accepts in the example; empty if the operand has none.
    pub types: Vec<&'static str>,
}

/// A value of a coded field.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "NamedValue"))]
pub struct Value {
    /// The encoding.
    pub bits: u8,
    /// The name in text.
    pub name: &'static str,
    /// What it means; empty if the name says it.
    pub meaning: String,
}

/// The most values of a field that are listed.
const MOST_VALUES: usize = 32;

/// Returns the values of a field that have names; none if there are more than a reader needs.
pub fn values(field: &FieldSpec) -> Vec<Value> {
    let value = |value: &NamedValue| Value {
        bits: value.bits,
        name: value.name,
        meaning: summary(value.meaning).trim_end_matches('.').into(),
    };
    let few = Some(field.values).filter(|values| values.len() <= MOST_VALUES);
    few.unwrap_or_default().iter().map(value).collect()
}

/// An instruction that the verifier accepts.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct ExampleData {
    /// The platform that it is accepted for.
    pub platform: &'static str,
    /// The format.
    pub format: String,
    /// The declarations of its variables, samplers and surfaces.
    pub declarations: Vec<String>,
    /// The text.
    pub text: String,
    /// The bytes in hex; null for text that has no binary form.
    pub bytes: Option<String>,
}

impl InstructionData {
    /// Returns whether the format of the example has a field; all fields are, if there is no example.
    pub fn has_in_example(&self, field: &Field) -> bool {
        match (&self.example, &field.formats) {
            (Some(example), Some(formats)) => formats.contains(&example.format),
            _ => true,
        }
    }
}

/// Returns the whole set.
pub fn instruction_set(platform: Option<Platform>) -> InstructionSet {
    let rows = rows();
    let mut types = BTreeMap::new();
    for row in &rows {
        for field in row.fields() {
            types.entry(field.ty).or_insert_with(|| Type::observe(row, field));
        }
    }
    InstructionSet {
        formats: formats().map(format_name).collect(),
        instructions: rows.iter().map(|row| instruction(row, platform)).collect(),
        types,
        vector_operands: VectorOperands::observe(),
    }
}

/// Returns the data of a row.
pub fn instruction(row: &Row, platform: Option<Platform>) -> InstructionData {
    let text = row.text();
    let mnemonic = row.mnemonic(row.format);
    let found = Search::find(row, platform);
    let (mut platforms, mut exec_sizes, mut rules) = (Vec::new(), Vec::new(), Vec::new());
    let example = found.map(|(platform, example, mut search)| {
        let accepted = search.types_of(&example);
        search.find_rules(&example);
        exec_sizes = search.exec_sizes(&example);
        platforms = search.platforms(&example);
        rules = search.broken.into_iter().collect();
        (platform, example, accepted)
    });
    let manual = (row.spec.dialects == Dialects::Everywhere).then(|| row.mnemonic(Format::MANUAL));
    InstructionData {
        manual_mnemonic: manual,
        opcode: row.spec.opcode,
        sub_opcode: row.operation.map(|(_, code)| code),
        name: row.name(),
        summary: text.map_or(String::new(), |text| summary(text.doc)),
        syntax: text.map_or(String::new(), |text| text.syntax(&mnemonic).text.trim_start().into()),
        formats: row.formats().map(format_name).collect(),
        platforms: platforms.iter().map(|platform| platform.name()).collect(),
        fields: row.fields().iter().map(|field| of_field(row, field, example.as_ref())).collect(),
        example: example.as_ref().map(|(platform, example, _)| of_example(row, *platform, example)),
        runs: example.as_ref().and_then(|(platform, example, _)| runs(example, *platform)),
        exec_sizes,
        rules,
        mnemonic,
    }
}

/// Returns an instruction that the verifier accepts, for a platform or for the newest that has it.
pub fn example(row: &Row, platform: Option<Platform>) -> Option<ExampleData> {
    let (platform, example, _) = Search::find(row, platform)?;
    Some(of_example(row, platform, &example))
}

fn of_example(row: &Row, platform: Platform, example: &Example) -> ExampleData {
    ExampleData {
        platform: platform.name(),
        format: format_name(row.format),
        declarations: example.declarations(),
        text: example.text(),
        bytes: (row.format != Format::V4_2).then(|| hex(&example.bytes)),
    }
}

/// Returns whether the interpreter has an instruction. Other faults are about its operands.
#[cfg(feature = "run")]
fn runs(example: &Example, platform: Platform) -> Option<bool> {
    use genvisa_interp::{Device, FaultKind, Machine, Program, ThreadStart};

    let module = example.module();
    let device = Device { registers: platform.register_size() };
    let program = Program::new([&module], device).ok()?;
    let machine = Machine::new(&program).with_limit(1 << 16);
    let start = ThreadStart { mask: 1, ..ThreadStart::default() };
    let run = machine.group("example", [0; 3], 0, 0, [start]);
    let result = run.and_then(|mut group| machine.run(&mut group).map(drop));
    let is_missing =
        result.is_err_and(|fault| matches!(fault.kind, FaultKind::InstructionNotModelled(_)));
    Some(!is_missing)
}

#[cfg(not(feature = "run"))]
fn runs(_: &Example, _: Platform) -> Option<bool> {
    None
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// An example with its platform, and the types that each of its operands may have.
type Found = (Platform, Example, Vec<Vec<genvisa::operand::DataType>>);

fn of_field(row: &Row, spec: &FieldSpec, found: Option<&Found>) -> Field {
    let When { condition, times } = When::of(spec);
    let of_row = |format: &Format| row.spec.dialects.includes(*format);
    let has_it = |format: &Format| spec.is_in(*format);
    let is_always = formats().filter(of_row).all(|format| has_it(&format));
    let operand = found.and_then(|(_, example, accepted)| {
        let index = example.operands.iter().position(|operand| operand.field == spec.name)?;
        Some((&example.operands[index], &accepted[index]))
    });
    Field {
        name: spec.name,
        ty: spec.ty,
        meaning: summary(spec.doc),
        when: spec.when,
        formats: (!is_always)
            .then(|| formats().filter(of_row).filter(has_it).map(format_name).collect()),
        condition: condition.and_then(|(field, word)| Condition::observe(row, field, word)),
        times,
        role: operand.map(|(operand, _)| if operand.is_written { "written" } else { "read" }),
        values: values(spec),
        types: operand
            .map(|(_, types)| types.iter().filter_map(|ty| ty.name()).collect())
            .unwrap_or_default(),
    }
}
