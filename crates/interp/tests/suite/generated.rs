//! Legal programs with random values: nothing panics, and bytes and text of a program run alike.

use genvisa::Platform;
use genvisa::operand::VarId;
use genvisa::strategy::legal;
use genvisa::text::{self, FileListing};
use genvisa::{Format, Module};
use genvisa_interp::{Fault, Machine, Program, Surface, ThreadStart};
use genvisa_test_support::random::{cases, runner};
use proptest::prelude::RngCore as _;
use proptest::prelude::*;

use crate::support::XE2;

/// The bytes of all variables at the end of a run, or what stopped it, and how far it came.
pub type Outcome = (Result<(), Fault>, u64, Vec<Vec<u8>>);

/// Runs the first kernel of a module in two threads, whose variables have random bytes.
pub fn run(module: &Module<'_>, seed: u64) -> Option<Outcome> {
    let program = Program::new([module], XE2).ok()?;
    let name = module.kernels[0].name.to_string();
    let mut machine = Machine::new(&program).with_limit(200 * 32);
    let address = machine.memory().allocate("buffer", vec![1; 4096]);
    for index in 0..8 {
        machine.surfaces().set(index, Surface::Buffer { address, size: 4096 });
    }
    let start = ThreadStart { image: vec![0; 4096], mask: 0xffff_ffff, ..ThreadStart::default() };
    let mut group = machine.group(&name, [0; 3], 0, 4096, [start.clone(), start]).ok()?;
    let count = VarId::FIRST_DECLARED.0 + module.kernels[0].body.variables.len() as u32;
    let mut state = seed | 1;
    for thread in 0..2 {
        for var in (VarId::FIRST_DECLARED.0..count).map(VarId) {
            let thread = group.thread_mut(thread).expect("two threads");
            let Some((bytes, _)) = thread.variable(&program, var) else { continue };
            let random = (0..bytes.len()).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // Small numbers are addresses in local memory, and lead to more than faults.
                if state & 0x700 == 0 { (state >> 32) as u8 } else { 0 }
            });
            let random: Vec<u8> = random.collect();
            thread.set_variable(&program, var, 0, &random);
        }
    }
    let result = machine.run(&mut group).map(drop);
    let values = (0..count).filter_map(|var| group.threads()[0].variable(&program, VarId(var)));
    Some((result, group.counts().instructions, values.map(|(bytes, _)| bytes).collect()))
}

/// Returns the part of an outcome that names of variables do not change.
fn without_names((result, executed, values): Outcome) -> (Option<&'static str>, u64, Vec<Vec<u8>>) {
    (result.err().map(|fault| fault.kind.name()), executed, values)
}

/// Removes the instructions that stop the first kernel, at most forty, so that more of it runs.
pub fn without_faults(module: &Module<'static>, seed: u64) -> Module<'static> {
    let mut module = module.clone();
    for _ in 0..40 {
        let Some((Err(Fault { place: Some(place), .. }), ..)) = run(&module, seed) else { break };
        let Ok(mut editor) = module.edit(0) else { break };
        if place.site.instruction >= editor.instructions.len() {
            break;
        }
        editor.instructions.remove(place.site.instruction);
        if editor.finish().is_err() {
            break;
        }
    }
    module
}

pub fn check(module: &Module<'static>, seed: u64) -> Result<u64, TestCaseError> {
    let Some(outcome) = run(module, seed) else { return Ok(0) };
    prop_assert_eq!(run(module, seed), Some(outcome.clone()), "two runs differ");
    let executed = outcome.1;
    let expected = without_names(outcome);
    let bytes = module.to_bytes().expect("a module with bytes");
    let decoded = Module::from_bytes(&bytes, module.format.dialect).expect("its own bytes");
    prop_assert_eq!(run(&decoded, seed).map(without_names), Some(expected.clone()));
    let text = FileListing::new(module).to_text().expect("text");
    let parsed = text::parse(&text, module.format).expect("its own text");
    prop_assert_eq!(run(&parsed, seed).map(without_names), Some(expected));
    Ok(executed)
}

#[test]
fn legal_programs_run_alike_as_bytes_and_text() {
    let mut executed = 0;
    for platform in [Platform::Skl, Platform::Tgllp, Platform::Xe2] {
        let modules = legal(Format::default(), platform).modules();
        let mut runner = runner(1, 40);
        for _ in 0..cases(4) {
            let module = modules.new_tree(&mut runner).expect("a module").current();
            let seed = u64::from(runner.rng().next_u32());
            let module = without_faults(&module, seed);
            executed += check(&module, seed).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(executed > 200, "{executed}");
}

/// Each instruction alone, so that a fault of another does not hide it.
#[test]
fn legal_instructions_run_alike_as_bytes_and_text() {
    for platform in [Platform::Tgllp, Platform::Xe2] {
        let legal = legal(Format::default(), platform);
        let mut runner = runner(1, 41);
        for (_, strategy) in legal.rows() {
            for _ in 0..cases(1) {
                let instruction = strategy.new_tree(&mut runner).expect("an instruction").current();
                let mut module = Module::new(Format::default());
                let mut kernel = genvisa::object::Kernel::new("k");
                kernel.body = legal.declarations().clone();
                kernel.body.name = kernel.body.intern("k");
                let code = genvisa::object::Code::from_instructions([&instruction], module.format);
                kernel.body.code = code.expect("a legal instruction");
                module.kernels.push(kernel);
                let seed = u64::from(runner.rng().next_u32());
                check(&module, seed).unwrap_or_else(|error| panic!("{error}: {instruction}"));
            }
        }
    }
}

/// Codes and counts that no legal instruction has are refused, and take no more time or memory.
#[test]
fn damaged_instructions_end() {
    let format = Format::default();
    let legal = legal(format, Platform::Xe2);
    let mut runner = runner(1, 42);
    let mut runs = 0;
    for (_, strategy) in legal.rows() {
        let instruction = strategy.new_tree(&mut runner).expect("an instruction").current();
        let code = genvisa::object::Code::from_instructions([&instruction], format);
        let code = code.expect("a legal instruction").bytes().to_vec();
        for _ in 0..cases(2) {
            let mut code = code.clone();
            let [at, new] = [runner.rng().next_u32(), runner.rng().next_u32()];
            let at = at as usize % code.len();
            code[at] = new as u8;
            let mut module = Module::new(format);
            let mut kernel = genvisa::object::Kernel::new("k");
            kernel.body = legal.declarations().clone();
            kernel.body.code = genvisa::object::Code::Present { bytes: code.into(), offset: 0 };
            module.kernels.push(kernel);
            runs += usize::from(run(&module, 1).is_some());
        }
    }
    assert!(runs as u64 > cases(120), "{runs}");
}
