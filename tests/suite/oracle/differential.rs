//! Random modules: whatever the reference can print, this crate prints byte for byte like it.
//!
//! A seed decides everything. Each module is made of its number and the seed alone; all of them
//! together reach every row of the instruction table, and of the documents' five instructions every
//! operation and mode. What the reference cannot print is listed in [`excluded`].

mod code;
mod excluded;
mod irregular;
mod operands;
pub mod rng;
mod tables;

use std::collections::BTreeSet;
use std::env;

use genvisa::isa::{Dialects, Loc, Ret, RtWriteMode};
use genvisa::object::{Code, Function, Kernel};
use genvisa::operand::{ExecSize, Pred};
use genvisa::text::{Listing, Style};
use genvisa::{Dialect, Format, Instruction, Module, Version};

use self::code::{Coder, Kind};
use self::excluded::excluded;
use self::irregular::INFO_COMBINATIONS;
use self::rng::Dice;
use super::genx_ir;

/// Versions on both sides of every gate that changes an instruction's bytes, or the tables'.
const VERSIONS: [Version; 6] =
    [Version::V3_0, Version::V3_2, Version::V3_4, Version::V3_6, Version::V4_0, Version::V4_1];

const DEFAULT_SEED: u64 = 0x5eed;

/// Enough to reach everything once.
const DEFAULT_CASES: u64 = 240;

/// One module in so many is of LSC messages, for a platform that has them.
const LSC_EVERY: u64 = 4;

/// How many RT_WRITE of a mode of their own a module has.
const RT_WRITES: u64 = 12;

/// The modes of RT_WRITE: one for each set of its eleven bits.
const RT_WRITE_MODES: u64 = 1 << 11;

/// How many INFO of a combination of their own a module has.
const INFOS: u64 = 2;

/// How many instructions of the table's rows in their order.
const ROWS: u64 = 60;

pub fn number_from(variable: &str, default: u64) -> u64 {
    let Ok(value) = env::var(variable) else { return default };
    value.parse().unwrap_or_else(|_| panic!("{variable} is a number"))
}

#[test]
fn the_reference_prints_random_modules_alike() {
    let seed = number_from("GENVISA_DIFFERENTIAL_SEED", DEFAULT_SEED);
    let cases = number_from("GENVISA_DIFFERENTIAL_CASES", DEFAULT_CASES);
    if !genx_ir::is_installed() {
        return;
    }
    let mut seen = Seen::default();
    for number in 0..cases {
        let case = Case::new(seed, number);
        if let Err(why) = case.check() {
            panic!("seed {seed}, module {number}, version {}: {why}", case.module.format.version);
        }
        seen.add(&case);
    }
    if cases >= DEFAULT_CASES {
        seen.is_everything();
    }
}

/// A random module, whose instructions name what its tables declare.
pub fn module(seed: u64, number: u64) -> Module<'static> {
    Case::new(seed, number).whole()
}

/// A random module and its instructions.
struct Case {
    module: Module<'static>,
    /// The names of the files that the reference writes its routines' texts to.
    files: Vec<String>,
    /// The instructions of each routine.
    instructions: Vec<Vec<Instruction>>,
    platform: &'static str,
}

impl Case {
    fn new(seed: u64, number: u64) -> Case {
        let mut dice = Dice::new(seed, number);
        let format = Format::igc2022(dice.pick(&VERSIONS));
        let is_lsc = number % LSC_EVERY == LSC_EVERY - 1;
        let mut module = Module::new(format);
        let mut files = vec![genx_ir::ASM_NAME.to_string()];
        let mut kernel = Kernel::new(&tables::name(&mut dice));
        tables::declare(&mut dice, &mut kernel.body);
        tables::attributes_of_routine(&mut dice, &mut kernel.body, genx_ir::ASM_NAME);
        kernel.inputs = tables::inputs(&mut dice, &kernel.body);
        module.kernels.push(kernel);
        for index in 0..dice.below(8).saturating_sub(5) {
            // Whatever its own attribute says.
            files.push(format!("{}_f{index}", genx_ir::ASM_NAME));
            let mut function = Function::new(&tables::name(&mut dice));
            let definition = function.definition.as_mut().expect("new functions have a body");
            definition.input_size = dice.bits() as u8;
            definition.return_value_size = dice.bits() as u8;
            tables::declare(&mut dice, &mut definition.body);
            tables::attributes_of_routine(&mut dice, &mut definition.body, "ignored");
            module.functions.push(function);
        }
        let instructions = (module.routines())
            .map(|routine| {
                let mut coder = Coder::new(dice.fork(), routine.body, format);
                instructions(&mut coder, number, is_lsc)
            })
            .collect();
        let platform = if is_lsc { "PVC" } else { "SKL" };
        Case { module, files, instructions, platform }
    }

