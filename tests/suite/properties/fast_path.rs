//! The verifier's fast path changes nothing: with and without it, the findings are the same.

use std::collections::BTreeMap;
use std::fs;

use genvisa::object::{Align, Body, Code, Routine, Variable};
use genvisa::operand::{DataType, VarId};
use genvisa::strategy::Generate;
use genvisa::text::parse;
use genvisa::verify::{Finding, Platform, Verifier};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use proptest::test_runner::TestCaseError;

use super::{cases, seed};
use crate::codec::runner;
use crate::oracle::differential::{self, rng::Dice};
use crate::{assembly, corpus, formats};

/// How many modules have been compared, and which rules they broke.
#[derive(Default)]
struct Compared {
    modules: usize,
    instructions: usize,
    findings: BTreeMap<&'static str, usize>,
}

impl Compared {
    /// Compares the findings on one platform.
    fn compare(&mut self, module: &Module<'_>, platform: Option<Platform>) -> Result<(), String> {
        let verifier = match platform {
            Some(platform) => Verifier::new().with_platform(platform),
            None => Verifier::new(),
        };
        let fast = verifier.check_module(module);
        let thorough = verifier.without_fast_path().check_module(module);
        let length = fast.len().max(thorough.len());
        if let Some(index) = (0..length).find(|index| fast.get(*index) != thorough.get(*index)) {
            let show = |findings: &[Finding]| findings.get(index).map(Finding::to_string);
            let (fast, thorough) = (show(&fast), show(&thorough));
            return Err(format!("with it: {fast:?}\nwithout: {thorough:?}\non {platform:?}"));
        }
        self.modules += 1;
        self.instructions += module.routines().map(|r| r.instructions().count()).sum::<usize>();
        for finding in fast {
            *self.findings.entry(finding.rule.name).or_default() += 1;
        }
        Ok(())
    }

    fn report(&self, what: &str) {
        let findings = self.findings.values().sum::<usize>();
        eprintln!(
            "{what}: {} modules, {} instructions, {findings} findings of {} rules",
            self.modules,
            self.instructions,
            self.findings.len()
        );
    }
}

/// Returns a platform, or none.
fn platform(dice: &mut Dice) -> Option<Platform> {
    let index = dice.below(Platform::ALL.len() + 1);
    Platform::ALL.get(index).copied()
}

/// The most instructions of a routine whose code is mutated.
const WINDOW: usize = 40;

/// The instructions of a part of a routine.
fn window(routine: &Routine<'_, '_>, dice: &mut Dice) -> Vec<Instruction> {
    let all: Vec<Instruction> =
        routine.instructions().map_while(|item| Some(item.ok()?.1)).collect();
    let start = dice.below(all.len().max(1));
    all.into_iter().skip(start).take(WINDOW).collect()
}

/// Changes up to three bytes of an instruction, if the result can be decoded.
fn mutate(instruction: &mut Instruction, format: Format, dice: &mut Dice) {
    let Ok(mut bytes) = instruction.to_bytes(format) else { return };
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(bytes.len());
        bytes[at] = match dice.below(4) {
            0 => dice.bits() as u8,
            1 => dice.below(8) as u8,
            2 => bytes[at].wrapping_add(1),
            _ => bytes[at] ^ 1 << dice.below(8),
        };
    }
    if let Ok(changed) = Instruction::from_bytes(&bytes, format) {
        *instruction = changed;
    }
}

/// Changes a declaration.
fn mutate_variable(variable: &mut Variable, count: usize, dice: &mut Dice) {
    let id = |dice: &mut Dice| VarId(VarId::FIRST_DECLARED.0 + dice.below(count + 2) as u32);
    match dice.below(6) {
        0 => variable.num_elements = dice.pick(&[0, 1, 2, 7, 8, 15, 16, 17, 255, 4096, 0xffff]),
        1 => variable.num_elements = (variable.num_elements + dice.pick(&[1, 0xffff])) & 0xffff,
        2 => variable.ty = dice.pick(DataType::NAMED),
        3 => {
            let bits = dice.below(usize::from(Align::MAX_BITS) + 1) as u8;
            variable.align = Align::from_bits(bits).expect("a legal alignment");
        }
        4 => {
            variable.alias = id(dice);
            variable.alias_offset = dice.pick(&[0, 1, 4, 31, 32, 64, u16::MAX]);
        }
        _ => variable.alias_offset = variable.alias_offset.wrapping_add(dice.pick(&[1, 4, 32])),
    }
}

