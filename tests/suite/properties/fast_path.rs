//! Tests that the verifier has the same findings with and without its fast path.

mod operands;

use std::collections::BTreeMap;
use std::fs;

use genvisa::Platform;
use genvisa::object::{Align, Body, Code, Routine, Variable};
use genvisa::operand::{DataType, VarId};
use genvisa::strategy::Generate;
use genvisa::text::parse;
use genvisa::verify::{Finding, Group, Verifier};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use genvisa_test_support::random::runner;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::{corpus, formats};
use proptest::test_runner::TestCaseError;

use crate::assembly;
use crate::oracle::differential;

/// The number of modules that have been compared, and of their findings.
#[derive(Default)]
struct Comparison {
    modules: usize,
    instructions: usize,
    findings: BTreeMap<&'static str, usize>,
}

impl Comparison {
    /// Compares the findings on one platform: of all groups, of the groups of the dialect, and of a
    /// single rule.
    fn compare(&mut self, module: &Module<'_>, platform: Option<Platform>) -> Result<(), String> {
        let all = Verifier::new().with_groups(Group::ALL);
        let one = Verifier::new().allow("igc").and_then(|verifier| verifier.warn("listed-type"));
        for verifier in [Verifier::new(), one.expect("known names"), all] {
            let verifier = match platform {
                Some(platform) => verifier.with_platform(platform),
                None => verifier,
            };
            self.compare_with(&verifier, module)
                .map_err(|why| format!("{why}\non {platform:?}"))?;
        }
        Ok(())
    }