    /// The module with all instructions.
    fn whole(&self) -> Module<'static> {
        let mut module = self.module.clone();
        for (body, instructions) in module.bodies_mut().zip(&self.instructions) {
            let code = Code::from_instructions(instructions, self.module.format);
            body.code = code.expect("encodable instructions");
        }
        module
    }

    /// The file with the first so many of the instructions of each routine.
    fn file(&self, lengths: &[usize]) -> Vec<u8> {
        let mut module = self.module.clone();
        let bodies = module.bodies_mut().zip(self.instructions.iter().zip(lengths));
        for (body, (instructions, length)) in bodies {
            let end = Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into();
            let code = instructions[..*length].iter().chain([&end]);
            let format = self.module.format;
            body.code = Code::from_instructions(code, format).expect("encodable instructions");
        }
        module.to_bytes().expect("an encodable module")
    }

    fn print(&self, lengths: &[usize]) -> Result<Vec<String>, String> {
        let files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        genx_ir::texts(&self.file(lengths), self.platform, &files)
    }

    /// Whether the texts are alike; if not, where they differ first.
    fn check(&self) -> Result<(), String> {
        let lengths: Vec<usize> = self.instructions.iter().map(Vec::len).collect();
        let printed = self.print(&lengths).map_err(|why| self.blame(&why))?;
        let file = self.file(&lengths);
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a module just written");
        for (routine, printed) in module.routines().zip(&printed) {
            let mut text = String::new();
            let listing = Listing::new(routine).with_style(Style::Reference);
            listing.write_to(&mut text).expect("legal code");
            if let Some(difference) = crate::corpus::first_difference(&text, printed) {
                return Err(format!("{}, {difference}", routine.kind));
            }
        }
        Ok(())
    }

    /// Looks for the instruction that costs the text: the last of the fewest without text.
    fn blame(&self, why: &str) -> String {
        let mut lengths = vec![0; self.instructions.len()];
        if let Err(why) = self.print(&lengths) {
            return format!("the tables alone: {why}");
        }
        for (routine, instructions) in self.instructions.iter().enumerate() {
            let all: Vec<usize> = (1..=instructions.len()).collect();
            let works = |length: &usize| {
                let mut lengths = lengths.clone();
                lengths[routine] = *length;
                self.print(&lengths).is_ok()
            };
            let good = all.partition_point(works);
            lengths[routine] = good;
            if let Some(bad) = instructions.get(good) {
                let bytes = bad.to_bytes(self.module.format).expect("encodable instructions");
                return format!("at {bad}, which is {bytes:02x?}: {why}");
            }
        }
        why.into()
    }
}