/// Changes some of a routine's instructions and declarations.
fn mutate_body(body: &mut Body<'_>, mut code: Vec<Instruction>, format: Format, dice: &mut Dice) {
    for instruction in &mut code {
        if dice.one_in(3) {
            mutate(instruction, format, dice);
        }
    }
    body.code = Code::from_instructions(&code, format).expect("it was decoded");
    let count = body.variables.len();
    for variable in &mut body.variables {
        if dice.one_in(12) {
            mutate_variable(variable, count, dice);
        }
    }
    for simple in body.predicates.iter_mut().chain(&mut body.addresses) {
        if dice.one_in(6) {
            simple.num_elements = dice.pick(&[0, 1, 4, 8, 16, 32, 64]);
        }
    }
}

/// Compares mutated parts of a module's routines.
fn compare_mutants(
    module: &Module<'_>,
    rounds: u64,
    name: &str,
    dice: &mut Dice,
    all: &mut Compared,
) {
    for _ in 0..rounds {
        let Some(routine) = module.routines().nth(dice.below(module.routines().count().max(1)))
        else {
            return;
        };
        let code = window(&routine, dice);
        let mut mutant = Module::new(module.format);
        let mut kernel = genvisa::object::Kernel::new("k");
        kernel.body = Body { code: Code::default(), ..routine.body.clone() };
        mutate_body(&mut kernel.body, code, module.format, dice);
        mutant.kernels.push(kernel);
        all.compare(&mutant, platform(dice)).unwrap_or_else(|why| panic!("{name}, changed: {why}"));
    }
}

#[test]
fn findings_are_the_same_for_random_modules() {
    let mut all = Compared::default();
    let mut dice = Dice::new(seed(), 1);
    for (salt, format) in formats::all().into_iter().enumerate() {
        let platforms = std::cell::RefCell::new(dice.fork());
        let compared = std::cell::RefCell::new(&mut all);
        let result = runner(cases(30) as u32, salt).run(&Module::strategy(format), |module| {
            let platform = platform(&mut platforms.borrow_mut());
            compared.borrow_mut().compare(&module, platform).map_err(TestCaseError::fail)
        });
        result.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    all.report("random modules");
    let mut all = Compared::default();
    for number in 0..cases(60) {
        let module = differential::module(seed(), number);
        let name = format!("seed {}, module {number}", seed());
        all.compare(&module, platform(&mut dice)).unwrap_or_else(|why| panic!("{name}: {why}"));
        compare_mutants(&module, 10, &name, &mut dice, &mut all);
    }
    all.report("random modules with declared operands, and their mutants");
    assert!(all.findings.len() > 100, "{:?}", all.findings);
}

#[test]
fn findings_are_the_same_for_real_kernels_and_their_mutants() {
    let (mut all, mut dice) = (Compared::default(), Dice::new(seed(), 2));
    let mut mutants = Compared::default();
    for path in corpus::files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a legal file");
        let name = path.display().to_string();
        for platform in [Some(Platform::Skl), platform(&mut dice)] {
            all.compare(&module, platform).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        compare_mutants(&module, cases(60), &name, &mut dice, &mut mutants);
    }
    for path in assembly::real_texts() {
        let text = fs::read(&path).expect("a readable text");
        let module = parse(&text, Format::igc2026(Version::V4_1)).expect("a legal text");
        let name = path.display().to_string();
        all.compare(&module, platform(&mut dice)).unwrap_or_else(|why| panic!("{name}: {why}"));
        compare_mutants(&module, cases(15), &name, &mut dice, &mut mutants);
    }
    all.report("real kernels");
    mutants.report("mutants of real kernels");
}
