//! Properties of kernels that the compiler makes: what does not change their results.

use std::collections::BTreeMap;
use std::ops::Range;

use genvisa::analysis::Analysis;
use genvisa::isa::{IdClass, Loc};
use genvisa::object::RoutineEditor;
use genvisa::operand::VarId;
use genvisa::text::{self, FileListing};
use genvisa::{Instruction, Module};
use genvisa_diff::Differ;
use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Grid, Launch, Options};
use genvisa_interp::{Fault, Group, Machine, Program};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::cases;
use genvisa_test_support::rng::Rng;

use super::device::{Build, compile};
use super::exception_of;
use super::manifest::{Run, Source, sources};

#[path = "../../../../../examples/peephole.rs"]
mod peephole;
#[path = "../../../../../examples/rename.rs"]
mod rename;

/// The bytes of the buffers after a run.
type Results = Vec<Vec<u8>>;

/// Runs all groups of a kernel, each with a function, and returns the buffers.
fn results(
    binary: &DeviceBinary,
    run: &Run,
    run_group: impl Fn(&Machine<'_>, &Program, &mut Group) -> Result<(), Fault>,
) -> Result<Results, String> {
    let platform = binary.platform().map_err(|error| error.to_string())?;
    let program =
        Program::of_kernel(binary, &run.kernel, platform).map_err(|error| error.to_string())?;
    let mut machine = Machine::new(&program).with_limit(20_000_000 * 32);
    let grid = Grid::new(&run.global, &run.local).map_err(|error| error.to_string())?;
    let arguments = run.arguments.iter().map(|(_, argument)| argument.value()).collect();
    let options = Options { platform, workers: 1 };
    let launch = Launch::new(&mut machine, binary, &run.kernel, options, grid, arguments)
        .map_err(|error| error.to_string())?;
    for number in 0..grid.group_count() {
        let mut group = launch.group(&machine, number, 0).map_err(|fault| fault.to_string())?;
        run_group(&machine, &program, &mut group).map_err(|fault| fault.to_string())?;
    }
    let buffers = (0..run.arguments.len()).filter_map(|index| launch.buffer(index));
    Ok(buffers.map(|at| machine.memory().bytes(at).expect("a buffer").to_vec()).collect())
}

fn plainly(machine: &Machine<'_>, _: &Program, group: &mut Group) -> Result<(), Fault> {
    machine.run(group).map(drop)
}

/// Calls a function with kernels of every file, each in one build, which depends on the salt. It returns what
/// is wrong.
fn for_kernels(salt: usize, check: impl Fn(&DeviceBinary, &Run) -> Result<(), String> + Sync) {
    let ocloc = Ocloc::required();
    let sources = sources();
    let jobs: Vec<(&Source, Build)> = sources
        .iter()
        .enumerate()
        .flat_map(|(index, source)| {
            let builds: Vec<Build> = source.builds().collect();
            let chosen = cases(1) as usize;
            let start = index * 5 + salt;
            (0..chosen).map(move |nth| (source, builds[(start + nth) % builds.len()]))
        })
        .collect();
    let failures = parallel(&jobs, |(source, build)| {
        let binary = match compile(&ocloc, source, *build) {
            Ok(binary) => binary,
            Err(problem) => return vec![format!("{} ({build}): {problem}", source.name)],
        };
        let failure = |run: &Run| {
            let kernel = format!("{}/{}", source.name, run.kernel);
            // A kernel that stops has no results; the comparison with pocl checks that it does.
            if exception_of(&kernel, build).is_some() {
                return None;
            }
            let problem = check(&binary, run).err()?;
            Some(format!("{kernel} ({build}): {problem}"))
        };
        source.runs.iter().filter_map(failure).collect()
    });
    let failures = failures.concat();
    assert!(failures.is_empty(), "{}\n{} failed", failures.join("\n"), failures.len());
}

fn same(found: &Results, expected: &Results) -> Result<(), String> {
    let places = found.iter().zip(expected).enumerate();
    let mut differences = places.filter_map(|(buffer, (found, expected))| {
        let at = found.iter().zip(expected).position(|(a, b)| a != b)?;
        Some(format!("buffer {buffer} differs at byte {at}"))
    });
    differences.next().map_or(Ok(()), Err)
}

/// The bytes of variables that are dead before each instruction of a routine.
type Dead = Vec<Vec<(VarId, Range<u32>)>>;

fn dead(module: &Module<'_>, routine: usize, program: &Program) -> Dead {
    let routine = module.routine(routine).expect("a routine");
    // LIFETIME starts the life of a variable, and today's compiler without optimization also puts it before
    // the second of two messages that write halves of a variable.
    let instructions = routine.instructions().map(|item| match item.expect("valid code").1 {
        Instruction::Lifetime(_) => Loc { line_number: 0 }.into(),
        other => other,
    });
    let registers = program.device().registers;
    let analysis = Analysis::of_instructions(&routine, instructions.collect(), registers);
    let declared = |id: genvisa::isa::Id| {
        id.class == IdClass::Variable && id.number >= VarId::FIRST_DECLARED.0
    };
    let roots: Vec<_> = analysis.storage.roots().filter(|root| declared(root.root)).collect();
    let dead_at = |instruction: usize| {
        let mut dead = Vec::new();
        for root in &roots {
            let mut start = 0;
            for live in analysis.liveness.live_units(root.root, instruction) {
                dead.push((VarId(root.root.number), start..live.start));
                start = live.end;
            }
            dead.push((VarId(root.root.number), start..root.size));
        }
        dead.retain(|(_, bytes)| !bytes.is_empty());
        dead
    };
    (0..analysis.instructions.len()).map(dead_at).collect()
}

/// Bytes that liveness calls dead are overwritten with noise before every instruction.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn dead_bytes_have_no_effect() {
    let noise: Vec<u8> = (0..1 << 16).map(|at: u32| (at * 37 + 101) as u8).collect();
    for_kernels(0, |binary, run| {
        let expected = results(binary, run, plainly)?;
        let modules: Vec<Module<'_>> = binary
            .texts
            .iter()
            .map(|text| text::parse(text, text::format_of(text)).expect("text of the compiler"))
            .collect();
        let found = results(binary, run, |machine, program, group| {
            let mut all: BTreeMap<usize, Dead> = BTreeMap::new();
            // One group has every instruction that runs.
            if group.id() != [0; 3] {
                return plainly(machine, program, group);
            }
            while machine.run_until(group, |_, _| true)? {
                let Some(thread) = group.next_thread() else { break };
                let Some((routine, instruction, _)) = group.threads()[thread].next() else { break };
                let dead = all.entry(routine).or_insert_with(|| {
                    let name = program.routines()[routine].name();
                    let places = modules.iter().flat_map(|module| {
                        module.routines().enumerate().map(move |(index, it)| (module, index, it))
                    });
                    let found =
                        places.filter(|(_, _, it)| *it.name == *name).map(|(m, i, _)| (m, i));
                    let (module, index) = found.last().expect("the routine is in a text");
                    dead(module, index, program)
                });
                for (var, bytes) in dead.get(instruction).into_iter().flatten() {
                    let (start, end) = (bytes.start as usize, bytes.end as usize);
                    let thread = group.thread_mut(thread).expect("a thread");
                    thread.set_variable(program, *var, start, &noise[start..end]);
                }
                machine.step(group)?;
            }
            Ok(())
        })?;
        same(&found, &expected)
    });
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_order_of_threads_has_no_effect() {
    for_kernels(1, |binary, run| {
        let expected = results(binary, run, plainly)?;
        let found = results(binary, run, |machine, _, group| {
            let mut rng = Rng::new(11, 3);
            let mut left = 0;
            while machine.run_until(group, |_, _| true)? {
                if left == 0 {
                    left = rng.below(40);
                    group.set_first_thread(rng.below(64));
                }
                left = left.saturating_sub(1);
                machine.step(group)?;
            }
            Ok(())
        })?;
        // The order of atomic operations is open.
        let is_ordered = !binary.texts.iter().any(|text| contains(text, b"atomic"));
        if is_ordered { same(&found, &expected) } else { Ok(()) }
    });
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// Returns a binary whose texts were changed by a pass.
fn changed(
    binary: &DeviceBinary,
    pass: impl Fn(&mut RoutineEditor<'_, '_>),
) -> Result<DeviceBinary, String> {
    let mut changed = binary.clone();
    for text in &mut changed.texts {
        let before =
            text::parse(&*text, text::format_of(&*text)).map_err(|errors| errors.to_string())?;
        let mut module = before.clone();
        for routine in 0..module.routines().count() {
            let mut editor = module.edit(routine).map_err(|error| error.to_string())?;
            pass(&mut editor);
            editor.finish().map_err(|error| error.to_string())?;
        }
        let mut printed = FileListing::new(&module).to_text().map_err(|error| error.to_string())?;
        if let Some(platform) = text::stated_platform(&*text) {
            printed.push_str(&format!("\n//Platform: {}\n", platform.name));
        }
        *text = printed.into_bytes();
    }
    Ok(changed)
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn passes_have_no_effect_on_results() {
    for_kernels(2, |binary, run| {
        let expected = results(binary, run, plainly)?;
        let optimized = changed(binary, |editor| {
            peephole::optimize(editor);
        })?;
        same(&results(&optimized, run, plainly)?, &expected)
            .map_err(|it| format!("peephole: {it}"))?;
        let renamed = changed(binary, rename::rename)?;
        for (a, b) in binary.texts.iter().zip(&renamed.texts) {
            let parse = |text: &[u8]| text::parse(text, text::format_of(text)).expect("text");
            let (a, b) = (parse(a), parse(b));
            for pair in Differ::new().modules(&a, &b).routines {
                let diff = pair.diff.expect("both have it").map_err(|error| error.to_string())?;
                if !diff.to_unified("a", "b", 0).is_empty() {
                    return Err("names make a difference".into());
                }
            }
        }
        same(&results(&renamed, run, plainly)?, &expected).map_err(|it| format!("rename: {it}"))
    });
}