    /// Compares the findings of one verifier.
    fn compare_with(&mut self, verifier: &Verifier, module: &Module<'_>) -> Result<(), String> {
        let fast = verifier.check_module(module);
        let thorough = verifier.clone().without_fast_path().check_module(module);
        let length = fast.len().max(thorough.len());
        if let Some(index) = (0..length).find(|index| fast.get(*index) != thorough.get(*index)) {
            let show = |findings: &[Finding]| findings.get(index).map(Finding::to_string);
            let (fast, thorough) = (show(&fast), show(&thorough));
            return Err(format!("with the fast path: {fast:?}\nwithout: {thorough:?}"));
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
fn platform(rng: &mut Rng) -> Option<Platform> {
    let index = rng.below(Platform::ALL.len() + 1);
    Platform::ALL.get(index).copied()
}

/// The maximum number of instructions in a mutated routine.
const WINDOW: usize = 40;

/// Returns a random part of the instructions of a routine.
fn window(routine: &Routine<'_, '_>, rng: &mut Rng) -> Vec<Instruction> {
    let all: Vec<Instruction> =
        routine.instructions().map_while(|item| Some(item.ok()?.1)).collect();
    let start = rng.below(all.len().max(1));
    all.into_iter().skip(start).take(WINDOW).collect()
}

/// Changes up to three bytes of an instruction, if the result can be decoded.
fn mutate(instruction: &mut Instruction, format: Format, rng: &mut Rng) {
    let Ok(mut bytes) = instruction.to_bytes(format) else { return };
    for _ in 0..1 + rng.below(3) {
        let index = rng.below(bytes.len());
        bytes[index] = match rng.below(4) {
            0 => rng.bits() as u8,
            1 => rng.below(8) as u8,
            2 => bytes[index].wrapping_add(1),
            _ => bytes[index] ^ 1 << rng.below(8),
        };
    }
    if let Ok(changed) = Instruction::from_bytes(&bytes, format) {
        *instruction = changed;
    }
}

/// Changes a declaration.
fn mutate_variable(variable: &mut Variable, count: usize, rng: &mut Rng) {
    let id = |rng: &mut Rng| VarId(VarId::FIRST_DECLARED.0 + rng.below(count + 2) as u32);
    match rng.below(6) {
        0 => variable.num_elements = rng.pick(&[0, 1, 2, 7, 8, 15, 16, 17, 255, 4096, 0xffff]),
        1 => variable.num_elements = (variable.num_elements + rng.pick(&[1, 0xffff])) & 0xffff,
        2 => variable.ty = rng.pick(DataType::NAMED),
        3 => {
            let bits = rng.below(usize::from(Align::MAX_BITS) + 1) as u8;
            variable.align = Align::from_bits(bits).expect("a legal alignment");
        }
        4 => {
            variable.alias = id(rng);
            variable.alias_offset = rng.pick(&[0, 1, 4, 31, 32, 64, u16::MAX]);
        }
        _ => variable.alias_offset = variable.alias_offset.wrapping_add(rng.pick(&[1, 4, 32])),
    }
}

/// Changes some of the instructions and declarations of a routine.
fn mutate_body(body: &mut Body<'_>, mut code: Vec<Instruction>, format: Format, rng: &mut Rng) {
    for instruction in &mut code {
        if rng.one_in(3) {
            mutate(instruction, format, rng);
        }
    }
    body.code = Code::from_instructions(&code, format).expect("it was decoded");
    let count = body.variables.len();
    for variable in &mut body.variables {
        if rng.one_in(12) {
            mutate_variable(variable, count, rng);
        }
    }
    for simple in body.predicates.iter_mut().chain(&mut body.addresses) {
        if rng.one_in(6) {
            simple.num_elements = rng.pick(&[0, 1, 4, 8, 16, 32, 64]);
        }
    }
}

/// Compares mutated parts of the routines of a module.
fn compare_mutants(
    module: &Module<'_>,
    rounds: u64,
    name: &str,
    rng: &mut Rng,
    all: &mut Comparison,
) {
    for _ in 0..rounds {
        let Some(routine) = module.routines().nth(rng.below(module.routines().count().max(1)))
        else {
            return;
        };
        let code = window(&routine, rng);
        let mut mutant = Module::new(module.format);
        let mut kernel = genvisa::object::Kernel::new("k");
        kernel.body = Body { code: Code::default(), ..routine.body.clone() };
        mutate_body(&mut kernel.body, code, module.format, rng);
        mutant.kernels.push(kernel);
        all.compare(&mutant, platform(rng)).unwrap_or_else(|why| panic!("{name}, changed: {why}"));
    }
}

#[test]
fn fast_path_has_the_same_findings_for_random_modules() {
    let mut all = Comparison::default();
    let mut rng = Rng::new(seed(), 1);
    for (salt, format) in formats::all().into_iter().enumerate() {
        let platforms = std::cell::RefCell::new(rng.fork());
        let compared = std::cell::RefCell::new(&mut all);
        let result = runner(cases(30) as u32, salt).run(&Module::strategy(format), |module| {
            let platform = platform(&mut platforms.borrow_mut());
            compared.borrow_mut().compare(&module, platform).map_err(TestCaseError::fail)
        });
        result.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    all.report("random modules");
    let mut all = Comparison::default();
    for number in 0..cases(60) {
        let module = differential::module(seed(), number);
        let name = format!("seed {}, module {number}", seed());
        all.compare(&module, platform(&mut rng)).unwrap_or_else(|why| panic!("{name}: {why}"));
        compare_mutants(&module, 10, &name, &mut rng, &mut all);
    }
    all.report("random modules with declared operands, and their mutants");
    assert!(all.findings.len() > 100, "{:?}", all.findings);
}

#[test]
#[ignore = "needs the corpus"]
fn fast_path_has_the_same_findings_for_real_kernels() {
    let (mut all, mut rng) = (Comparison::default(), Rng::new(seed(), 2));
    let mut mutants = Comparison::default();
    for path in corpus::required_files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a legal file");
        let name = path.display().to_string();
        for platform in [Some(Platform::Skl), platform(&mut rng)] {
            all.compare(&module, platform).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        compare_mutants(&module, cases(60), &name, &mut rng, &mut mutants);
    }
    for path in assembly::real_texts() {
        let text = fs::read(&path).expect("a readable text");
        let module = parse(&text, Format::igc2026(Version::V4_1)).expect("a legal text");
        let name = path.display().to_string();
        all.compare(&module, platform(&mut rng)).unwrap_or_else(|why| panic!("{name}: {why}"));
        compare_mutants(&module, cases(15), &name, &mut rng, &mut mutants);
    }
    all.report("real kernels");
    mutants.report("mutants of real kernels");
}
