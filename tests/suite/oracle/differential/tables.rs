//! Random tables of routines.

use genvisa::object::{
    Align, Attribute, Body, Input, InputClass, InputKind, LabelKind, SimpleVariable,
};
use genvisa::operand::{DataType, SamplerId, SurfaceId, VarId};
use genvisa_test_support::rng::Rng;

/// Parts of names: reserved words, default names, suffixes that GenX_IR adds, and bytes that
/// it replaces.
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

/// The attributes of declarations that GenX_IR 12504 supports.
const FLAGS: [&str; 6] =
    ["Input", "Output", "PayloadLiveOut", "Input_Output", "NoWidening", "DoNotSpill"];
const NUMBERS: [&str; 2] = ["Scope", "SurfaceUsage"];

/// The attributes of routines that GenX_IR 12504 supports, except `Callable`, with which it
/// sometimes crashes.
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

/// Returns a name, often one that GenX_IR changes.
pub fn name(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => String::new(),
        1 => rng.pick(&PARTS).into(),
        parts => (0..parts).map(|_| rng.pick(&PARTS)).collect(),
    }
}

/// Fills the tables of a routine.
pub fn declare(rng: &mut Rng, body: &mut Body<'_>) {
    const FEW: &str = "few enough for the table";
    variables(rng, body);
    for _ in 0..1 + rng.below(6) {
        let (name, count) = (name(rng), rng.pick(&[1, 2, 4, 8, 16]));
        body.add_address(&name, count).expect(FEW);
    }
    for _ in 0..1 + rng.below(6) {
        let (name, count) = (name(rng), rng.pick(&[1, 2, 4, 8, 16, 32]));
        body.add_predicate(&name, count).expect(FEW);
    }
    // Always declare a block and a subroutine, for instructions that need them.
    let kinds = [LabelKind::BLOCK, LabelKind::SUBROUTINE];
    for number in 0..2 + rng.below(8) {
        let kind = kinds.get(number).copied().unwrap_or_else(|| rng.pick(LabelKind::NAMED));
        let name = name(rng);
        body.add_label(&name, kind).expect(FEW);
    }
    for _ in 0..1 + rng.below(30) {
        let name = name(rng);
        body.add_sampler(&name).expect(FEW);
    }
    for _ in 0..1 + rng.below(30) {
        let name = name(rng);
        body.add_surface(&name).expect(FEW);
    }
    for _ in 0..3 {
        body.intern(&name(rng));
    }
    attributes_of_variables(rng, body);
    // In some files, the string pool does not begin with the empty string.
    if rng.one_in(8) {
        body.strings[0] = name(rng).as_str().into();
    }
}

fn variables(rng: &mut Rng, body: &mut Body<'_>) {
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
    for index in 0..8 + rng.below(40) {
        let (name, ty) = (name(rng), rng.pick(&TYPES));
        let count = rng.pick(&[1, 2, 3, 8, 16, 64, 100, 256]);
        body.add_variable(&name, ty, count, rng.pick(Align::NAMED));
        if rng.one_in(4) {
            // An alias of an earlier or predefined variable.
            let variable = &mut body.variables[index];
            variable.alias = VarId({
                let i = rng.below(21 + index) as u32;
                if i < 21 { i } else { i + 11 }
            });
            variable.alias_offset = rng.pick(&[0, 4, 32, 100]);
        }
    }
}

/// Returns a flag without bytes, or a number of 0, 1, 2 or 4 bytes.
fn attribute(rng: &mut Rng, body: &mut Body<'_>, flags: &[&str], numbers: &[&str]) -> Attribute {
    let index = rng.below(flags.len() + numbers.len());
    let (name, is_flag) = match flags.get(index) {
        Some(name) => (name, true),
        None => (&numbers[index - flags.len()], false),
    };
    let name_id = body.intern(name);
    if is_flag && !rng.one_in(4) {
        return Attribute::flag(name_id);
    }
    // Only two targets are defined.
    let bits = if *name == "Target" { rng.below(2) as u64 } else { rng.bits() };
    let value = bits.to_le_bytes()[..rng.pick(&[0, 1, 2, 4])].into();
    Attribute { name: name_id, value }
}

fn attributes(
    rng: &mut Rng,
    body: &mut Body<'_>,
    flags: &[&str],
    numbers: &[&str],
) -> Vec<Attribute> {
    let count = rng.pick(&[0, 0, 0, 1, 2, 3]);
    (0..count).map(|_| attribute(rng, body, flags, numbers)).collect()
}

fn attributes_of_variables(rng: &mut Rng, body: &mut Body<'_>) {
    for index in 0..body.variables.len() {
        body.variables[index].attributes = attributes(rng, body, &FLAGS, &NUMBERS);
    }
    macro_rules! simple {
        ($($table:ident),*) => {$(
            for index in 0..body.$table.len() {
                let attributes = attributes(rng, body, &FLAGS, &NUMBERS);
                let variable: &mut SimpleVariable = &mut body.$table[index];
                variable.attributes = attributes;
            }
        )*};
    }
    simple!(addresses, predicates, samplers, surfaces);
}

/// Adds the attributes of a routine, including the name of its text file.
pub fn attributes_of_routine(rng: &mut Rng, body: &mut Body<'_>, file: &str) {
    let mut attributes = attributes(rng, body, &ROUTINE_FLAGS, &ROUTINE_NUMBERS);
    let asm_name = body.intern(rng.pick(&["AsmName", "OutputAsmPath"]));
    let index = rng.below(attributes.len() + 1);
    attributes.insert(index, Attribute::string(asm_name, file));
    body.attributes = attributes;
}

/// Returns the inputs of a kernel.
pub fn inputs(rng: &mut Rng, body: &Body<'_>) -> Vec<Input> {
    let input = |rng: &mut Rng| {
        let class = rng.pick(InputClass::NAMED);
        let (first, count) = match class {
            InputClass::GENERAL => (VarId::FIRST_DECLARED.0, body.variables.len()),
            InputClass::SAMPLER => (SamplerId(0).0.into(), body.samplers.len()),
            _ => (SurfaceId::FIRST_DECLARED.0.into(), body.surfaces.len()),
        };
        let implicit = rng.pick(&[0, 0, 1, 2, 3, 4, 5, 16, 31]);
        Input {
            kind: InputKind::from_bits(class.bits() | implicit << 3),
            index: first + rng.below(count) as u32,
            offset: rng.below(1000) as i16,
            size: rng.below(500) as u16,
        }
    };
    let count = rng.below(6);
    (0..count).map(|_| input(rng)).collect()
}
