//! A test that GenX_IR and this crate print random modules identically.
//!
//! Each module depends only on the seed and its number. Together, the modules contain every row of
//! the instruction table, and every operation and mode of the five documented instructions.
//! Instructions that GenX_IR cannot print are listed in [`excluded`].

pub mod code;
mod excluded;
mod operands;

mod special_layouts;
mod tables;

use std::collections::BTreeSet;

use genvisa::isa::{Dialects, Loc, Ret, RtWriteMode};
use genvisa::object::{Code, Function, Kernel};
use genvisa::operand::{ExecSize, Pred};
use genvisa::text::{Listing, Style};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use genvisa_test_support::genx_ir;
use genvisa_test_support::random::number_from;
use genvisa_test_support::rng::Rng;

use self::code::{Generator, InstructionKind};
use self::excluded::excluded;
use self::special_layouts::INFO_COMBINATIONS;

/// Versions on both sides of every change of the bytes of instructions or tables.
const VERSIONS: [Version; 6] =
    [Version::V3_0, Version::V3_2, Version::V3_4, Version::V3_6, Version::V4_0, Version::V4_1];

const DEFAULT_SEED: u64 = 0x5eed;

/// Enough to reach everything that [`Coverage`] requires.
const DEFAULT_CASES: u64 = 240;

/// One in this many modules has LSC messages, and runs on a platform that supports them.
const LSC_INTERVAL: u64 = 4;

/// The number of RT_WRITE instructions per module, each with the next mode.
const RT_WRITES: u64 = 12;

/// The number of modes of RT_WRITE, which has eleven mode bits.
const RT_WRITE_MODES: u64 = 1 << 11;

/// The number of INFO instructions per module, each with the next combination.
const INFOS: u64 = 2;

/// The number of instructions per module that follow the order of the table.
const ROWS: u64 = 60;

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_prints_random_modules_identically() {
    let seed = number_from("GENVISA_DIFFERENTIAL_SEED", DEFAULT_SEED);
    let cases = number_from("GENVISA_DIFFERENTIAL_CASES", DEFAULT_CASES);
    let mut coverage = Coverage::default();
    for number in 0..cases {
        let case = Case::new(seed, number);
        if let Err(why) = case.check() {
            panic!("seed {seed}, module {number}, version {}: {why}", case.module.format.version);
        }
        coverage.add(&case);
    }
    if cases >= DEFAULT_CASES {
        coverage.assert_complete();
    }
}

/// Returns a random module, whose operands are declared by its tables.
pub fn module(seed: u64, number: u64) -> Module<'static> {
    Case::new(seed, number).complete_module()
}

/// A random module and its instructions.
struct Case {
    module: Module<'static>,
    /// The names of the files to which GenX_IR writes the texts of the routines.
    files: Vec<String>,
    /// The instructions of each routine.
    instructions: Vec<Vec<Instruction>>,
    platform: &'static str,
}

impl Case {
    fn new(seed: u64, number: u64) -> Case {
        let mut rng = Rng::new(seed, number);
        let format = Format::igc2022(rng.pick(&VERSIONS));
        let is_lsc = number % LSC_INTERVAL == LSC_INTERVAL - 1;
        let mut module = Module::new(format);
        let mut files = vec![genx_ir::ASM_NAME.to_string()];
        let mut kernel = Kernel::new(&tables::name(&mut rng));
        tables::declare(&mut rng, &mut kernel.body);
        tables::attributes_of_routine(&mut rng, &mut kernel.body, genx_ir::ASM_NAME);
        kernel.inputs = tables::inputs(&mut rng, &kernel.body);
        module.kernels.push(kernel);
        for index in 0..rng.below(8).saturating_sub(5) {
            // The tool ignores the attribute of the function.
            files.push(format!("{}_f{index}", genx_ir::ASM_NAME));
            let mut function = Function::new(&tables::name(&mut rng));
            let definition = function.definition.as_mut().expect("new functions have a body");
            definition.input_size = rng.bits() as u8;
            definition.return_value_size = rng.bits() as u8;
            tables::declare(&mut rng, &mut definition.body);
            tables::attributes_of_routine(&mut rng, &mut definition.body, "ignored");
            module.functions.push(function);
        }
        let instructions = (module.routines())
            .map(|routine| {
                let mut generator = Generator::new(rng.fork(), routine.body, format);
                instructions(&mut generator, number, is_lsc)
            })
            .collect();
        let platform = if is_lsc { "PVC" } else { "SKL" };
        Case { module, files, instructions, platform }
    }