/// From 50 to 200 instructions: those that the module's number asks for and others, in any order.
fn instructions(coder: &mut Coder<'_>, number: u64, is_lsc: bool) -> Vec<Instruction> {
    let format = coder.format;
    let kinds: Vec<Kind> = Kind::all(format).filter(|kind| kind.is_lsc() == is_lsc).collect();
    let core: Vec<Kind> =
        kinds.iter().copied().filter(|k| k.spec.dialects == Dialects::Everywhere).collect();
    let mut code = Vec::new();
    for index in 0..ROWS {
        let kind = kinds[((number * ROWS + index) % kinds.len() as u64) as usize];
        code.extend(printable(coder, |coder| coder.instruction(kind)));
    }
    for _ in 0..coder.dice.below(60) {
        let some = if coder.dice.one_in(2) && !is_lsc { &core } else { &kinds };
        let kind = coder.dice.pick(some);
        code.extend(printable(coder, |coder| coder.instruction(kind)));
    }
    // The numbers of the modules that have no LSC messages, without a gap.
    let number = number - number / LSC_EVERY;
    for index in (number * RT_WRITES..).take(if is_lsc { 0 } else { RT_WRITES as usize }) {
        let mode = RtWriteMode::from_bits_truncate(((index % RT_WRITE_MODES) << 2) as u16);
        code.extend(printable(coder, |coder| coder.rt_write(mode).into()));
    }
    for index in (number * INFOS..).take(if is_lsc { 0 } else { INFOS as usize }) {
        let combination = (index % INFO_COMBINATIONS as u64) as usize;
        code.extend(printable(coder, |coder| coder.info(combination).into()));
    }
    coder.dice.shuffle(&mut code);
    if coder.dice.one_in(2) {
        let locs = (0..).map(|line_number| Loc { line_number }.into());
        code = code.into_iter().zip(locs).flat_map(|(i, loc)| [loc, i]).collect();
    }
    code
}

/// An instruction that the reference prints; none of those whose kind is left out altogether.
fn printable(
    coder: &mut Coder<'_>,
    mut make: impl FnMut(&mut Coder<'_>) -> Instruction,
) -> Option<Instruction> {
    /// More than one of a kind that is not left out needs.
    const TRIES: usize = 200;
    let body = coder.body;
    (0..TRIES).map(|_| make(coder)).find(|instruction| excluded(instruction, body).is_none())
}

/// What all modules have been seen to have.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<(&'static str, Option<u8>)>,
    rt_write_modes: BTreeSet<u16>,
    others: BTreeSet<String>,
}

impl Seen {
    fn add(&mut self, case: &Case) {
        for instruction in case.instructions.iter().flatten() {
            let spec = instruction.spec();
            let bytes = instruction.to_bytes(case.module.format).expect("encodable instructions");
            self.kinds.insert((spec.name, (!spec.family.is_empty()).then(|| bytes[1])));
            match instruction {
                Instruction::RtWrite(write) => {
                    self.rt_write_modes.insert(write.mode().bits());
                }
                Instruction::Info(info) => {
                    let (code, channels) = (info.op().bits(), info.channels);
                    self.others.insert(format!("info {code} {:?} {channels}", info.exec.size));
                }
                Instruction::Sample3d(sample) => {
                    self.others.insert(format!("sample {} {:?}", sample.op, sample.flags));
                    self.others.insert(format!("channels {}", sample.channels));
                    self.others.insert(format!("{} parameters", sample.params.len()));
                }
                Instruction::MediaLd(load) => {
                    self.others.insert(format!("media {}", load.modifiers));
                }
                _ => {}
            }
        }
    }

    fn is_everything(&self) {
        let format = Format::igc2022(Version::V3_6);
        // CCS_UPDATE is left out altogether.
        let left_out = [("LscUntyped", Some(0x1d)), ("LscTyped", Some(0x1d))];
        let all = Kind::all(format).map(|kind| (kind.spec.name, kind.layout.map(|(_, op)| op)));
        let missing: Vec<_> =
            all.filter(|key| !self.kinds.contains(key) && !left_out.contains(key)).collect();
        assert!(missing.is_empty(), "never tried: {missing:?}");
        assert_eq!(self.rt_write_modes.len() as u64, RT_WRITE_MODES, "modes of RT_WRITE");
        let count = |prefix: &str| self.others.iter().filter(|o| o.starts_with(prefix)).count();
        assert_eq!(count("info"), INFO_COMBINATIONS);
        assert_eq!(count("sample"), 11 * 8, "operations and flags");
        assert_eq!(count("channels"), 16);
        assert_eq!(count("media"), 6);
    }
}
