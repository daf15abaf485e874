//! Modules whose public fields a careless caller has set to anything.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use genvisa::isa::SPEC;
use genvisa::object::{
    AliasScope, Align, Attribute, Body, Code, FileScopeVar, Function, GenBinary, Input, InputKind,
    Kernel, LabelInfo, LabelKind, Linkage, Module, Name, Reloc, SimpleVariable, Variable,
};
use genvisa::operand::{DataType, StringId, VarId};
use genvisa::strategy::Generate;
use genvisa::{Dialect, Format, Instruction, Version};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::rng::Rng;

/// Sizes of names and values at which fields of a byte or two overflow.
const LENGTHS: [usize; 8] = [0, 1, 5, 255, 256, 1000, 65_535, 70_000];

/// Numbers at which fields overflow, and ids at which declarations begin.
const NUMBERS: [u32; 16] = [
    0,
    1,
    6,
    31,
    32,
    33,
    40,
    255,
    256,
    4095,
    4096,
    65_535,
    65_536,
    i32::MAX as u32,
    u32::MAX - 1,
    u32::MAX,
];

/// The most bytes and entries that are added to a module.
const MOST: usize = 100_000;

/// Random choices for a module, which limit its size.
struct Source<'r> {
    rng: &'r mut Rng,
    /// The bytes and entries that may be added.
    left: usize,
}

impl Source<'_> {
    /// Returns a length that is available.
    fn take(&mut self, length: usize) -> usize {
        let length = length.min(self.left);
        self.left -= length;
        length
    }
}

impl Deref for Source<'_> {
    type Target = Rng;

    fn deref(&self) -> &Rng {
        self.rng
    }
}

impl DerefMut for Source<'_> {
    fn deref_mut(&mut self) -> &mut Rng {
        self.rng
    }
}

fn number(rng: &mut Source<'_>) -> u32 {
    match rng.below(8) {
        0 => rng.bits() as u32,
        1..4 => rng.below(50) as u32,
        _ => rng.pick(&NUMBERS),
    }
}

/// Returns random bytes, rarely many.
fn bytes(rng: &mut Source<'_>) -> Vec<u8> {
    let longest = if rng.one_in(8) { LENGTHS.len() } else { 4 };
    let length = rng.pick(&LENGTHS[..longest]);
    let is_word = rng.one_in(2);
    let byte = |byte: u64| if is_word { b'a' + (byte % 26) as u8 } else { byte as u8 };
    (0..rng.take(length)).map(|_| byte(rng.bits())).collect()
}

fn name(rng: &mut Source<'_>) -> Name {
    let known = ["Target", "SimdSize", "Input", "AsmName", "k", "L0", "V32", "S31", "T6", "%null"];
    if rng.one_in(2) { rng.pick(&known).into() } else { (&bytes(rng)[..]).into() }
}

/// Returns some items, rarely more than a table of a format can have.
fn some<T>(rng: &mut Source<'_>, mut item: impl FnMut(&mut Source<'_>) -> T) -> Vec<T> {
    let count = match rng.below(200) {
        0 => 66_000,
        1..10 => 300,
        _ => rng.below(40),
    };
    (0..rng.take(count)).map(|_| item(rng)).collect()
}

fn attribute(rng: &mut Source<'_>) -> Attribute {
    Attribute { name: StringId(number(rng)), value: bytes(rng) }
}

fn attributes(rng: &mut Source<'_>) -> Vec<Attribute> {
    let count = if rng.one_in(100) { 300 } else { rng.below(3) };
    (0..rng.take(count)).map(|_| attribute(rng)).collect()
}

fn align(rng: &mut Source<'_>) -> Align {
    Align::from_bits(rng.below(16) as u8).expect("four bits")
}

/// Returns a variable, in three of four cases with an alias.
fn variable(rng: &mut Source<'_>, alias: VarId) -> Variable {
    let has_alias = !rng.one_in(4);
    Variable {
        name: StringId(number(rng)),
        ty: rng.pick(DataType::NAMED),
        align: align(rng),
        num_elements: number(rng),
        alias: if has_alias { alias } else { VarId::NULL },
        alias_offset: number(rng) as u16,
        alias_scope: AliasScope::from_bits(rng.pick(&[0, 0, 0, 1, 2, 255])).expect("a byte"),
        is_null: rng.one_in(20),
        attributes: if rng.one_in(4) { attributes(rng) } else { Vec::new() },
    }
}

/// Returns variables that are aliases of any variables, of the one before or after, or of each other.
fn variables(rng: &mut Source<'_>) -> Vec<Variable> {
    let pattern = rng.below(4);
    let mut variables = some(rng, |rng| {
        let alias = VarId(number(rng));
        variable(rng, alias)
    });
    let count = variables.len() as u32;
    for (place, variable) in (VarId::FIRST_DECLARED.0..).zip(&mut variables) {
        let last = VarId::FIRST_DECLARED.0 + count - 1;
        variable.alias = match pattern {
            0 => VarId(if place == last { VarId::FIRST_DECLARED.0 } else { place + 1 }),
            1 => VarId(place + 1),
            2 => VarId(place - 1),
            _ => continue,
        };
        variable.alias_scope = AliasScope::LOCAL;
    }
    variables
}

fn simple(rng: &mut Source<'_>) -> SimpleVariable {
    let symbol = rng.one_in(3).then(|| name(rng).to_string_lossy().into());
    SimpleVariable {
        name: StringId(number(rng)),
        num_elements: number(rng) as u16,
        attributes: if rng.one_in(4) { attributes(rng) } else { Vec::new() },
        symbol,
    }
}