    /// Returns the module with all instructions.
    fn complete_module(&self) -> Module<'static> {
        let mut module = self.module.clone();
        for (body, instructions) in module.bodies_mut().zip(&self.instructions) {
            let code = Code::from_instructions(instructions, self.module.format);
            body.code = code.expect("encodable instructions");
        }
        module
    }

    /// Returns the file with the first instructions of each routine, as many as `lengths` has.
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

    /// Prints the file with GenX_IR.
    fn print(&self, lengths: &[usize]) -> Result<Vec<String>, String> {
        let files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        genx_ir::texts(&self.file(lengths), self.platform, &files)
    }

    /// Compares the texts. The error is the first difference.
    fn check(&self) -> Result<(), String> {
        let lengths: Vec<usize> = self.instructions.iter().map(Vec::len).collect();
        let printed = self.print(&lengths).map_err(|why| self.find_unprintable(&why))?;
        let file = self.file(&lengths);
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a module just written");
        for (routine, printed) in module.routines().zip(&printed) {
            let listing = Listing::new(routine).with_style(Style::GenXIr);
            let text = listing.to_text().expect("legal code");
            if let Some(difference) = genvisa_test_support::corpus::first_difference(&text, printed)
            {
                return Err(format!("{}, {difference}", routine.kind));
            }
        }
        Ok(())
    }

    /// Finds the first instruction with which GenX_IR prints nothing.
    fn find_unprintable(&self, why: &str) -> String {
        let mut lengths = vec![0; self.instructions.len()];
        if let Err(why) = self.print(&lengths) {
            return format!("the tables alone: {why}");
        }
        for (routine, instructions) in self.instructions.iter().enumerate() {
            let all: Vec<usize> = (1..=instructions.len()).collect();
            let is_printed = |length: &usize| {
                let mut lengths = lengths.clone();
                lengths[routine] = *length;
                self.print(&lengths).is_ok()
            };
            lengths[routine] = all.partition_point(is_printed);
            if let Some(bad) = instructions.get(lengths[routine]) {
                let bytes = bad.to_bytes(self.module.format).expect("encodable instructions");
                return format!("at {bad}, bytes {bytes:02x?}: {why}");
            }
        }
        why.into()
    }
}

/// Returns 50 to 200 instructions in random order: those that the number of the module selects, and
/// random ones.
fn instructions(generator: &mut Generator<'_>, number: u64, is_lsc: bool) -> Vec<Instruction> {
    let format = generator.format;
    let kinds: Vec<InstructionKind> =
        InstructionKind::all(format).filter(|kind| kind.is_lsc() == is_lsc).collect();
    let core: Vec<InstructionKind> =
        kinds.iter().copied().filter(|k| k.spec.dialects == Dialects::Everywhere).collect();
    let mut code = Vec::new();
    for index in 0..ROWS {
        let kind = kinds[((number * ROWS + index) % kinds.len() as u64) as usize];
        code.extend(printable(generator, |generator| generator.instruction(kind)));
    }
    for _ in 0..generator.rng.below(60) {
        let choices = if generator.rng.one_in(2) && !is_lsc { &core } else { &kinds };
        let kind = generator.rng.pick(choices);
        code.extend(printable(generator, |generator| generator.instruction(kind)));
    }
    // Count only the modules without LSC messages.
    let number = number - number / LSC_INTERVAL;
    for index in (number * RT_WRITES..).take(if is_lsc { 0 } else { RT_WRITES as usize }) {
        let mode = RtWriteMode::from_bits_truncate(((index % RT_WRITE_MODES) << 2) as u16);
        code.extend(printable(generator, |generator| generator.rt_write(mode).into()));
    }
    for index in (number * INFOS..).take(if is_lsc { 0 } else { INFOS as usize }) {
        let combination = (index % INFO_COMBINATIONS as u64) as usize;
        code.extend(printable(generator, |generator| generator.info(combination).into()));
    }
    generator.rng.shuffle(&mut code);
    if generator.rng.one_in(2) {
        let locs = (0..).map(|line_number| Loc { line_number }.into());
        code = code.into_iter().zip(locs).flat_map(|(i, loc)| [loc, i]).collect();
    }
    code
}

/// Returns an instruction that GenX_IR can print, or `None` if a kind is excluded altogether.
fn printable(
    generator: &mut Generator<'_>,
    mut make: impl FnMut(&mut Generator<'_>) -> Instruction,
) -> Option<Instruction> {
    /// Enough to find an instruction of every kind that is not excluded altogether.
    const TRIES: usize = 200;
    let body = generator.body;
    (0..TRIES).map(|_| make(generator)).find(|instruction| excluded(instruction, body).is_none())
}

/// The kinds, modes and other properties of the instructions in all modules.
#[derive(Default)]
struct Coverage {
    kinds: BTreeSet<(&'static str, Option<u8>)>,
    rt_write_modes: BTreeSet<u16>,
    others: BTreeSet<String>,
}

impl Coverage {
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

    fn assert_complete(&self) {
        let format = Format::igc2022(Version::V3_6);
        // CCS_UPDATE is excluded altogether.
        let excluded = [("LscUntyped", Some(0x1d)), ("LscTyped", Some(0x1d))];
        let all = InstructionKind::all(format)
            .map(|kind| (kind.spec.name, kind.layout.map(|(_, op)| op)));
        let missing: Vec<_> =
            all.filter(|key| !self.kinds.contains(key) && !excluded.contains(key)).collect();
        assert!(missing.is_empty(), "not covered: {missing:?}");
        assert_eq!(self.rt_write_modes.len() as u64, RT_WRITE_MODES, "modes of RT_WRITE");
        let count = |prefix: &str| self.others.iter().filter(|o| o.starts_with(prefix)).count();
        assert_eq!(count("info"), INFO_COMBINATIONS);
        assert_eq!(count("sample"), 11 * 8, "operations and flags");
        assert_eq!(count("channels"), 16);
        assert_eq!(count("media"), 6);
    }
}
