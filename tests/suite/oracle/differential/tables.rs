//! Random tables: everything that a routine declares.

use genvisa::object::{
    Align, Attribute, Body, Input, InputClass, InputKind, LabelKind, SimpleVariable,
};
use genvisa::operand::{DataType, SamplerId, SurfaceId, VarId};

use super::rng::Dice;

/// What names are made of: words of the language, default names, suffixes that cleaning gives,
/// bytes that cleaning replaces.
const PARTS: [&str; 35] = [
    "x",
    "x",
    "a",
    "y2",
    "_",
    "_0",
    "_1",
    "0",
    "32",
    "9",
    ".",
    "$",
    "-",
    " ",
    "\"",
    "\\",
    "'",
    "é",
    "mul",
    "add3.o",
    "lsc_load",
    "svm_gather",
    "raw_sends",
    "FILE",
    "file",
    "loc",
    "reserved_0",
    "va_minmax",
    "flat",
    "V0032",
    "V33",
    "A0",
    "P1",
    "T6",
    "reserved_3B",
];

/// Attributes of declarations: those that the reference of 2022 knows.
const FLAGS: [&str; 6] =
    ["Input", "Output", "PayloadLiveOut", "Input_Output", "NoWidening", "DoNotSpill"];
const NUMBERS: [&str; 2] = ["Scope", "SurfaceUsage"];

/// Attributes of routines: those that the reference of 2022 knows, but for `Callable`, with which it
/// crashes at times.
const ROUTINE_FLAGS: [&str; 7] = [
    "Extern",
    "NoBarrier",
    "Caller",
    "Composable",
    "Entry",
    "SepSpillPvtSS",
    "LTO_InvokeOptTarget",
];
const ROUTINE_NUMBERS: [&str; 11] = [
    "Target",
    "SLMSize",
    "SpillMemOffset",
    "ArgSize",
    "RetValSize",
    "PerThreadInputSize",
    "perThreadInputSize",
    "SimdSize",
    "CrossThreadInputSize",
    "crossThreadInputSize",
    "NBarrierCnt",
];

/// A name, often one that needs care.
pub fn name(dice: &mut Dice) -> String {
    match dice.below(5) {
        0 => String::new(),
        1 => dice.pick(&PARTS).into(),
        parts => (0..parts).map(|_| dice.pick(&PARTS)).collect(),
    }
}

/// Fills the tables of a routine.
pub fn declare(dice: &mut Dice, body: &mut Body<'_>) {
    const ROOM: &str = "few enough for the table";
    variables(dice, body);
    for _ in 0..1 + dice.below(6) {
        let (name, count) = (name(dice), dice.pick(&[1, 2, 4, 8, 16]));
        body.add_address(&name, count).expect(ROOM);
    }
    for _ in 0..1 + dice.below(6) {
        let (name, count) = (name(dice), dice.pick(&[1, 2, 4, 8, 16, 32]));
        body.add_predicate(&name, count).expect(ROOM);
    }
    // Blocks and subroutines are always there, for instructions that need them.
    let kinds = [LabelKind::BLOCK, LabelKind::SUBROUTINE];
    for number in 0..2 + dice.below(8) {
        let kind = kinds.get(number).copied().unwrap_or_else(|| dice.pick(LabelKind::NAMED));
        let name = name(dice);
        body.add_label(&name, kind).expect(ROOM);
    }
    for _ in 0..1 + dice.below(30) {
        let name = name(dice);
        body.add_sampler(&name).expect(ROOM);
    }
    for _ in 0..1 + dice.below(30) {
        let name = name(dice);
        body.add_surface(&name).expect(ROOM);
    }
    for _ in 0..3 {
        body.intern(&name(dice));
    }
    attributes_of_variables(dice, body);
    // Files exist whose pool does not begin with the empty string.
    if dice.one_in(8) {
        body.strings[0] = name(dice).as_str().into();
    }
}