fn label(rng: &mut Source<'_>) -> LabelInfo {
    LabelInfo {
        name: StringId(number(rng)),
        kind: LabelKind::from_bits(rng.below(7) as u8).expect("a byte"),
        attributes: if rng.one_in(8) { attributes(rng) } else { Vec::new() },
    }
}

fn input(rng: &mut Source<'_>) -> Input {
    Input {
        kind: InputKind::from_bits(rng.bits() as u8),
        index: number(rng),
        offset: number(rng) as i16,
        size: number(rng) as u16,
    }
}

fn reloc(rng: &mut Source<'_>) -> Reloc {
    Reloc { symbolic_index: number(rng) as u16, resolved_index: number(rng) as u16 }
}

fn linkage(rng: &mut Source<'_>) -> Linkage {
    Linkage::from_bits(number(rng) as u8).expect("a byte")
}

/// Returns code, in another format or with other ids.
fn code(rng: &mut Source<'_>, old: &Code<'_>, format: Format) -> Code<'static> {
    let offset = if rng.one_in(4) { usize::MAX - rng.below(50) } else { number(rng) as usize };
    match rng.below(5) {
        0 => Code::Stripped { size: number(rng), entry: number(rng) },
        1 => Code::Present { bytes: bytes(rng).into(), offset },
        2 => {
            let mut bytes = old.bytes().to_vec();
            bytes.truncate(rng.below(bytes.len() + 1));
            // The opcodes of control flow have the most effect.
            bytes.push(SPEC[rng.below(SPEC.len())].opcode);
            bytes.extend((0..rng.below(12)).map(|_| rng.pick(&[0, 1, 2, 0xff])));
            Code::Present { bytes: bytes.into(), offset }
        }
        3 => Code::Present { bytes: Cow::Owned(old.bytes().repeat(40)), offset },
        _ => {
            let instructions = old.instructions(format).map_while(Result::ok);
            let instructions: Vec<Instruction> = instructions
                .filter_map(|(_, mut one)| {
                    // An id that does not fit leaves the instruction as it is.
                    let _ = one.replace_ids(|_| number(rng));
                    one.to_bytes(format).is_ok().then_some(one)
                })
                .collect();
            Code::from_instructions(&instructions, format).expect("encodable")
        }
    }
}

fn change_body(rng: &mut Source<'_>, body: &mut Body<'static>, format: Format) {
    match rng.below(12) {
        0 => body.strings = some(rng, name).into_iter().collect(),
        1 => body.name = StringId(number(rng)),
        2 => body.variables = variables(rng),
        3 => body.addresses = some(rng, simple),
        4 => body.predicates = some(rng, simple),
        5 => body.labels = some(rng, label),
        6 => body.samplers = some(rng, simple),
        7 => body.surfaces = some(rng, simple),
        8 => body.attributes = some(rng, attribute),
        9 => body.efficient_64bit = !body.efficient_64bit,
        _ => body.code = code(rng, &body.code, format),
    }
}

fn change_kernel(rng: &mut Source<'_>, kernel: &mut Kernel<'static>, format: Format) {
    match rng.below(12) {
        0 => kernel.name = name(rng),
        1 => kernel.variable_relocs = some(rng, reloc),
        2 => kernel.function_relocs = some(rng, reloc),
        3 => {
            kernel.gen_binaries =
                some(rng, |rng| GenBinary::new(rng.bits() as u8, vec![0; rng.below(3)]));
        }
        4 => kernel.inputs = some(rng, input),
        _ => change_body(rng, &mut kernel.body, format),
    }
}

fn change_function(rng: &mut Source<'_>, function: &mut Function<'static>, format: Format) {
    match rng.below(12) {
        0 => function.name = name(rng),
        1 => function.variable_relocs = some(rng, reloc),
        2 => function.function_relocs = some(rng, reloc),
        3 => function.linkage = linkage(rng),
        4 => function.definition = None,
        _ => match &mut function.definition {
            Some(definition) => change_body(rng, &mut definition.body, format),
            None => *function = Function::new("f"),
        },
    }
}

fn file_scope_var(rng: &mut Source<'_>) -> FileScopeVar {
    FileScopeVar {
        linkage: linkage(rng),
        name: name(rng),
        ty: rng.pick(DataType::NAMED),
        align: align(rng),
        num_elements: number(rng) as u16,
        attributes: attributes(rng),
    }
}

fn change(rng: &mut Source<'_>, module: &mut Module<'static>) {
    let format = module.format;
    let (kernels, functions) = (module.kernels.len(), module.functions.len());
    match rng.below(16) {
        0 => module.file_scope_vars = some(rng, file_scope_var),
        // Equal names.
        1 if kernels > 0 => {
            let kernel = module.kernels[rng.below(kernels)].clone();
            module.kernels.extend(vec![kernel; 1 + rng.below(3)]);
        }
        2 => {
            let versions = [Version::V3_0, Version::V3_6, Version::V4_1, Version::V4_2];
            module.format = Format::new(rng.pick(&Dialect::ALL), rng.pick(&versions));
        }
        3..6 if functions > 0 => {
            let place = rng.below(functions);
            change_function(rng, &mut module.functions[place], format);
        }
        _ if kernels > 0 => {
            let place = rng.below(kernels);
            change_kernel(rng, &mut module.kernels[place], format);
        }
        _ => module.kernels.push(Kernel::new("k")),
    }
}

/// Returns a random module of a format in which up to six fields have been set to anything.
pub fn module(rng: &mut Rng, runner: &mut TestRunner, format: Format) -> Module<'static> {
    let tree = Module::strategy(format).new_tree(runner).expect("a module");
    let mut module = tree.current();
    let mut source = Source { rng, left: MOST };
    for _ in 0..source.below(7) {
        change(&mut source, &mut module);
    }
    module
}
