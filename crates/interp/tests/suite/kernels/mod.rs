//! Kernels in OpenCL C: today's compiler compiles them for each device, the interpreter runs them, and
//! pocl computes the expected results on the CPU.
//!
//! A part of the combinations of file, device, options and width runs by default; `GENVISA_KERNELS=all`
//! runs all, and with `GENVISA_BLESS` writes `docs/evidence/run-kernels.md`.

mod compare;
mod darktable;
mod data;
mod device;
pub mod manifest;
mod platforms;
mod properties;
mod reference;
mod table;

use std::collections::BTreeMap;
use std::env;

use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;

use device::{Build, DEVICES};
use manifest::{Source, sources};
use reference::Pocl;

/// A mistake of the compiler that stops a kernel.
struct Exception {
    kernel: &'static str,
    has: fn(&Build) -> bool,
    /// A part of the message.
    message: &'static str,
}

const EXCEPTIONS: [Exception; 1] = [
    // Instructions of 32 lanes are split into halves, and split barriers with them: each thread signals
    // twice and waits twice.
    Exception {
        kernel: "memory/split_barrier",
        has: |build| build.width == 32 && matches!(build.device.name, "tgllp" | "dg2"),
        message: "the wait of a split barrier that was not signalled",
    },
];

/// The result of a kernel in a build.
struct Outcome {
    kernel: String,
    build: Build,
    /// The instructions, or what differs.
    result: Result<u64, String>,
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14 and pocl"]
fn kernels_compute_what_pocl_does() {
    let (ocloc, pocl) = (Ocloc::required(), Pocl::required());
    let runs_all = env::var("GENVISA_KERNELS").is_ok_and(|value| value == "all");
    let sources = sources();
    let names: usize = sources.iter().map(|source| source.runs.len()).sum();
    assert!(names >= 60, "{names} kernels");
    let filter = env::var("GENVISA_KERNELS").unwrap_or_default();
    let is_selected =
        |source: &Source| runs_all || filter.is_empty() || filter.contains(&source.name);
    let selected: Vec<&Source> = sources.iter().filter(|source| is_selected(source)).collect();

    // The reference depends on the width only in kernels that use sub-groups.
    let references: Vec<(&Source, u32)> = selected
        .iter()
        .flat_map(|source| source.widths().map(move |width| (*source, width)))
        .collect();
    let expected = parallel(&references, |(source, width)| pocl.results(source, *width));
    let expected: BTreeMap<(&str, u32), _> = references
        .iter()
        .zip(&expected)
        .map(|((source, width), results)| ((&*source.name, *width), results))
        .collect();

    let all: Vec<(&Source, Build)> = selected
        .iter()
        .flat_map(|source| source.builds().map(move |build| (*source, build)))
        .collect();
    // Every file on every device, with the widths and options alternating.
    let is_in_sample = |index: usize| runs_all || !filter.is_empty() || index % 4 == index / 4 % 4;
    let jobs: Vec<(&Source, Build)> = all
        .into_iter()
        .enumerate()
        .filter(|(index, _)| is_in_sample(*index))
        .map(|(_, job)| job)
        .collect();
    let outcomes: Vec<Outcome> = parallel(&jobs, |(source, build)| {
        let expected = expected[&(&*source.name, build.width)];
        device::run(&ocloc, source, *build, expected)
    })
    .into_iter()
    .flatten()
    .collect();

    for device in DEVICES {
        assert!(
            outcomes.iter().any(|outcome| outcome.build.device.name == device.name)
                || !filter.is_empty()
        );
    }
    if runs_all {
        table::check(&sources, &outcomes);
    }
    let mut failures: Vec<String> = outcomes
        .iter()
        .filter_map(|outcome| {
            let problem = judge(outcome)?;
            Some(format!("{} ({}): {problem}", outcome.kernel, outcome.build))
        })
        .collect();
    failures.sort();
    let instructions: u64 =
        outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok()).sum();
    eprintln!(
        "{} runs of kernels in {} builds, {instructions} instructions, {} failures",
        outcomes.len(),
        jobs.len(),
        failures.len()
    );
    assert!(
        failures.is_empty(),
        "{}\n{} of {} failed",
        failures.join("\n"),
        failures.len(),
        outcomes.len()
    );
}

/// Returns the mistake of the compiler in a build of a kernel.
fn exception_of(kernel: &str, build: &Build) -> Option<&'static Exception> {
    EXCEPTIONS.iter().find(|exception| exception.kernel == kernel && (exception.has)(build))
}

/// Returns the problem of an outcome, unless it is an exception.
fn judge(outcome: &Outcome) -> Option<String> {
    match (&outcome.result, exception_of(&outcome.kernel, &outcome.build)) {
        (Ok(_), None) => None,
        (Err(problem), Some(exception)) if problem.contains(exception.message) => None,
        (Ok(_), Some(exception)) => Some(format!("is not reported: {}", exception.message)),
        (Err(problem), _) => Some(problem.clone()),
    }
}