fn variables(dice: &mut Dice, body: &mut Body<'_>) {
    const TYPES: [DataType; 13] = [
        DataType::UD,
        DataType::D,
        DataType::UW,
        DataType::W,
        DataType::UB,
        DataType::B,
        DataType::DF,
        DataType::F,
        DataType::BOOL,
        DataType::UQ,
        DataType::Q,
        DataType::HF,
        DataType::BF,
    ];
    for index in 0..8 + dice.below(40) {
        let (name, ty) = (name(dice), dice.pick(&TYPES));
        let count = dice.pick(&[1, 2, 3, 8, 16, 64, 100, 256]);
        body.add_variable(&name, ty, count, dice.pick(Align::NAMED));
        if dice.one_in(4) {
            // Whatever was declared before, predefined variables among it.
            let variable = &mut body.variables[index];
            variable.alias = VarId({
                let i = dice.below(21 + index) as u32;
                if i < 21 { i } else { i + 11 }
            });
            variable.alias_offset = dice.pick(&[0, 4, 32, 100]);
        }
    }
}

/// A flag in no bytes, or a number in 0, 1, 2 or 4 of them.
fn attribute(dice: &mut Dice, body: &mut Body<'_>, flags: &[&str], numbers: &[&str]) -> Attribute {
    let index = dice.below(flags.len() + numbers.len());
    let (name, is_flag) = match flags.get(index) {
        Some(name) => (name, true),
        None => (&numbers[index - flags.len()], false),
    };
    let name_id = body.intern(name);
    if is_flag && !dice.one_in(4) {
        return Attribute::flag(name_id);
    }
    // The only targets there are.
    let bits = if *name == "Target" { dice.below(2) as u64 } else { dice.bits() };
    let value = bits.to_le_bytes()[..dice.pick(&[0, 1, 2, 4])].into();
    Attribute { name: name_id, value }
}

fn attributes(
    dice: &mut Dice,
    body: &mut Body<'_>,
    flags: &[&str],
    numbers: &[&str],
) -> Vec<Attribute> {
    let count = dice.pick(&[0, 0, 0, 1, 2, 3]);
    (0..count).map(|_| attribute(dice, body, flags, numbers)).collect()
}

fn attributes_of_variables(dice: &mut Dice, body: &mut Body<'_>) {
    for index in 0..body.variables.len() {
        body.variables[index].attributes = attributes(dice, body, &FLAGS, &NUMBERS);
    }
    macro_rules! simple {
        ($($table:ident),*) => {$(
            for index in 0..body.$table.len() {
                let attributes = attributes(dice, body, &FLAGS, &NUMBERS);
                let variable: &mut SimpleVariable = &mut body.$table[index];
                variable.attributes = attributes;
            }
        )*};
    }
    simple!(addresses, predicates, samplers, surfaces);
}

/// The attributes of a routine whose text goes to the file of a name.
pub fn attributes_of_routine(dice: &mut Dice, body: &mut Body<'_>, file: &str) {
    let mut attributes = attributes(dice, body, &ROUTINE_FLAGS, &ROUTINE_NUMBERS);
    let asm_name = body.intern(dice.pick(&["AsmName", "OutputAsmPath"]));
    let place = dice.below(attributes.len() + 1);
    attributes.insert(place, Attribute::string(asm_name, file));
    body.attributes = attributes;
}

/// What a kernel is given when it starts.
pub fn inputs(dice: &mut Dice, body: &Body<'_>) -> Vec<Input> {
    let input = |dice: &mut Dice| {
        let class = dice.pick(InputClass::NAMED);
        let (first, count) = match class {
            InputClass::GENERAL => (VarId::FIRST_DECLARED.0, body.variables.len()),
            InputClass::SAMPLER => (SamplerId(0).0.into(), body.samplers.len()),
            _ => (SurfaceId::FIRST_DECLARED.0.into(), body.surfaces.len()),
        };
        let implicit = dice.pick(&[0, 0, 1, 2, 3, 4, 5, 16, 31]);
        Input {
            kind: InputKind::from_bits(class.bits() | implicit << 3),
            index: first + dice.below(count) as u32,
            offset: dice.below(1000) as i16,
            size: dice.below(500) as u16,
        }
    };
    let count = dice.below(6);
    (0..count).map(|_| input(dice)).collect()
}
